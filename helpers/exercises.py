"""The exercises of the course: one source, from which notebooks, checks and assignments are made.

`rust_snippets/exercises/NN/exercises.toml` lists the exercises of chapter NN in order; `NAME.rs` beside it (`NAME.py`
for PyTorch) holds stub, solution and hidden tests of one of them, as `exercise_source` describes.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from helpers.engines import ENGINES, Engine
from helpers.exercise_source import ExerciseError, ExerciseSource, parse_source, same_code
from helpers.paths import SNIPPETS

EXERCISES = SNIPPETS / "exercises"
TABLE = "exercises.toml"
PYTHON_MAGIC = "%%pytorch_exercise"
_NAME = r"[a-z][a-z0-9_]{0,47}"
Words = Annotated[str, Field(min_length=1)]


class _Entry(BaseModel):
    """One `[[exercise]]` of the table."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[str, Field(pattern=f"^{_NAME}$")]
    title: Words
    engine: str
    points: Annotated[int, Field(ge=1, le=10)]
    task: Words
    hint: Words


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")

    exercise: Annotated[list[_Entry], Field(min_length=1)]


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        chapter: The chapter's number in two digits.
        number: Its place in the chapter, from 1.
        name: Its name, unique over the course.
        engine: The engine that its cell is for.
        task: What to write and what the tests ask, in Markdown.
        hint: One step of help, in Markdown.
        path: The file with stub, solution and tests.
    """

    chapter: str
    number: int
    name: str
    title: str
    engine: Engine
    points: int
    task: str
    hint: str
    path: Path

    @property
    def language(self) -> str:
        """`rust` or `python`."""
        return "rust" if self.engine.is_rust else "python"

    @property
    def label(self) -> str:
        """Chapter and number, such as 4.2."""
        return f"{int(self.chapter)}.{self.number}"

    @property
    def worth(self) -> str:
        """The points in words."""
        return f"{self.points} point{'' if self.points == 1 else 's'}"

    @cached_property
    def source(self) -> ExerciseSource:
        """The parts of the file.

        Raises:
            ExerciseError: The file's regions are not well formed.
        """
        return parse_source(self.path.read_text(encoding="utf-8"), self.language, _place(self.path))

    @property
    def magic_line(self) -> str:
        """The first line of the exercise's cell."""
        return (
            f"%%rust {self.engine.name} --exercise {self.name}"
            if self.engine.is_rust
            else f"{PYTHON_MAGIC} {self.name}"
        )

    def is_attempted(self, answer: str) -> bool:
        """Whether a cell's text, its magic line left out, is neither empty nor the unchanged stub."""
        return bool(answer.strip()) and not same_code(answer, self.source.stub)


def chapters(root: Path | None = None) -> list[str]:
    """Return the numbers of the chapters that have exercises."""
    return sorted(path.parent.name for path in (root or EXERCISES).glob(f"*/{TABLE}"))


def chapter_exercises(chapter: str, root: Path | None = None) -> list[Exercise]:
    """Return the exercises of one chapter in order; none for a chapter without a table.

    Raises:
        ExerciseError: The table or one of the files is not as it has to be.
    """
    folder = (root or EXERCISES) / chapter
    table = folder / TABLE
    if not table.exists():
        return []
    found = [
        Exercise(
            chapter=chapter,
            number=number,
            engine=_engine(entry, f"{_place(table)}, exercise {number}"),
            path=folder / f"{entry.name}.{'py' if entry.engine == 'pytorch' else 'rs'}",
            **{key: getattr(entry, key).strip() for key in ("name", "title", "task", "hint")},
            points=entry.points,
        )
        for number, entry in enumerate(_read(table), start=1)
    ]
    _check_names(found)
    for exercise in found:
        if not exercise.path.exists():
            raise ExerciseError(
                f"{_place(table)}: exercise {exercise.name} has no file {exercise.path.name} beside it."
            )
        _ = exercise.source  # refuses regions that are not well formed
    listed = {exercise.path for exercise in found}
    for path in sorted(folder.glob("*.*")):
        if path.suffix in {".rs", ".py"} and path not in listed:
            raise ExerciseError(f"{_place(table)} does not list {path.name}, which lies beside it.")
    return found


