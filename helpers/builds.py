"""Builds the frameworks ahead of the first cell, and removes what was built."""

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from helpers.build_records import record_build, starts_from_nothing
from helpers.cargo import CargoTarget, build, engine_program
from helpers.engines import RUST_ENGINES, Engine
from helpers.errors import RustCompileError
from helpers.package_copy import remove_slots
from helpers.paths import target_root
from helpers.units import duration


@dataclass(frozen=True)
class BuiltEngine:
    """One framework after its build.

    Attributes:
        engine: The framework's name.
        compiled: Crates that had to be compiled; 0 if everything was there.
        seconds: How long that took.
    """

    engine: str
    compiled: int
    seconds: float


def build_engines(engines: Sequence[Engine], console: Console) -> list[BuiltEngine]:
    """Build what is missing of each framework, and print a line for each with its time.

    Raises:
        SetupError: Something that the build needs is missing or wrong.
        RustCompileError: A committed package does not compile.
    """
    from helpers.build_progress import BuildProgressDisplay

    built = []
    for engine in engines:
        started, from_nothing = time.perf_counter(), starts_from_nothing(engine.name)
        with BuildProgressDisplay(engine.title) as progress:
            # The library first: a program may come from the cache although its dependencies were removed.
            library = build(engine, engine.package, CargoTarget("lib"), on_progress=progress)
            if not library.ok:
                first = next((m["message"] for m in library.messages if m.get("level") == "error"), "")
                raise RustCompileError(f"rust_snippets/{engine.name} does not compile: {first}")
            engine_program(engine.name, on_progress=progress)
            warm_first_cell(engine)
        row = BuiltEngine(engine.name, library.compiled, time.perf_counter() - started)
        done = f"{row.compiled} crates in {duration(row.seconds)}" if row.compiled else "nothing to build"
        console.print(f"[bold]{engine.title:<8}[/] {done}", highlight=False)
        if from_nothing and row.compiled:
            record_build(engine.name, row.compiled, row.seconds)
        built.append(row)
    return built


def warm_first_cell(engine: Engine) -> None:
    """Build the package copy that the next kernel will lease, so that its first cell is as fast as the others."""
    from helpers.cell_runner import KernelSession, compile_cell
    from helpers.magic_arguments import RustOptions

    session = KernelSession()
    compile_cell(RustOptions(engine=engine), "let _ = 0;", session)
    session.release()


def removable(engines: Sequence[Engine]) -> list[Path]:
    """Return the folders that hold what was built for these engines, those that exist.

    All engines together own everything in the target folder that the workbook writes.
    """
    root = target_root()
    names = [engine.name for engine in engines]
    if set(names) == set(RUST_ENGINES):
        names += ["common", "cells", "bench", "miri"]
    return [root / name for name in names if (root / name).is_dir()]


def folder_bytes(folder: Path) -> int:
    """Return how much disk a folder's files take."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if not path.is_dir())


def remove(folders: Sequence[Path]) -> None:
    """Remove built folders; copies that a running kernel uses stay."""
    for folder in folders:
        if folder.name == "cells":
            remove_slots()
            shutil.rmtree(folder / "programs", ignore_errors=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
