"""What engines did and what it cost: one run of one engine, and several runs of several engines side by side."""

import html
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from helpers.cifar10 import Source
from helpers.engines import ENGINES
from helpers.events import Epoch

REFERENCE = "pytorch"
MB = 1e6


@dataclass(frozen=True)
class EngineResult:
    """What one engine did in one run, and what that cost.

    Attributes:
        epochs: Losses, accuracy and time of each epoch.
        phases: Seconds for load_data, load_weights and save_weights.
        peak_rss_bytes: The program's highest resident memory; None where the system does not tell.
        output: What the program printed.
        weights: The trained weights, a safetensors file in PyTorch's layout.
    """

    engine: str
    device: str
    threads: int
    parameters: int
    wall_seconds: float
    cpu_seconds: float
    peak_rss_bytes: int | None
    output: str
    weights: Path
    epochs: list[Epoch] = field(default_factory=list)
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def images_per_second(self) -> list[float]:
        """Training images a second, for each epoch."""
        return [epoch.images_per_second for epoch in self.epochs]

    @property
    def warm_images_per_second(self) -> list[float]:
        """The same without the first epoch, which pays for first-time work; all of them if there is only one."""
        return self.images_per_second[1:] or self.images_per_second

    @property
    def test_accuracy(self) -> float:
        """Accuracy on the test set after the last epoch, 0 to 1."""
        return self.epochs[-1].test_accuracy


@dataclass(frozen=True)
class Spread:
    """Repeated measurements of one quantity: all of them, and their median, lowest and highest."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value; NaN without samples."""
        return statistics.median(self.samples) if self.samples else float("nan")

    @property
    def low(self) -> float:
        """The lowest value; NaN without samples."""
        return min(self.samples, default=float("nan"))

    @property
    def high(self) -> float:
        """The highest value; NaN without samples."""
        return max(self.samples, default=float("nan"))


@dataclass(frozen=True, repr=False)
class Comparison:
    """The results of several engines on the same run, one list an engine, one entry a round."""

    results: Mapping[str, Sequence[EngineResult]]
    source: Source

    @property
    def histories(self) -> dict[str, list[Epoch]]:
        """The epochs of each engine's first round, for the curves."""
        return {name: list(rounds[0].epochs) for name, rounds in self.results.items()}

    def throughput(self, name: str) -> Spread:
        """Training images a second: all warm epochs of all rounds."""
        return Spread(tuple(value for result in self.results[name] for value in result.warm_images_per_second))

    def peak_memory(self, name: str) -> Spread:
        """Highest resident memory in bytes, one value a round; no samples where the system does not tell."""
        peaks = (result.peak_rss_bytes for result in self.results[name])
        return Spread(tuple(float(peak) for peak in peaks if peak is not None))

    def accuracy(self, name: str) -> Spread:
        """Final test accuracy, 0 to 1, one value a round."""
        return Spread(tuple(result.test_accuracy for result in self.results[name]))

    def rows(self) -> list[dict[str, str]]:
        """The table that `_repr_html_` and `str` show: a row an engine, column titles as keys."""
        reference = self.throughput(REFERENCE).median if REFERENCE in self.results else None
        return [self._row(name, reference) for name in self.results]

    def _row(self, name: str, reference: float | None) -> dict[str, str]:
        first = self.results[name][0]
        speed, memory, accuracy = self.throughput(name), self.peak_memory(name), self.accuracy(name)
        row = {
            "engine": ENGINES[name].title,
            "device": first.device + (f", {first.threads} threads" if first.device == "cpu" else ""),
            "images/s": f"{speed.median:,.0f} ({speed.low:,.0f} to {speed.high:,.0f})",
        }
        if reference is not None:
            row["x PyTorch"] = f"{speed.median / reference:.2f}"
        peak = f"{memory.median / MB:,.0f} ({memory.low / MB:,.0f} to {memory.high / MB:,.0f})"
        row["peak memory, MB"] = peak if memory.samples else "not known here"
        row["test accuracy"] = f"{accuracy.median:.3f}"
        row["seconds in all"] = f"{statistics.median(result.wall_seconds for result in self.results[name]):.1f}"
        return row

    @property
    def note(self) -> str:
        """What the table's figures are, in one sentence."""
        rounds = max(len(results) for results in self.results.values())
        counted = f"{rounds} rounds" if rounds > 1 else "1 round"
        note = f"Median (lowest to highest); images/s over the warm epochs of {counted}, memory over the rounds."
        return f"{note} {self.source.caption}" if self.source.caption else note

    def __str__(self) -> str:
        """The table as aligned text."""
        rows = self.rows()
        widths = {title: max(len(title), *(len(row[title]) for row in rows)) for title in rows[0]}
        lines = [{title: title for title in widths}, *rows]
        table = "\n".join("  ".join(f"{line[title]:<{widths[title]}}" for title in widths).rstrip() for line in lines)
        return f"{table}\n{self.note}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self.rows()
        head = "".join(f'<th scope="col">{html.escape(title)}</th>' for title in rows[0])
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(value)}</td>" for value in row.values()) + "</tr>" for row in rows
        )
        note = html.escape(self.note)
        return (
            f'<table><caption style="caption-side:bottom;text-align:left">{note}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
