"""Reads the metrics that Burn's Learner writes while it trains.

The Learner keeps a file for each metric, split and epoch: `train/epoch-1/Loss.log`. A line is a batch, `value,count`,
where count is the weight of the batch in the epoch's mean; the last line, `value,final`, is that mean.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from helpers.errors import WorkbookError


class LearnerLogError(WorkbookError):
    """A metric's file is missing or holds something else."""


@dataclass(frozen=True)
class EpochMetric:
    """One metric in one epoch.

    Attributes:
        batches: The metric of each batch, float64 [batches].
        counts: What each batch counts for in the mean, int64 [batches].
        epoch: The mean that the Learner has computed; accuracies go from 0 to 100.
    """

    batches: np.ndarray
    counts: np.ndarray
    epoch: float


def read_metric(folder: Path, name: str, split: Literal["train", "valid"], epoch: int) -> EpochMetric:
    """Read one metric of one epoch.

    Args:
        folder: The folder that the training was given.
        name: As Burn calls it, such as `Loss` or `Accuracy`.
        epoch: Counted from 1.

    Raises:
        LearnerLogError: There is no such file, a line cannot be read, or the epoch did not end.
    """
    path = folder / split / f"epoch-{epoch}" / f"{name}.log"
    try:
        lines = path.read_text(encoding="utf-8").split()
    except OSError:
        where = path.relative_to(folder).as_posix()
        raise LearnerLogError(
            f"There is no {where} in {folder.name!r}: run the Learner's cell with this metric."
        ) from None
    try:
        rows = [line.split(",") for line in lines]
        if not rows or rows[-1][1] != "final":
            raise LearnerLogError(f"{path.name} of epoch {epoch} has no last line: the epoch did not end.")
        values = np.array([float(value) for value, _ in rows])
        counts = np.array([int(count) for _, count in rows[:-1]], dtype=np.int64)
    except (ValueError, IndexError):
        raise LearnerLogError(f"{path.name} of epoch {epoch} holds a line that is not `value,count`.") from None
    return EpochMetric(values[:-1], counts, float(values[-1]))


def step_losses(folder: Path, epochs: int) -> np.ndarray:
    """Return the training loss of every step of the first `epochs` epochs, float64 [steps].

    Raises:
        LearnerLogError: An epoch's file is missing or holds something else.
    """
    return np.concatenate([read_metric(folder, "Loss", "train", epoch).batches for epoch in range(1, epochs + 1)])
