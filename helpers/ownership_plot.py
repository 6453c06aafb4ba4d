"""Draws who owns a tensor on each line of a cell, as the compiler's own messages tell it, and memory beside it.

Every place that rustc marks in an ownership error is a fact about one variable on one line: it is declared, borrowed,
moved, used again, dropped. Put on one axis of lines, they are the variable's life.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from helpers.cell_runner import CellRun
from helpers.diagnostics import Diagnostic, errors_in
from helpers.plots import GREY, RED, STYLE

OWNER, SHARED, MUTABLE, GONE = "#0072B2", "#E69F00", "#CC79A7", "#999999"  # Okabe-Ito, and a grey
MEMORY_STYLES = (("#D55E00", "o", "-"), ("#009E73", "s", "--"), ("#0072B2", "^", ":"))
TEMPORARY = "(temporary)"

# What a label of rustc says, in the order in which they are tried.
_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("declared", r"^move occurs because|^binding `[^`]*` declared here"),
        ("used after move", r"(?:borrowed|used) here after move"),
        ("dropped", r"dropped here while still borrowed|temporary value is freed"),
        ("used", r"later used here|later captured here|later stored here|might be used here"),
        ("moved", r"\bmoved\b|move out of `[^`]*` occurs here|move occurs here"),
        ("borrowed mutably", r"(?<!im)\bmutable borrow occurs here|borrowed as mutable"),
        ("borrowed", r"borrow(?: of `[^`]*`)? occurs here|is borrowed here|does not live long|a temporary value"),
        ("assigned", r"is assigned to here"),
    )
)
_NAME = re.compile(r"`\*?(\w+)(?:[.\[][^`]*)?`")
_MARK = re.compile(r"^line (\d+): (\d+) MB\b", re.MULTILINE)


@dataclass(frozen=True)
class Fact:
    """One thing that happens to a variable on one line.

    Attributes:
        kind: `declared`, `borrowed`, `borrowed mutably`, `used`, `moved`, `used after move`, `assigned` or `dropped`.
        code: The error's code where the compiler objects to it; None elsewhere.
    """

    line: int
    kind: str
    code: str | None = None


@dataclass
class Life:
    """What the compiler told of one variable, in the order of lines."""

    name: str
    facts: list[Fact] = field(default_factory=list)

    def lines(self, *kinds: str) -> list[int]:
        """The lines on which one of these happens."""
        return [fact.line for fact in self.facts if fact.kind in kinds]


def lives(diagnostics: Iterable[Diagnostic]) -> list[Life]:
    """Read the lives of variables from ownership errors, in the order in which they begin."""
    found: dict[str, Life] = {}
    for error in errors_in(diagnostics):
        name = _variable(error)
        if name is None:
            continue
        life = found.setdefault(name, Life(name))
        new = [fact for fact in _facts(error) if fact not in life.facts]
        life.facts = sorted([*life.facts, *new], key=lambda fact: fact.line)
    return sorted((life for life in found.values() if life.facts), key=lambda life: life.facts[0].line)


def _variable(error: Diagnostic) -> str | None:
    if error.code == "E0716":
        return TEMPORARY
    match = _NAME.search(error.message)
    return match[1] if match else None


def _facts(error: Diagnostic) -> Iterable[Fact]:
    notes = [span for note in error.notes for span in note.spans if span.label]
    for span in [*error.spans, *notes]:
        place = span.at_call_site()
        kind = next((kind for kind, pattern in _KINDS if pattern.search(place.label or "")), None)
        if kind is not None:
            yield Fact(place.line_start, kind, error.code if place.is_primary else None)


def memory_marks(run: CellRun) -> list[tuple[int, int]]:
    """The lines and megabytes that a program printed as `line 5: 130 MB`."""
    return [(int(line), int(megabytes)) for line, megabytes in _MARK.findall(run.stdout)]


def ownership_plot(
    run: CellRun, source: str, *, memory: Mapping[str, CellRun] | None = None, title: str = ""
) -> Figure:
    """Draw the cell's lines, beside them the life of each variable in an ownership error, and memory.

    Args:
        run: A run that the compiler refused, such as `asked(key).run`.
        source: The cell's text below its magic line; its first line is line 2 of the cell.
        memory: Runs that printed `line N: M MB` marks on the same lines, by what to call them.

    Raises:
        ValueError: The compiler's messages say nothing about a variable.
    """
    told = lives(run.diagnostics)
    if not told:
        raise ValueError("The compiler's messages tell nothing about an owner: plot a cell with an ownership error.")
    lines = source.rstrip("\n").split("\n")
    last = len(lines) + 1
    widths = [0.068 * max(map(len, lines)) + 0.5, 1.15 * len(told) + 0.6, *([3.6] if memory else [])]
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(sum(widths), 0.3 * last + 1.7), layout="constrained")
        axes = figure.subplots(1, len(widths), sharey=True, width_ratios=widths)
        _draw_code(axes[0], lines)
        _draw_lives(axes[1], told, lines)
        if memory:
            _draw_memory(axes[2], memory)
        axes[0].set_ylim(last + 0.7, 1.3)
        figure.legend(handles=_legend(told), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
        figure.suptitle(title or "Who owns what, line by line", fontsize=11)
    plt.close(figure)
    return figure


def _draw_code(ax: Axes, lines: Sequence[str]) -> None:
    ax.set(title="the cell", xlim=(0, 1), xticks=[], ylabel="line of the cell")
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    ax.set_yticks(range(2, len(lines) + 2))
    for number, text in enumerate(lines, start=2):
        ax.text(0.01, number, text, family="monospace", fontsize=8.5, va="center", parse_math=False)


def _draw_lives(ax: Axes, told: Sequence[Life], lines: Sequence[str]) -> None:
    last = len(lines) + 1
    for column, life in enumerate(told):
        start, end = _owned(life, lines)
        ax.plot([column, column], [start, end], color=OWNER, linewidth=9, solid_capstyle="butt", zorder=2)
        moved = life.lines("moved")
        if moved and end < last:
            ax.plot([column, column], [end, last], color=GONE, linewidth=2, linestyle=":", zorder=1)
        for first, until, mutable in _borrows(life, last):
            x = column + 0.2
            color = MUTABLE if mutable else SHARED
            ax.plot([x, x], [first, until], color=color, linewidth=5, solid_capstyle="butt", zorder=2)
        for line in moved:
            ax.plot(column, line, marker=">", color=GREY, markersize=9, zorder=3)
        for line in life.lines("dropped"):
            ax.plot(column, line, marker="v", color="black", markersize=9, zorder=3)
        for fact in life.facts:
            if fact.code:
                ax.plot(column, fact.line, marker="x", color=RED, markersize=11, markeredgewidth=2.5, zorder=4)
                ax.text(column + 0.3, fact.line, fact.code, color=RED, fontsize=8.5, va="center", zorder=4)
    ax.set(title="variables", xlim=(-0.5, len(told) - 0.1))
    ax.set_xticks(range(len(told)), [life.name for life in told], family="monospace", fontsize=9)
    ax.tick_params(axis="y", left=False, labelleft=False)


def _owned(life: Life, lines: Sequence[str]) -> tuple[int, int]:
    """From the line where the variable gets its value to the one where it loses it, or to the cell's end."""
    written = re.compile(rf"\b(?:let|for)\s+(?:mut\s+)?{re.escape(life.name)}\b")
    by_text = [number for number, text in enumerate(lines, start=2) if written.search(text)]
    start = (life.lines("declared") or by_text or [life.facts[0].line])[0]
    ends = [line for line in life.lines("moved", "dropped") if line >= start]
    return start, (ends or [len(lines) + 1])[0]


