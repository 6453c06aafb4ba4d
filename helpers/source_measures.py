"""What the workbook's own programs say about a framework: names kept from PyTorch, and lines of code.

Both look at the same work written in five engines: the rows of the cheat sheet of chapter 3, and the network of
chapter 2 with its training.
"""

import ast
import re
from pathlib import Path

from helpers.cheat_sheet import code_by_row, program_file, read_rows
from helpers.engines import ENGINES, Engine

# A name before an opening bracket, with type arguments between them or not: `torch.zeros(`, `Tensor::<2>::zeros(`.
_CALL = re.compile(r"([A-Za-z_]\w*)(?:::<[^>]*>)?\(")


def called_names(code: str) -> set[str]:
    """Return the names of the functions and methods that a piece of Python or Rust calls."""
    return set(_CALL.findall(code))


def kept_name_shares() -> dict[str, float]:
    """Return, for each Rust framework, the share of PyTorch's calls whose name its code for the same row uses too.

    Each row of the cheat sheet counts the same. A row that PyTorch writes without a call, such as `a + b`, does not
    count; a row that the framework lacks counts as 0.
    """
    codes = {name: code_by_row(program_file(engine).read_text(encoding="utf-8")) for name, engine in ENGINES.items()}
    rows = {row.name: called_names(codes["pytorch"].get(row.name, "")) for row in read_rows()}
    rows = {name: calls for name, calls in rows.items() if calls}
    return {
        engine: sum(len(calls & called_names(codes[engine].get(name, ""))) / len(calls) for name, calls in rows.items())
        / len(rows)
        for engine in ENGINES
        if engine != "pytorch"
    }


def code_lines(engine: Engine) -> int:
    """Return the lines of code of an engine's model and training files."""
    return sum(_lines(path) for path in network_files(engine))


def network_files(engine: Engine) -> list[Path]:
    """Return the two files: the model, and its training."""
    folder, suffix = (engine.package / "src", ".rs") if engine.is_rust else (engine.package, ".py")
    return [folder / f"{stem}{suffix}" for stem in ("model", "train")]


def further_files(engine: Engine) -> list[str]:
    """Return the files of the package that model and training take something from, beyond each other and the data."""
    used = set()
    for path in network_files(engine):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"^use crate::(\w+)", text, re.MULTILINE))
    return sorted(f"{name}.rs" for name in used - {"model", "train", "data"})


def _lines(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    return python_code_lines(text) if path.suffix == ".py" else rust_code_lines(text)


def rust_code_lines(text: str) -> int:
    """Count lines that are neither empty nor only a `//` comment."""
    return sum(bool(line.strip()) and not line.strip().startswith("//") for line in text.splitlines())


def python_code_lines(text: str) -> int:
    """Count lines that are neither empty, nor only a comment, nor part of a docstring."""
    described = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node) is not None
        for number in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = enumerate(text.splitlines(), start=1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in described for number, line in lines
    )
