"""The whole program: read run.json, then train, or compute once for the parity check."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import torch
from common import Config, emit, load_tensors, save_tensors
from data import CifarSet, batches
from model import Cnn
from parity import forward_backward
from train import train


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Report how long a part of the program took."""
    start = perf_counter()
    yield
    emit({"event": "phase", "name": name, "seconds": perf_counter() - start})


def main(run_json: Path) -> None:
    """Do what run.json asks. Raises ValueError or OSError where it cannot be done."""
    config = Config.read(run_json)
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device `cuda` was asked for; PyTorch sees no CUDA device here")
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)

    with phase("load_data"):
        train_set = CifarSet.read(config.train_bin, config.train_size)
        test_set = CifarSet.read(config.test_bin, config.test_size)
        order = load_tensors(config.order)["order"]  # [epochs, train_size]
    if order.shape != (config.epochs, config.train_size):
        raise ValueError(f"{config.order}: shape {list(order.shape)}, not [{config.epochs}, {config.train_size}]")
    with phase("load_weights"):
        model = Cnn()
        model.load_state_dict(load_tensors(config.init))
        model.to(config.device)

    parameters = sum(p.numel() for p in model.parameters())
    started = {"engine": "pytorch", "device": config.device, "threads": torch.get_num_threads()}
    emit({"event": "run_started", **started, "parameters": parameters})
    if config.task == "parity":
        x, y = next(batches(train_set, order[0], config.batch_size, config))
        save_tensors(config.output / "pytorch.parity.safetensors", forward_backward(model, x, y))
    elif config.task == "train":
        train(model, train_set, test_set, order, config)
        with phase("save_weights"):
            save_tensors(config.output / "pytorch.safetensors", model.state_dict())
    else:
        raise ValueError(f"{run_json}: task `{config.task}` is neither `train` nor `parity`")


if __name__ == "__main__" and Path(sys.argv[0]).name == "main.py":  # a notebook's cell has another argv[0]
    if len(sys.argv) != 2:
        sys.exit("Error: usage: main.py RUN.JSON")
    try:
        main(Path(sys.argv[1]))
    except (OSError, ValueError) as reason:
        sys.exit(f"Error: {reason}")