def _borrows(life: Life, last: int) -> Iterable[tuple[int, int, bool]]:
    """Each borrow as its first line, its last line, and whether it is a mutable one."""
    begins = [fact for fact in life.facts if fact.kind.startswith("borrowed")]
    for fact in begins:
        if fact.code and fact.kind == "borrowed mutably":  # the borrow that was refused
            continue
        ends = [line for line in life.lines("used", "dropped") if line >= fact.line]
        yield fact.line, max(ends, default=last), fact.kind == "borrowed mutably"


def _draw_memory(ax: Axes, memory: Mapping[str, CellRun]) -> None:
    for (name, run), (color, marker, style) in zip(memory.items(), MEMORY_STYLES, strict=False):
        marks = memory_marks(run)
        peak = f", peak {run.peak_rss_bytes / 1e6:,.0f} MB" if run.peak_rss_bytes else ""
        x, y = [megabytes for _, megabytes in marks], [line for line, _ in marks]
        ax.plot(x, y, color=color, marker=marker, linestyle=style, markersize=5, label=f"{name}{peak}")
    ax.set(title="memory after each line", xlabel="resident memory of the program, MB")
    ax.set_xlim(left=0)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), frameon=False, fontsize=9)
    ax.tick_params(axis="y", left=False, labelleft=False)


def _legend(told: Sequence[Life]) -> list[Patch | Line2D]:
    kinds = {fact.kind for life in told for fact in life.facts}
    handles: list[Patch | Line2D] = [Patch(color=OWNER, label="owns the value")]
    if "borrowed" in kinds:
        handles.append(Patch(color=SHARED, label="is borrowed (&)"))
    if "borrowed mutably" in kinds:
        handles.append(Patch(color=MUTABLE, label="is borrowed (&mut)"))
    if "moved" in kinds:
        handles.append(Line2D([], [], color=GREY, marker=">", linestyle="", label="moved away"))
        handles.append(Line2D([], [], color=GONE, linestyle=":", linewidth=2, label="empty after the move"))
    if "dropped" in kinds:
        handles.append(Line2D([], [], color="black", marker="v", linestyle="", label="dropped"))
    handles.append(Line2D([], [], color=RED, marker="x", markeredgewidth=2.5, linestyle="", label="refused"))
    return handles
