"""The memory of a program that repeats one call in several ways, read from its events, as slopes and as a figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from helpers.plots import STYLE
from helpers.results import MB

# Okabe-Ito colours, each with a marker and a line of its own.
_LOOKS = (("#0072B2", "o", "-"), ("#E69F00", "s", "--"), ("#D55E00", "^", "-."), ("#009E73", "D", ":"))


@dataclass(frozen=True)
class MemorySlope:
    """Resident memory over calls, one curve a way of calling.

    Attributes:
        ways: Readings of resident memory in bytes, by the way's name, in the order in which the ways were run.
        calls: Calls in each way; the readings are spread evenly over them, the first before the first call.
    """

    ways: Mapping[str, np.ndarray]
    calls: int

    @classmethod
    def of(cls, events: Sequence[Mapping], calls: int) -> "MemorySlope":
        """Collect the events `metric`, whose names are the ways.

        Raises:
            ValueError: A way has fewer than three readings, or readings that are no numbers.
        """
        ways: dict[str, list[float]] = {}
        for event in events:
            if event.get("event") == "metric":
                value = event["value"]
                ways.setdefault(event["name"], []).append(float("nan") if value is None else float(value))
        if not ways:
            raise ValueError("The program reported no memory: it sends no event `metric`.")
        for name, values in ways.items():
            if len(values) < 3 or not np.isfinite(values).all():
                raise ValueError(f"The memory of `{name}` cannot be judged: it needs three readings that are numbers.")
        return cls({name: np.array(values) for name, values in ways.items()}, calls)

    def bytes_per_call(self, way: str) -> float:
        """Return the growth in bytes a call: the slope of a straight line through the readings."""
        values = self.ways[way]
        return float(np.polyfit(self._calls(values), values, 1)[0])

    def figure(self, title: str) -> Figure:
        """Draw the growth of each way since its own first reading."""
        with plt.rc_context(STYLE):
            figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
            for (name, values), (color, marker, line) in zip(self.ways.items(), _LOOKS, strict=False):
                growth = (values - values[0]) / MB
                ax.plot(
                    self._calls(values), growth, color=color, marker=marker, markersize=4, linestyle=line, label=name
                )
            ax.set(xlabel="call", ylabel="growth of resident memory, MB", title=title)
            ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
            plt.close(figure)
        return figure

    def _calls(self, values: np.ndarray) -> np.ndarray:
        return np.arange(len(values)) * (self.calls / len(values))
