"""Answers in a real IPython shell, on an engine without a framework: right, wrong and hostile ones."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from plain_engine import PlainEngine

from helpers import exercises
from helpers.errors import (
    ExerciseFailed,
    RustCompileError,
    RustExit,
    RustKilled,
    RustPanic,
    RustUsageError,
)
from helpers.exercise_source import ExerciseError
from helpers.paths import target_root

TABLE = """
[[exercise]]
name = "twice"
title = "Twice"
engine = "plain"
points = 2
task = "Write `twice`."
hint = "Multiply."

[[exercise]]
name = "thrice"
title = "Thrice"
engine = "pytorch"
points = 1
task = "Write `thrice`."
hint = "Multiply."
"""
RUST = """\
fn twice(x: i64) -> i64 {
    // BEGIN SOLUTION
    2 * x
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let secret = 3;
assert_eq!(twice(secret), 6, "twice must multiply by two");
assert!(twice(-1) < 0, "a negative number stays negative");
// END HIDDEN TESTS
"""
PYTHON = """\
def thrice(x):
    # BEGIN SOLUTION
    return 3 * x
    # END SOLUTION


# BEGIN HIDDEN TESTS
secret = 3
assert thrice(secret) == 9, "thrice must multiply by three"
# END HIDDEN TESTS
"""
STUB = "fn twice(x: i64) -> i64 {\n    todo!()\n}"
GOOD = "fn twice(x: i64) -> i64 {\n    x + x\n}"
WRONG = "fn twice(x: i64) -> i64 {\n    x + 1\n}"
Answer = Callable[..., ExecutionResult]


def write_exercises(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the two exercises above the course's only ones."""
    chapter = folder / "exercises" / "04"
    chapter.mkdir(parents=True)
    (chapter / "exercises.toml").write_text(TABLE)
    (chapter / "twice.rs").write_text(RUST)
    (chapter / "thrice.py").write_text(PYTHON)
    monkeypatch.setattr(exercises, "EXERCISES", chapter.parent)


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_exercises(tmp_path, monkeypatch)


@pytest.fixture
def answer(shell: InteractiveShell) -> Answer:
    return lambda text, more="": shell.run_cell(f"%%rust plain --exercise twice{more}\n{text}")


@pytest.fixture
def python_answer(shell: InteractiveShell) -> Answer:
    return lambda text: shell.run_cell(f"%%pytorch_exercise thrice\n{text}")


class TestOutcomes:
    def test_an_unchanged_stub_is_not_compiled(self, answer: Answer, capfd, shell) -> None:
        def programs() -> dict:
            return {path: path.stat().st_mtime_ns for path in (target_root() / "plain").glob("release/cell*.d")}

        before = programs()
        answer(STUB.replace("    ", "  "), more=" --name run").raise_error()
        assert "Exercise 4.1, Twice: not attempted yet" in capfd.readouterr().out
        assert shell.user_ns["run"] is None
        assert programs() == before

    def test_a_right_answer_has_its_points(self, answer: Answer, capfd, shell) -> None:
        answer(GOOD + '\nprintln!("mine {}", twice(1));', more=" --name run --time").raise_error()
        said = capfd.readouterr().out
        assert "mine 2\n" in said
        assert "Exercise 4.1, Twice: passed, 2 points" in said
        assert "ran in" in said
        assert shell.user_ns["run"].events == []

    def test_a_failed_test_tells_its_message_and_the_values(self, answer: Answer, capfd) -> None:
        error = answer(WRONG).error_in_exec
        assert isinstance(error, ExerciseFailed)
        assert str(error) == "twice must multiply by two\n  came: 4\n  wanted: 6"
        said = "".join(capfd.readouterr())
        assert "secret" not in said
        assert "panicked" not in said

    def test_a_failed_condition_tells_its_message_alone(self, answer: Answer) -> None:
        error = answer("fn twice(x: i64) -> i64 {\n    if x < 0 { 1 } else { 2 * x }\n}").error_in_exec
        assert isinstance(error, ExerciseFailed)
        assert str(error) == "a negative number stays negative"

    def test_a_compile_error_has_the_cells_line(self, answer: Answer, capfd) -> None:
        error = answer('fn twice(x: i64) -> i64 {\n    let y = 1;\n    "two"\n}').error_in_exec
        assert isinstance(error, RustCompileError)
        assert error.codes == ("E0308",)
        said = "".join(capfd.readouterr())
        assert "cell:4:5" in said
        assert "secret" not in said

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("fn twice(x: f32) -> f32 {\n    2.0 * x\n}", "expected `f32`, found"),
            ("fn twice(x: i64, y: i64) -> i64 {\n    x + y\n}", "E0061"),
            ("let a = 1;\nassert!(a == 1);", "cannot find function `twice`"),
        ],
    )
    def test_what_the_tests_cannot_use_is_told_in_words(self, answer: Answer, capfd, text, word) -> None:
        error = answer(text).error_in_exec
        assert isinstance(error, ExerciseFailed)
        assert "the tests cannot use it" in str(error)
        assert word in str(error)
        said = "".join(capfd.readouterr())
        assert "fn twice(x: i64) -> i64" in said  # what the learner began with
        assert "secret" not in said

    def test_a_brace_that_is_not_closed_shows_no_test(self, answer: Answer, capfd) -> None:
        error = answer("fn twice(x: i64) -> i64 {\n    2 * x\n").error_in_exec
        assert isinstance(error, RustCompileError)
        said = "".join(capfd.readouterr())
        assert "unclosed delimiter" in said
        assert "secret" not in said

    def test_a_panic_of_the_answer_is_its_own(self, answer: Answer, capfd) -> None:
        error = answer(f"{STUB}\n// begun").error_in_exec
        assert isinstance(error, RustPanic)
        assert "panicked at cell:3:5: not yet implemented" in str(error)
        assert "panicked at cell:3:5" in capfd.readouterr().err

    def test_warnings_of_the_answer_alone_are_shown(self, answer: Answer, capfd) -> None:
        answer(f"{GOOD}\nlet unused = 1;").raise_error()
        said = capfd.readouterr().out
        assert "1 warning" in said
        assert "unused variable" in said


