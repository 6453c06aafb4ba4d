"""What a learner sees of an exercise's verdict, beside the compiler's words: a card of few lines."""

from helpers.exercise_check import State, Verdict
from helpers.exercises import Exercise
from helpers.html_theme import card, escape, fold, highlighted, prose

_STYLE = """
.wb.wb-exercise-open{border-left:4px solid var(--wb-line)}
.wb.wb-exercise-passed{border-left:4px solid var(--wb-green)}
.wb.wb-exercise-failed{border-left:4px solid var(--wb-red)}
"""


def not_attempted_html(exercise: Exercise) -> str:
    """The neutral card of an unchanged stub."""
    body = f'<h4>{_heading(exercise)}: not attempted yet</h4>\n<p class="wb-dim">{prose(_invitation(exercise))}</p>'
    return card("wb-exercise-open", body, _STYLE)


def not_attempted_text(exercise: Exercise) -> str:
    """The same as plain text."""
    return f"Exercise {exercise.label}, {exercise.title}: not attempted yet\n{_invitation(exercise)}"


def verdict_html(verdict: Verdict) -> str:
    """The card of a tested answer: points for a pass; for a failed test its message."""
    exercise = verdict.exercise
    if verdict.state is State.PASSED:
        body = f'<h4><span class="wb-good">✓ {_heading(exercise)}: passed, {exercise.worth}</span></h4>'
        return card("wb-exercise-passed", body, _STYLE)
    first, *more = str(verdict.error).split("\n")
    parts = [f'<h4><span class="wb-error">✗ {_heading(exercise)}: not yet</span></h4>', f"<p>{prose(first)}</p>"]
    if more:
        parts.append(f"<pre>{escape(chr(10).join(line.strip() for line in more))}</pre>")
    parts += [f"<p>{prose(misfit)}</p>" for misfit in verdict.misfits[1:]]
    if verdict.misfits:
        stub = f"<pre>{highlighted(exercise.source.stub.rstrip(), exercise.language)}</pre>"
        parts.append(fold("The names and types that you began with", stub))
    return card("wb-exercise-failed", "\n".join(parts), _STYLE)


def verdict_text(verdict: Verdict) -> str:
    """The same as plain text."""
    exercise = verdict.exercise
    name = f"Exercise {exercise.label}, {exercise.title}"
    if verdict.state is State.PASSED:
        return f"{name}: passed, {exercise.worth}"
    lines = [f"{name}: not yet", str(verdict.error), *verdict.misfits[1:]]
    if verdict.misfits:
        lines.append(f"You began with:\n{exercise.source.stub.rstrip()}")
    return "\n".join(lines)


def _heading(exercise: Exercise) -> str:
    return f"Exercise {exercise.label}, {prose(exercise.title)}"


def _invitation(exercise: Exercise) -> str:
    return f"Write your answer in this cell and run it. `workbook exercises hint {exercise.name}` prints the hint."
