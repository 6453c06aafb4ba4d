"""The exercise cells: `%%rust ENGINE --exercise NAME` and `%%pytorch_exercise NAME`.

An unchanged stub is not compiled and does no harm. Any other text is tested, and what fails is red.
"""

import sys
from collections.abc import Callable

from IPython.display import display

from helpers.build_progress import BuildProgressDisplay
from helpers.cell_runner import CellRun, KernelSession, readable_stderr
from helpers.errors import ExerciseFailed, RustCompileError, RustUsageError
from helpers.exercise_card import not_attempted_html, not_attempted_text, verdict_html, verdict_text
from helpers.exercise_check import LABEL, Listeners, State, Verdict, check_rust
from helpers.exercise_python import check_python
from helpers.exercises import Exercise, find_exercise
from helpers.magic_arguments import RustOptions
from helpers.package_copy import CELL_FILE

LineWriter = Callable[[dict[str, str]], object]


def run_rust_exercise(options: RustOptions, cell: str, session: KernelSession, writer: LineWriter) -> CellRun | None:
    """Test the cell of a `%%rust ENGINE --exercise NAME`, show its verdict, and return its run.

    Args:
        options: The magic line.
        cell: The text below it.
        session: This kernel's package copies.
        writer: Makes the object that shows what the program writes on its error output.

    Raises:
        WorkbookError: The answer does not pass, or the line does not fit the exercise.
    """
    exercise = find_exercise(options.exercise or "")
    if exercise.engine.name != options.engine.name:
        raise RustUsageError(
            f"{exercise.name} is an exercise in {exercise.engine.title}: write `{exercise.magic_line}`."
        )
    if not exercise.is_attempted(cell):
        show_not_attempted(exercise)
        return None
    stderr = writer({CELL_FILE: LABEL})
    with BuildProgressDisplay(options.engine.title) as progress:
        verdict = check_rust(
            exercise, cell, session, Listeners(progress=progress, stdout=_print_out, stderr=stderr.write), options
        )
    stderr.close()
    _show_verdict(verdict)
    return verdict.run


def run_python_exercise(name: str, cell: str) -> None:
    """Test the cell of a `%%pytorch_exercise NAME` and show its verdict.

    Raises:
        WorkbookError: The answer does not pass, or there is no such exercise.
    """
    exercise = find_exercise(name)
    if exercise.engine.is_rust:
        raise RustUsageError(f"{exercise.name} is an exercise in Rust: write `{exercise.magic_line}`.")
    if not exercise.is_attempted(cell):
        show_not_attempted(exercise)
        return
    _show_verdict(check_python(exercise, cell, Listeners(stdout=_print_out, stderr=_print_error)))


def show_not_attempted(exercise: Exercise) -> None:
    """Show the neutral card of an unchanged stub."""
    display(not_attempted_output(exercise), raw=True)


def not_attempted_output(exercise: Exercise) -> dict[str, str]:
    """Return the output of an unchanged stub by its MIME types, as a notebook stores it."""
    return {"text/html": not_attempted_html(exercise), "text/plain": not_attempted_text(exercise)}


def _show_verdict(verdict: Verdict) -> None:
    """Show what the compiler said of the answer, then the verdict; raise the error of an answer that failed."""
    from helpers.diagnostic_html import errors_html, errors_text, warnings_html, warnings_text
    from helpers.diagnostics import warnings_in

    engine = verdict.exercise.engine.name
    if isinstance(verdict.error, RustCompileError):
        html, text = errors_html(verdict.diagnostics, engine=engine), errors_text(verdict.diagnostics, engine=engine)
        display({"text/html": html, "text/plain": text}, raw=True)
        raise verdict.error
    if warnings_in(verdict.diagnostics):
        html, text = warnings_html(verdict.diagnostics), warnings_text(verdict.diagnostics)
        display({"text/html": html, "text/plain": text}, raw=True)
    if verdict.state is State.PASSED or isinstance(verdict.error, ExerciseFailed):
        display({"text/html": verdict_html(verdict), "text/plain": verdict_text(verdict)}, raw=True)
    if verdict.error is not None:
        raise verdict.error


def _print_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _print_error(text: str) -> None:
    sys.stderr.write(readable_stderr(text, {}))
    sys.stderr.flush()
