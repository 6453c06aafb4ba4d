"""What other tools of Rust do with a cell: Clippy, rustfmt, tests, the tree of crates. Nothing here shows anything."""

import difflib
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helpers.cargo import BuildProgress, BuildResult, CargoTarget, build
from helpers.cell_runner import KernelSession
from helpers.cell_source import CellSource, check_text, items_source, program_source
from helpers.diagnostics import Diagnostic, parse_all, shorten_paths
from helpers.engines import Engine
from helpers.errors import RustUsageError, SetupError
from helpers.package_copy import CELL_FILE, CELL_PROGRAM
from helpers.paths import target_root
from helpers.toolchain import cargo_env, find_tool

EDITION = "2024"
INDENT = "    "
_WRAPPER = "fn main() {"
_SUMMARY = re.compile(r"test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored")


@dataclass(frozen=True)
class BuiltCell:
    """An anonymous cell after a build for one of the tools: what the compiler said, and what cargo made."""

    diagnostics: list[Diagnostic]
    result: BuildResult


def build_cell(
    engine: Engine,
    source: CellSource,
    session: KernelSession,
    purpose: str,
    *,
    profile: str = "release",
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuiltCell:
    """Write a cell's source into the kernel's package and build it for a purpose of `CargoTarget`.

    Raises:
        SetupError: Something outside the cell is wrong.
    """
    package = session.package(engine)
    package.write(CELL_FILE, source.text, "cell")
    target = CargoTarget("bin", CELL_PROGRAM, purpose)
    result = build(engine, package.root, target, profile=profile, on_progress=on_progress)
    return BuiltCell(parse_all(result.messages, dict(package.cells)), result)


def lint(
    engine: Engine, text: str, session: KernelSession, on_progress: Callable[[BuildProgress], None] | None = None
) -> list[Diagnostic]:
    """Return what Clippy and the compiler say about a cell; the cell does not run."""
    return build_cell(engine, program_source(text, engine), session, "lint", on_progress=on_progress).diagnostics


def build_tests(
    engine: Engine,
    text: str,
    session: KernelSession,
    *,
    profile: str = "release",
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuiltCell:
    """Build the program that runs a cell's `#[test]` functions, as `cargo test --no-run` does.

    Raises:
        RustUsageError: The cell holds statements, or no test.
    """
    return build_cell(engine, items_source(text, engine), session, "test", profile=profile, on_progress=on_progress)


def counts_of_tests(output: str) -> tuple[int, int, int] | None:
    """Read how many tests passed, failed and were ignored; None if the program did not come to its end."""
    found = _SUMMARY.search(output)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def formatted(text: str) -> str:
    """Return a cell's text as rustfmt writes it; statements are formatted as those of a function.

    Raises:
        RustUsageError: rustfmt cannot read the text; names the cell's line.
        SetupError: rustfmt is not installed.
    """
    check_text(text)
    if is_items(text):
        return _rustfmt(text, first_line=2)
    lines = _rustfmt(f"{_WRAPPER}\n{text}\n}}\n", first_line=1).splitlines()
    return "\n".join(line.removeprefix(INDENT) for line in lines[1:-1]) + "\n"


def is_items(text: str) -> bool:
    """Whether a cell holds only items, such as functions, so that it is a file as it stands."""
    try:
        items_source(text, None)
    except RustUsageError:
        return False
    return True


def _rustfmt(text: str, first_line: int) -> str:
    program = find_tool("cargo").with_name("rustfmt")
    if not program.exists():
        raise SetupError("rustfmt is not installed: run `rustup component add rustfmt`.")
    done = subprocess.run(
        [program, "--edition", EDITION, "--emit", "stdout", "--color", "never"],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        message = next(
            (line for line in done.stderr.splitlines() if line.startswith("error")), "error: no reason given"
        )
        place = re.search(r"-->.*?:(\d+):\d+", done.stderr)
        where = f"line {int(place[1]) + first_line - 1} of the cell" if place else "the cell"
        raise RustUsageError(
            f"rustfmt cannot read {where} ({message.removeprefix('error: ')}): repair the syntax first."
        )
    return done.stdout


def diff_lines(before: str, after: str, context: int = 2) -> list[str]:
    """Return the unified difference of two texts without its head; empty if they are equal."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=context, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++"))]


def cargo_tree(engine: Engine, session: KernelSession, arguments: Sequence[str] = ()) -> str:
    """Return what `cargo tree` says of an engine's package; no path of this machine is in it.

    Raises:
        RustUsageError: cargo refuses the arguments; tells in its words.
    """
    done = subprocess.run(
        [find_tool("cargo", engine.toolchain), "tree", "--locked", "--offline", "--color", "never", *arguments],
        cwd=session.package(engine).root,
        env={**cargo_env(engine), "CARGO_TARGET_DIR": str(target_root() / engine.name)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        reason = next((line for line in done.stderr.splitlines() if line.strip()), "it gave no reason")
        raise RustUsageError(f"cargo tree: {shorten_paths(reason.removeprefix('error: '))}")
    out = re.sub(r" \((?:/|[A-Za-z]:)[^)]*\)", "", done.stdout)
    return re.sub(r"\+slot-\d+\b", "", out)
