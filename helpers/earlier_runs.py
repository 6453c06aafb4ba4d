"""The newest result of `workbook bench engines`, for a chapter that measures only briefly."""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from helpers.build_records import BENCH
from helpers.engines import ENGINES
from helpers.results import MB, REFERENCE, Spread

ABSENT = "No longer measurement is on record here: `uv run workbook bench engines` makes one."


@dataclass(frozen=True, repr=False)
class EarlierRun:
    """What a longer measurement found, or nothing.

    Attributes:
        place: Date and machine.
        work: What was done, in words.
        speed: Images a second by engine; empty without a measurement.
        peak: Peak memory in bytes by engine.
    """

    place: str = ""
    work: str = ""
    speed: Mapping[str, Spread] = field(default_factory=dict)
    peak: Mapping[str, Spread] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Engine, speed, its ratio to PyTorch, peak memory."""
        reference = self.speed.get(REFERENCE, Spread(())).median
        rows = []
        for name, speed in self.speed.items():
            peak = self.peak.get(name, Spread(()))
            rows.append(
                (
                    ENGINES[name].title,
                    f"{speed.median:,.0f} ({speed.low:,.0f} to {speed.high:,.0f})",
                    f"{speed.median / reference:.2f}" if reference == reference else "",
                    f"{peak.median / MB:,.0f}" if peak.samples else "not known",
                )
            )
        return rows

    def __str__(self) -> str:
        """The table as text, or a sentence."""
        if not self.speed:
            return ABSENT
        lines = [("engine", "images/s", "x PyTorch", "peak memory, MB"), *self.rows()]
        table = "\n".join(f"{a:<9}{b:>26}{c:>11}{d:>17}" for a, b, c, d in lines)
        return f"{table}\n{self.place}: {self.work}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if not self.speed:
            return f"<p>{html.escape(ABSENT)}</p>"
        titles = ("engine", "images/s", "x PyTorch", "peak memory, MB")
        head = "".join(f"<th>{title}</th>" for title in titles)
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in self.rows())
        note = html.escape(f"{self.place}: {self.work}")
        return (
            f'<table><caption style="caption-side:bottom;text-align:left">{note}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def newest_engine_bench(folder: Path = BENCH) -> EarlierRun:
    """Read the newest `engines_*.json` that can be read; an empty run if there is none."""
    for path in sorted(folder.glob("engines_*.json"), reverse=True):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            machine, results = content["machine"], content["results"]
            settings, engines = results["settings"], results["engines"]
            size = f"{settings['train_size']:,}" if settings["train_size"] else "all"
            return EarlierRun(
                f"{content['date'][:10]}, {machine['cpu']}, {machine['cores_used']} cores",
                f"{size} images, {settings['epochs']} epochs, {settings['rounds']} rounds, {settings['device']}",
                {name: Spread(tuple(row["images_per_second"])) for name, row in engines.items() if name in ENGINES},
                {name: Spread(tuple(row["peak_rss_bytes"])) for name, row in engines.items()},
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return EarlierRun()
