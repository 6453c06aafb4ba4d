"""Rules that turn a measurement into stars, all in one place, and a table of measurements with their stars.

A rule has four limits: the value from which on a framework gets 5, 4, 3 or 2 stars; beyond the last one it gets 1.
The limits are chosen, not found: they say what counts as good, and anybody may choose others. Where nothing was
measured there is no star.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from helpers.engines import RUST_ENGINES
from helpers.errors import WorkbookError
from helpers.results import Spread

MOST = 5


@dataclass(frozen=True)
class Rule:
    """How one measure becomes stars.

    Attributes:
        key: The short name under which measurements are handed in.
        title: What is measured.
        limits: Values for 5, 4, 3 and 2 stars, from the best on.
        more_is_better: Whether a larger value is a better one.
        shown: Format of a value, such as `{:.0%}`.
        method: How it is measured, in one sentence.
    """

    key: str
    title: str
    limits: tuple[float, float, float, float]
    more_is_better: bool
    shown: str
    method: str

    def stars(self, value: float | None) -> int | None:
        """Return 1 to 5 stars; None where nothing was measured."""
        if value is None or math.isnan(value):
            return None
        reached = [value >= limit if self.more_is_better else value <= limit for limit in self.limits]
        return MOST - reached.index(True) if True in reached else 1

    @property
    def limits_text(self) -> str:
        """The limits in words: `5 from 90%, 4 from 70%, ...`."""
        word = "from" if self.more_is_better else "up to"
        parts = [
            f"{MOST - place} {word} {self.shown.format(limit).removesuffix(' x PyTorch')}"
            for place, limit in enumerate(self.limits)
        ]
        return ", ".join([*parts, "else 1"])


RULES: dict[str, Rule] = {
    rule.key: rule
    for rule in (
        Rule(
            "names",
            "names kept from PyTorch",
            (0.9, 0.7, 0.5, 0.3),
            True,
            "{:.0%}",
            "Share of PyTorch's calls in the rows of chapter 3's cheat sheet whose name the framework uses too.",
        ),
        Rule(
            "lines",
            "lines of code, same network",
            (1.25, 1.5, 2.0, 3.0),
            False,
            "{:.2f} x PyTorch",
            "Lines of model and training, without comments, over those of the PyTorch files.",
        ),
        Rule(
            "compile",
            "warm compile time of a cell",
            (0.75, 1.5, 3.0, 6.0),
            False,
            "{:.2f} s",
            "A small cell with one changed line, compiled and linked; the frameworks take turns.",
        ),
        Rule(
            "build",
            "first build",
            (60.0, 180.0, 360.0, 720.0),
            False,
            "{:.0f} s",
            "Build of all crates from nothing, as the workbook recorded it on the date given.",
        ),
        Rule(
            "crates",
            "crates it brings along",
            (50, 100, 200, 400),
            False,
            "{:.0f}",
            "Crates that cargo compiles for the framework, itself included, as this workbook uses it.",
        ),
        Rule(
            "speed",
            "training speed",
            (0.9, 0.5, 0.25, 0.1),
            True,
            "{:.2f} x PyTorch",
            "Images a second in warm epochs over PyTorch's median, same network, data and threads.",
        ),
        Rule(
            "latency",
            "answer to one image",
            (0.5, 1.0, 2.0, 5.0),
            False,
            "{:.3g} x PyTorch",
            "Median time from image to ten scores in memory over PyTorch's; the range is that of half of the answers.",
        ),
        Rule(
            "memory",
            "peak memory in training",
            (0.15, 0.3, 0.5, 0.8),
            False,
            "{:.2f} x PyTorch",
            "Highest resident memory of the program over that of PyTorch's.",
        ),
        Rule(
            "documentation",
            "documented functions",
            (0.9, 0.7, 0.5, 0.25),
            True,
            "{:.0%}",
            "Share of the `pub fn` of the framework's crates with a doc comment, counted in their sources.",
        ),
    )
}


@dataclass(frozen=True)
class Measurements:
    """What was measured, by rule and engine, in each rule's unit.

    Attributes:
        values: Samples by rule and framework; a framework that was not measured is missing.
        notes: A sentence on a rule's figures that the reader needs, such as date and machine.
    """

    values: Mapping[str, Mapping[str, Spread]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse names that no rule and no framework has."""
        for rule in (*self.values, *self.notes):
            if rule not in RULES:
                raise WorkbookError(f"There is no rule {rule!r}: choose from {', '.join(RULES)}.")
        for engine in {engine for row in self.values.values() for engine in row}:
            if engine not in RUST_ENGINES:
                raise WorkbookError(f"There is no framework {engine!r}: choose from {', '.join(RUST_ENGINES)}.")

    def spread(self, rule: str, engine: str) -> Spread | None:
        """Return the samples; None where nothing was measured."""
        spread = self.values.get(rule, {}).get(engine)
        return spread if spread is not None and spread.samples else None

    def stars(self, rule: str, engine: str) -> int | None:
        """Return the stars of the median; None where nothing was measured."""
        spread = self.spread(rule, engine)
        return RULES[rule].stars(spread.median) if spread else None

    def star_range(self, rule: str, engine: str) -> tuple[int, int] | None:
        """Return the lowest and highest stars that a single sample would have given; None without one."""
        spread = self.spread(rule, engine)
        if spread is None:
            return None
        ends = sorted(RULES[rule].stars(value) or 1 for value in (spread.low, spread.high))
        return ends[0], ends[1]

    def first(self, rule: str) -> str | None:
        """Return the framework with the best median; None if nothing was measured."""
        found = {engine: spread.median for engine in RUST_ENGINES if (spread := self.spread(rule, engine))}
        choose = max if RULES[rule].more_is_better else min
        return choose(found, key=found.__getitem__, default=None)

    def beaten_by(self, rule: str, engine: str) -> list[str]:
        """Return the frameworks with a better median whose range does not meet this one's, the best first."""
        own = self.spread(rule, engine)
        if own is None:
            return []
        sign = 1 if RULES[rule].more_is_better else -1
        reach = max(sign * own.low, sign * own.high)
        found = {
            name: sign * spread.median
            for name in RUST_ENGINES
            if (spread := self.spread(rule, name))
            and sign * spread.median > sign * own.median
            and min(sign * spread.low, sign * spread.high) > reach
        }
        return sorted(found, key=found.__getitem__, reverse=True)

    def best(self, rule: str) -> list[str]:
        """Return the frameworks that no other one beats: each whose range meets that of every better median."""
        return [name for name in RUST_ENGINES if self.spread(rule, name) and not self.beaten_by(rule, name)]


def relative(samples: Mapping[str, Sequence[float]], reference: float) -> dict[str, Spread]:
    """Divide every framework's samples by one number, such as PyTorch's median; the frameworks without samples go."""
    return {
        engine: Spread(tuple(value / reference for value in values))
        for engine, values in samples.items()
        if engine in RUST_ENGINES and values
    }


def single(values: Mapping[str, float]) -> dict[str, Spread]:
    """Wrap values that are counted, not sampled."""
    return {engine: Spread((float(value),)) for engine, value in values.items() if engine in RUST_ENGINES}
