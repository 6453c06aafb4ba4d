"""A table of what the cells of several engines have found out: a row a fact, a column an engine.

A cell prints its facts as lines `name: value`; other lines are left alone.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helpers.errors import WorkbookError


class FactError(WorkbookError):
    """A cell did not print a fact that the table needs."""


@dataclass(frozen=True, repr=False)
class FactTable:
    """The facts, by column and by name; shown as a table in a notebook, as aligned text elsewhere."""

    facts: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, texts: Mapping[str, str], names: Sequence[str]) -> "FactTable":
        """Find the facts in what the cells printed.

        Args:
            texts: What each column's cell printed.
            names: The facts, in the table's order.

        Raises:
            FactError: A cell has not printed one of them.
        """
        facts = {}
        for column, text in texts.items():
            found = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
            missing = next((name for name in names if name not in found), None)
            if missing is not None:
                raise FactError(f"The cell of {column} has not printed a line that begins with `{missing}: `.")
            facts[column] = {name: found[name].strip() for name in names}
        return cls(facts)

    def __str__(self) -> str:
        """One paragraph a fact, one line an engine."""
        width = max(map(len, self.facts))
        names = next(iter(self.facts.values()))
        return "\n\n".join(
            "\n".join([name, *(f"  {column:<{width}}  {facts[name]}" for column, facts in self.facts.items())])
            for name in names
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="text-align:left">{html.escape(column)}</th>' for column in self.facts)
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{html.escape(name)}</th>'
            + "".join(f'<td style="text-align:left">{html.escape(facts[name])}</td>' for facts in self.facts.values())
            + "</tr>"
            for name in next(iter(self.facts.values()))
        )
        return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"
