"""The command `workbook exercises`: list, check, hint, solution."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from helpers.cell_runner import KernelSession
from helpers.errors import SetupError
from helpers.exercise_batch import Answer, check_all
from helpers.exercise_check import Listeners, State, Verdict
from helpers.exercises import Exercise, all_exercises, exercise_name, find_exercise
from helpers.paths import NOTEBOOKS
from helpers.process import Limits
from helpers.terminal import console, shows_errors

app = typer.Typer(no_args_is_help=True, help="The exercises: list them, check answers, show hints and solutions.")
SECONDS = 120.0  # for one answer's program
_COLOURS = {State.PASSED: "green", State.FAILED: "red", State.NOT_ATTEMPTED: "dim"}
Chapter = Annotated[str | None, typer.Option(help="Only those of one chapter, by its number.")]


@app.command(name="list")
@shows_errors
def list_command(chapter: Chapter = None) -> None:
    """List the exercises with their points."""
    view = Table("no.", "name", "title", "engine", title="Exercises", title_justify="left")
    view.add_column("points", justify="right")
    for exercise in chosen([], chapter):
        row = (exercise.label, exercise.name, escape(exercise.title), exercise.engine.title, str(exercise.points))
        view.add_row(*row)
    console.print(view)


@app.command()
@shows_errors
def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="All if none is named.")] = None,
    chapter: Chapter = None,
    solutions: Annotated[bool, typer.Option("--solutions", help="Check the solutions, which all pass.")] = False,
    stubs: Annotated[bool, typer.Option("--stubs", help="Check the stubs, which all fail.")] = False,
) -> None:
    """Test your answers, as they stand in the notebooks."""
    if solutions and stubs:
        raise SetupError("Choose one of --solutions and --stubs.")
    wanted = chosen(names or [], chapter)
    if solutions or stubs:
        answers = [Answer(e, e.source.solution if solutions else e.source.stub) for e in wanted]
    else:
        found = [(e, notebook_answer(e)) for e in wanted]
        answers = [Answer(e, text) for e, text in found if text is not None and e.is_attempted(text)]
    settled = {verdict.exercise.name: verdict for verdict in _checked(answers, exact=not stubs)}
    verdicts = [settled.get(e.name) or Verdict(e, State.NOT_ATTEMPTED) for e in wanted]
    console.print(verdict_table(verdicts))
    earned, possible = sum(v.points for v in verdicts), sum(v.exercise.points for v in verdicts)
    console.print(f"{earned} of {possible} points", highlight=False)
    bad = State.PASSED if stubs else State.FAILED
    if any(verdict.state is bad or (solutions and verdict.state is not State.PASSED) for verdict in verdicts):
        raise typer.Exit(1)


@app.command()
@shows_errors
def hint(name: str) -> None:
    """Show the hint of an exercise."""
    exercise = find_exercise(name)
    console.print(f"[bold]Exercise {exercise.label}, {escape(exercise.title)}[/]")
    console.print(Markdown(exercise.hint))


@app.command()
@shows_errors
def solution(name: str) -> None:
    """Show a solution of an exercise; others may be as good."""
    exercise = find_exercise(name)
    console.print(f"[bold]Exercise {exercise.label}, {escape(exercise.title)}[/]")
    console.print(Syntax(exercise.source.solution.rstrip(), exercise.language, background_color="default"))


def chosen(names: Sequence[str], chapter: str | None) -> list[Exercise]:
    """Return the exercises that are named; all, or all of a chapter, if none is.

    Raises:
        ExerciseError: A name is none.
        SetupError: The chapter has no exercises.
    """
    if names:
        return [find_exercise(name) for name in names]
    found = all_exercises()
    if chapter is None:
        return found
    of_chapter = [exercise for exercise in found if exercise.chapter == chapter.zfill(2)]
    if not of_chapter:
        known = ", ".join(dict.fromkeys(str(int(exercise.chapter)) for exercise in found))
        raise SetupError(f"Chapter {chapter!r} has no exercises; these chapters have some: {known or 'none'}.")
    return of_chapter


def notebook_answer(exercise: Exercise, folder: Path = NOTEBOOKS) -> str | None:
    """Return what the exercise's cell in its notebook holds below the magic line; None if there is no such cell."""
    import nbformat

    for path in sorted(folder.glob(f"{exercise.chapter}_*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and exercise_name(cell.source) == exercise.name:
                return cell.source.partition("\n")[2]
    return None


def _checked(answers: Sequence[Answer], *, exact: bool) -> list[Verdict]:
    """Test answers under the limits of the command line, and show how far it is."""
    session, done = KernelSession(), []
    with console.status("Testing") as status:

        def tell(verdict: Verdict) -> None:
            done.append(verdict)
            status.update(f"Testing: {len(done)} of {len(answers)}")

        try:
            listeners = Listeners(cwd=NOTEBOOKS, limits=Limits(seconds=SECONDS))
            return check_all(answers, session, listeners, tell, exact=exact)
        finally:
            session.release()


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return a table of exercises with their verdicts, points and reasons."""
    view = Table("no.", "name", title="workbook exercises check", title_justify="left")
    view.add_column("points", justify="right")
    view.add_column("verdict")
    view.add_column("reason", overflow="fold")
    for verdict in verdicts:
        exercise, colour = verdict.exercise, _COLOURS[verdict.state]
        points = f"{verdict.points}/{exercise.points}"
        reason = escape(str(verdict.error)) if verdict.error else ""
        view.add_row(exercise.label, exercise.name, points, f"[{colour}]{verdict.state}[/]", reason)
    return view
