"""Tests an answer to an exercise, without showing anything: what the cell magics and the command line share.

The hidden tests are compiled, or run, below the answer. Their last line reports a word that depends on a key of this
machine and on the answer's text, so a program that ends early, by `exit(0)`, `return` or a brace, has not passed.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from helpers.cargo import BuildProgress
from helpers.cell_runner import PANIC, CellRun, KernelSession, compile_cell, failure, readable_stderr, run_cell_program
from helpers.cell_source import CellSource, tested_source
from helpers.diagnostics import Diagnostic, errors_in, summary, title
from helpers.errors import ExerciseFailed, RustCompileError, WorkbookError
from helpers.exercises import Exercise
from helpers.magic_arguments import RustOptions
from helpers.package_copy import CELL_FILE
from helpers.paths import target_root
from helpers.process import EVENTS_VARIABLE, Limits, ProgramResult

EVENT = "exercise_passed"
LABEL = "cell"
ENDED_EARLY = "The program ended before the tests were over: leave out what ends it, such as `exit` or `return`."
TOO_LONG = 500  # characters of a value in a message


class State(StrEnum):
    """What became of an answer."""

    NOT_ATTEMPTED = "not attempted"
    PASSED = "passed"
    FAILED = "failed"


@dataclass
class Verdict:
    """An answer's verdict.

    Attributes:
        error: Why it failed, as the sentence that the learner reads; None unless it failed.
        diagnostics: What the compiler said of the learner's own lines.
        misfits: What the compiler said where the tests use the answer; its texts hold no line of the tests.
        run: The Rust cell's run; None for Python and where nothing was compiled.
        program: The run of the program; None if it did not get so far.
    """

    exercise: Exercise
    state: State
    error: WorkbookError | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    misfits: list[str] = field(default_factory=list)
    run: CellRun | None = None
    program: ProgramResult | None = None

    @property
    def points(self) -> int:
        """The points that the answer earns."""
        return self.exercise.points if self.state is State.PASSED else 0


@dataclass
class Listeners:
    """Who hears of the progress of a check, and how long its program may run."""

    progress: Callable[[BuildProgress], None] | None = None
    stdout: Callable[[str], None] | None = None
    stderr: Callable[[str], None] | None = None
    cwd: Path | None = None
    limits: Limits | None = None


def check_rust(
    exercise: Exercise,
    answer: str,
    session: KernelSession,
    listeners: Listeners | None = None,
    options: RustOptions | None = None,
) -> Verdict:
    """Compile a Rust answer with its tests, and run it.

    Raises:
        RustUsageError: The answer cannot become a program that is tested.
        SetupError: Something outside the answer is wrong.
    """
    listeners = listeners or Listeners()
    options = options or RustOptions(exercise.engine, exercise=exercise.name)
    source, word = tested_program(exercise, answer)
    end = source.end or 0
    run, built = compile_cell(options, answer, session, source=source, on_progress=listeners.progress)
    own = [diagnostic for diagnostic in run.diagnostics if not _touches_tests(diagnostic, end)]
    verdict = Verdict(exercise, State.FAILED, run=run)
    if not run.build_ok:
        return _refused(verdict, own, answer, session, options, listeners)
    verdict.diagnostics = run.diagnostics = own
    run_answer(verdict, [str(built.executable)], word, end, listeners)
    run.program = verdict.program
    return verdict


def tested_program(exercise: Exercise, answer: str) -> tuple[CellSource, str]:
    """Return the program that runs an answer and its tests, and the word that it reports at its end.

    Raises:
        RustUsageError: The answer cannot become such a program.
    """
    text = "\0".join((exercise.name, answer, exercise.source.tests))
    word = hmac.new(_key(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]
    return tested_source(answer, _guarded(exercise.source.tests) + _report(word), exercise.engine), word


def run_answer(verdict: Verdict, command: list[str], word: str, end: int, listeners: Listeners) -> None:
    """Run a built answer and fill in its verdict.

    Args:
        verdict: The verdict, so far a failure without a reason.
        command: The program with its arguments.
        word: What the tests report at their end.
        end: The last line of the program that is the answer's.
        listeners: Who hears of it.
    """
    quiet = _QuietTests(listeners.stderr, end)
    result = run_cell_program(
        verdict.exercise.engine,
        command,
        cwd=listeners.cwd,
        limits=listeners.limits,
        on_stdout=listeners.stdout,
        on_stderr=quiet.write,
    )
    quiet.close()
    verdict.program = result
    verdict.error = _failed_test(result, end) or failure(result, {CELL_FILE: LABEL}) or take_report(result, word)
    if verdict.error is None:
        verdict.state = State.PASSED


def take_report(result: ProgramResult, word: str) -> ExerciseFailed | None:
    """Take the report out of a program's events; return an error if it is not there, or is another one."""
    reports = [event for event in result.events if event.get("event") == EVENT]
    result.events = [event for event in result.events if event.get("event") != EVENT]
    if [report.get("word") for report in reports] == [word]:
        return None
    return ExerciseFailed(ENDED_EARLY)


