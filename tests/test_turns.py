"""Measurements take turns, and their figures are sorted by engine."""

import pytest

from helpers import turns
from helpers.cargo import BuildProgress
from helpers.cell_runner import CellRun, KernelSession
from helpers.engines import RUST_ENGINES
from helpers.errors import WorkbookError
from helpers.process import ProgramResult
from helpers.turns import answers_in_turns, collect, rotated, warm_compile_times


def answer(images, seconds):
    return {"event": "metric", "name": f"answer to {images}", "value": seconds}


def program(name, *events, code=0):
    return ProgramResult([name], returncode=code, wall_seconds=0.5, peak_rss_bytes=10_000_000, events=list(events))


def test_every_name_begins_once():
    names = ["a", "b", "c"]
    assert [rotated(names, turn)[0] for turn in range(4)] == ["a", "b", "c", "a"]
    assert sorted(rotated(names, 2)) == names


def test_answers_are_collected():
    found = collect({"tch": [program("tch", answer(1, 0.1), answer(64, 2.0)), program("tch", answer(1, 0.3))]})
    assert found.seconds[1]["tch"].samples == (0.1, 0.3)
    assert found.seconds[64]["tch"].median == 2.0
    assert found.start_to_end["tch"].samples == (0.5, 0.5)
    assert found.peak_bytes["tch"].median == 10_000_000
    assert found.last_percent(1, "tch") == 0.3


def test_the_middle_half_leaves_out_what_is_rare():
    found = collect({"tch": [program("tch", *(answer(1, seconds) for seconds in (1, 2, 3, 4, 5, 6, 900)))]})
    assert found.middle_half(1, "tch").samples == (2, 4, 6)
    assert found.last_percent(1, "tch") == 900


def test_programs_take_turns(monkeypatch):
    order = []

    def run(engine, argv):
        order.append(engine.name)
        return program(argv[0], answer(1, 0.1))

    monkeypatch.setattr(turns, "run_cell_program", run)
    found = answers_in_turns({"tch": program("a"), "burn": program("b")}, rounds=2)
    assert order == ["tch", "burn", "burn", "tch"]
    assert len(found.seconds[1]["burn"].samples) == 2


def test_a_program_that_fails_is_an_error(monkeypatch):
    monkeypatch.setattr(turns, "run_cell_program", lambda *_: program("a", code=1))
    with pytest.raises(WorkbookError, match="exit code 1"):
        answers_in_turns({"tch": program("a")}, rounds=1)


def test_compile_times_leave_out_the_first_round(monkeypatch):
    texts = []

    def compile_cell(options, text, session, on_progress):
        texts.append(text)
        on_progress(BuildProgress(0, 0, "", True, 0.25))  # another notebook builds the same framework
        on_progress(BuildProgress(0, 9, "a crate", False, 0.5))
        return CellRun(options.engine.name, None, True, 1, float(len(texts))), None

    monkeypatch.setattr(turns, "compile_cell", compile_cell)
    found = warm_compile_times(2, session=KernelSession())
    assert len(texts) == len(set(texts)) == 3 * len(RUST_ENGINES)
    assert min(min(spread.samples) for spread in found.values()) > len(RUST_ENGINES)
    assert all(len(spread.samples) == 2 for spread in found.values())
    assert all(seconds % 1 == 0.75 for spread in found.values() for seconds in spread.samples)


def test_the_magics_must_be_loaded():
    with pytest.raises(WorkbookError, match="load_ext"):
        turns.kernel_session()


@pytest.mark.parametrize(("load", "busy"), [(0.2, False), (12.0, True)])
def test_a_busy_machine_is_named(monkeypatch, load, busy):
    monkeypatch.setattr(turns.os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(turns, "usable_cores", lambda: 2)
    assert turns.load_note().startswith(f"Load before measuring: {load} on 2 cores.")
    assert ("worth little" in turns.load_note()) is busy


def test_a_system_that_does_not_tell(monkeypatch):
    monkeypatch.delattr(turns.os, "getloadavg")
    assert "does not tell" in turns.load_note()
