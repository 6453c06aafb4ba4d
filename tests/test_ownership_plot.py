"""Lives of variables, read from real messages of rustc, and the figure drawn from them."""

import pytest
import rustc_samples as samples
from matplotlib.colors import to_hex

from helpers.cell_runner import CellRun
from helpers.ownership_plot import MUTABLE, OWNER, SHARED, TEMPORARY, lives, memory_marks, ownership_plot
from helpers.plots import RED
from helpers.process import ProgramResult

TWO_FATES = """\
fn main() {
    let weights = vec![1.0_f32];
    let first = weights;
    let view = &first;
    let second = first;
    println!("{view:?}");
    drop(weights);
    drop(second);
}
"""


def facts(source: str) -> dict[str, list[tuple[int, str, str | None]]]:
    return {life.name: [(f.line, f.kind, f.code) for f in life.facts] for life in lives(samples.diagnose(source))}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (samples.MOVED, {"pixels": [(6, "declared", None), (7, "moved", None), (8, "used after move", "E0382")]}),
        (
            samples.TWO_MUT,
            {"w": [(3, "borrowed mutably", None), (4, "borrowed mutably", "E0499"), (5, "used", None)]},
        ),
        (
            samples.MUT_AND_SHARED,
            {"losses": [(3, "borrowed", None), (4, "borrowed mutably", "E0502"), (5, "used", None)]},
        ),
        (
            samples.MOVE_BORROWED,
            {"w": [(4, "declared", None), (5, "borrowed", None), (6, "moved", "E0505"), (7, "used", None)]},
        ),
        (
            samples.TOO_SHORT,
            {
                "größe": [
                    (4, "declared", None),
                    (5, "borrowed", "E0597"),
                    (6, "dropped", None),
                    (7, "used", None),
                ]
            },
        ),
        (
            samples.TEMPORARY,
            {TEMPORARY: [(2, "borrowed", "E0716"), (2, "dropped", None), (3, "used", None)]},
        ),
    ],
    ids=["move", "two-mut", "mut-and-shared", "move-borrowed", "too-short", "temporary"],
)
def test_each_place_that_rustc_marks_is_a_fact(source, told):
    assert facts(source) == told


def test_an_error_without_an_owner_tells_nothing():
    assert lives(samples.diagnose(samples.MISMATCH_SCRIPT)) == []
    run = CellRun("candle", None, False, 1, 0.1, samples.diagnose(samples.MISMATCH_SCRIPT))
    with pytest.raises(ValueError, match="nothing about an owner"):
        ownership_plot(run, samples.MISMATCH_SCRIPT)


def refused(source):
    """A run as a cell would give it: rustc's line 1 stands for the magic line."""
    return CellRun("candle", None, False, 1, 0.1, samples.diagnose(source)), source.partition("\n")[2]


def bars(ax, color):
    drawn = [line for line in ax.lines if to_hex(line.get_color()).upper() == color and line.get_linewidth() > 4]
    return [tuple(map(int, line.get_ydata())) for line in drawn]


def test_bars_run_from_owner_to_owner():
    run, source = refused(TWO_FATES)
    figure = ownership_plot(run, source)
    code, variables = figure.axes
    assert [label.get_text() for label in variables.get_xticklabels()] == ["weights", "first"]
    assert bars(variables, OWNER) == [(2, 3), (3, 5)]
    assert bars(variables, SHARED) == [(4, 6)]
    crosses = [line.get_ydata()[0] for line in variables.lines if line.get_marker() == "x"]
    assert sorted(crosses) == [5, 7]
    assert [text.get_text() for text in variables.texts] == ["E0382", "E0505"]
    assert [text.get_text() for text in code.texts][1] == "    let first = weights;"
    said = {text.get_text() for text in figure.legends[0].get_texts()}
    assert said == {"owns the value", "is borrowed (&)", "moved away", "empty after the move", "refused"}


def test_the_refused_borrow_is_not_drawn_as_a_borrow():
    run, source = refused(samples.TWO_MUT)
    variables = ownership_plot(run, source).axes[1]
    assert bars(variables, MUTABLE) == [(3, 5)]
    assert to_hex(next(line for line in variables.lines if line.get_marker() == "x").get_color()).upper() == RED


def test_memory_stands_beside_the_lines():
    output = "line 2: 64 MB\n[3]\nline 3: 128 MB\nline 99 of another kind\n"
    twin = CellRun("tch", None, True, 1, 0.1, program=ProgramResult(["x"], stdout=output, peak_rss_bytes=130_000_000))
    assert memory_marks(twin) == [(2, 64), (3, 128)]
    run, source = refused(TWO_FATES)
    memory = ownership_plot(run, source, memory={"copy()": twin}).axes[2]
    assert memory.lines[0].get_xdata().tolist() == [64, 128]
    assert memory.lines[0].get_ydata().tolist() == [2, 3]
    assert memory.get_legend().get_texts()[0].get_text() == "copy(), peak 130 MB"
    assert "MB" in memory.get_xlabel()
