"""Criterion's files become seconds for one call."""

import json

import pytest

from helpers.criterion_results import read_samples
from helpers.errors import WorkbookError


@pytest.fixture
def folder(tmp_path):
    for name, times in {"two-1": [4000.0, 6000.0], "two-2": [2000.0], "one-1": [500.0]}.items():
        for kind in ("new", "base"):
            place = tmp_path / name / kind
            place.mkdir(parents=True)
            iters = [2.0] * len(times)
            (place / "sample.json").write_text(json.dumps({"sampling_mode": "Flat", "iters": iters, "times": times}))
    return tmp_path


def test_samples_are_seconds_for_one_call(folder):
    assert read_samples(folder).benchmarks["two-1"] == pytest.approx((2e-6, 3e-6))


def test_rounds_are_merged(folder):
    spread = read_samples(folder).merged("two-")
    assert spread.samples == pytest.approx((2e-6, 3e-6, 1e-6))
    assert spread.median == pytest.approx(2e-6)


def test_an_unknown_benchmark_names_those_that_are_there(folder, tmp_path):
    with pytest.raises(WorkbookError, match="there are one-1, two-1, two-2"):
        read_samples(folder).merged("three")
    with pytest.raises(WorkbookError, match="there are none"):
        read_samples(tmp_path / "nothing").merged("two-")
