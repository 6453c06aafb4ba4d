"""The article's star matrix, the reader's own stars, and the measured ones side by side."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from helpers.engines import RUST_ENGINES
from helpers.errors import WorkbookError
from helpers.measured_stars import MOST, Measurements

Stars = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Criterion:
    """One row of the matrix.

    Attributes:
        rule: The measure that comes nearest to what the row means; None if no machine can tell.
        remark: Why, or how far the measure goes.
    """

    key: str
    title: str
    article: Mapping[str, int]
    rule: str | None
    remark: str


def _row(key: str, title: str, stars: tuple[int, int, int, int], rule: str | None, remark: str) -> Criterion:
    return Criterion(key, title, dict(zip(RUST_ENGINES, stars, strict=True)), rule, remark)


# In the order tch, Candle, Burn, dfdx. The print lost three stars of the first row, which is read as 5, 3, 2, 1.
CRITERIA: tuple[Criterion, ...] = (
    _row(
        "similarity",
        "API similarity to PyTorch",
        (5, 3, 2, 1),
        "names",
        "A name that is kept may still behave differently, and `view` for `reshape` counts as another name.",
    ),
    _row(
        "learning",
        "learning curve (more stars: steeper)",
        (2, 3, 4, 5),
        None,
        "Only people learn. Count your own red cells in chapters 6 to 9.",
    ),
    _row(
        "flexibility",
        "flexibility",
        (3, 4, 5, 4),
        None,
        "A list of things that work is not a number. Chapters 6 to 9 run such lists.",
    ),
    _row(
        "performance",
        "performance",
        (4, 5, 4, 3),
        "speed",
        "One small network on this machine's processor; a GPU or another network may turn it round.",
    ),
    _row(
        "documentation",
        "documentation",
        (4, 3, 2, 2),
        "documentation",
        "A share of functions, not the quality of the words; books and examples are not counted.",
    ),
)


@dataclass
class StarMatrix:
    """The matrix with three opinions: the article's, the reader's, the measurements'.

    Attributes:
        reader: The reader's stars by criterion and framework; what is missing has none.
        file: Where the reader's stars are kept between two runs; None to forget them.
    """

    measured: Measurements
    file: Path | None = None
    reader: dict[str, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the reader's stars of an earlier run."""
        if self.file is None or self.reader:
            return
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            for criterion, row in kept.items():
                for engine, stars in row.items():
                    self.give(criterion, engine, stars)
        except (OSError, ValueError, AttributeError, WorkbookError):
            self.reader = {}  # none yet, or of another version of the workbook

    def give(self, criterion: str, engine: str, stars: int) -> None:
        """Set the reader's stars, 1 to 5; 0 takes them away.

        Raises:
            WorkbookError: There is no such row or framework, or the number is none of 0 to 5.
        """
        if criterion not in {row.key for row in CRITERIA} or engine not in RUST_ENGINES:
            raise WorkbookError(f"The matrix has no place {criterion!r}, {engine!r}.")
        if stars not in range(MOST + 1):
            raise WorkbookError(f"{stars!r} is no number of stars: give 1 to {MOST}, or 0 for none.")
        row = self.reader.setdefault(criterion, {})
        if stars:
            row[engine] = stars
        else:
            row.pop(engine, None)

    def save(self) -> None:
        """Keep the reader's stars for the next run."""
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(self.reader, indent=1) + "\n", encoding="utf-8")

    def measured_stars(self, criterion: Criterion, engine: str) -> int | None:
        """Return the stars of the measure behind a row; None where there is none."""
        return self.measured.stars(criterion.rule, engine) if criterion.rule else None

    def disagreements(self) -> list[str]:
        """Name the places where the article and the measurement are two stars or more apart."""
        found = []
        for criterion in CRITERIA:
            for engine, article in criterion.article.items():
                stars = self.measured_stars(criterion, engine)
                if stars is not None and abs(stars - article) > 1:
                    found.append(f"{criterion.title}, {RUST_ENGINES[engine].title}: {article} against {stars}")
        return found
