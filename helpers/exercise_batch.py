"""Tests many answers at the cost of few builds: all answers in one engine become one program, which runs each apart.

An answer that does not compile is told by the lines of its errors, left out, and the rest is built again.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from helpers.cell_runner import KernelSession, compile_cell
from helpers.cell_source import MAIN, CellSource
from helpers.diagnostics import errors_in, title
from helpers.engines import Engine
from helpers.errors import RustCompileError, RustUsageError, SetupError, WorkbookError
from helpers.exercise_check import LABEL, Listeners, State, Verdict, check_rust, run_answer, tested_program
from helpers.exercise_python import check_python
from helpers.exercises import Exercise
from helpers.magic_arguments import RustOptions

MAX_BUILDS = 8
PROCESSORS = min(os.cpu_count() or 1, 4)


@dataclass(frozen=True)
class Answer:
    """A text that answers an exercise."""

    exercise: Exercise
    text: str


@dataclass(frozen=True)
class _Part:
    """One answer's function in the common program, and the lines that it takes there."""

    index: int
    answer: Answer
    lines: tuple[str, ...]
    end: int
    word: str


def check_all(
    answers: Sequence[Answer],
    session: KernelSession,
    listeners: Listeners,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
    *,
    exact: bool = False,
) -> list[Verdict]:
    """Test answers and return their verdicts in the same order; an unchanged stub is tested like any other answer.

    Args:
        answers: The answers.
        session: The package copies that they are built in.
        listeners: Who hears of builds and programs.
        on_verdict: Hears each verdict as soon as it is known.
        exact: Compile an answer that the compiler refused once more on its own, for the full reason.

    Raises:
        SetupError: Something outside the answers is wrong.
    """
    verdicts: dict[int, Verdict] = {}

    def settle(index: int, verdict: Verdict) -> None:
        verdicts[index] = verdict
        on_verdict(verdict)

    for engine in dict.fromkeys(answer.exercise.engine for answer in answers):
        chosen = {index: answer for index, answer in enumerate(answers) if answer.exercise.engine == engine}
        if engine.is_rust and len(chosen) > 1:
            _check_together(engine, chosen, session, listeners, settle, exact)
        rest = [index for index in chosen if index not in verdicts]
        # Python answers need no build, so they wait for nothing but a processor.
        with ThreadPoolExecutor(1 if engine.is_rust else PROCESSORS) as pool:
            for index, verdict in zip(
                rest, pool.map(lambda index: _check_one(answers[index], session, listeners), rest), strict=True
            ):
                settle(index, verdict)
    return [verdicts[index] for index in range(len(answers))]


def _check_one(answer: Answer, session: KernelSession, listeners: Listeners) -> Verdict:
    try:
        if answer.exercise.engine.is_rust:
            return check_rust(answer.exercise, answer.text, session, listeners)
        return check_python(answer.exercise, answer.text, listeners)
    except SetupError:
        raise
    except WorkbookError as error:
        return Verdict(answer.exercise, State.FAILED, error=error)


def _check_together(
    engine: Engine,
    answers: dict[int, Answer],
    session: KernelSession,
    listeners: Listeners,
    settle: Callable[[int, Verdict], None],
    exact: bool,
) -> None:
    """Settle as many of the answers as one program can hold."""
    parts = [part for index, answer in answers.items() if (part := _part(engine, index, answer)) is not None]
    for _ in range(MAX_BUILDS):
        if not parts:
            return
        source, starts = _program(engine, parts)
        options = RustOptions(engine, device="cpu")
        run, built = compile_cell(options, source.text, session, source=source, on_progress=listeners.progress)
        if run.build_ok:
            for part, start in zip(parts, starts, strict=True):
                verdict = Verdict(part.answer.exercise, State.FAILED)
                run_answer(
                    verdict, [str(built.executable), str(part.index)], part.word, start + part.end - 1, listeners
                )
                settle(part.index, verdict)
            return
        refused = _refused(errors_in(run.diagnostics), parts, starts)
        for part in parts:
            if part.index in refused and not exact:
                error = RustCompileError(refused[part.index])
                settle(part.index, Verdict(part.answer.exercise, State.FAILED, error=error))
        parts = [part for part in parts if part.index not in refused]
        if not refused:
            return


def _part(engine: Engine, index: int, answer: Answer) -> _Part | None:
    """Return an answer's function; None for an answer that has to be a program of its own."""
    try:
        source, word = tested_program(answer.exercise, answer.text)
    except RustUsageError:
        return None
    first, *lines = source.text.split("\n")
    if not first.startswith(_head(engine)):
        return None  # it sets attributes of the whole crate
    name = f"fn answer_{index}() -> ::anyhow::Result<()> {{"
    return _Part(index, answer, (f"#[allow(unreachable_code)] {name}", *lines), source.end or 0, word)


def _head(engine: Engine) -> str:
    return " ".join([*engine.inner_attributes, f"#[allow(unused_imports)] use {engine.crate}::prelude::*;"])


def _program(engine: Engine, parts: Sequence[_Part]) -> tuple[CellSource, list[int]]:
    """Return the program that runs the answer named by its argument, and the line in which each answer begins."""
    arms = " ".join(f'Some("{part.index}") => answer_{part.index}(),' for part in parts)
    which = "::std::env::args().nth(1).as_deref()"
    lines, starts = [f"{_head(engine)} {MAIN} match {which} {{ {arms} _ => Ok(()) }} }}"], []
    for part in parts:
        starts.append(len(lines) + 1)
        lines += part.lines
    return CellSource("\n".join(lines) + "\n"), starts


def _refused(errors: list, parts: Sequence[_Part], starts: Sequence[int]) -> dict[int, str]:
    """Return the first error of each part that has one."""
    found: dict[int, str] = {}
    for error in errors:
        for span in error.spans:
            site = span.at_call_site()
            owner = [part for part, start in zip(parts, starts, strict=True) if start <= site.line_start]
            if span.is_primary and site.file_name == LABEL and owner:
                found.setdefault(owner[-1].index, title(error))
    return found
