"""How many times as fast several ways of doing the same work are as one of them, from interleaved repetitions.

A program reports each time as a metric named `case/way`, in seconds, one round after the other; in every round each
way takes its turn, so that a busy moment of the machine does not hit one way alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from helpers.errors import WorkbookError
from helpers.plots import GREY, STYLE
from helpers.results import Spread

COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")  # Okabe and Ito


class SpeedupError(WorkbookError):
    """The times do not fit together."""


@dataclass(frozen=True, repr=False)
class Speedups:
    """Speed against the baseline's in the same round: 2 is twice as fast.

    Attributes:
        cases: For each case, for each way, one ratio a round.
        baseline: The way that the others are compared with.
    """

    cases: Mapping[str, Mapping[str, Spread]]
    baseline: str

    @classmethod
    def of(cls, events: Sequence[Mapping], baseline: str) -> "Speedups":
        """Read the metrics that a program has reported.

        Args:
            events: A run's events; those that are no metric `case/way` are left alone.

        Raises:
            SpeedupError: There are none, or a way was not measured as often as the baseline.
        """
        seconds: dict[str, dict[str, list[float]]] = {}
        for event in events:
            case, slash, way = event.get("name", "").partition("/")
            if event.get("event") == "metric" and slash:
                seconds.setdefault(case, {}).setdefault(way, []).append(event["value"])
        return cls.of_seconds(seconds, baseline)

    @classmethod
    def of_seconds(cls, seconds: Mapping[str, Mapping[str, Sequence[float]]], baseline: str) -> "Speedups":
        """Divide the baseline's seconds by each way's, round by round.

        Raises:
            SpeedupError: There are none, or a way was not measured as often as the baseline.
        """
        if not seconds:
            raise SpeedupError("No times were reported: name the metrics `case/way`.")
        cases = {}
        for case, ways in seconds.items():
            if baseline not in ways:
                raise SpeedupError(f"{case}: there are no times of the baseline `{baseline}`.")
            base = ways[baseline]
            for way, values in ways.items():
                if len(values) != len(base):
                    raise SpeedupError(f"{case}: `{way}` has {len(values)} times, `{baseline}` has {len(base)}.")
            cases[case] = {
                way: Spread(tuple(b / s for b, s in zip(base, values, strict=True)))
                for way, values in ways.items()
                if way != baseline
            }
        return cls(cases, baseline)

    @property
    def note(self) -> str:
        """What the figures are, in one sentence."""
        rounds = max(len(spread.samples) for ways in self.cases.values() for spread in ways.values())
        return f"Median (lowest to highest) of {rounds} rounds, as multiples of the speed of `{self.baseline}`."

    def __str__(self) -> str:
        """Aligned text, a line a way."""
        width = max(len(way) for ways in self.cases.values() for way in ways)
        lines = [
            line
            for case, ways in self.cases.items()
            for line in [
                case,
                *(f"  {way:<{width}}  {s.median:5.2f} ({s.low:.2f} to {s.high:.2f})" for way, s in ways.items()),
            ]
        ]
        return "\n".join([*lines, self.note])

    __repr__ = __str__

    def figure(self, title: str) -> Figure:
        """Draw a panel a case: the median as a bar, each round as a dot, the baseline as a line at 1."""
        names = list(dict.fromkeys(way for ways in self.cases.values() for way in ways))
        longest = max(spread.high for ways in self.cases.values() for spread in ways.values())
        with plt.rc_context(STYLE):
            figure = plt.figure(figsize=(10, 0.5 * len(names) + 1.9), layout="constrained")
            panels = figure.subplots(1, len(self.cases), sharey=True, squeeze=False)[0]
            for ax, (case, ways) in zip(panels, self.cases.items(), strict=True):
                for row, name in enumerate(names):
                    if name in ways:
                        _bar(ax, row, ways[name], COLORS[row % len(COLORS)], longest)
                ax.axvline(1, color="black", linewidth=1, linestyle="--")
                ax.set(title=case, xlim=(0, 1.3 * longest))
                ax.grid(axis="y", visible=False)
            panels[0].set_yticks(range(len(names)), names)
            panels[0].invert_yaxis()
            figure.supxlabel(f"times the speed of `{self.baseline}` (dashed line); more is faster", fontsize=10)
            figure.suptitle(f"{title}\nBar: median. Dots: each round.", fontsize=11)
            plt.close(figure)
        return figure


def _bar(ax: plt.Axes, row: int, spread: Spread, color: str, longest: float) -> None:
    ax.barh(row, spread.median, height=0.6, color=color, alpha=0.75)
    ax.plot([spread.low, spread.high], [row, row], color=GREY, linewidth=1.5)
    ax.plot(spread.samples, [row] * len(spread.samples), "o", markersize=4, color="white", markeredgecolor=GREY)
    ax.text(spread.high + 0.03 * longest, row, f"{spread.median:.2f}", va="center", fontsize=9)
