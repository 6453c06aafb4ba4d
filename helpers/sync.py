"""Keeps the Rust and PyTorch cells of the notebooks equal to the files in `rust_snippets`.

A cell that names a file, such as `%%rust candle src/model.rs`, holds that file's text below its first line. Cells
with `--expect`, which must fail, and cells with the tag `variant` are not files.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.engines import ENGINES
from helpers.errors import RustUsageError, WorkbookError
from helpers.magic_arguments import parse_pytorch, parse_rust
from helpers.paths import NOTEBOOKS, SNIPPETS

VARIANT_TAG = "variant"
_RUST, _PYTORCH = "%%rust", "%%pytorch"


@dataclass(frozen=True)
class FileCell:
    """A notebook cell that holds a file of `rust_snippets`.

    Attributes:
        notebook: The notebook.
        index: The cell's place among all cells, from 0.
        file: The file that it holds.
        text: The file's text as the cell has it, ending in one newline.
    """

    notebook: Path
    index: int
    file: Path
    text: str

    @property
    def place(self) -> str:
        """Where the cell is, in words; cells are counted from 1."""
        return f"{self.notebook.name}, cell {self.index + 1}"


@dataclass(frozen=True)
class Difference:
    """A cell and its file that do not hold the same text."""

    cell: FileCell
    file_text: str | None

    def describe(self, root: Path) -> str:
        """Return one line that names both and the first line that differs."""
        name = self.cell.file.relative_to(root).as_posix()
        if self.file_text is None:
            return f"{self.cell.place}: there is no file {name}"
        lines = (self.cell.text.splitlines(), self.file_text.splitlines())
        first = next((i for i, (a, b) in enumerate(zip(*lines, strict=False)) if a != b), min(map(len, lines)))
        return f"{self.cell.place}: differs from {name} in line {first + 1}"

    def diff(self) -> str:
        """Return the unified difference from the file to the cell."""
        before = (self.file_text or "").splitlines(keepends=True)
        after = self.cell.text.splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, after, self.cell.file.name, self.cell.place))


def file_cells(notebook: Path, snippets: Path = SNIPPETS) -> list[FileCell]:
    """Return the cells of a notebook that hold files."""
    import nbformat  # here, because it takes seconds to import and most commands do without

    cells = []
    for index, cell in enumerate(nbformat.read(notebook, as_version=4).cells):
        if cell.cell_type != "code" or VARIANT_TAG in cell.metadata.get("tags", []):
            continue
        line, _, text = cell.source.partition("\n")
        file = _named_file(line, snippets)
        if file is not None:
            cells.append(FileCell(notebook, index, file, text.rstrip("\n") + "\n"))
    return cells


def _named_file(line: str, snippets: Path) -> Path | None:
    """Return the file that a cell's first line names; None if the cell is not a file."""
    magic, _, words = line.strip().partition(" ")
    try:
        if magic == _PYTORCH:
            return snippets / ENGINES["pytorch"].name / parse_pytorch(words)
        if magic == _RUST:
            options = parse_rust(words)
            return snippets / options.engine.name / options.file if options.file and not options.expect else None
    except RustUsageError:
        return None  # a cell that shows a usage error
    return None


def differences(notebooks: Sequence[Path] | None = None, snippets: Path = SNIPPETS) -> list[Difference]:
    """Return all cells that do not hold their file's text; all notebooks by default."""
    found = []
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")) if notebooks is None else notebooks:
        for cell in file_cells(notebook, snippets):
            text = cell.file.read_text(encoding="utf-8") if cell.file.exists() else None
            if text != cell.text:
                found.append(Difference(cell, text))
    return found


def to_snippets(found: Sequence[Difference]) -> list[Path]:
    """Write the cells' texts into the files.

    Returns:
        The files written.

    Raises:
        WorkbookError: Two cells hold the same file with different texts; nothing was written.
    """
    wanted: dict[Path, FileCell] = {}
    for cell in (difference.cell for difference in found):
        other = wanted.setdefault(cell.file, cell)
        if other.text != cell.text:
            raise WorkbookError(
                f"{other.place} and {cell.place} hold {cell.file.name} with different texts: make them equal, or give "
                f"one of them the tag `{VARIANT_TAG}`."
            )
    for file, cell in wanted.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(cell.text, encoding="utf-8")
    return list(wanted)


def to_notebooks(found: Sequence[Difference]) -> list[Path]:
    """Write the files' texts into the cells, and clear the outputs of the cells that changed.

    Returns:
        The notebooks written; cells whose file does not exist stay as they are.
    """
    import nbformat

    written = []
    for notebook in dict.fromkeys(difference.cell.notebook for difference in found):
        content = nbformat.read(notebook, as_version=4)
        changes = [d for d in found if d.cell.notebook == notebook and d.file_text is not None]
        for difference in changes:
            cell = content.cells[difference.cell.index]
            line = cell.source.partition("\n")[0]
            cell.source = f"{line}\n{(difference.file_text or '').rstrip(chr(10))}"
            cell.outputs, cell.execution_count = [], None
        if changes:
            nbformat.write(content, notebook)
            written.append(notebook)
    return written
