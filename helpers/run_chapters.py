"""Executes chapters without a browser, each into a copy, and measures them: what `workbook run` does."""

import difflib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from helpers.engines import ENGINES, RUST_ENGINES, Engine
from helpers.errors import ParameterError, WorkbookError
from helpers.exercises import is_open_exercise
from helpers.parameters import PROFILE_VARIABLE
from helpers.paths import NOTEBOOKS, REPO
from helpers.process_tree import ProcessTreeWatch

RUNS = REPO / "runs"
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CHAPTER_FILE = re.compile(r"(\d\d)_(\w+)\.ipynb")


@dataclass(frozen=True)
class Chapter:
    """A notebook of the workbook, such as `01_pytorch_cnn.ipynb`."""

    number: str
    path: Path

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem


@dataclass(frozen=True)
class ChapterResult:
    """What one chapter cost and whether it passed.

    Attributes:
        seconds: From the start of its kernel to the end of it.
        peak_bytes: Highest memory of the kernel and all programs below it together, shared memory counted once.
        error: The failing cell's error, such as `In [3] %%rust tch: RustPanic: ...`; empty for a pass.
        output: The executed copy.
    """

    chapter: str
    passed: bool
    seconds: float
    peak_bytes: int
    error: str
    output: str


def find_chapters(chosen: Sequence[str] = (), folder: Path = NOTEBOOKS) -> list[Chapter]:
    """Return the chapters in order; only those of `chosen` if it names any.

    Args:
        chosen: Numbers or names, such as `2`, `02` or `02_one_network_five_engines`.
        folder: Where the notebooks are.

    Raises:
        ParameterError: A word names no chapter; tells the nearest one.
    """
    matches = [
        (match, path) for path in sorted(folder.glob("*.ipynb")) if (match := _CHAPTER_FILE.fullmatch(path.name))
    ]
    chapters = [Chapter(match[1], path) for match, path in matches]
    wanted = {_find(word, chapters) for word in chosen}
    return [chapter for chapter in chapters if not chosen or chapter in wanted]


def _find(word: str, chapters: Sequence[Chapter]) -> Chapter:
    stem = word.removesuffix(".ipynb")
    for chapter in chapters:
        if stem in {chapter.name, chapter.number, chapter.number.lstrip("0")}:
            return chapter
    known = [chapter.name for chapter in chapters]
    near = difflib.get_close_matches(stem, known, n=1)
    guess = f"did you mean {near[0]}?" if near else f"the chapters are {', '.join(known) or 'missing'}."
    raise ParameterError(f"There is no chapter {word!r}: {guess}")


def engines_of(chapter: Chapter) -> list[Engine]:
    """Return the Rust engines that a chapter builds, in the usual order.

    A `%%rust` cell builds one, unless it is the unchanged stub of an exercise; `%rust_compare` those it names or all.
    A chapter that trains engines by their names lists them in its metadata:
    `{"workbook": {"engines": ["tch", "candle"]}}`.
    """
    import nbformat  # here, because it takes seconds to import and most commands do without

    notebook = nbformat.read(chapter.path, as_version=4)
    names = set(notebook.metadata.get("workbook", {}).get("engines", []))
    for cell in notebook.cells:
        if cell.cell_type == "code" and not is_open_exercise(cell.source):
            names |= _named_in(cell.source)
    return [engine for name, engine in RUST_ENGINES.items() if name in names]


def _named_in(source: str) -> set[str]:
    names = set(re.findall(r"^%%rust\s+(\w+)", source, re.MULTILINE))
    for line in re.findall(r"^%rust_compare\b.*$", source, re.MULTILINE):
        chosen = re.search(r"--engines[ =](\S+)", line)
        names |= set(chosen[1].split(",")) if chosen else set(ENGINES)
    return names


def new_run_folder(root: Path = RUNS) -> Path:
    """Make and return a new folder named by the time."""
    stamp = datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    for number in range(1000):
        folder = root / (stamp if number == 0 else f"{stamp}_{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise WorkbookError(f"The folder {root} already holds a thousand runs of this second: remove some.")


def run_chapter(
    chapter: Chapter,
    folder: Path,
    *,
    profile: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress_bar: bool = False,
) -> ChapterResult:
    """Execute one chapter with papermill into `folder`, in the notebook's own working folder.

    Args:
        chapter: The chapter.
        folder: Where the executed copy goes.
        profile: `small` or `full`; None for what the chapter says.
        parameters: Values for the parameters cell.
        progress_bar: Whether to show a bar of cells on standard error.
    """
    output = folder / chapter.path.name
    started = time.perf_counter()
    with _profile_in_environment(profile), ProcessTreeWatch() as watch:
        error = _execute(chapter, output, dict(parameters or {}), progress_bar)
    seconds = time.perf_counter() - started
    return ChapterResult(chapter.name, not error, seconds, watch.peak_bytes, error, str(output))


def run_chapters(
    chapters: Sequence[Chapter],
    folder: Path,
    *,
    profile: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress_bar: bool = False,
    on_result: Callable[[ChapterResult], None] = lambda result: None,
) -> list[ChapterResult]:
    """Execute chapters one after the other; a failing one does not stop the rest.

    The results so far are always in `folder`'s `results.json`.
    """
    results = []
    for chapter in chapters:
        result = run_chapter(chapter, folder, profile=profile, parameters=parameters, progress_bar=progress_bar)
        results.append(result)
        (folder / "results.json").write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n")
        on_result(result)
    return results


@contextmanager
def _profile_in_environment(profile: str | None) -> Iterator[None]:
    before = os.environ.get(PROFILE_VARIABLE)
    if profile is not None:
        os.environ[PROFILE_VARIABLE] = profile
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(PROFILE_VARIABLE, None)
        else:
            os.environ[PROFILE_VARIABLE] = before


def _execute(chapter: Chapter, output: Path, parameters: dict[str, Any], progress_bar: bool) -> str:
    """Execute the chapter; return its error in one line, or an empty text."""
    import nbformat
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    try:
        papermill.execute_notebook(
            nbformat.read(chapter.path, as_version=4),
            _without_braces(output),
            parameters=parameters,
            kernel_name="python3",
            language="python",
            cwd=str(chapter.path.parent),
            extra_arguments=["--IPKernelApp.log_level=40"],  # no word on how the kernel is connected
            progress_bar={"desc": chapter.name, "leave": False} if progress_bar else False,
        )
    except papermill.PapermillExecutionError as error:
        first_line = error.source.strip().partition("\n")[0]
        return _one_line(f"In [{error.exec_count}] {first_line}: {error.ename}: {error.evalue}")
    except (DeadKernelError, CellTimeoutError) as error:
        return _one_line(f"{type(error).__name__}: {error}")
    # A cell that ends the kernel's run with exit code 0 stops papermill without an error.
    executed = nbformat.read(output, as_version=4)
    cells = (cell for cell in executed.cells if cell.cell_type == "code" and cell.source.strip())
    skipped = [cell for cell in cells if not cell.execution_count]
    return f"{len(skipped)} cells were not run, the first: {_one_line(skipped[0].source)[:80]}" if skipped else ""


def _without_braces(path: Path) -> str:
    # papermill fills in {names} in paths.
    return str(path).replace("{", "{{").replace("}", "}}")


def _one_line(text: str) -> str:
    return " ".join(_ANSI.sub("", text).split())
