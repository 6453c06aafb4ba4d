"""What the other files share: the run's settings, events for the notebook, weight files. No network in it."""

import json
import os
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TextIO

from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor


@dataclass(frozen=True)
class Config:
    """One run, as run.json describes it; relative paths start at run.json's folder."""

    task: str
    train_bin: Path
    test_bin: Path
    train_size: int
    test_size: int
    init: Path
    order: Path
    epochs: int
    batch_size: int
    learning_rate: float
    seed: int
    device: str
    threads: int
    mean: list[float]
    std: list[float]
    output: Path

    @classmethod
    def read(cls, path: Path) -> "Config":
        """Read run.json. Raises ValueError for a field that is unknown or missing."""
        values = json.loads(path.read_text(encoding="utf-8"))
        known = {field.name for field in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise ValueError(f"{path}: unknown field `{unknown[0]}`")
        if missing := sorted(known - values.keys()):
            raise ValueError(f"{path}: missing field `{missing[0]}`")
        for name in ("train_bin", "test_bin", "init", "order", "output"):
            values[name] = path.parent / values[name]
        return cls(**values)


@cache
def _events() -> TextIO | None:
    number = os.environ.get("WORKBOOK_EVENTS_FD")
    return os.fdopen(int(number), "w", encoding="utf-8", buffering=1) if number else None


def emit(event: dict) -> None:
    """Send one event to the notebook, as a line of JSON; without a listener it is dropped."""
    if stream := _events():
        print(json.dumps(event), file=stream)


def epoch_line(engine: str, epochs: int, **epoch: float) -> str:
    """The line that every engine prints after an epoch."""
    return (
        f"{engine:<8}epoch {epoch['epoch']:>2}/{epochs}  train loss {epoch['train_loss']:.4f}"
        f"  test loss {epoch['test_loss']:.4f}  test accuracy {epoch['test_accuracy']:.3f}"
        f"  {epoch['images'] / epoch['train_seconds']:.0f} img/s"
    )


def load_tensors(path: Path, device: str = "cpu") -> dict[str, Tensor]:
    """All tensors of a safetensors file, by name. Raises ValueError naming a file that cannot be read."""
    if not path.is_file():
        raise ValueError(f"{path} is missing")
    try:
        with safe_open(path, framework="pt", device=device) as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except Exception as reason:
        raise ValueError(f"{path} is not a safetensors file: {reason}") from reason


def save_tensors(path: Path, tensors: dict[str, Tensor]) -> None:
    """Write a safetensors file; readers see the old file or the whole new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    with temporary.open("wb") as file:
        file.write(save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
