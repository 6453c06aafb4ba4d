import pytest

from helpers.speedups import SpeedupError, Speedups


def metrics(**values):
    return [{"event": "metric", "name": name, "value": v} for name, row in values.items() for v in row]


def test_ratios_are_taken_within_each_round():
    events = [*metrics(**{"disk/one": [2.0, 9.0, 4.0], "disk/two": [1.0, 3.0, 4.0]}), {"event": "phase", "name": "a/b"}]
    speedups = Speedups.of(events, "one")
    assert speedups.cases["disk"]["two"].samples == (2.0, 3.0, 1.0)
    assert list(speedups.cases["disk"]) == ["two"]
    assert "two   2.00 (1.00 to 3.00)" in str(speedups)
    assert "of 3 rounds" in speedups.note


def test_times_that_do_not_fit_are_told():
    with pytest.raises(SpeedupError, match="No times"):
        Speedups.of([{"event": "metric", "name": "loss", "value": 1.0}], "one")
    with pytest.raises(SpeedupError, match="no times of the baseline `one`"):
        Speedups.of_seconds({"disk": {"two": [1.0]}}, "one")
    with pytest.raises(SpeedupError, match="`two` has 1 times, `one` has 2"):
        Speedups.of_seconds({"disk": {"one": [1.0, 1.0], "two": [1.0]}}, "one")


def test_the_figure_has_a_panel_a_case_and_a_row_a_way():
    seconds = {"disk": {"one": [2.0], "two": [1.0]}, "memory": {"one": [1.0], "two": [2.0], "three": [0.5]}}
    disk, memory = Speedups.of_seconds(seconds, "one").figure("A title").axes
    assert [label.get_text() for label in disk.get_yticklabels()] == ["two", "three"]
    assert [bar.get_width() for bar in disk.patches] == [2.0]
    assert [bar.get_width() for bar in memory.patches] == [0.5, 2.0]
    assert disk.get_xlim() == memory.get_xlim()
