"""The cheat sheet of chapter 3: its rows, their code in five programs, and what came out when the programs ran.

A row's code stands in the programs between the line `// row: NAME` (`# row: NAME` in Python) and the line that
shows the result. The rest of a row, such as its trap, stands in `cheat_sheet.toml` beside this module.
"""

import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from helpers.cargo import CargoTarget, build
from helpers.engines import ENGINES, Engine
from helpers.errors import RustCompileError, RustExit, WorkbookError
from helpers.process import run_program
from helpers.toolchain import cargo_env

TABLE = Path(__file__).with_name("cheat_sheet.toml")
PROGRAM = "cheat_sheet"
COMPARISONS = ("values", "shape", "text", "shown")
TOLERANCE = 1e-5  # largest difference, relative to PyTorch's largest number or to 1
_KEYS = {"name", "group", "title", "compare", "trap", "lacks"}
_ANCHOR = re.compile(r"\s*(?://|#) row: ([a-z0-9-]+)\s*")
_SHOWN = re.compile(r"\s*(?:show|say)\(")


@dataclass(frozen=True)
class Row:
    """One operation.

    Attributes:
        compare: "values", "shape" (random numbers), "text", or "shown" (nothing to compare).
        trap: What goes wrong when code is translated.
        lacks: Why a framework has no code here, by engine.
    """

    name: str
    group: str
    title: str
    trap: str
    compare: str = "values"
    lacks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RowResult:
    """What one engine printed for one row: a tensor's shape and numbers in row-major order, or words."""

    shape: tuple[int, ...] | None = None
    values: tuple[float, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class CheatSheet:
    """All rows with each engine's code and result.

    Attributes:
        code: Source lines by engine and row name.
        results: Results by engine and row name.
        differences: One sentence for each result that is not PyTorch's although it should be.
    """

    rows: tuple[Row, ...]
    code: Mapping[str, Mapping[str, str]]
    results: Mapping[str, Mapping[str, RowResult]]
    differences: tuple[str, ...]

    @property
    def summary(self) -> str:
        """How many rows ran in how many engines, and how many were compared."""
        ran = sum(len(results) for results in self.results.values())
        compared = sum(row.compare != "shown" for row in self.rows)
        return (
            f"{len(self.rows)} rows, {ran} results from {len(self.results)} engines; "
            f"{compared} rows compared, {len(self.differences)} differences"
        )

    def assert_ok(self) -> None:
        """Raise WorkbookError if a result differs from PyTorch's."""
        if self.differences:
            raise WorkbookError("The cheat sheet has results that differ: " + "; ".join(self.differences))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from helpers.cheat_sheet_view import cheat_sheet_html, cheat_sheet_text

        return {"text/html": cheat_sheet_html(self), "text/plain": cheat_sheet_text(self)}


def read_rows(path: Path = TABLE) -> tuple[Row, ...]:
    """Read the table of rows.

    Raises:
        ValueError: A row is incomplete, has an unknown key, or a name that another row has.
    """
    rows: dict[str, Row] = {}
    group = ""
    for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("row", []), start=1):
        where = f"{path.name}, row {number} ({entry.get('name', 'without name')})"
        group = entry.get("group", group)
        if unknown := sorted(entry.keys() - _KEYS):
            raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}.")
        if missing := [key for key in ("name", "title", "trap") if not entry.get(key)]:
            raise ValueError(f"{where}: {missing[0]!r} is missing.")
        row = Row(**{"compare": "values", "lacks": {}, **entry, "group": group})
        if row.compare not in COMPARISONS:
            raise ValueError(f"{where}: compare = {row.compare!r} is none of {', '.join(COMPARISONS)}.")
        if strangers := sorted(row.lacks.keys() - ENGINES.keys()):
            raise ValueError(f"{where}: there is no engine {strangers[0]!r}.")
        if rows.setdefault(row.name, row) is not row:
            raise ValueError(f"{where}: another row has this name.")
    return tuple(rows.values())


def program_file(engine: Engine) -> Path:
    """Return the file with an engine's rows."""
    return engine.package / ("src/bin/cheat_sheet.rs" if engine.is_rust else "cheat_sheet.py")


