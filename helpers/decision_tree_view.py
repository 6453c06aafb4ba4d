"""What the reader sees of the decision tree: a figure, a table of priorities, and a widget that walks down the tree."""

import textwrap
from collections.abc import Sequence

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.decision_tree import OTHERWISE, SIGNS, TREE, Advice, Judgement, Verdict, follow, judge_all
from helpers.engines import ENGINES
from helpers.html_theme import card, escape
from helpers.live_training import has_kernel, is_watched
from helpers.measured_stars import Measurements
from helpers.plots import ENGINE_STYLES, GREY, STYLE

# Okabe-Ito: bluish green, vermilion, grey; the sign and the word say the same as the colour.
COLOURS = {Verdict.AGREES: "#006B4E", Verdict.UNDECIDED: GREY, Verdict.DISSENTS: "#B34700", Verdict.OPEN: GREY}
_STEP = 1.5  # height of one question
_STYLE = """
.wb table.wb-tree{border-collapse:collapse;border:0;font-size:13px}
.wb table.wb-tree tr,.wb table.wb-tree tr:hover{background:transparent}
.wb table.wb-tree th,.wb table.wb-tree td{border:0;border-bottom:1px solid var(--wb-line);color:inherit;
padding:3px 16px 3px 0;text-align:left;vertical-align:top;max-width:none}
"""
_CLASSES = {
    Verdict.AGREES: "wb-good",
    Verdict.UNDECIDED: "wb-dim",
    Verdict.DISSENTS: "wb-error",
    Verdict.OPEN: "wb-dim",
}


def tree_figure(measured: Measurements, title: str = "") -> Figure:
    """Draw the tree: questions on the left, the article's answers, and beside each what was measured."""
    judgements = judge_all(TREE, measured)
    height = len(judgements) + 1
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure = plt.figure(figsize=(10, 0.95 * height + 0.5), layout="constrained")
        ax = figure.subplots()
        ax.set(xlim=(0, 10), ylim=(-_STEP * (height - 0.5), 0.6 * _STEP))
        ax.set_axis_off()
        for row, judgement in enumerate(judgements):
            _draw(ax, judgement, -row * _STEP)
        _box(ax, 1.75, -_STEP * (height - 1), textwrap.fill(OTHERWISE, 26), GREY)
        if title:
            figure.suptitle(title, fontsize=11)
        plt.close(figure)
    return figure


def _draw(ax: Axes, judgement: Judgement, y: float) -> None:
    advice, verdict = judgement.advice, judgement.verdict
    _box(ax, 1.75, y, textwrap.fill(advice.question, 26), "#000000")
    _box(ax, 5.0, y, ENGINES[advice.answer].title, ENGINE_STYLES[advice.answer].color, width=2)
    arrow = {"arrowstyle": "->", "color": GREY, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (4.2, y), (3.35, y), arrowprops=arrow)
    ax.text(3.78, y + 0.12, "yes", ha="center", fontsize=9, color=GREY)
    ax.annotate("", (1.75, y - _STEP + 0.42), (1.75, y - 0.42), arrowprops=arrow)
    ax.text(1.85, y - _STEP / 2, "no", va="center", fontsize=9, color=GREY)
    words = f"{SIGNS[verdict]} {verdict}\n{textwrap.fill(judgement.evidence, 46)}"
    weight = "bold" if verdict is Verdict.DISSENTS else "normal"
    ax.text(6.05, y, words, va="center", fontsize=9, color=COLOURS[verdict], fontweight=weight, linespacing=1.35)


def _box(ax: Axes, x: float, y: float, text: str, colour: str, width: float = 1.2) -> None:
    style = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": colour, "linewidth": width}
    ax.text(x, y, text, ha="center", va="center", fontsize=10, color="black", bbox=style, linespacing=1.3)


def advice_html(advice: Sequence[Advice], measured: Measurements, heading: str) -> str:
    """A table: each piece of advice, the framework named, and what was measured."""
    head = "<tr><th>question</th><th>the article says</th><th>measured here</th></tr>"
    rows = "".join(
        f"<tr><td>{escape(judgement.advice.question)}</td><td>{ENGINES[judgement.advice.answer].title}</td>"
        f'<td class="{_CLASSES[judgement.verdict]}">{escape(judgement.line)}</td></tr>'
        for judgement in judge_all(advice, measured)
    )
    table = f'<table class="wb-tree"><thead>{head}</thead><tbody>{rows}</tbody></table>'
    return card("wb-advice", f"<h4>{escape(heading)}</h4>{table}", _STYLE)


def advice_text(advice: Sequence[Advice], measured: Measurements, heading: str) -> str:
    """The same as plain text."""
    rows = [
        f"{judgement.advice.question:<45}{ENGINES[judgement.advice.answer].title:<9}{judgement.line}"
        for judgement in judge_all(advice, measured)
    ]
    return "\n".join([heading, *rows])


def show_advice(advice: Sequence[Advice], measured: Measurements, heading: str) -> None:
    """Show the table."""
    bundle = {"text/html": advice_html(advice, measured, heading), "text/plain": advice_text(advice, measured, heading)}
    display(bundle, raw=True)


def answer_html(answers: Sequence[bool], measured: Measurements) -> str:
    """Where the answers lead, and what the measurements say to it."""
    judgement = follow(answers, measured)
    if judgement is None:
        return card("wb-advice", f"<p>{escape(OTHERWISE)}.</p>", _STYLE)
    title = ENGINES[judgement.advice.answer].title
    line = f'<p class="{_CLASSES[judgement.verdict]}">{escape(judgement.line)}</p>'
    return card("wb-advice", f"<h4>The tree says {title}.</h4>{line}", _STYLE)


class TreeWidget:
    """A box to tick for each question; below them the answer, which follows every tick.

    Attributes:
        boxes: The check boxes, in the tree's order.
        answer: The HTML below them.
        box: The whole widget.
    """

    def __init__(self, measured: Measurements) -> None:
        import ipywidgets as widgets

        self.measured = measured
        wide = widgets.Layout(width="max-content")
        self.boxes = [
            widgets.Checkbox(value=False, description=advice.question, indent=False, layout=wide) for advice in TREE
        ]
        self.answer = widgets.HTML()
        for box in self.boxes:
            box.observe(lambda _: self.update(), "value")
        self.box = widgets.VBox([*self.boxes, self.answer])
        self.update()

    def update(self) -> None:
        """Show where the ticks lead."""
        self.answer.value = answer_html([box.value for box in self.boxes], self.measured)


def show_tree(measured: Measurements) -> None:
    """Show the widget to somebody at a kernel, and the table of all branches elsewhere."""
    heading = "An article's tree, branch by branch"
    html, text = advice_html(TREE, measured, heading), advice_text(TREE, measured, heading)
    bundle = {"text/html": html, "text/plain": text}
    if has_kernel() and is_watched():
        # Pages without widgets take the next best form of the same output.
        bundle = {**TreeWidget(measured).box._repr_mimebundle_(), **bundle}
    display(bundle, raw=True)
