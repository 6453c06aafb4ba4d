"""The table of questions for `%%rust_predict`: choices, the compiler's answer, and one sentence of why.

[codes]
E0382 = "a value is used after it was moved"   # what the choices say beside a code

[[question]]
key = "moved-name"
answer = "E0382"            # a code, several with commas, or "compiles"; or a table by engine
others = ["E0505"]          # wrong choices, besides "compiles", which is always one
why = "..."                 # shown with the compiler's answer; `code` between backquotes
below = { candle = "..." }  # optional: Rust that stands below the cell, by engine
"""

import functools
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.errors import RustUsageError

TABLE = Path(__file__).with_name("ownership_quiz.toml")
COMPILES = "compiles"
_KEYS = {"key", "answer", "others", "why", "below"}


@dataclass(frozen=True)
class Question:
    """One row of the table.

    Attributes:
        answers: What comes, by engine; the engine "" stands for all others.
        choices: What the reader can choose from: `compiles` first, then codes in order.
        below: Rust text by engine that is compiled below the cell.
    """

    key: str
    answers: dict[str, str]
    choices: tuple[str, ...]
    why: str
    below: dict[str, str] = field(default_factory=dict)

    def answer(self, engine: str) -> str:
        """What the compiler has to say in this engine."""
        return self.answers.get(engine, self.answers.get("", ""))


@functools.cache
def table(path: Path = TABLE) -> tuple[dict[str, str], dict[str, Question]]:
    """Read the meanings of the codes, and the questions by key.

    Raises:
        ValueError: A row lacks something, has an unknown key, or offers a code without a meaning.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    codes = {COMPILES: "no error", **data["codes"]}
    questions: dict[str, Question] = {}
    for number, row in enumerate(data["question"], start=1):
        where = f"{path.name}, row {number} ({row.get('key', 'without key')})"
        if unknown := sorted(set(row) - _KEYS):
            raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}.")
        if missing := sorted({"key", "answer", "others", "why"} - set(row)):
            raise ValueError(f"{where}: {missing[0]} is missing.")
        if row["key"] in questions:
            raise ValueError(f"{where}: another row has this key.")
        made = questions[row["key"]] = _question(row)
        if strange := [code for choice in made.choices for code in choice.split(",") if code not in codes]:
            raise ValueError(f"{where}: {strange[0]} has no meaning below [codes].")
    return codes, questions


def _question(row: dict[str, Any]) -> Question:
    answers = row["answer"] if isinstance(row["answer"], dict) else {"": row["answer"]}
    codes = ({*answers.values(), *row["others"]}) - {COMPILES}
    why = " ".join(row["why"].split())
    return Question(row["key"], answers, (COMPILES, *sorted(codes)), why, row.get("below", {}))


def question(key: str) -> Question:
    """Return the question with this key.

    Raises:
        RustUsageError: There is none; the message names the nearest one.
    """
    import difflib

    questions = table()[1]
    if key in questions:
        return questions[key]
    near = difflib.get_close_matches(key, questions, n=1)
    raise RustUsageError(f"There is no question {key!r}.{f' Did you mean {near[0]!r}?' if near else ''}")


def meaning(choice: str) -> str:
    """Say a choice in words: `E0382: a value is used after it was moved`."""
    codes = table()[0]
    if choice == COMPILES:
        return "it compiles"
    return "; ".join(f"{code}: {codes.get(code, 'another error')}" for code in choice.split(","))
