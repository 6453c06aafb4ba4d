"""Tests an answer to a PyTorch exercise in a process of its own, under the limits of a Rust program."""

import json
import secrets
import sys
import tempfile
from pathlib import Path

from helpers.cell_runner import failure
from helpers.cell_source import check_text
from helpers.errors import ExerciseFailed, WorkbookError
from helpers.exercise_check import EVENT, Listeners, State, Verdict, shortened, take_report
from helpers.exercises import Exercise
from helpers.process import EVENTS_VARIABLE, ProgramResult, run_program
from helpers.torch_errors import without_torch_frames

FAILED_EVENT = "exercise_failed"

# The magic line is line 1 of the cell, so the answer is moved down by one. The job's file goes before the answer runs.
_RUNNER = f"""
import builtins, json, os, sys, traceback
job = json.load(open(sys.argv[1]))
os.unlink(sys.argv[1])
sys.argv = ["cell"]

def report(_event=os.fdopen(int(os.environ["{EVENTS_VARIABLE}"]), "w"), _dumps=json.dumps, **fields):
    _event.write(_dumps(fields) + "\\n")
    _event.flush()

def run(report=report, tests=job.pop("tests"), word=job.pop("word"), compile=compile, exec=exec):
    names = {{"__name__": "__main__"}}
    try:
        exec(compile("\\n" + job["answer"], "cell", "exec"), names)
        names["__builtins__"] = builtins
        exec(compile(tests, "tests", "exec"), names)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == "cell"]
        message = str(error)
        if isinstance(error, SyntaxError) and error.filename == "cell":
            lines, message = [error.lineno], error.msg
        report(event="{FAILED_EVENT}", kind=type(error).__name__, message=message, line=lines[-1] if lines else None,
               by_test=frames[-1].filename == "tests")
        raise SystemExit(1)
    report(event="{EVENT}", word=word)

run()
"""


def check_python(exercise: Exercise, answer: str, listeners: Listeners | None = None) -> Verdict:
    """Run a Python answer with its tests.

    Raises:
        RustUsageError: The answer holds a character that cannot be stored.
    """
    listeners = listeners or Listeners()
    check_text(answer, "%%pytorch_exercise", "Python")
    word = secrets.token_hex(16)
    verdict = Verdict(exercise, State.FAILED)
    with tempfile.TemporaryDirectory(prefix="exercise-") as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps({"answer": answer, "tests": exercise.source.tests, "word": word}), encoding="utf-8")
        result = run_program(
            [sys.executable, "-c", _RUNNER, str(job)],
            cwd=listeners.cwd or Path.cwd(),
            limits=listeners.limits,
            on_stdout=listeners.stdout,
            on_stderr=listeners.stderr,
        )
    verdict.program = result
    verdict.error = _told(result) or failure(result, {}) or take_report(result, word)
    if verdict.error is None:
        verdict.state = State.PASSED
    return verdict


def _told(result: ProgramResult) -> WorkbookError | None:
    """Return the error that the program told of: a test's message, or the answer's own exception with its line."""
    event = next((event for event in result.events if event.get("event") == FAILED_EVENT), None)
    if event is None or result.timed_out or result.flooded:
        return None
    message = shortened(without_torch_frames(str(event.get("message"))))
    if event.get("by_test") and event.get("kind") == "AssertionError":
        return ExerciseFailed(message or "A hidden test failed.")
    place = f"line {event['line']} of the cell" if event.get("line") else "the tests"
    return ExerciseFailed(f"{event.get('kind')} in {place}" + (f": {message}" if message else ""))
