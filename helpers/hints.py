"""Hints for messages that beginners meet often: what to do next, beyond the compiler's own words.

The table is `hints.toml` beside this module. A row:

    [[hint]]
    id = "moved-value"                 # unique
    engines = ["candle", "tch"]        # optional: only for these engines
    codes = ["E0382"]                  # optional: only for these rustc codes; without it also run-time messages
    pattern = "borrow of moved value"  # optional: a regular expression searched for in the message
    text = "..."                       # what the reader sees; `code` between backquotes
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.html_theme import prose
from helpers.terminal_text import strip_ansi

TABLE = Path(__file__).with_name("hints.toml")
LIMIT = 3  # hints shown for one message
SEARCHED = 50_000  # characters at the end of a message; a program can write any amount
_KEYS = {"id", "engines", "codes", "pattern", "text"}


@dataclass(frozen=True)
class Hint:
    """One row of the table; an absent condition always holds."""

    id: str
    text: str
    engines: frozenset[str] | None
    codes: frozenset[str] | None
    pattern: re.Pattern[str] | None

    def fits(self, engine: str | None, codes: frozenset[str], text: str) -> bool:
        """True if every condition of the row holds; an unknown engine (None) meets no engine's row."""
        return (
            (self.engines is None or engine in self.engines)
            and (self.codes is None or bool(self.codes & codes))
            and (self.pattern is None or self.pattern.search(text) is not None)
        )


@functools.cache
def table(path: Path = TABLE) -> tuple[Hint, ...]:
    """Read the table.

    Raises:
        ValueError: A row has an unknown key, no text, no condition, or an id that another row has.
    """
    hints: dict[str, Hint] = {}
    for number, row in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("hint", []), start=1):
        where = f"{path.name}, row {number} ({row.get('id', 'without id')})"
        if unknown := sorted(set(row) - _KEYS):
            raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}.")
        if not row.get("id") or not row.get("text"):
            raise ValueError(f"{where}: id and text are needed.")
        if not row.get("codes") and not row.get("pattern"):
            raise ValueError(f"{where}: codes or pattern is needed, or the hint would be shown for every message.")
        if row["id"] in hints:
            raise ValueError(f"{where}: another row has this id.")
        hints[row["id"]] = _hint(row)
    return tuple(hints.values())


def _hint(row: dict) -> Hint:
    return Hint(
        id=row["id"],
        text=" ".join(row["text"].split()),
        engines=frozenset(row["engines"]) if row.get("engines") else None,
        codes=frozenset(row["codes"]) if row.get("codes") else None,
        pattern=re.compile(row["pattern"]) if row.get("pattern") else None,
    )


def matching(engine: str | None, codes: Iterable[str | None], text: str) -> list[Hint]:
    """The rows that fit, those for this engine first, in the table's order."""
    known = frozenset(code for code in codes if code)
    plain = strip_ansi(text[-SEARCHED:])
    found = [hint for hint in table() if hint.fits(engine, known, plain)]
    return sorted(found, key=lambda hint: hint.engines is None)


def hints_for(engine: str | None, codes: Iterable[str | None], text: str) -> list[str]:
    """Hints for a compile error or a run-time message.

    Args:
        engine: Name of the engine, `candle`; None where there is none.
        codes: The rustc codes of the message; empty for run-time messages.
        text: The message, with labels and notes, or what the program wrote on stderr.

    Returns:
        At most three texts, the engine's own first; often none.
    """
    return [hint.text for hint in matching(engine, codes, text)[:LIMIT]]


def hints_html(hints: Sequence[str]) -> str:
    """Hints as marked paragraphs, to be put in a card."""
    return "\n".join(f'<p class="wb-hint"><strong>Hint:</strong> {prose(hint)}</p>' for hint in hints)
