"""How much faster a second thread makes a program: rounds that take turns, and the ratio of each round."""

import json
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from helpers.engines import Engine
from helpers.errors import WorkbookError
from helpers.paths import NOTEBOOKS
from helpers.process import run_program
from helpers.toolchain import cargo_env

# One run with so many threads: the seconds of each task.
Measure = Callable[[int], Mapping[str, float]]


@dataclass(frozen=True)
class Speedup:
    """Seconds with one thread over seconds with several, once a round; 1 means that the others did nothing."""

    threads: int
    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the rounds' ratios."""
        return statistics.median(self.ratios)

    def __str__(self) -> str:
        """Median and spread, as a sentence's end."""
        return f"{self.median:.2f} times as fast ({min(self.ratios):.2f} to {max(self.ratios):.2f})"


def speedups(measure: Mapping[str, Measure], *, threads: int = 2, rounds: int = 5) -> dict[str, dict[str, Speedup]]:
    """Measure every program with one thread and with `threads`, in turns, so that a busy moment hits all alike.

    Args:
        measure: The programs by name.
        threads: The larger number of threads.
        rounds: Pairs of runs of each program.

    Returns:
        By program and task.

    Raises:
        WorkbookError: There is no round, or a program measures other tasks with more threads.
    """
    if rounds < 1:
        raise WorkbookError("A comparison needs at least one round.")
    ratios: dict[str, dict[str, list[float]]] = {name: {} for name in measure}
    for turn in range(rounds):
        for name, run in measure.items():
            order = (1, threads) if turn % 2 == 0 else (threads, 1)
            seconds = {count: run(count) for count in order}
            if seconds[1].keys() != seconds[threads].keys():
                raise WorkbookError(f"{name} measured other tasks with {threads} threads than with one.")
            for task, alone in seconds[1].items():
                ratios[name].setdefault(task, []).append(alone / seconds[threads][task])
    return {name: {task: Speedup(threads, tuple(r)) for task, r in tasks.items()} for name, tasks in ratios.items()}


def rust_program(engine: Engine, argv: list[str]) -> Measure:
    """Return how to measure a built program that prints its seconds as one JSON object.

    The number of threads is told by `RAYON_NUM_THREADS`, which Rust's thread pool reads.
    """

    def measure(threads: int) -> dict[str, float]:
        env = {**cargo_env(engine), "RAYON_NUM_THREADS": str(threads)}
        result = run_program(argv, cwd=NOTEBOOKS, env=env)
        if result.returncode != 0:
            raise WorkbookError(f"The program ended with {result.returncode}: {result.stderr.strip()[-200:]}")
        return json.loads(result.stdout)

    return measure
