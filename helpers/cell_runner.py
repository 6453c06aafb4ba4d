"""Compiles a cell and runs its program, without showing anything: what the magics, tests and benchmarks share."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.cargo import BuildProgress, BuildResult, CargoTarget, build
from helpers.cell_source import CellSource, module_source, program_source
from helpers.diagnostics import Diagnostic, parse_all, short_path, warnings_in
from helpers.engines import Engine
from helpers.errors import RustExit, RustKilled, RustPanic, RustUsageError, WorkbookError
from helpers.magic_arguments import RustOptions
from helpers.package_copy import CELL_FILE, PackageCopy, Slot, write_if_different
from helpers.process import Limits, ProgramResult, run_program
from helpers.toolchain import cargo_env
from helpers.torch_errors import without_torch_frames

PANIC_EXIT = 101
PANIC = re.compile(r"thread '[^\n]*' (?:\(\d+\) )?panicked at ([^\n]*?):(\d+):(\d+):\n([^\n]*)")
_THREAD_NUMBER = re.compile(r"(?<=thread ')([^'\n]*)' \(\d+\)")
_ABSOLUTE_FILE = re.compile(r"(?<![\w.:/])/[^\s:'\"`]+\.rs(?=:\d)")
_ALLOCATION = re.compile(r"memory allocation of (\d+) bytes failed")
_SIGNALS = {
    4: "an illegal instruction",
    7: "a bus error",
    8: "an arithmetic fault",
    11: "a segmentation fault: memory was used that is not there",
}


@dataclass
class CellRun:
    """What became of one cell.

    Attributes:
        engine: The framework's name.
        file: The package file that the cell is; None for an anonymous program.
        compiled: Crates compiled for this run; 0 if the program was there already.
        build_seconds: From the cell's start until the program was ready.
        diagnostics: What the compiler said, in the cell's line numbers.
        is_new: Whether the file was not there before, neither committed nor from another cell.
        label: What messages call the cell, such as `cell` or `cell [7]: src/model.rs`.
        program: The run of the program; None if there was none.
    """

    engine: str
    file: str | None
    build_ok: bool
    compiled: int
    build_seconds: float
    diagnostics: list[Diagnostic] = field(default_factory=list)
    only_items: bool = False
    label: str = ""
    is_new: bool = False
    program: ProgramResult | None = None

    @property
    def stdout(self) -> str:
        """What the program printed."""
        return self.program.stdout if self.program else ""

    @property
    def events(self) -> list[dict]:
        """The events that the program reported, such as epochs."""
        return self.program.events if self.program else []

    @property
    def wall_seconds(self) -> float | None:
        """How long the program ran."""
        return self.program.wall_seconds if self.program else None

    @property
    def peak_rss_bytes(self) -> int | None:
        """The program's peak memory."""
        return self.program.peak_rss_bytes if self.program else None


class KernelSession:
    """This process's package copies, leased when the first cell needs one."""

    def __init__(self) -> None:
        self._slot: Slot | None = None
        self._pid = 0

    def package(self, engine: Engine) -> PackageCopy:
        """Return this kernel's copy of an engine's package."""
        if self._slot is None or self._pid != os.getpid() or not self._slot.is_valid():
            self._slot, self._pid = Slot(), os.getpid()
        return self._slot.package(engine)

    def release(self) -> None:
        """Give the copies back to the next kernel."""
        if self._slot is not None:
            self._slot.release()
            self._slot = None