class TestHostile:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("std::process::exit(0);", ExerciseFailed),
            ("return Ok(());", ExerciseFailed),
            ("fn twice(_: i64) -> i64 {\n    std::process::exit(0)\n}", ExerciseFailed),
            ("return Ok(());\n}\nfn never() -> Result<()> {\n    fn twice(x: i64) -> i64 { x }", ExerciseFailed),
            ("Ok(()) }\nfn never() -> Result<()> {\n    fn twice(x: i64) -> i64 { x }", RustUsageError),
            (f"{GOOD}\nstd::process::exit(3);", RustExit),
            (f'{GOOD}\npanic!("early");', RustPanic),
            (f'{GOOD}\nbail!("early");', RustExit),
            ("fn main() {}", RustUsageError),
            (f"{GOOD}\nfn main() {{}}", RustUsageError),
            (f"{GOOD}\nOk(())", RustUsageError),
            (f"macro_rules! assert_eq {{ ($($t:tt)*) => {{}} }}\n{WRONG}", ExerciseFailed),
            (f"{WRONG}\n#[cfg(any())]", ExerciseFailed),
            (f"{WRONG}\n/*", RustCompileError),
            (f"{WRONG}\nif false {{", RustCompileError),
            (
                f'{WRONG}\nlet fd = std::env::var("WORKBOOK_EVENTS_FD")?;\n'
                'let word = r#"{"event":"exercise_passed","word":"x"}"#;\n'
                'std::fs::write(format!("/dev/fd/{fd}"), format!("{word}\\n"))?;\n'
                "return Ok(());",
                ExerciseFailed,
            ),
            (f'{GOOD}\nloop {{ println!("{{}}", "x".repeat(1000)); }}', RustKilled),
        ],
    )
    def test_it_does_not_pass(self, answer: Answer, capfd, text, kind) -> None:
        error = answer(text).error_in_exec
        assert type(error) is kind, error
        said = "".join(capfd.readouterr())
        assert "passed" not in re.sub("exercise_passed", "", said)
        assert "secret" not in said

    def test_an_answer_without_end_is_stopped(self, plain_engine: PlainEngine, shell) -> None:
        from helpers.cell_runner import KernelSession
        from helpers.exercise_check import Listeners, State, check_rust
        from helpers.process import Limits

        session = KernelSession()
        exercise = exercises.find_exercise("twice")
        listeners = Listeners(limits=Limits(seconds=1.0))
        verdict = check_rust(exercise, f"{GOOD}\nloop {{ std::thread::yield_now(); }}", session, listeners)
        session.release()
        assert verdict.state is State.FAILED
        assert verdict.points == 0
        assert isinstance(verdict.error, RustKilled)
        assert "does a loop never end" in str(verdict.error)


