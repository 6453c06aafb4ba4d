"""Figures of the chapters: images, training curves, speed and memory, confusion.

All figures use the Okabe-Ito colours, which people with any common colour blindness can tell apart, and each engine
has its own colour, marker and line style everywhere. Every function takes the data's source and writes it under the
figure, in red where the images are generated. The figures are closed: a notebook shows one when it is a cell's value.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from helpers.cifar10 import Source
from helpers.engines import ENGINES
from helpers.events import Epoch
from helpers.results import MB, REFERENCE, Comparison, Spread

RED = "#D55E00"
GREY = "#555555"


@dataclass(frozen=True)
class EngineStyle:
    """How one engine looks in every figure."""

    color: str
    marker: str
    line: str


ENGINE_STYLES: dict[str, EngineStyle] = {
    "pytorch": EngineStyle("#000000", "o", "-"),
    "tch": EngineStyle("#E69F00", "s", "--"),
    "candle": EngineStyle("#0072B2", "^", "-."),
    "burn": EngineStyle("#CC79A7", "D", ":"),
    "dfdx": EngineStyle("#009E73", "v", (0, (5, 1, 1, 1, 1, 1))),
}

STYLE = {
    "figure.facecolor": "white",
    "figure.dpi": 110,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
}


def image_grid(
    images: np.ndarray,
    labels: np.ndarray,
    *,
    source: Source,
    columns: int = 8,
    title: str = "",
) -> Figure:
    """Show images in rows, each with its class above it.

    Args:
        images: uint8 [N, 3, 32, 32].
        labels: int64 [N], 0 to 9.
    """
    captions = [source.classes[int(label)] for label in labels]
    return _grid(images, captions, source=source, columns=columns, title=title)


def wrong_predictions(
    images: np.ndarray,
    labels: np.ndarray,
    probabilities: np.ndarray,
    *,
    source: Source,
    count: int = 16,
    columns: int = 8,
) -> Figure:
    """Show the wrong answers of which the network was surest, each with its answer and the truth.

    Args:
        images: uint8 [N, 3, 32, 32].
        labels: int64 [N], the true classes.
        probabilities: float [N, 10], softmax of the logits.
    """
    predicted = probabilities.argmax(axis=1)  # [N]
    wrong = np.flatnonzero(predicted != labels)
    surest = wrong[np.argsort(-probabilities[wrong].max(axis=1), kind="stable")][:count]
    answers = [f"{source.classes[predicted[i]]} {probabilities[i].max():.0%}" for i in surest]
    truths = [f"(is {source.classes[int(labels[i])]})" for i in surest]
    captions = [f"{answer}\n{truth}" for answer, truth in zip(answers, truths, strict=True)]
    title = f"{len(wrong):,} of {len(labels):,} images are classified wrongly"
    title += f"; the {len(surest)} surest errors" if len(surest) else ""
    return _grid(images[surest], captions, source=source, columns=columns, title=title)


def _grid(images: np.ndarray, captions: Sequence[str], *, source: Source, columns: int, title: str) -> Figure:
    columns = max(1, min(columns, len(images)))
    rows = max(1, -(-len(images) // columns))
    texts = [caption.splitlines() for caption in captions] or [[""]]
    lines = max(map(len, texts))
    width = max(
        1.25, 0.07 * max(len(line) for text in texts for line in text)
    )  # inches; names can be wider than images
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(max(width * columns, 5), (1.25 + 0.2 * lines) * rows + 0.6), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.08)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for ax in axes:
            ax.set_axis_off()
        for ax, image, caption in zip(axes, images, captions, strict=False):
            ax.imshow(image.transpose(1, 2, 0), interpolation="nearest")  # [3, 32, 32] -> [32, 32, 3]
            ax.set_title(caption, fontsize=8)
        return _finish(figure, source, title)


def training_curves(
    histories: Mapping[str, Sequence[Epoch]], *, source: Source, epochs: int | None = None, title: str = ""
) -> Figure:
    """Draw training loss, test loss and test accuracy over the epochs, all engines on one axis each.

    Args:
        histories: The epochs of each engine.
        epochs: Length of the epoch axis, for a training that is still under way.
    """
    panels = (
        ("training loss", "cross-entropy, nats", lambda epoch: epoch.train_loss),
        ("test loss", "cross-entropy, nats", lambda epoch: epoch.test_loss),
        ("test accuracy", "correct, %", lambda epoch: 100 * epoch.test_accuracy),
    )
    length = epochs or max(len(history) for history in histories.values())
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(10, 3.6), layout="constrained")
        for ax, (name, unit, value) in zip(figure.subplots(1, 3), panels, strict=True):
            for depth, (engine, history) in enumerate(histories.items()):
                _curve(ax, engine, [epoch.epoch for epoch in history], [value(epoch) for epoch in history], depth)
            ax.set(title=name, xlabel="epoch", ylabel=unit, xlim=(0.7, length + 0.3))
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False, handlelength=3)
        return _finish(figure, source, title)


def _curve(ax: Axes, engine: str, x: Sequence[int], y: Sequence[float], depth: int) -> None:
    """Later engines get thinner lines and smaller markers, so that equal curves stay visible under each other."""
    style = ENGINE_STYLES[engine]
    ax.plot(
        x,
        y,
        color=style.color,
        marker=style.marker,
        linestyle=style.line,
        linewidth=max(2.6 - 0.4 * depth, 1.0),
        markersize=max(7.0 - depth, 3.0),
        label=ENGINES[engine].title,
    )


def throughput_and_memory(comparison: Comparison, *, source: Source, title: str = "") -> Figure:
    """Draw images a second and peak memory of each engine: median, every measurement, and the ratio to PyTorch."""
    names = list(comparison.results)
    panels = (
        ("Speed (more is better)", "training images per second", comparison.throughput, 1.0),
        ("Peak memory (less is better)", "resident memory of the program, MB", comparison.peak_memory, MB),
    )
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(10, 0.55 * len(names) + 1.7), layout="constrained")
        for ax, (name, unit, measure, scale) in zip(figure.subplots(1, 2, sharey=True), panels, strict=True):
            spreads = {engine: Spread(tuple(s / scale for s in measure(engine).samples)) for engine in names}
            _bars(ax, spreads)
            ax.set(title=name, xlabel=unit)
        figure.axes[0].set_yticks(range(len(names)), [ENGINES[engine].title for engine in names])
        figure.axes[0].invert_yaxis()
        note = "Bar: median. Dots: each measurement. Line: lowest to highest."
        return _finish(figure, source, f"{title}\n{note}" if title else note)


def _bars(ax: Axes, spreads: Mapping[str, Spread]) -> None:
    reference = spreads[REFERENCE].median if REFERENCE in spreads else None
    longest = max((spread.high for spread in spreads.values() if spread.samples), default=1.0)
    for row, (engine, spread) in enumerate(spreads.items()):
        if not spread.samples:
            ax.text(0, row, " not known on this system", va="center", fontsize=9, color=GREY)
            continue
        ax.barh(row, spread.median, height=0.62, color=ENGINE_STYLES[engine].color, alpha=0.75)
        ax.plot([spread.low, spread.high], [row, row], color=GREY, linewidth=1.5)
        ax.plot(spread.samples, [row] * len(spread.samples), "o", markersize=4, color="white", markeredgecolor=GREY)
        ratio = f"  ({spread.median / reference:.2f} x PyTorch)" if reference and engine != REFERENCE else ""
        ax.text(spread.high + 0.02 * longest, row, f"{spread.median:,.0f}{ratio}", va="center", fontsize=9)
    ax.set_xlim(0, 1.5 * longest)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.grid(axis="y", visible=False)


def confusion_matrix(
    labels: np.ndarray,
    predicted: np.ndarray,
    *,
    source: Source,
    title: str = "",
) -> Figure:
    """Show how often images of each class (rows) were given each answer (columns).

    Args:
        labels: int64 [N], the true classes.
        predicted: int64 [N], the network's answers.
    """
    classes = source.classes
    counts = np.zeros((len(classes), len(classes)), np.int64)
    np.add.at(counts, (labels, predicted), 1)
    share = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)  # [true, predicted], % of the row
    accuracy = np.trace(counts) / max(counts.sum(), 1)
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure = plt.figure(figsize=(6.8, 6.2), layout="constrained")
        ax = figure.subplots()
        picture = ax.imshow(share, cmap="Blues", vmin=0, vmax=100)
        for row, column in np.ndindex(counts.shape):
            color = "white" if share[row, column] > 55 else "black"
            ax.text(column, row, str(counts[row, column]), ha="center", va="center", fontsize=8, color=color)
        ax.set_xticks(range(len(classes)), classes, rotation=45, ha="right", rotation_mode="anchor")
        ax.set_yticks(range(len(classes)), classes)
        ax.set(xlabel="predicted class", ylabel="true class")
        figure.colorbar(picture, ax=ax, shrink=0.75, label="share of the true class, %")
        return _finish(figure, source, title or f"{accuracy:.1%} of {counts.sum():,} images right; cells count images")


def _finish(figure: Figure, source: Source, title: str) -> Figure:
    """Add title and source, and close the figure so that it is shown once, as a value."""
    if title:
        figure.suptitle(title, fontsize=11)
    width = int(13 * figure.get_figwidth())  # characters of 9 points in a line
    if source.caption:
        figure.supxlabel(textwrap.fill(source.caption, width), fontsize=9, color=RED, fontweight="bold")
    else:
        figure.supxlabel(textwrap.fill(f"Images: {source.description}", width), fontsize=9, color=GREY)
    plt.close(figure)
    return figure
