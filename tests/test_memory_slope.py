import numpy as np
import pytest

from helpers.memory_slope import MemorySlope


def events(**ways):
    return [{"event": "metric", "name": name, "value": value} for name, values in ways.items() for value in values]


def test_the_slope_is_in_bytes_a_call():
    memory = MemorySlope.of([{"event": "phase", "name": "x"}, *events(flat=[5e6] * 4, grows=[0, 1e6, 2e6, 3e6])], 400)
    assert list(memory.ways) == ["flat", "grows"]
    assert memory.bytes_per_call("grows") == pytest.approx(10_000)
    assert memory.bytes_per_call("flat") == pytest.approx(0, abs=1e-6)


def test_one_jump_is_less_than_steady_growth():
    jump = MemorySlope.of(events(way=[0] + [1e6] * 19), 2000).bytes_per_call("way")
    steady = MemorySlope.of(events(way=np.arange(20) * 1e6), 2000).bytes_per_call("way")
    assert 0 < jump < steady / 10


def test_the_figure_shows_growth_from_zero_with_units_and_a_legend():
    figure = MemorySlope.of(events(kept=[100e6, 101e6, 103e6], dropped=[50e6] * 3), 30).figure("Memory")
    (ax,) = figure.axes
    assert [line.get_label() for line in ax.lines] == ["kept", "dropped"]
    assert list(ax.lines[0].get_xdata()) == [0, 10, 20]
    assert list(ax.lines[0].get_ydata()) == [0, 1, 3]
    assert "MB" in ax.get_ylabel() and ax.get_xlabel() and ax.get_legend()


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([], "no event `metric`"),
        (events(way=[1, 2]), "`way` cannot be judged"),
        (events(way=[1, float("nan"), 3]), "`way` cannot be judged"),
        (events(way=[1, None, 3]), "`way` cannot be judged"),
    ],
)
def test_too_little_to_judge_is_an_error(bad, said):
    with pytest.raises(ValueError, match=said):
        MemorySlope.of(bad, 10)