def compile_cell(
    options: RustOptions,
    text: str,
    session: KernelSession,
    *,
    source: CellSource | None = None,
    label: str = "cell",
    cuda: bool = False,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> tuple[CellRun, BuildResult]:
    """Write the cell into the kernel's package and build what it is part of.

    Where `source` is given, it is the program instead of the one that `text` makes.

    A cell that is expected not to compile leaves no trace: the file it names is put back as it was. Nor does a file
    that is new to the package and does not compile: it would break all later cells, perhaps for a misspelt name.

    Raises:
        RustUsageError: The cell cannot become a source file.
        SetupError: Something outside the cell is wrong.
    """
    if source is None:
        source = module_source(text, options.line) if options.file else program_source(text, options.engine)
    package = session.package(options.engine)
    name = options.file or CELL_FILE
    target = CargoTarget("bin", options.program) if options.program else CargoTarget("lib")
    is_new = not (package.root / name).exists() and options.file is not None
    before = _snapshot(package) if is_new or (options.expects_compile_error and options.file) else None
    kept = False
    package.write(name, source.text, label if options.file is None else f"{label}: {name}")
    try:
        built = build(options.engine, package.root, target, profile=options.profile, cuda=cuda, on_progress=on_progress)
        kept = built.ok and not options.expects_compile_error and _was_read(package.root / name, built)
    finally:
        labels = dict(package.cells)
        if before is not None and not kept:
            _restore(package, *before)
    if built.ok and options.file and not _was_read(package.root / name, built):
        raise RustUsageError(
            f"{name} is no part of the crate, so the compiler never saw it: "
            f"declare `mod {Path(name).stem};` in the file above it."
        )
    diagnostics = parse_all(built.messages, labels)
    if built.ok and options.file is None:
        _check_nothing_is_lost(source, diagnostics)
    run = CellRun(options.engine.name, options.file, built.ok, built.compiled, built.seconds, diagnostics)
    run.only_items, run.label, run.is_new = source.only_items, labels[name], is_new
    return run, built


def _was_read(path: Path, built: BuildResult) -> bool:
    return built.sources is None or str(path.resolve()) in {str(Path(source).resolve()) for source in built.sources}


def _check_nothing_is_lost(source: CellSource, diagnostics: list[Diagnostic]) -> None:
    """Refuse a cell whose outcome would be dropped silently: a green cell must mean that all went well.

    Raises:
        RustUsageError: The last expression is a `Result` that nobody looks at, or a macro has hidden `fn main`.
    """
    for warning in warnings_in(diagnostics):
        line = warning.primary.line_start if warning.primary else 0
        if warning.code == "dead_code" and warning.message.startswith("function `main` is never used"):
            raise RustUsageError(
                "The cell's `fn main` is hidden in a macro or module and would never run: write it out."
            )
        at_end = source.last_lines is not None and source.last_lines[0] <= line <= source.last_lines[1]
        if at_end and warning.code == "unused_must_use" and "Result" in warning.message:
            raise RustUsageError(
                f"The last expression, in line {line}, is a `Result` that nobody looks at: write `?` behind it."
            )


def _snapshot(package: PackageCopy) -> tuple[dict[Path, str], dict[str, str]]:
    return {path: path.read_text(encoding="utf-8") for path in package.root.glob("src/**/*.rs")}, dict(package.cells)


def _restore(package: PackageCopy, files: dict[Path, str], cells: dict[str, str]) -> None:
    for path in package.root.glob("src/**/*.rs"):
        if path not in files:
            path.unlink()
    for path, text in files.items():
        write_if_different(path, text)
    package.cells = cells


def run_cell_program(
    engine: Engine,
    command: list[str],
    *,
    device: str = "cpu",
    cwd: Path | None = None,
    limits: Limits | None = None,
    on_stdout: Callable[[str], None] | None = None,
    on_stderr: Callable[[str], None] | None = None,
    on_event: Callable[[dict], None] | None = None,
) -> ProgramResult:
    """Run a built program with its arguments in `cwd`; by default in this process's folder, which is the notebook's."""
    return run_program(
        command,
        cwd=cwd or Path.cwd(),
        limits=limits,
        env={**cargo_env(engine), "WORKBOOK_DEVICE": device},
        on_stdout=on_stdout,
        on_stderr=on_stderr,
        on_event=on_event,
    )


def readable_stderr(text: str, labels: dict[str, str]) -> str:
    """Make a program's error text the same in every run: cells by their labels, short paths, no thread numbers."""
    text = without_torch_frames(_THREAD_NUMBER.sub(r"\1'", text))
    text = _ABSOLUTE_FILE.sub(lambda match: short_path(match[0]), text)
    for name, label in labels.items():
        text = re.sub(rf"(?<![\w/]){re.escape(name)}(?=:\d)", lambda _, label=label: label, text)
    return text


def failure(result: ProgramResult, labels: dict[str, str]) -> WorkbookError | None:
    """Return the error that a program's end stands for, or None if it ended well."""
    if result.flooded:
        return RustKilled(
            f"The program wrote more than {result.output_bytes >> 20} MiB and was stopped: "
            "does a loop print without end?"
        )
    if result.timed_out:
        return RustKilled(f"The program was stopped after {result.wall_seconds:.0f} seconds: does a loop never end?")
    if result.returncode == 0:
        return None
    if result.returncode == PANIC_EXIT:
        return RustPanic(_panic_text(result, labels))
    if result.returncode < 0:
        return RustKilled(_signal_text(result))
    last = next((line for line in result.stderr.splitlines() if line.startswith("Error: ")), "")
    said = f": {readable_stderr(last.removeprefix('Error: '), labels)}" if last else "; see its output above"
    return RustExit(f"The program ended with exit code {result.returncode}{said}")


def _panic_text(result: ProgramResult, labels: dict[str, str]) -> str:
    panics = list(PANIC.finditer(result.stderr))
    if not panics:
        return f"exit code {PANIC_EXIT}, which stands for a panic, but without a panic's message"
    match = panics[-1]  # earlier ones were caught, or of other threads
    place = readable_stderr(f"{match[1]}:{match[2]}:{match[3]}", labels)
    said = match[4]
    if said.startswith("==="):  # Burn draws a box: the reasons are numbered below its title
        reason = re.search(r"^\s*1\. (.+)", result.stderr[match.end() :], re.MULTILINE)
        said = reason[1] if reason else said
    return f"panicked at {place}: {readable_stderr(said, labels)}"


def _signal_text(result: ProgramResult) -> str:
    number = -result.returncode
    if "has overflowed its stack" in result.stderr:
        return "The program overflowed its stack: a recursion without end, or an array too large for the stack."
    if match := _ALLOCATION.search(result.stderr):
        limit = result.memory_limit_bytes
        bound = f" and may have {limit / 2**30:.1f} GiB (WORKBOOK_MEMORY_LIMIT)" if limit else ""
        return (
            f"The program asked for {int(match[1]) / 2**30:.1f} GiB more memory{bound}: use smaller batches or buffers."
        )
    if number == 9:
        return "The program was killed (signal 9), probably out of memory: use smaller batches or close other programs."
    if number == 6:
        return "The program called abort (signal 6); see its output above."
    return f"The program was ended by signal {number}: {_SIGNALS.get(number, 'sent from outside')}."
