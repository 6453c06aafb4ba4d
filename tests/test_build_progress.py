"""The build's line: what it says, where it is shown, what is left of it."""

import subprocess
import sys
from itertools import count

import nbformat
import pytest
from nbclient import NotebookClient

from helpers import build_progress
from helpers.build_progress import BuildProgressDisplay, line
from helpers.cargo import BuildProgress
from helpers.paths import REPO


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class FakeScreen:
    def __init__(self) -> None:
        self.lines: list[tuple[str, float | None]] = []
        self.final: str | None = None

    def show(self, text: str, fraction: float | None) -> None:
        self.lines.append((text, fraction))

    def close(self, final: str) -> None:
        self.final = final


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(build_progress, "time", clock)
    return clock


def report(done: int, total: int, crate: str, seconds: float, waiting: bool = False) -> BuildProgress:
    return BuildProgress(done, total, crate, waiting, seconds)


def test_line_names_crates_and_time():
    assert line("candle", report(57, 133, "candle-nn", 72.4)) == (
        "Building candle: 57 of 133 crates · candle-nn · 1 min 12 s"
    )


def test_line_while_another_build_runs():
    assert line("candle", report(0, 0, "", 3, waiting=True)).startswith("waiting for another build of candle to finish")


def test_line_before_cargo_has_counted():
    assert line("tch", report(0, 0, "", 2)) == "Building tch: asking cargo what to build · 2 s"


def test_fast_build_shows_nothing(clock):
    screen = FakeScreen()
    with BuildProgressDisplay("candle", screen) as show:
        clock.now += 0.5
        show(report(132, 133, "candle-cells", 0.5))
    assert screen.lines == []
    assert screen.final == ""


def test_long_build_is_shown_and_leaves_one_line(clock):
    screen = FakeScreen()
    with BuildProgressDisplay("candle", screen) as show:
        for second in range(1, 73):
            clock.now += 1
            show(report(second, 144, "x", second))
    assert screen.lines[0] == ("Building candle: 2 of 144 crates · x · 2 s", 2 / 144)
    assert screen.final == "Building candle took 1 min 12 s."


def test_many_reports_are_not_all_drawn(clock):
    screen = FakeScreen()
    with BuildProgressDisplay("candle", screen) as show:
        clock.now += 10
        for _ in range(1000):
            clock.now += 0.001
            show(report(1, 2, "x", 1))
    assert 1 <= len(screen.lines) <= 6


def test_waiting_has_no_fraction(clock):
    screen = FakeScreen()
    with BuildProgressDisplay("candle", screen) as show:
        clock.now += 2
        show(report(0, 0, "", 2, waiting=True))
    assert screen.lines == [("waiting for another build of candle to finish · 2 s", None)]


def test_interrupt_leaves_a_line_and_goes_on(clock):
    screen = FakeScreen()
    with pytest.raises(KeyboardInterrupt), BuildProgressDisplay("burn", screen) as show:
        clock.now += 8
        show(report(1, 2, "x", 8))
        raise KeyboardInterrupt
    assert screen.final == "Building burn was stopped after 8 s."


def test_error_takes_the_line_away(clock):
    screen = FakeScreen()
    with pytest.raises(OSError, match="disk"), BuildProgressDisplay("burn", screen):
        clock.now += 8
        raise OSError("disk")
    assert screen.final == ""


def test_clock_goes_on_while_cargo_is_silent(monkeypatch):
    screen = FakeScreen()
    monkeypatch.setattr(build_progress, "SHOW_AFTER", 0.0)
    with BuildProgressDisplay("tch", screen) as show:
        show(report(1, 2, "torch-sys", 60.0))
        for _ in range(1000):
            if any(not line.endswith(" 0 s") for line, _ in screen.lines):
                break
            build_progress.time.sleep(0.01)
    last = screen.lines[-1][0]
    assert last.startswith("Building tch: 1 of 2 crates · torch-sys · 1 min ")
    assert not last.endswith(" 0 s")


QUIET = """
import sys
from types import SimpleNamespace
from helpers import build_progress
build_progress.SHOW_AFTER = 0.0
build_progress.FINAL_LINE_AFTER = 0.0
with build_progress.BuildProgressDisplay("candle") as show:
    show(SimpleNamespace(done=1, total=2, crate="x", waiting=False, seconds=1.0))
"""


@pytest.mark.parametrize("profile", ["small", ""])
def test_only_the_final_line_where_nobody_watches(profile):
    env = {"WORKBOOK_PROFILE": profile, "PYTHONPATH": str(REPO)}
    done = subprocess.run([sys.executable, "-c", QUIET], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "Building candle took 0 s.\n"
    assert done.stderr == ""


NOTEBOOK = """
from types import SimpleNamespace
from time import sleep
from helpers import build_progress
build_progress.SHOW_AFTER = 0.0
build_progress.REDRAW_SECONDS = 0.0
build_progress.FINAL_LINE_AFTER = {final}
with build_progress.BuildProgressDisplay("candle", first={first}) as show:
    for done in range(3):
        show(SimpleNamespace(done=done, total=133, crate="candle-nn", waiting=False, seconds=1.0))
    sleep(1.3)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("final", "first", "left"),
    [
        (0.0, False, ["Building candle took 1 s."]),
        (60.0, False, [""]),
        (0.0, True, ["Building candle took 1 s."]),
        (60.0, True, []),
    ],
)
def test_notebook_has_one_output_that_collapses(final, first, left, monkeypatch):
    monkeypatch.delenv("WORKBOOK_PROFILE", raising=False)
    source = NOTEBOOK.format(final=final, first=first) + 'print("answer")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(REPO)}}).execute()
    *lines, answer = notebook.cells[0].outputs
    assert answer.text == "answer\n"
    assert [line.data["text/plain"] for line in lines] == left
    assert not any("progress" in line.data["text/html"] for line in lines)


def test_terminal_screen_draws_and_clears():
    from helpers.build_progress import _TerminalScreen

    screen = _TerminalScreen()
    for number in count():
        screen.show(f"Building candle: {number} of 3 crates [x]", number / 3)
        if number == 3:
            break
    screen.close("")
    assert screen._progress.finished
