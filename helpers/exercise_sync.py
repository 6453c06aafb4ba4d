"""Keeps the exercise cells of the notebooks equal to their source; a learner's answers are never written over.

A cell of an exercise has its name in its metadata, and a code cell also a digest of the stub that was put into it: so
a stub whose source has changed since is told from an answer.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.exercises import Exercise, chapter_exercises, exercise_name, stub_cell, task_markdown
from helpers.paths import NOTEBOOKS

KEY = "workbook"


@dataclass(frozen=True)
class ExerciseDifference:
    """Something in a notebook that is not as the exercises' source has it.

    Attributes:
        what: The difference in words, beginning with the exercise's name.
        is_answer: True for a cell that holds somebody's answer, which is kept.
    """

    notebook: Path
    what: str
    is_answer: bool = False

    def describe(self, _root: Path | None = None) -> str:
        """Return notebook and difference in one line."""
        return f"{self.notebook.name}: exercise {self.what}"


def exercise_cells(exercise: Exercise) -> list[Any]:
    """Return an exercise's two notebook cells: the task, and the stub with the output of an unchanged stub."""
    from nbformat.v4 import new_code_cell, new_markdown_cell

    task = new_markdown_cell(id=f"task-{exercise.name}", metadata={KEY: {"exercise": exercise.name}})
    code = new_code_cell(id=f"exercise-{exercise.name}")
    _fill_task(task, exercise)
    _fill_stub(code, exercise)
    return [task, code]


def chapter_cells(chapter: str, root: Path | None = None) -> list[Any]:
    """Return the notebook cells of all exercises of a chapter, such as "04", in order."""
    return [cell for exercise in chapter_exercises(chapter, root) for cell in exercise_cells(exercise)]


def exercise_differences(notebooks: Sequence[Path] | None = None, root: Path | None = None) -> list[ExerciseDifference]:
    """Return what differs from the source, in all notebooks by default."""
    import nbformat

    found = []
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")) if notebooks is None else notebooks:
        cells = nbformat.read(notebook, as_version=4).cells
        known = chapter_exercises(notebook.name[:2], root)
        answers = [name for cell in cells if cell.cell_type == "code" and (name := exercise_name(cell.source))]
        for name in sorted(set(answers) - {exercise.name for exercise in known}):
            found.append(ExerciseDifference(notebook, f"{name} is not listed for this chapter"))
        for exercise in known:
            found += [
                ExerciseDifference(notebook, f"{exercise.name} {what}", is_answer)
                for what, is_answer in _differences(exercise, cells)
            ]
    return found


def update_notebook(notebook: Path, root: Path | None = None) -> bool:
    """Write tasks and stubs into a notebook, and insert the exercises that it lacks; answers stay as they are.

    Returns:
        Whether anything was changed.
    """
    import nbformat

    content = nbformat.read(notebook, as_version=4)
    before = nbformat.writes(content)
    place = _exercises_heading(content.cells)
    for exercise in chapter_exercises(notebook.name[:2], root):
        index = _code_index(exercise, content.cells)
        if index is None:
            content.cells[place + 1 : place + 1] = exercise_cells(exercise)
            place += 2
            continue
        code = content.cells[index]
        if _is_stub(exercise, code):
            _fill_stub(code, exercise)
        task = _task_index(exercise, content.cells, index)
        if task is None:
            content.cells.insert(index, exercise_cells(exercise)[0])
            index += 1
        else:
            _fill_task(content.cells[task], exercise)
        place = index
    if nbformat.writes(content) == before:
        return False
    _number(content.cells)
    nbformat.write(content, notebook)
    return True


def answer_of(source: str) -> str:
    """Return the text of a cell below its magic line."""
    return source.partition("\n")[2]


def _differences(exercise: Exercise, cells: list) -> list[tuple[str, bool]]:
    index = _code_index(exercise, cells)
    if index is None:
        return [("is missing", False)]
    found = []
    if sum(exercise_name(cell.source) == exercise.name for cell in cells if cell.cell_type == "code") > 1:
        found.append(("has more than one cell", False))
    if cells[index].source != stub_cell(exercise):
        stub = _is_stub(exercise, cells[index])
        found.append(("has another stub than its source" if stub else "holds an answer, not the stub", not stub))
    task = _task_index(exercise, cells, index)
    if task is None or cells[task].source != task_markdown(exercise):
        found.append(("has another task than its source" if task is not None else "has no task above its cell", False))
    return found


def _code_index(exercise: Exercise, cells: list) -> int | None:
    found = (i for i, c in enumerate(cells) if c.cell_type == "code" and exercise_name(c.source) == exercise.name)
    return next(found, None)


def _task_index(exercise: Exercise, cells: list, code: int) -> int | None:
    for index in range(code - 1, -1, -1):
        cell = cells[index]
        if cell.cell_type == "markdown" and cell.metadata.get(KEY, {}).get("exercise") == exercise.name:
            return index
    return None


def _exercises_heading(cells: list) -> int:
    """Return the index of the cell with the heading `## Exercises`; else of the one before the last."""
    found = [i for i, c in enumerate(cells) if c.cell_type == "markdown" and "## Exercises" in c.source.splitlines()]
    return found[-1] if found else len(cells) - 2


def _is_stub(exercise: Exercise, cell: Any) -> bool:
    """Whether a cell holds the stub of its source, or the one that its metadata remembers."""
    answer = answer_of(cell.source)
    return not exercise.is_attempted(answer) or cell.metadata.get(KEY, {}).get("stub") == _digest(answer)


def _fill_task(cell: Any, exercise: Exercise) -> None:
    cell.source = task_markdown(exercise)


def _fill_stub(cell: Any, exercise: Exercise) -> None:
    from nbformat.v4 import new_output

    from helpers.exercise_magic import not_attempted_output

    cell.source = stub_cell(exercise)
    cell.metadata[KEY] = {"exercise": exercise.name, "stub": _digest(answer_of(cell.source))}
    cell.outputs = [new_output("display_data", data=not_attempted_output(exercise))]


def _digest(answer: str) -> str:
    return hashlib.sha256("".join(answer.split()).encode()).hexdigest()[:16]


def _number(cells: list) -> None:
    """Count the executed cells from 1, where the notebook was committed as executed."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    if any(cell.execution_count for cell in code):
        for number, cell in enumerate(code, start=1):
            cell.execution_count = number
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = number
