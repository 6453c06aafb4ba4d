"""Repeated measurements that take turns, so that a busy moment of the machine meets all frameworks alike.

Warm compile times of a small cell, and the answers of the programs `latency`, which send the seconds of each answer
as a metric called `answer to N`, N being the number of images.
"""

import itertools
import os
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helpers.bench_cells import SOURCES
from helpers.cargo import BuildProgress
from helpers.cell_runner import KernelSession, compile_cell, failure, run_cell_program
from helpers.engines import ENGINES, RUST_ENGINES
from helpers.environment import usable_cores
from helpers.errors import WorkbookError
from helpers.magic_arguments import RustOptions
from helpers.process import ProgramResult
from helpers.results import Spread


def rotated(names: Sequence[str], turn: int) -> list[str]:
    """Return the names, beginning with another one in each turn."""
    shift = turn % len(names)
    return [*names[shift:], *names[:shift]]


def load_note() -> str:
    """Say how busy the machine is; ask before measuring, since measuring is work too."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):
        return "This system does not tell how busy it is."
    cores = usable_cores()
    said = f"Load before measuring: {load:.1f} on {cores} cores."
    if load > cores / 2:
        return (
            f"{said} Other programs are at work, and the figures of speed and time below are worth little: run again."
        )
    return said


def kernel_session() -> KernelSession:
    """Return the packages of this notebook's `%%rust` cells.

    Raises:
        WorkbookError: The magics are not loaded.
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None or "RustMagics" not in shell.magics_manager.registry:
        raise WorkbookError("Run `%load_ext helpers.rust_magic` first.")
    return shell.magics_manager.registry["RustMagics"].session


def warm_compile_times(rounds: int, session: KernelSession | None = None) -> dict[str, Spread]:
    """Compile a small cell with one changed number in every Rust framework, in turns; seconds by framework.

    One more round comes first and is left out: it compiles what the cells have in common.

    Raises:
        WorkbookError: A cell did not compile.
    """
    session = session or kernel_session()
    # Numbers that no earlier run used, or the programs would already be there.
    numbers = itertools.count(int(time.time()) % 100_000_000)
    seconds: dict[str, list[float]] = {name: [] for name in RUST_ENGINES}
    for turn in range(rounds + 1):
        for name in rotated(list(RUST_ENGINES), turn):
            taken = _compile_seconds(name, SOURCES[name].format(n=next(numbers)), session)
            if turn > 0:
                seconds[name].append(taken)
    return {name: Spread(tuple(values)) for name, values in seconds.items()}


def _compile_seconds(name: str, text: str, session: KernelSession) -> float:
    """Compile a cell; the time spent waiting for another notebook's build of the same framework does not count."""
    waited = 0.0

    def listen(progress: BuildProgress) -> None:
        nonlocal waited
        if progress.waiting:
            waited = progress.seconds

    run, _ = compile_cell(RustOptions(ENGINES[name], device="cpu"), text, session, on_progress=listen)
    if not run.build_ok:
        raise WorkbookError(f"The small {ENGINES[name].title} cell does not compile.")
    return run.build_seconds - waited


@dataclass(frozen=True)
class Answers:
    """How long programs took to answer, and what they cost.

    Attributes:
        seconds: Seconds of each answer, by number of images and engine.
        start_to_end: Wall seconds of the whole programs, by engine.
        peak_bytes: Highest resident memory, by engine; without samples where the system does not tell.
    """

    seconds: Mapping[int, Mapping[str, Spread]]
    start_to_end: Mapping[str, Spread]
    peak_bytes: Mapping[str, Spread]

    def middle_half(self, images: int, engine: str) -> Spread:
        """Return the quartiles: half of all answers took a time between the first and the last of the three."""
        return Spread(tuple(statistics.quantiles(self.seconds[images][engine].samples, n=4)))

    def last_percent(self, images: int, engine: str) -> float:
        """Return the time that 99 of 100 answers stay within."""
        samples = sorted(self.seconds[images][engine].samples)
        return samples[min(len(samples) - 1, int(0.99 * len(samples)))]


def answers_in_turns(first: Mapping[str, ProgramResult], rounds: int) -> Answers:
    """Run the programs `rounds` times in turns, the given first runs left out, since they warmed up the disk.

    Args:
        first: What `%rust_compare src/bin/latency.rs --name runs` left in `runs`.

    Raises:
        WorkbookError: A program failed.
    """
    runs: dict[str, list[ProgramResult]] = {name: [] for name in first}
    for turn in range(rounds):
        for name in rotated(list(first), turn):
            result = run_cell_program(ENGINES[name], first[name].argv)
            if error := failure(result, {}):
                raise error
            runs[name].append(result)
    return collect(runs)


def collect(runs: Mapping[str, Sequence[ProgramResult]]) -> Answers:
    """Sort the runs' metrics by number of images and engine."""
    seconds: dict[int, dict[str, Spread]] = {}
    for name, results in runs.items():
        for event in (event for result in results for event in result.events if event.get("event") == "metric"):
            images = int(event["name"].removeprefix("answer to "))
            row = seconds.setdefault(images, {})
            row[name] = Spread((*row.get(name, Spread(())).samples, event["value"]))
    return Answers(
        seconds,
        {name: Spread(tuple(result.wall_seconds for result in results)) for name, results in runs.items()},
        {
            name: Spread(tuple(float(result.peak_rss_bytes) for result in results if result.peak_rss_bytes))
            for name, results in runs.items()
        },
    )
