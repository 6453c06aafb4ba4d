"""PyTorch takes over the weights that another engine has trained."""

import importlib.util
from pathlib import Path

import torch

from helpers import weights
from helpers.engines import ENGINES
from helpers.training import TrainingRun

RECORD = 1 + 3 * 32 * 32  # bytes: the label, then the pixels


def pytorch_network(file: Path) -> torch.nn.Module:
    """Return the network of chapter 1 with the weights of a safetensors file.

    Raises:
        WeightError: Names or shapes are not the network's; the message names the file.
    """
    path = ENGINES["pytorch"].package / "model.py"
    spec = importlib.util.spec_from_file_location("network_of_chapter_1", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    network = module.Cnn()
    network.load_state_dict(weights.load_parameters(file))
    return network.eval()


@torch.inference_mode()
def accuracy_in_pytorch(run: TrainingRun, file: Path) -> float:
    """Return the accuracy, 0 to 1, that PyTorch gets on the run's test images with the weights of a file."""
    config = run.config
    raw = (run.folder / config.test_bin).read_bytes()[: config.test_size * RECORD]
    records = torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(-1, RECORD)  # [N, 3073]
    mean, std = (torch.tensor(values).view(3, 1, 1) for values in (config.mean, config.std))
    network, right = pytorch_network(file), 0
    for batch in records.split(256):
        images = (batch[:, 1:].reshape(-1, 3, 32, 32) / 255 - mean) / std  # [B, 3, 32, 32]
        right += int((network(images).argmax(dim=1) == batch[:, 0]).sum())
    return right / len(records)