def code_by_row(source: str) -> dict[str, str]:
    """Cut a program into its rows' code, without the lines that show results.

    Raises:
        ValueError: A row begins before the last one has shown its result, or a name comes twice.
    """
    rows: dict[str, str] = {}
    name, lines = None, []
    for line in source.splitlines():
        if anchor := _ANCHOR.fullmatch(line):
            if name is not None or anchor[1] in rows:
                raise ValueError(f"row {anchor[1]!r} begins twice, or row {name!r} shows no result")
            name, lines = anchor[1], []
        elif name is not None and _SHOWN.match(line):
            rows[name] = textwrap.dedent("\n".join(lines)).strip("\n")
            name = None
        elif name is not None:
            lines.append(line)
    if name is not None:
        raise ValueError(f"row {name!r} shows no result")
    return rows


def read_results(output: str) -> dict[str, RowResult]:
    """Read a program's output: one line of JSON a row, other lines are left out."""
    results = {}
    for line in output.splitlines():
        if line.startswith('{"row":'):
            entry = json.loads(line)
            shape = tuple(entry["shape"]) if "shape" in entry else None
            results[entry["row"]] = RowResult(shape, tuple(entry.get("values", ())), entry.get("text", ""))
    return results


def run_rows(engine: Engine, folder: Path) -> dict[str, RowResult]:
    """Build an engine's program if needed, run it, and return its results; it saves its file in `folder`.

    Raises:
        RustCompileError: The program does not compile.
        RustExit: It did not end well.
    """
    if engine.is_rust:
        from helpers.build_progress import BuildProgressDisplay

        with BuildProgressDisplay(engine.title) as progress:
            built = build(engine, engine.package, CargoTarget("bin", PROGRAM), on_progress=progress)
        if built.executable is None:
            first = next((m["message"] for m in built.messages if m.get("level") == "error"), built.stderr.strip())
            raise RustCompileError(f"The {engine.title} rows do not compile: {first}")
        command = [str(built.executable)]
    else:
        command = [sys.executable, str(program_file(engine))]
    ended = run_program([*command, str(folder)], cwd=folder, env=cargo_env(engine) if engine.is_rust else None)
    if ended.returncode != 0:
        last = ended.stderr.strip().splitlines()[-1:] or ["no message"]
        raise RustExit(f"The {engine.title} rows ended with exit code {ended.returncode}: {last[0]}")
    return read_results(ended.stdout)


def compare(row: Row, result: RowResult, reference: RowResult) -> str:
    """Say in a few words how a result differs from PyTorch's; empty if it does not, or nothing is to compare."""
    if row.compare == "shown":
        return ""
    if row.compare == "text":
        return "" if result.text == reference.text else f"{result.text!r} instead of {reference.text!r}"
    if _shape(result) != _shape(reference):
        return f"shape {list(result.shape or ())} instead of {list(reference.shape or ())}"
    if row.compare == "shape":
        return ""
    limit = TOLERANCE * max(1.0, *(abs(value) for value in reference.values))
    distances = [abs(a - b) for a, b in zip(result.values, reference.values, strict=True)]
    if all(distance <= limit for distance in distances):  # false for NaN
        return ""
    return f"off by {max(distances):.2g}"


def _shape(result: RowResult) -> tuple[int, ...] | None:
    """A single number may be a scalar or a vector of one: Burn has no tensor of rank 0."""
    return () if result.shape == (1,) else result.shape


def compare_all(rows: Iterable[Row], results: Mapping[str, Mapping[str, RowResult]]) -> tuple[str, ...]:
    """Compare all results with PyTorch's; a result that is missing is a difference too."""
    differences = []
    for row in rows:
        for engine in results:
            if engine in row.lacks:
                continue
            result = results[engine].get(row.name)
            said = "no result" if result is None else compare(row, result, results["pytorch"][row.name])
            if said:
                differences.append(f"{row.name} in {ENGINES[engine].title}: {said}")
    return tuple(differences)


def run_cheat_sheet(folder: Path) -> CheatSheet:
    """Run all rows in all five engines and compare them.

    Args:
        folder: Where each program saves its `<engine>.safetensors`; made if it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = read_rows()
    code = {name: code_by_row(program_file(engine).read_text(encoding="utf-8")) for name, engine in ENGINES.items()}
    results = {name: run_rows(engine, folder) for name, engine in ENGINES.items()}
    return CheatSheet(rows, code, results, compare_all(rows, results))
