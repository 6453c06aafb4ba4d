"""The cards of the verdicts, and the sentences that failed tests are told in."""

import pytest
from test_exercises import RUST, TABLE

from helpers.errors import ExerciseFailed
from helpers.exercise_card import not_attempted_html, not_attempted_text, verdict_html, verdict_text
from helpers.exercise_check import State, Verdict, told_by_test
from helpers.exercises import find_exercise


@pytest.fixture
def exercise(tmp_path):
    folder = tmp_path / "04"
    folder.mkdir()
    (folder / "exercises.toml").write_text(TABLE.replace('"Twice"', '"Twice <x>"'))
    (folder / "scaled.rs").write_text(RUST)
    return find_exercise("scaled", tmp_path)


def test_an_open_exercise_is_neutral(exercise):
    html = not_attempted_html(exercise)
    assert "Exercise 4.1, Twice &lt;x&gt;: not attempted yet" in html
    assert "<code>workbook exercises hint scaled</code>" in html
    assert "wb-good" not in html.partition("</style>")[2]
    assert "wb-error" not in html.partition("</style>")[2]
    assert not_attempted_text(exercise).startswith("Exercise 4.1, Twice <x>: not attempted yet")


def test_a_pass_tells_the_points(exercise):
    verdict = Verdict(exercise, State.PASSED)
    assert verdict.points == 2
    assert "passed, 2 points" in verdict_html(verdict)
    assert verdict_text(verdict) == "Exercise 4.1, Twice <x>: passed, 2 points"


def test_a_failed_test_shows_its_values_and_no_source(exercise):
    error = ExerciseFailed("`scaled` <must> double\n  came: [1.0]\n  wanted: [2.0]")
    verdict = Verdict(exercise, State.FAILED, error=error)
    html = verdict_html(verdict)
    assert verdict.points == 0
    assert "<p><code>scaled</code> &lt;must&gt; double</p>" in html
    assert "<pre>came: [1.0]\nwanted: [2.0]</pre>" in html
    assert "assert_eq" not in html + verdict_text(verdict)


def test_a_misfit_shows_what_the_learner_began_with(exercise):
    misfits = ["E0308: mismatched types", "E0061: two arguments"]
    verdict = Verdict(exercise, State.FAILED, error=ExerciseFailed(f"no: {misfits[0]}"), misfits=misfits)
    for text in (verdict_html(verdict), verdict_text(verdict)):
        assert text.count("E0308") == 1
        assert "E0061: two arguments" in text
        assert "todo" in text
        assert '"twice"' not in text


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("assertion `left == right` failed: twice\n  left: 4\n right: 6", "twice\n  came: 4\n  wanted: 6"),
        ("assertion `left == right` failed\n  left: 4\n right: 6", "A hidden test failed\n  came: 4\n  wanted: 6"),
        (
            "assertion `left != right` failed: moved\n  left: 4\n right: 4",
            "moved\n  came: 4\n  wanted another value than: 4",
        ),
        (
            "assertion `left == right` failed: two\nlines\n  left: [\n    1,\n]\n right: [\n    2,\n]",
            "two\nlines\n  came: [\n    1,\n]\n  wanted: [\n    2,\n]",
        ),
        ("assertion failed: secret(x) > 2", "A hidden test failed."),
        ("it must be small", "it must be small"),
        ("it must be small\nnote: run with `RUST_BACKTRACE=1` to see more\n", "it must be small"),
    ],
)
def test_a_panic_of_a_test_becomes_a_sentence(said, message):
    assert told_by_test(said) == message


def test_a_long_value_is_cut():
    said = f"assertion `left == right` failed: long\n  left: {'1, ' * 1000}\n right: 2"
    assert len(told_by_test(said)) < 600
