"""Runs plain Rust under Miri, the interpreter that names undefined behaviour.

Miri is a component of nightly toolchains. Nothing is installed here: `find` says what is missing and how to get it.
The standard library that Miri interprets is built once, into the workbook's target folder.
"""

import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from helpers.cell_source import CellSource
from helpers.diagnostics import Diagnostic, parse_all
from helpers.errors import SetupError
from helpers.paths import target_root
from helpers.process import ProgramResult, run_program
from helpers.toolchain import RUSTUP_CURE

INSTALL = "rustup toolchain install nightly --profile minimal --component miri --component rust-src"
EDITION = "2024"
FOUND = "Undefined Behavior"
SOURCE = "cell.rs"


@dataclass(frozen=True)
class Miri:
    """An installed Miri.

    Attributes:
        toolchain: The nightly's name, such as `nightly-x86_64-unknown-linux-gnu`.
        folder: Where the toolchain is.
    """

    toolchain: str
    folder: Path

    @property
    def program(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "miri"

    @property
    def sysroot(self) -> Path:
        """Where its standard library is built to; a changed toolchain gets another folder."""
        stamp = f"{self.program}:{self.program.stat().st_mtime_ns}"
        return target_root() / "miri" / hashlib.sha256(stamp.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class MiriRun:
    """What Miri said of a program.

    Attributes:
        findings: Its errors, in the cell's line numbers.
        program: The interpreted program's run, its output among it.
        setup_seconds: How long the standard library took to build; 0 if it was there.
    """

    findings: list[Diagnostic]
    program: ProgramResult
    setup_seconds: float = 0.0


def find(environ: dict[str, str] | None = None, rustup: str | None = None) -> Miri | str:
    """Return an installed Miri, or the reason why there is none, with the command that installs it.

    Args:
        environ: The environment to look in; this process's own by default.
        rustup: Where rustup is; looked for on the `PATH` by default.
    """
    env = dict(os.environ if environ is None else environ)
    rustup = rustup or shutil.which("rustup", path=env.get("PATH"))
    if rustup is None:
        return f"Miri comes through rustup, which is not here: {RUSTUP_CURE}, then run `{INSTALL}`."
    asked = subprocess.run([rustup, "toolchain", "list", "-v"], env=env, capture_output=True, text=True, check=False)
    incomplete = None
    for line in sorted(asked.stdout.splitlines(), key=_dated):
        words = line.split()
        if not words or not words[0].startswith("nightly"):
            continue
        miri = Miri(words[0], Path(words[-1]))
        if (miri.folder / "bin" / "cargo-miri").exists() and miri.program.exists():
            if (miri.folder / "lib" / "rustlib" / "src" / "rust" / "library").is_dir():
                return miri
            incomplete = miri.toolchain
    if incomplete:
        return (
            f"Miri lacks the standard library's source: run `rustup component add --toolchain {incomplete} rust-src`."
        )
    return f"Miri is not installed: run `{INSTALL}`."


def _dated(line: str) -> tuple[bool, str]:
    """Sort the plain nightly before those of a date, which are pinned by packages."""
    return (line.startswith("nightly-2"), line)


def prepare(miri: Miri) -> float:
    """Build the standard library for Miri if it is not there; return the seconds that it took.

    Raises:
        SetupError: The build failed; tells Miri's last words.
    """
    started = time.perf_counter()
    miri.sysroot.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(miri.sysroot.parent / ".lock"):
        if _is_built(miri):
            return 0.0
        done = subprocess.run(
            [miri.folder / "bin" / "cargo-miri", "miri", "setup"],
            env={**_environment(miri), "MIRI_SYSROOT": str(miri.sysroot)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0 or not _is_built(miri):
            last = (done.stdout.strip().splitlines() or ["it said nothing"])[-1]
            raise SetupError(f"Miri could not build its standard library ({last.strip()}): run `{INSTALL}` again.")
    return time.perf_counter() - started


def _is_built(miri: Miri) -> bool:
    return any(miri.sysroot.glob("lib/rustlib/*/lib/libstd-*"))


def _environment(miri: Miri) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("RUSTUP_TOOLCHAIN", "MIRI"))}
    bin_folder = str(miri.folder / "bin")
    return env | {
        "PATH": os.pathsep.join([bin_folder, env.get("PATH", "")]),
        "RUSTC": f"{bin_folder}/rustc",
        "CARGO": f"{bin_folder}/cargo",
        "CARGO_TERM_COLOR": "never",
    }


def interpret(
    miri: Miri,
    source: CellSource,
    folder: Path,
    flags: tuple[str, ...] = (),
    on_stdout: Callable[[str], None] | None = None,
) -> MiriRun:
    """Interpret a plain Rust program and return what Miri found.

    Args:
        miri: Which Miri.
        source: The whole program.
        folder: Where the source is written.
        flags: Flags for Miri, such as `-Zmiri-seed=1`.
        on_stdout: Receives what the program prints.

    Raises:
        SetupError: The standard library cannot be built.
    """
    setup_seconds = prepare(miri)
    path = folder / SOURCE
    path.write_text(source.text, encoding="utf-8")
    command = [str(miri.program), SOURCE, "--sysroot", str(miri.sysroot), "--edition", EDITION]
    command += ["--error-format=json", "--json=diagnostic-rendered-ansi", *flags]
    done = run_program(command, cwd=folder, env=_environment(miri), on_stdout=on_stdout)
    messages = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    told = parse_all([message for message in messages if "spans" in message], {SOURCE: "cell"})
    return MiriRun([diagnostic for diagnostic in told if diagnostic.is_error], done, setup_seconds)


def kind(finding: Diagnostic) -> str:
    """Return a finding's name, a key of `KINDS`; `undefined-behaviour` or `error` for one that has none there."""
    message = finding.message.lower()
    for name, signs in KINDS.items():
        if any(sign in message for sign in signs):
            return name
    return "undefined-behaviour" if FOUND.lower() in message else "error"


KINDS = {
    "data-race": ("data race",),
    "use-after-free": ("has been freed", "use-after-free"),
    "memory-leak": ("memory leaked",),
    "out-of-bounds": ("out-of-bounds",),
    "aliasing": ("borrow stack", "is forbidden"),
    "uninitialised": ("uninitialized",),
}
