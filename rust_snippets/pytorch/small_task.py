"""A small training task in one folder: samples in a fixed order, first weights, settings."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from common import emit, load_tensors
from torch import Tensor


@dataclass(frozen=True)
class SmallTask:
    """What `task.json`, `samples.safetensors` and `init.safetensors` say."""

    folder: Path
    x: Tensor  # [N, inputs]
    y: Tensor  # [N]
    first_weights: dict[str, Tensor]
    batch_size: int
    steps: int
    learning_rate: float

    @classmethod
    def read(cls, folder: Path) -> "SmallTask":
        """Read a task's folder. Raises ValueError or OSError naming a file that cannot be used."""
        settings = json.loads((folder / "task.json").read_text(encoding="utf-8"))
        names = ("batch_size", "steps", "learning_rate")
        return cls(
            folder,
            **load_tensors(folder / "samples.safetensors"),
            first_weights=load_tensors(folder / "init.safetensors"),
            **{name: settings[name] for name in names},
        )

    def batches(self) -> Iterator[tuple[Tensor, Tensor]]:
        """One batch a step, in the samples' order and again from the first: [B, inputs] and [B]."""
        pairs = zip(self.x.split(self.batch_size), self.y.split(self.batch_size), strict=True)
        return islice(cycle(pairs), self.steps)

    def trained(self, engine: str) -> Path:
        """The file for the weights that `engine` has trained."""
        return self.folder / f"{engine}.safetensors"

    def report(self, engine: str, losses: list[float]) -> None:
        """Send the losses to the notebook, and print the first and the last."""
        for step, loss in enumerate(losses, start=1):
            emit({"event": "step", "epoch": 1, "step": step, "steps": len(losses), "loss": loss})
        print(f"{engine:<8}{len(losses)} steps, loss {losses[0]:.4f} to {losses[-1]:.4f}")
