"""The benchmarks measure what they say and keep machine and versions beside the figures."""

import json

import pytest

from helpers import bench, bench_builds
from helpers.bench_cells import CellTimes
from helpers.engines import ENGINES, RUST_ENGINES
from helpers.paths import target_root


def test_ratio_and_overhead_are_of_medians():
    times = CellTimes("candle", changed=(0.5, 0.6, 9.0), bare=(0.5, 0.5, 0.1), unchanged=(0.2, 0.3), binary=(0.1, 0.1))
    assert times.ratio == pytest.approx(1.2)
    assert times.overhead == pytest.approx(0.15)


def test_results_name_machine_and_versions(tmp_path):
    content = json.loads(bench.write_results("cells", [1, 2], tmp_path).read_text())
    assert content["results"] == [1, 2]
    assert content["machine"]["memory_bytes"] > 1 << 29
    assert content["versions"]["tch"] == "0.26.0"
    assert content["versions"]["rustc for dfdx"].startswith("1.")


def test_every_framework_has_a_cell_whose_number_changes():
    from helpers.bench_cells import SOURCES

    assert set(SOURCES) == set(RUST_ENGINES)
    for source in SOURCES.values():
        one, two = (source.format(n=n).splitlines() for n in (1, 2))
        assert sum(a != b for a, b in zip(one, two, strict=True)) == 1


def test_a_cold_build_uses_a_target_folder_of_its_own_and_removes_it(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBOOK_TARGET_DIR", str(tmp_path))
    monkeypatch.setattr(bench_builds.doctor, "prepare", lambda engines, console: None)

    def build(engines, console):
        (target_root() / "file").write_bytes(b"x" * 5000)
        assert target_root().parent == tmp_path
        return [bench_builds.builds.BuiltEngine(engines[0].name, 7, 1.5)]

    monkeypatch.setattr(bench_builds.builds, "build_engines", build)
    measured = bench_builds.measure_build(ENGINES["candle"])
    assert (measured.crates, measured.seconds) == (7, 1.5)
    assert measured.disk_bytes >= 5000
    assert list(tmp_path.iterdir()) == []
    assert target_root() == tmp_path


@pytest.mark.slow
def test_cells_are_measured():
    from helpers.bench_cells import measure_cells

    times = measure_cells(ENGINES["candle"], 2)
    assert len(times.changed) == len(times.bare) == len(times.unchanged) == len(times.binary) == 2
    # A cell that is built anew takes longer than one that is there.
    assert min(times.changed) > min(times.unchanged)
    assert min(times.bare) > min(times.binary)