def all_exercises(root: Path | None = None) -> list[Exercise]:
    """Return the exercises of all chapters in order.

    Raises:
        ExerciseError: A table or a file is not as it has to be, or a name is used twice.
    """
    found = [exercise for chapter in chapters(root) for exercise in chapter_exercises(chapter, root)]
    _check_names(found)
    return found


def find_exercise(name: str, root: Path | None = None) -> Exercise:
    """Return one exercise; only its own chapter is read, so a damaged other one does no harm.

    Raises:
        ExerciseError: There is none of this name, and tells the nearest one, or its chapter is damaged.
    """
    folder = root or EXERCISES
    files = [path for path in sorted(folder.glob("*/*.*")) if path.suffix in {".rs", ".py"}]
    for path in files:
        if path.stem == name:
            for exercise in chapter_exercises(path.parent.name, root):
                if exercise.name == name:
                    return exercise
    near = difflib.get_close_matches(name, [path.stem for path in files], n=1)
    guess = f"did you mean {near[0]}?" if near else "`workbook exercises list` shows them all."
    raise ExerciseError(f"There is no exercise {name!r}: {guess}")


def task_markdown(exercise: Exercise) -> str:
    """Return the text of the cell above the exercise's own: title, points, task, and the hint folded away."""
    return (
        f"### Exercise {exercise.label}: {exercise.title}\n\n*{exercise.engine.title}, {exercise.worth}.*\n\n"
        f"{exercise.task}\n\n"
        f"<details><summary>Hint</summary>\n\n{exercise.hint}\n\n</details>"
    )


def stub_cell(exercise: Exercise) -> str:
    """Return the text of the exercise's cell as the learner finds it."""
    return f"{exercise.magic_line}\n{exercise.source.stub.rstrip()}"


def exercise_name(source: str) -> str | None:
    """Return the exercise that a cell with this text is for; None for any other cell."""
    line = source.partition("\n")[0]
    pattern = rf"%%rust\s.*--exercise[ =]+({_NAME})\s*|{PYTHON_MAGIC}\s+({_NAME})\s*"
    match = re.match(pattern, line.strip() + "\n")
    return (match[1] or match[2]) if match else None


def is_open_exercise(source: str, root: Path | None = None) -> bool:
    """Whether a cell with this text is an exercise's that nobody has answered yet: it needs no build."""
    name = exercise_name(source)
    if name is None:
        return False
    try:
        return not find_exercise(name, root).is_attempted(source.partition("\n")[2])
    except ExerciseError:
        return False  # the cell itself says what is wrong


def _read(table: Path) -> list[_Entry]:
    try:
        return _Table.model_validate(tomllib.loads(table.read_text(encoding="utf-8"))).exercise
    except tomllib.TOMLDecodeError as error:
        raise ExerciseError(f"{_place(table)} is no TOML: {error}.") from None
    except ValidationError as error:
        # A misspelt key is missing as well; what was written is named first.
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        raise ExerciseError(f"{_place(table)}{_where(first['loc'])}: {_what(first)}.") from None


def _where(location: tuple) -> str:
    return f", exercise {location[1] + 1}" if len(location) > 1 and isinstance(location[1], int) else ""


def _what(error: dict) -> str:
    key = str(error["loc"][-1])
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, _Entry.model_fields, n=1)
        return f"there is no key `{key}`" + (f"; did you mean `{near[0]}`?" if near else "")
    if error["type"] == "missing":
        return f"the key `{key}` is missing"
    if key == "name":
        return f"{error['input']!r} is no name: use at most 48 small letters, digits and `_`"
    return f"`{key}`: {error['msg'][:1].lower()}{error['msg'][1:]}"


def _engine(entry: _Entry, place: str) -> Engine:
    if entry.engine not in ENGINES:
        raise ExerciseError(f"{place}: there is no engine {entry.engine!r}: choose one of {', '.join(ENGINES)}.")
    return ENGINES[entry.engine]


def _check_names(found: Iterable[Exercise]) -> None:
    seen: dict[str, Exercise] = {}
    for exercise in found:
        other = seen.setdefault(exercise.name, exercise)
        if other is not exercise:
            raise ExerciseError(
                f"Two exercises are called {exercise.name}, {other.label} and {exercise.label}: rename one of them."
            )


def _place(path: Path) -> str:
    """Return a path as messages name it, such as `exercises/04/exercises.toml`."""
    return "/".join(path.parts[-3:])
