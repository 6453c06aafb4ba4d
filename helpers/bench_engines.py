"""Trains the network in several engines, in interleaved rounds, on the same images, weights and order."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from helpers import cifar10
from helpers.results import Comparison
from helpers.terminal import console
from helpers.training import create_run, run_all


def measure_engines(
    names: Sequence[str], *, rounds: int, epochs: int, train_size: int | None, batch_size: int, device: str
) -> Comparison:
    """Train every engine `rounds` times.

    Args:
        names: The engines.
        rounds: Runs of each engine; each round begins with another engine.
        epochs: Passes over the training images in one run.
        train_size: Training images; None for all there are.
        batch_size: Images a step.
        device: `cpu` or `cuda`.
    """
    data = cifar10.load(train_size)
    console.print(
        f"{len(data.train.labels):,} training and {len(data.test.labels):,} test images: {data.source.description}"
    )
    with tempfile.TemporaryDirectory(prefix="workbook-bench-") as folder:
        run = create_run(Path(folder), data, epochs=epochs, batch_size=batch_size, device=device)
        with console.status(f"{rounds} rounds of {', '.join(names)}, {epochs} epochs each"):
            return run_all(names, run, rounds=rounds, interleave=True, live=False)
