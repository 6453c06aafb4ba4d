"""What building from nothing cost on this machine: written by `workbook build` and `workbook bench builds`, read here.

A build that found parts of an earlier one is not recorded: its time says nothing about what a newcomer waits for.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from helpers.engines import RUST_ENGINES
from helpers.environment import cpu_name, usable_cores
from helpers.package_copy import write_if_different
from helpers.paths import REPO, target_root

FILE = "workbook-build.json"  # in a framework's target folder, so that it goes with what it tells of
BENCH = REPO / "runs" / "bench"


@dataclass(frozen=True)
class BuildRecord:
    """One build of one framework from nothing.

    Attributes:
        crates: Crates compiled.
        date: When it ended, as YYYY-MM-DD.
        machine: The processor and the cores used.
    """

    engine: str
    crates: int
    seconds: float
    date: str
    machine: str

    @property
    def place(self) -> str:
        """Date and machine, for a caption."""
        return f"{self.date}, {self.machine}"


def starts_from_nothing(engine: str) -> bool:
    """Tell whether a framework's target folder holds no release build yet; ask before building."""
    return not (target_root() / engine / "release").exists()


def record_build(engine: str, crates: int, seconds: float) -> None:
    """Write down a build from nothing that has just ended."""
    path = target_root() / engine / FILE
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    record = BuildRecord(engine, crates, round(seconds, 1), today, f"{cpu_name()}, {usable_cores()} cores")
    write_if_different(path, json.dumps(asdict(record), indent=1) + "\n")


def full_builds(target: Path | None = None, bench: Path = BENCH) -> dict[str, BuildRecord]:
    """Return the newest build from nothing of each framework; frameworks without a record are missing.

    Args:
        target: The folder with everything built; None for the workbook's own.
        bench: The folder into which `workbook bench builds` writes.
    """
    root = target or target_root()
    built = (record for name in RUST_ENGINES for record in _records(_read(root / name / FILE)))
    found: dict[str, BuildRecord] = {}
    for record in (*_benched(bench), *built):  # of one day, the build of the folder in use counts
        if record.engine not in found or record.date >= found[record.engine].date:
            found[record.engine] = record
    return found


def _read(path: Path) -> list[Mapping]:
    try:
        return [json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return []


def _records(entries: Iterable[Mapping]) -> Iterator[BuildRecord]:
    for entry in entries:
        try:
            yield BuildRecord(**entry)
        except TypeError:
            continue  # of another version of the workbook


def _benched(folder: Path) -> Iterator[BuildRecord]:
    """The builds that `workbook bench builds` has timed, the oldest first."""
    for content in (entry for path in sorted(folder.glob("builds_*.json")) for entry in _read(path)):
        try:
            machine = f"{content['machine']['cpu']}, {content['machine']['cores_used']} cores"
            for row in content["results"]:
                yield BuildRecord(row["engine"], row["crates"], row["seconds"], content["date"][:10], machine)
        except (KeyError, TypeError):
            continue
