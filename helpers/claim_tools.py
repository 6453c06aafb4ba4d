"""Tools for the Python probes of claims: ratios with their spread, programs built beforehand, memory of a process."""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.cargo import CargoTarget, build
from helpers.cell_source import program_source
from helpers.claim_rust import engine_of
from helpers.errors import ClaimError
from helpers.package_copy import package_sources, write_if_different
from helpers.paths import target_root
from helpers.process import ProgramResult, run_program
from helpers.results import Spread
from helpers.toolchain import cargo_env

COPY = "claims-programs"


@dataclass(frozen=True)
class Ratio(Spread):
    """How many times as much `a` is as `b`, from interleaved rounds."""

    def __str__(self) -> str:
        """Median, lowest, highest and the number of rounds."""
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f}, {len(self.samples)} rounds)"

    @property
    def surely_more(self) -> bool:
        """Whether `a` is more than `b` in every round."""
        return self.low > 1

    @property
    def surely_less(self) -> bool:
        """Whether `a` is less than `b` in every round."""
        return self.high < 1

    def holds(self, factor: float) -> bool:
        """Whether the factor lies between the lowest and the highest round."""
        return self.low <= factor <= self.high


def seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the seconds of one call, averaged over `repeats` calls."""
    started = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - started) / repeats


def time_ratio(a: Callable[[], object], b: Callable[[], object], *, rounds: int = 7, repeats: int = 1) -> Ratio:
    """Time two pieces of work in turns; return the ratios of their times, after one call of each to warm up."""
    a(), b()
    return Ratio(tuple(seconds(a, repeats) / seconds(b, repeats) for _ in range(rounds)))


def value_ratio(a: Callable[[], float], b: Callable[[], float], *, rounds: int = 7) -> Ratio:
    """Take two figures in turns, such as times that programs report themselves; return their ratios."""
    return Ratio(tuple(a() / b() for _ in range(rounds)))


def rust_program(engine: str, code: str, name: str, *, cuda: bool = False) -> list[str]:
    """Build a program from the text of a `%%rust` cell; return the command that runs it.

    Args:
        engine: tch, candle, burn, dfdx, or a package of the claims.
        code: The cell's text.
        name: A name of its own for the program, a Rust identifier.
        cuda: Build it with the engine's GPU support.

    Raises:
        ClaimError: It does not compile.
    """
    chosen = engine_of(engine)
    root = target_root() / COPY / engine
    for file, text in package_sources(chosen, COPY).items():
        write_if_different(root / file, text)
    write_if_different(root / "src" / "bin" / f"{name}.rs", program_source(code, chosen).text)
    built = build(chosen, root, CargoTarget("bin", name), cuda=cuda)
    if built.executable is None:
        raise ClaimError(f"The program {name} does not compile: {built.messages[0]['message']}")
    return [str(built.executable)]


def run(command: Sequence[str], engine: str = "pytorch") -> ProgramResult:
    """Run a command in an empty folder; return its output, times and peak memory.

    Raises:
        ClaimError: It failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        ended = run_program(list(command), cwd=Path(folder), env=cargo_env(engine_of(engine)))
    if ended.returncode:
        raise ClaimError(f"A program of the claim ended with {ended.returncode}: {ended.stderr.strip()[-300:]}")
    return ended


def python(code: str) -> list[str]:
    """Return the command that runs a Python program in a process of its own."""
    return [sys.executable, "-c", code]
