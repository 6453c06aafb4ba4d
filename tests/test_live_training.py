import pytest
from matplotlib.figure import Figure

from helpers import live_training
from helpers.cifar10 import Source
from helpers.events import Step
from helpers.live_training import LiveTraining, is_watched

SOURCE = Source("synthetic", "generated images", "Synthetic images")


class Shown(list):
    """Stands for the notebook's front end: remembers what was displayed and updated."""

    def display(self, thing, display_id=False):
        self.append(("new", thing))
        return self

    def update(self, thing):
        self.append(("update", thing))


@pytest.fixture
def shown(monkeypatch):
    shown = Shown()
    monkeypatch.setattr(live_training, "has_kernel", lambda: True)
    monkeypatch.setattr(live_training, "display", shown.display)
    return shown


def epoch(number, loss=2.0):
    return {
        "event": "epoch",
        "epoch": number,
        "train_loss": loss,
        "test_loss": loss,
        "test_accuracy": 0.3,
        "train_seconds": 1.0,
        "images": 64,
    }


def train(live, engine="pytorch"):
    live.start(engine, "1/2")
    for number in (1, 2):
        for step in (1, 2):
            live.receive(Step(epoch=number, step=step, steps=2, loss=2.0))
        live.receive(epoch(number))


def test_an_automatic_run_leaves_exactly_one_figure(shown, capsys):
    with LiveTraining(SOURCE, epochs=2, watched=False) as live:
        train(live)
        train(live, "tch")
        assert shown == []
    assert [kind for kind, _ in shown] == ["new"]
    assert isinstance(shown[0][1], Figure)
    assert capsys.readouterr() == ("", "")


class Line:
    """Stands for the place of the progress line."""

    def __init__(self):
        self.texts, self.fractions, self.final = [], [], None

    def show(self, text, fraction):
        self.texts.append(text)
        self.fractions.append(fraction)

    def close(self, final):
        self.final = final


def test_a_watched_run_updates_one_figure_and_one_line_an_engine(shown, capsys, monkeypatch):
    monkeypatch.setattr(live_training, "DRAWING_SHARE", 1e9)
    monkeypatch.setattr(live_training, "REDRAW_SECONDS", 0)
    lines = []

    def make_screen():
        lines.append(Line())
        return lines[-1]

    with LiveTraining(SOURCE, epochs=2, watched=True, make_screen=make_screen) as live:
        train(live)
        train(live, "tch")
    assert [kind for kind, _ in shown] == ["new"] + ["update"] * 4
    assert capsys.readouterr() == ("", "")
    pytorch, tch = lines
    assert pytorch.texts[0] == "PyTorch (1/2): epoch 1 of 2, batch 1 of 2 · loss 2.000"
    assert pytorch.texts[3] == "PyTorch (1/2): epoch 2 of 2, batch 2 of 2 · 0 s left · loss 2.000 · test accuracy 30.0%"
    assert pytorch.fractions == [0.25, 0.5, 0.75, 1]
    assert tch.texts[0].startswith("tch-rs")
    assert pytorch.final == tch.final == ""


def test_the_time_left_follows_from_the_time_taken():
    progress = live_training._Progress("PyTorch", 10, Line())
    text, done = progress.line(Step(epoch=3, step=5, steps=5, loss=1.5), seconds=14.0)
    assert done == 0.3
    assert " · 35 s left · " in text  # 14 steps after the first took 14 s, 35 remain


def test_drawing_waits_so_that_it_takes_little_time(shown, monkeypatch):
    monkeypatch.setattr(live_training, "DRAWING_SHARE", 1e-6)
    with LiveTraining(SOURCE, epochs=2, watched=True, make_screen=Line) as live:
        train(live)
        train(live, "tch")
    assert [kind for kind, _ in shown] == ["new", "update"]  # the first epoch and the end


def test_a_failed_run_leaves_no_figure(shown):
    with pytest.raises(RuntimeError), LiveTraining(SOURCE, epochs=2, watched=False) as live:
        train(live)
        raise RuntimeError
    assert shown == []


def test_later_rounds_do_not_lengthen_the_curves(shown):
    with LiveTraining(SOURCE, epochs=2, watched=False) as live:
        train(live)
        train(live)
    assert [epoch.epoch for epoch in live.histories["pytorch"]] == [1, 2]


class Kernel:
    _allow_stdin = True


class Shell:
    kernel = Kernel()


def test_who_counts_as_watching(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("WORKBOOK_PROFILE", raising=False)
    monkeypatch.setattr(live_training, "get_ipython", Shell)
    assert is_watched()
    monkeypatch.setenv("WORKBOOK_PROFILE", "small")
    assert not is_watched()
    monkeypatch.delenv("WORKBOOK_PROFILE")
    monkeypatch.setattr(Kernel, "_allow_stdin", False)
    assert not is_watched()