class TestPython:
    def test_right_wrong_and_untouched(self, python_answer: Answer, capfd) -> None:
        python_answer("def thrice(x):\n    raise NotImplementedError").raise_error()
        assert "not attempted yet" in capfd.readouterr().out
        python_answer("def thrice(x):\n    return x + x + x").raise_error()
        assert "passed, 1 point" in capfd.readouterr().out
        error = python_answer("def thrice(x):\n    return 2 * x").error_in_exec
        assert isinstance(error, ExerciseFailed)
        assert str(error) == "thrice must multiply by three"

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("def thrice(x):\n    return x / 0", "ZeroDivisionError in line 3 of the cell: division by zero"),
            ("def thrice(x):\n    raise NotImplementedError  # begun", "NotImplementedError in line 3 of the cell"),
            ("def thrice(x:\n    return x", "SyntaxError in line 2 of the cell"),
            ("def other(x):\n    return x", "NameError in the tests: name 'thrice' is not defined"),
            ("import sys\nsys.exit(0)", "ended before the tests were over"),
            ("import os\ndef thrice(x):\n    os._exit(0)", "ended before the tests were over"),
            ("raise SystemExit", "ended before the tests were over"),
        ],
    )
    def test_it_does_not_pass(self, python_answer: Answer, capfd, text, said) -> None:
        error = python_answer(text).error_in_exec
        assert isinstance(error, ExerciseFailed)
        assert said in str(error)
        assert "passed" not in capfd.readouterr().out

    def test_it_runs_in_a_process_of_its_own(self, python_answer: Answer, shell) -> None:
        shell.user_ns["thrice"] = lambda x: 3 * x
        assert not python_answer("x = 1").success
        python_answer("def thrice(x):\n    return 3 * x\nmine = 1").raise_error()
        assert "mine" not in shell.user_ns


class TestUsage:
    @pytest.mark.parametrize(
        ("cell", "kind", "said"),
        [
            ("%%rust plain --exercise twcie\n1;", ExerciseError, "did you mean twice?"),
            ("%%rust candle --exercise twice\n1;", RustUsageError, "write `%%rust plain --exercise twice`"),
            ("%%rust plain --exercise twice src/model.rs\n1;", RustUsageError, "stands without FILE"),
            ("%%rust plain --exercise twice --expect E0382\n1;", RustUsageError, "stands without FILE"),
            ("%%pytorch_exercise twice\n1", RustUsageError, "an exercise in Rust"),
            ("%%pytorch_exercise\n1", ExerciseError, "There is no exercise ''"),
        ],
    )
    def test_a_wrong_line_is_one_sentence(self, shell, cell, kind, said) -> None:
        error = shell.run_cell(cell).error_in_exec
        assert isinstance(error, kind)
        assert said in str(error)
