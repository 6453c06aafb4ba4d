"""Answers tested together have the verdicts that each would have alone."""

import pytest
from plain_engine import PlainEngine
from test_exercise_magic import GOOD, STUB, WRONG, write_exercises

from helpers import exercises
from helpers.cell_runner import KernelSession
from helpers.errors import ExerciseFailed, RustCompileError, RustPanic, RustUsageError
from helpers.exercise_batch import Answer, check_all
from helpers.exercise_check import Listeners, State

REFUSED = "fn twice(x: i64) -> i64 {\n    y\n}"
MISFIT = "fn twice(x: f32) -> f32 {\n    2.0 * x\n}"
ANSWERS = {
    GOOD: None,
    WRONG: ExerciseFailed,
    STUB: RustPanic,
    REFUSED: RustCompileError,
    MISFIT: RustCompileError,
    f"#![allow(dead_code)]\n{GOOD}": None,
    f"{GOOD}\nstd::process::exit(0);": ExerciseFailed,
    f"{GOOD}\nfn main() {{}}": RustUsageError,
    "fn twice(x: i64) -> i64 {": RustCompileError,
    f"{GOOD}\nlet text: &str = 1;": RustCompileError,
}


@pytest.fixture
def check(plain_engine: PlainEngine, tmp_path, monkeypatch):
    write_exercises(tmp_path, monkeypatch)

    def check_texts(texts, **how):
        session = KernelSession()
        twice = exercises.find_exercise("twice")
        verdicts = check_all([Answer(twice, text) for text in texts], session, Listeners(), **how)
        session.release()
        return verdicts

    return check_texts


def test_each_answer_has_its_own_verdict(check):
    verdicts = check(ANSWERS)
    for (text, kind), verdict in zip(ANSWERS.items(), verdicts, strict=True):
        assert verdict.state is (State.PASSED if kind is None else State.FAILED), text
        assert type(verdict.error) is (type(None) if kind is None else kind), (text, verdict.error)


def test_the_full_reason_is_told_where_asked_for(check):
    good, misfit = check([GOOD, MISFIT], exact=True)
    assert good.state is State.PASSED
    assert isinstance(misfit.error, ExerciseFailed)
    assert "the tests cannot use it" in str(misfit.error)


def test_engines_may_be_mixed_and_the_order_stays(check):
    session = KernelSession()
    twice, thrice = exercises.find_exercise("twice"), exercises.find_exercise("thrice")
    answers = [Answer(twice, WRONG), Answer(thrice, "def thrice(x):\n    return 3 * x"), Answer(twice, GOOD)]
    seen = []
    verdicts = check_all(answers, session, Listeners(), seen.append)
    session.release()
    assert [verdict.points for verdict in verdicts] == [0, 1, 2]
    assert len(seen) == 3