def shortened(text: str) -> str:
    """Return a value as a message may show it."""
    text = text.strip()
    return text if len(text) <= TOO_LONG else text[: TOO_LONG - 1] + "…"


def _key() -> bytes:
    """Return this machine's key; it is kept, so that an unchanged answer is not compiled again."""
    path = target_root() / "cells" / "exercises.key"
    with suppress(OSError):
        if len(key := path.read_bytes()) == 32:
            return key
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_bytes(secrets.token_bytes(32))
    fresh.chmod(0o600)
    fresh.replace(path)
    return path.read_bytes()


def _guarded(tests: str) -> str:
    """Name the tests' macros by their paths, so that none of the answer's own stands in for them."""
    tests = re.sub(r"(?<![\w:])(assert|assert_eq|assert_ne|panic|matches|format)!", r"::std::\1!", tests)
    return re.sub(r"(?<![\w:])(ensure|bail)!", r"::anyhow::\1!", tests)


def _report(word: str) -> str:
    """Return the tests' last line."""
    event = f'{{\\"event\\":\\"{EVENT}\\",\\"word\\":\\"{word}\\"}}\\n'
    return (
        f'{{ use ::std::io::Write as _; let number = ::std::env::var("{EVENTS_VARIABLE}")?; '
        '::std::fs::OpenOptions::new().append(true).open(::std::format!("/dev/fd/{number}"))?'
        f'.write_all(b"{event}")?; }}\n'
    )


def _refused(
    verdict: Verdict,
    own: list[Diagnostic],
    answer: str,
    session: KernelSession,
    options: RustOptions,
    listeners: Listeners,
) -> Verdict:
    """Fill in why the compiler refused: for the answer's own lines, or for what the tests do with it."""
    run = verdict.run
    errors = errors_in(own)
    if not errors:
        alone, _ = compile_cell(options, answer, session, on_progress=listeners.progress)
        if alone.build_ok:
            verdict.misfits = list(dict.fromkeys(_misfit(error) for error in errors_in(run.diagnostics)))
            verdict.error = ExerciseFailed(f"The cell compiles, but the tests cannot use it: {verdict.misfits[0]}")
            run.diagnostics = []
            return verdict
        own, errors = alone.diagnostics, errors_in(alone.diagnostics)
    verdict.diagnostics = run.diagnostics = own
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    verdict.error = RustCompileError(summary(own) + more, tuple(error.code or "" for error in errors))
    return verdict


def _touches_tests(diagnostic: Diagnostic, end: int) -> bool:
    """Whether a message, or a note of it, points below the answer's last line."""
    for span in diagnostic.spans:
        while span is not None:
            if span.file_name == LABEL and span.line_end > end:
                return True
            span = span.call_site
    return any(_touches_tests(child, end) for child in diagnostic.children)


def _misfit(error: Diagnostic) -> str:
    """Say in one line what the tests met, in the compiler's words for types and names, without the tests' own lines."""
    said = title(error)
    label = next((span.label for span in error.spans if span.is_primary and span.label), "")
    adds = label and label not in said and not label.startswith(("not found in", "method not found in"))
    return f"{said}: {label}" if adds else said


class _QuietTests:
    """Passes on what a program writes on its error output, up to a panic in the tests: that one is told in words."""

    def __init__(self, callback: Callable[[str], None] | None, end: int) -> None:
        self.callback, self.end, self.rest, self.silent = callback, end, "", False

    def write(self, text: str) -> None:
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            self._line(line + "\n")

    def close(self) -> None:
        if self.rest:
            self._line(self.rest)

    def _line(self, line: str) -> None:
        match = re.search(rf"panicked at {re.escape(CELL_FILE)}:(\d+):", line)
        self.silent = self.silent or (match is not None and int(match[1]) > self.end)
        if not self.silent and self.callback is not None:
            self.callback(line)


def _failed_test(result: ProgramResult, end: int) -> ExerciseFailed | None:
    """Return what a test that panicked has to say; None if no test did."""
    panics = list(PANIC.finditer(result.stderr))
    if result.returncode == 0 or not panics:
        return None
    match = panics[-1]
    if not match[1].endswith(CELL_FILE) or int(match[2]) <= end:
        return None
    return ExerciseFailed(told_by_test(match[4] + result.stderr[match.end() :]))


def told_by_test(said: str) -> str:
    """Turn a test's panic into a sentence: its own message, and the two values that it compared."""
    said = said.partition("\nnote: run with `RUST_BACKTRACE")[0].rstrip()
    match = re.match(r"assertion `left (==|!=) right` failed(?:: (.*?))?\n  left: (.*)\n right: (.*)", said, re.DOTALL)
    if match:
        message = match[2] or "A hidden test failed"
        wanted = "wanted" if match[1] == "==" else "wanted another value than"
        return f"{message}\n  came: {shortened(match[3])}\n  {wanted}: {shortened(match[4])}"
    if said.startswith("assertion failed: "):
        return "A hidden test failed."
    return readable_stderr(shortened(said), {})
