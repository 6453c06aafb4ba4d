"""Builds from nothing are recorded, others are not, and the newest record counts."""

import json

import pytest

from helpers import build_records, builds
from helpers.build_records import FILE, full_builds, record_build, starts_from_nothing
from helpers.cargo import BuildResult
from helpers.engines import RUST_ENGINES
from helpers.paths import TARGET_VARIABLE
from helpers.terminal import console


@pytest.fixture
def target(tmp_path, monkeypatch):
    monkeypatch.setenv(TARGET_VARIABLE, str(tmp_path / "target"))
    (tmp_path / "target" / "candle").mkdir(parents=True)
    return tmp_path / "target"


def write_bench(folder, date, *rows):
    folder.mkdir(exist_ok=True)
    content = {
        "date": f"{date}T09:20:53+00:00",
        "machine": {"cpu": "A processor", "cores_used": 2},
        "results": [dict(zip(("engine", "crates", "seconds"), row, strict=True)) for row in rows],
    }
    (folder / f"builds_{date}_09-20-53.json").write_text(json.dumps(content))


def test_a_record_comes_back(target, tmp_path):
    record_build("candle", 101, 317.04)
    found = full_builds(bench=tmp_path / "none")
    assert list(found) == ["candle"]
    assert (found["candle"].crates, found["candle"].seconds) == (101, 317.0)
    assert found["candle"].place.endswith("cores")


def test_without_records_there_is_nothing(target, tmp_path):
    assert full_builds(bench=tmp_path / "none") == {}


def test_benches_are_read_and_the_newest_counts(target, tmp_path):
    bench = tmp_path / "bench"
    write_bench(bench, "2020-01-01", ("candle", 90, 200.0), ("dfdx", 70, 60.0))
    write_bench(bench, "2020-01-02", ("dfdx", 74, 167.4))
    found = full_builds(bench=bench)
    assert found["dfdx"].seconds == 167.4
    assert found["dfdx"].place == "2020-01-02, A processor, 2 cores"
    record_build("candle", 101, 317.0)
    assert full_builds(bench=bench)["candle"].crates == 101


def test_damaged_records_are_left_out(target, tmp_path):
    bench = tmp_path / "bench"
    bench.mkdir()
    (bench / "builds_2020-01-03_00-00-00.json").write_text("{")
    (target / "candle" / FILE).write_text('{"engine": "candle"}')
    assert full_builds(bench=bench) == {}


@pytest.mark.parametrize("there", [False, True])
def test_only_a_build_from_nothing_is_recorded(target, tmp_path, monkeypatch, there):
    if there:
        (target / "candle" / "release").mkdir()
    assert starts_from_nothing("candle") is not there
    monkeypatch.setattr(builds, "build", lambda *_, **__: BuildResult(True, compiled=101))
    monkeypatch.setattr(builds, "engine_program", lambda *_, **__: [])
    monkeypatch.setattr(builds, "warm_first_cell", lambda *_: None)
    builds.build_engines([RUST_ENGINES["candle"]], console)
    assert (target / "candle" / build_records.FILE).exists() is not there
