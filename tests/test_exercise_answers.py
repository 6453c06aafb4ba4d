"""Every exercise of the course: its stub fails, its solution passes, and wrong answers do not."""

import re
import subprocess
import sys

import nbformat
import pytest
from wrong_answers import WRONG_ANSWERS

from helpers.cell_runner import KernelSession
from helpers.exercise_batch import Answer, check_all
from helpers.exercise_check import Listeners, State
from helpers.exercise_format import formatted
from helpers.exercises import all_exercises, exercise_name
from helpers.paths import NOTEBOOKS
from helpers.process import Limits
from helpers.run_chapters import find_chapters

EXERCISES = all_exercises()
BY_NAME = {exercise.name: exercise for exercise in EXERCISES}
IDS = list(BY_NAME)
WRONG = [(name, index) for name, changes in WRONG_ANSWERS.items() for index in range(len(changes))]
pytestmark = pytest.mark.timeout(2400)  # the first test of all answers waits for all of them
AT_LEAST = 4
MOST_SECONDS = 60.0


def wrong_answer(name, index):
    text = BY_NAME[name].source.solution
    for old, new in WRONG_ANSWERS[name][index]:
        assert old in text, f"the solution of {name} has no {old!r} to replace"
        text = text.replace(old, new, 1)
    return text


@pytest.fixture(scope="module")
def verdicts():
    """All answers of the course, tested together: by (name, kind)."""
    answers = {(e.name, "stub"): Answer(e, e.source.stub) for e in EXERCISES}
    answers |= {(e.name, "solution"): Answer(e, e.source.solution) for e in EXERCISES}
    answers |= {(name, index): Answer(BY_NAME[name], wrong_answer(name, index)) for name, index in WRONG}
    session = KernelSession()
    listeners = Listeners(cwd=NOTEBOOKS, limits=Limits(seconds=MOST_SECONDS))
    found = check_all(list(answers.values()), session, listeners)
    session.release()
    return dict(zip(answers, found, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_the_solution_passes(verdicts, name):
    verdict = verdicts[name, "solution"]
    assert verdict.state is State.PASSED, str(verdict.error)


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_the_stub_fails(verdicts, name):
    verdict = verdicts[name, "stub"]
    assert verdict.state is State.FAILED
    assert "tests were over" not in str(verdict.error)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), WRONG)
def test_a_wrong_answer_fails(verdicts, name, index):
    verdict = verdicts[name, index]
    assert verdict.state is State.FAILED, "it passes"


@pytest.mark.parametrize("chapter", find_chapters(), ids=lambda chapter: chapter.name)
def test_each_chapter_has_enough_exercises(chapter):
    of_chapter = [exercise for exercise in EXERCISES if exercise.chapter == chapter.number]
    assert len(of_chapter) >= AT_LEAST
    cells = nbformat.read(chapter.path, as_version=4).cells
    in_notebook = [name for cell in cells if cell.cell_type == "code" and (name := exercise_name(cell.source))]
    assert in_notebook == [exercise.name for exercise in of_chapter]


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if e.engine.is_rust], ids=lambda e: e.name)
def test_rust_sources_are_formatted(exercise):
    text = exercise.path.read_text(encoding="utf-8")
    assert text == formatted(text, exercise.engine), "run `python -m helpers.exercise_format`"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_each_hidden_assert_has_a_message(exercise):
    """Without one the learner would be told that a test failed, and nothing else."""
    for statement in asserts(exercise):
        assert '"' in statement, statement


def asserts(exercise):
    if exercise.engine.is_rust:
        return re.findall(r"\b(?:assert|assert_eq|assert_ne)!\(.*?\);", exercise.source.tests, re.DOTALL)
    return re.findall(r"^\s*assert .*", exercise.source.tests, re.MULTILINE)


def test_python_sources_are_formatted():
    files = [str(exercise.path) for exercise in EXERCISES if not exercise.engine.is_rust]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--diff", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
