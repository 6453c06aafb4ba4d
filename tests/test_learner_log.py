"""The metric files of Burn's Learner."""

from pathlib import Path

import numpy as np
import pytest

from helpers.learner_log import LearnerLogError, read_metric, step_losses


def write(folder: Path, epoch: int, text: str, *, split: str = "train", name: str = "Loss") -> None:
    path = folder / split / f"epoch-{epoch}" / f"{name}.log"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_a_line_is_a_batch_and_the_last_one_the_epoch(tmp_path: Path) -> None:
    write(tmp_path, 1, "20,64\n50,16\n26,final\n", split="valid", name="Accuracy")
    metric = read_metric(tmp_path, "Accuracy", "valid", 1)
    assert metric.batches.tolist() == [20, 50] and metric.counts.tolist() == [64, 16] and metric.epoch == 26
    assert np.average(metric.batches, weights=metric.counts) == metric.epoch


def test_steps_of_all_epochs_follow_each_other(tmp_path: Path) -> None:
    write(tmp_path, 1, "2.5,1\n2.25,1\n2.375,final\n")
    write(tmp_path, 2, "2.0,1\n1.5,1\n1.75,final\n")
    assert step_losses(tmp_path, 2).tolist() == [2.5, 2.25, 2.0, 1.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2.5,1\n", "has no last line"),
        ("", "has no last line"),
        ("2.5,1\nx,1\n2.5,final\n", "not `value,count`"),
        ("2.5\n2.5,final\n", "not `value,count`"),
        ("2.5,1\n2.5\n", "not `value,count`"),
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, 1, text)
    with pytest.raises(LearnerLogError, match=message):
        read_metric(tmp_path, "Loss", "train", 1)


def test_a_missing_metric_is_told_without_the_machines_path(tmp_path: Path) -> None:
    with pytest.raises(LearnerLogError, match=r"There is no train/epoch-3/Loss\.log") as caught:
        read_metric(tmp_path, "Loss", "train", 3)
    assert str(tmp_path) not in str(caught.value)
