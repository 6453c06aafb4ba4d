"""Reads the samples that criterion leaves in its output folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.errors import WorkbookError
from helpers.results import Spread

NANOSECOND = 1e-9


@dataclass(frozen=True)
class CriterionSamples:
    """What criterion measured.

    Attributes:
        benchmarks: For each benchmark's name its samples: seconds for one call, a mean over the sample's calls.
    """

    benchmarks: Mapping[str, tuple[float, ...]]

    def merged(self, prefix: str) -> Spread:
        """The samples of all benchmarks whose names begin with `prefix`, such as those of all rounds.

        Raises:
            WorkbookError: There is none; names those that are there.
        """
        found = [seconds for name, samples in self.benchmarks.items() if name.startswith(prefix) for seconds in samples]
        if not found:
            raise WorkbookError(
                f"No benchmark begins with {prefix!r}: there are {', '.join(self.benchmarks) or 'none'}."
            )
        return Spread(tuple(found))


def read_samples(folder: Path | str) -> CriterionSamples:
    """Read the newest samples of all benchmarks below criterion's output folder."""
    benchmarks = {}
    for path in sorted(Path(folder).glob("**/new/sample.json")):
        sample = json.loads(path.read_text(encoding="utf-8"))
        times = zip(sample["times"], sample["iters"], strict=True)
        name = path.parent.parent.relative_to(folder).as_posix()
        benchmarks[name] = tuple(nanoseconds * NANOSECOND / calls for nanoseconds, calls in times)
    return CriterionSamples(benchmarks)
