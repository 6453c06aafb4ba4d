"""Small training tasks for all engines, and the loss curves that come of them.

A task is a folder with `task.json`, `samples.safetensors` and `init.safetensors`. The programs `linear_regression`
and `mlp` of every engine take it as their only argument and report the loss before each step.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor, from_numpy

from helpers import weights
from helpers.engines import ENGINES
from helpers.errors import WorkbookError
from helpers.plots import ENGINE_STYLES, GREY, STYLE
from helpers.results import REFERENCE

FLOOR = 1e-9  # where a difference of 0 is drawn on a logarithmic axis
LUMINANCE = np.array([0.299, 0.587, 0.114])  # red, green, blue: ITU-R BT.601


class LossError(WorkbookError):
    """Losses are missing, or differ where they must not."""


class ReportsEvents(Protocol):
    """Anything that kept a program's events, such as the runs of `%rust_compare` and of `%%rust --name`."""

    events: list[dict]


def write_task(
    folder: Path,
    x: np.ndarray,
    y: np.ndarray,
    first_weights: Mapping[str, Tensor],
    *,
    steps: int,
    batch_size: int,
    learning_rate: float,
) -> Path:
    """Write a task's folder.

    Args:
        folder: Made if needed; trained weights of an earlier task in it are removed.
        x: [N, inputs]; written as float32.
        y: [N], targets or class numbers; written as float32.
        first_weights: Parameters by PyTorch's names.
        steps: Optimizer steps, one batch each; after the last sample comes the first again.

    Returns:
        The folder.
    """
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for engine in ENGINES:
        (folder / f"{engine}.safetensors").unlink(missing_ok=True)
    samples = {"x": from_numpy(np.asarray(x, np.float32)), "y": from_numpy(np.asarray(y, np.float32))}
    weights.save(folder / "samples.safetensors", samples)
    weights.save(folder / "init.safetensors", first_weights)
    settings = {
        "samples": len(x),
        "inputs": x.shape[1],
        "batch_size": batch_size,
        "steps": steps,
        "learning_rate": learning_rate,
    }
    weights.write_atomically(folder / "task.json", (json.dumps(settings, indent=2) + "\n").encode())
    return folder


def grey_crops(images: np.ndarray) -> np.ndarray:
    """Return the luminance of the middle 28 x 28 pixels: uint8 [N, 28, 28] of uint8 [N, 3, 32, 32]."""
    middle = images[:, :, 2:30, 2:30]  # [N, 3, 28, 28]
    return np.einsum("c,nchw->nhw", LUMINANCE, middle).round().astype(np.uint8)


def losses_of(run: ReportsEvents) -> np.ndarray:
    """Return the losses that a program reported, float64 [steps].

    Raises:
        LossError: It reported none.
    """
    losses = [event["loss"] for event in run.events if event.get("event") == "step"]
    if not losses:
        raise LossError("The program reported no losses: call `task.report` after the training.")
    return np.array(losses)


@dataclass(frozen=True)
class LossCurves:
    """The losses of several engines on one task.

    Attributes:
        losses: float64 [steps] by engine; PyTorch's is what the others are compared with.
    """

    losses: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, runs: Mapping[str, ReportsEvents]) -> "LossCurves":
        """Take the losses from the runs that `%rust_compare --name` keeps.

        Raises:
            LossError: An engine reported none, or another number of them than PyTorch.
        """
        losses = {engine: losses_of(run) for engine, run in runs.items()}
        if REFERENCE not in losses:
            raise LossError("PyTorch did not run: there is nothing to compare the losses with.")
        for engine, found in losses.items():
            if len(found) != len(losses[REFERENCE]):
                raise LossError(
                    f"{ENGINES[engine].title} reported {len(found)} losses, PyTorch {len(losses[REFERENCE])}."
                )
        return cls(losses)

    def differences(self, engine: str) -> np.ndarray:
        """Return |loss - PyTorch's| / PyTorch's, step by step."""
        reference = self.losses[REFERENCE]
        return np.abs(self.losses[engine] - reference) / reference

    def assert_equal(self, tolerance: float) -> None:
        """Check that every engine's losses are PyTorch's, and print by how much they differ at most.

        Raises:
            LossError: A relative difference is above `tolerance`; the message names engine and step.
        """
        for engine in self.losses:
            if engine == REFERENCE:
                continue
            differences = self.differences(engine)
            worst = int(differences.argmax())
            if not differences[worst] <= tolerance:  # NaN is no equality either
                raise LossError(
                    f"{ENGINES[engine].title}'s loss in step {worst + 1} differs from PyTorch's by "
                    f"{differences[worst]:.1e} of it (at most {tolerance:.0e} allowed)."
                )
            print(f"{ENGINES[engine].title:<8}largest relative difference {differences[worst]:.1e}")
        print(f"all {len(self.losses[REFERENCE])} losses equal within {tolerance:.0e}")

    def figure(self, title: str, unit: str, *, block: int = 1, logarithmic: bool = False) -> Figure:
        """Draw all curves on one axis, and beside it how far each is from PyTorch's.

        Args:
            unit: What the loss is, with its unit: the label of the axis.
            block: Steps that share a point: the mean of their losses, the largest of their distances.
            logarithmic: Draw the losses on a logarithmic axis too.
        """
        with plt.rc_context(STYLE):
            figure = plt.figure(figsize=(10, 3.9), layout="constrained")
            curves, distances = figure.subplots(1, 2)
            for depth, (engine, losses) in enumerate(self.losses.items()):
                starts = np.arange(0, len(losses), block)
                ends = np.minimum(starts + block, len(losses))
                look = _look(engine, depth, len(starts))
                means = np.add.reduceat(losses, starts) / (ends - starts)
                curves.plot(ends, means, label=ENGINES[engine].title, **look)
                if engine != REFERENCE:
                    largest = np.maximum.reduceat(self.differences(engine), starts)
                    distances.plot(ends, np.maximum(largest, FLOOR), **look)
            of_block = f", mean of {block} steps" if block > 1 else ""
            curves.set(title=f"the losses{of_block}", xlabel="step", ylabel=unit)
            if logarithmic:
                curves.set_yscale("log")
            distances.set(title="distance from PyTorch", xlabel="step", ylabel="relative difference of the loss")
            distances.set_yscale("log")
            distances.set_ylim(FLOOR / 2, 1)
            distances.text(0.98, 0.96, f"0 is drawn at {FLOOR:.0e}", **_note(distances))
            handles, labels = curves.get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, handlelength=3)
            figure.suptitle(title, fontsize=11)
            plt.close(figure)
        return figure


def _look(engine: str, depth: int, steps: int) -> dict:
    """Later engines get thinner lines, so that equal curves stay visible under each other; few markers."""
    style = ENGINE_STYLES[engine]
    every = max(1, steps // 10)
    return {
        "color": style.color,
        "linestyle": style.line,
        "linewidth": max(2.6 - 0.4 * depth, 1.0),
        "marker": style.marker,
        "markersize": max(7.0 - depth, 3.0),
        "markevery": (depth * every // len(ENGINE_STYLES), every),
    }


def _note(ax: plt.Axes) -> dict:
    return {"transform": ax.transAxes, "ha": "right", "va": "top", "fontsize": 8, "color": GREY}
