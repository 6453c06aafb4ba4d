"""`%rust_compare`: one program in several engines, built, run, and shown side by side."""

import sys
from dataclasses import dataclass
from pathlib import Path

from IPython.display import display

from helpers.build_progress import BuildProgressDisplay
from helpers.cargo import CargoTarget, build
from helpers.cell_runner import KernelSession, failure, run_cell_program
from helpers.compare_view import CompareItem, compare_html, compare_text
from helpers.devices import resolve
from helpers.diagnostics import parse_all, summary
from helpers.engines import Engine
from helpers.errors import DeviceError, RustCompileError, RustUsageError, SetupError, WorkbookError
from helpers.magic_arguments import CompareOptions, program_name
from helpers.package_copy import PackageCopy
from helpers.process import ProgramResult


@dataclass
class _Attempt:
    """What came of one engine."""

    build_seconds: float | None = None
    program: ProgramResult | None = None
    error: WorkbookError | None = None
    ran: bool = False


def compare(options: CompareOptions, session: KernelSession) -> dict[str, ProgramResult]:
    """Build and run the engines one after the other, show them, and return the runs by engine.

    Raises:
        WorkbookError: One engine failed; all are shown before it is raised.
    """
    items, runs, errors = [], {}, []
    for engine in options.engines:
        package = session.package(engine)
        sources = "\n\n".join(_source(package, name) for name in options.shown)
        attempt = _attempt(options, engine, package)
        items.append(_item(engine, sources, attempt))
        if attempt.program is not None:
            runs[engine.name] = attempt.program
        if attempt.error is not None:
            errors.append((engine, attempt.error))
    display({"text/html": compare_html(items), "text/plain": compare_text(items)}, raw=True)
    if errors:
        engine, error = errors[0]
        raise type(error)(f"{engine.title}: {error}")
    return runs


def _source(package: PackageCopy, name: str) -> str:
    """Return a file of the kernel's copy under its name; `src/model.rs` is `model.py` in PyTorch."""
    own = name if package.engine.is_rust else f"{Path(name).stem}.py"
    path = package.root / own
    if not path.exists():
        raise RustUsageError(f"{package.engine.title} has no file {own}: name one that all engines have.")
    lines = path.read_text(encoding="utf-8").split("\n")
    if own in package.cells:  # its first line stands for the magic line of the cell
        lines = lines[1:]
    comment = "//" if package.engine.is_rust else "#"
    return f"{comment} {own}\n" + "\n".join(lines).strip("\n")


def _attempt(options: CompareOptions, engine: Engine, package: PackageCopy) -> _Attempt:
    attempt = _Attempt()
    try:
        device = resolve(engine.name, options.device)
        command = _command(options, engine, package, device, attempt)
        if command is not None and options.program is not None:
            attempt.program = run_cell_program(engine, [*command, *options.arguments], device=device)
            attempt.error = failure(attempt.program, package.cells)
    except (DeviceError, SetupError, RustCompileError) as error:
        attempt.error = error
    return attempt


def _command(
    options: CompareOptions, engine: Engine, package: PackageCopy, device: str, attempt: _Attempt
) -> list[str] | None:
    """Build one engine's program, or only its library if nothing is to be run, and return the command that runs it."""
    if not engine.is_rust:
        stem = Path(options.program or "main.rs").stem
        return [sys.executable, str(package.root / f"{stem}.py")]
    name = program_name(engine, options.program) if options.program else None
    target = CargoTarget("bin", name) if name else CargoTarget("lib")
    with BuildProgressDisplay(engine.title) as progress:
        built = build(engine, package.root, target, cuda=device == "cuda", on_progress=progress)
    attempt.build_seconds = built.seconds
    if not built.ok:
        raise RustCompileError(summary(parse_all(built.messages, package.cells)))
    return [str(built.executable)] if built.executable else None


def _item(engine: Engine, source: str, attempt: _Attempt) -> CompareItem:
    program = attempt.program
    return CompareItem(
        engine=engine.name,
        title=engine.title,
        language="rust" if engine.is_rust else "python",
        source=source,
        status="failed" if attempt.error else "ran" if program else "compiled" if engine.is_rust else "shown",
        detail=str(attempt.error) if attempt.error else "",
        compile_seconds=attempt.build_seconds,
        wall_seconds=program.wall_seconds if program else None,
        peak_rss_bytes=program.peak_rss_bytes if program else None,
        output=program.stdout if program else "",
    )
