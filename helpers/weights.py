"""Weights and image orders as safetensors files: how PyTorch hands the same start to every engine.

A safetensors file is a JSON table of names, types and shapes, followed by the plain numbers. All files here use
PyTorch's parameter names and layouts: a convolution is [out, in, height, width], a linear layer [out, in].
"""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor, nn

from helpers.errors import WorkbookError

PARAMETER_SHAPES: dict[str, tuple[int, ...]] = {
    "conv1.weight": (32, 3, 3, 3),
    "conv1.bias": (32,),
    "conv2.weight": (64, 32, 3, 3),
    "conv2.bias": (64,),
    "fc.weight": (10, 4096),
    "fc.bias": (10,),
}
PARAMETER_COUNT = 60_362


class WeightError(WorkbookError):
    """A weight file is missing, damaged, or holds other tensors than the network needs."""


def initial_weights(seed: int) -> dict[str, Tensor]:
    """Draw the network's first weights with PyTorch's own default initialisation.

    The same seed gives the same weights; PyTorch's global generator is left as it was.

    Returns:
        The six tensors of `PARAMETER_SHAPES`, float32.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = nn.ModuleDict(
            {
                "conv1": nn.Conv2d(3, 32, kernel_size=3, padding=1),
                "conv2": nn.Conv2d(32, 64, kernel_size=3, padding=1),
                "fc": nn.Linear(64 * 8 * 8, 10),
            }
        )
    return {name: tensor.detach().clone() for name, tensor in layers.state_dict().items()}


def image_order(seed: int, epochs: int, images: int) -> Tensor:
    """Shuffle the images anew for every epoch: [epochs, images] int64, each row a permutation.

    The first rows do not depend on `epochs`: a longer run begins like a shorter one.
    """
    generator = np.random.default_rng(seed)
    return torch.from_numpy(np.stack([generator.permutation(images) for _ in range(epochs)]))


def save(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write tensors by name. Another process sees the old file or the whole new one, never a part."""
    write_atomically(path, to_bytes({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}))


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load(path: Path) -> dict[str, Tensor]:
    """Read all tensors of a safetensors file, by name.

    Raises:
        WeightError: The file is missing or not a whole safetensors file.
    """
    if not path.is_file():
        raise WeightError(f"The weight file {path.name} is missing in {path.parent}.")
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError) as error:
        raise WeightError(f"{path.name} in {path.parent} is not a whole safetensors file ({error}).") from error


def load_parameters(path: Path) -> dict[str, Tensor]:
    """Read the network's six parameters.

    Raises:
        WeightError: As `load`; or a parameter is missing, unknown, of another shape or not float32.
    """
    tensors = load(path)
    if missing := [name for name in PARAMETER_SHAPES if name not in tensors]:
        raise WeightError(f"{path.name} lacks the parameter {missing[0]}.")
    if unknown := [name for name in tensors if name not in PARAMETER_SHAPES]:
        raise WeightError(f"{path.name} holds {unknown[0]}, which the network does not have.")
    for name, shape in PARAMETER_SHAPES.items():
        found = tensors[name]
        if tuple(found.shape) != shape or found.dtype != torch.float32:
            kind = str(found.dtype).removeprefix("torch.")
            raise WeightError(
                f"{path.name}: {name} is {kind} {list(found.shape)}; the network needs float32 {list(shape)}."
            )
    return tensors
