"""Training: Adam on the mean cross-entropy, and a look at the test set after every epoch."""

import math
from collections.abc import Callable, Iterable
from time import perf_counter

import torch
import torch.nn.functional as F
from common import Config, emit, epoch_line
from data import CifarSet, batches
from torch import Tensor, nn


def train_step(model: nn.Module, optimizer: torch.optim.Optimizer, x: Tensor, y: Tensor) -> float:
    """One step on images [B, 3, 32, 32] and labels [B]; returns the mean loss before the step."""
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def evaluate(model: nn.Module, data: Iterable[tuple[Tensor, Tensor]]) -> tuple[float, float]:
    """Mean loss and accuracy (0 to 1) over all batches."""
    loss, correct, images = 0.0, 0, 0
    for x, y in data:
        logits = model(x)  # [B, 10]
        loss += F.cross_entropy(logits, y, reduction="sum").item()
        correct += int((logits.argmax(dim=1) == y).sum())
        images += len(y)
    return loss / images, correct / images


def train(
    model: nn.Module,
    train_set: CifarSet,
    test_set: CifarSet,
    order: Tensor,
    config: Config,
    emit: Callable[[dict], None] = emit,
) -> None:
    """Train on the images in the given order [epochs, N]; report every step and epoch through `emit`."""
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    for epoch, indices in enumerate(order, start=1):
        model.train()
        start = perf_counter()
        loss_sum, steps = 0.0, -(-len(indices) // config.batch_size)  # the last batch may be smaller
        for step, (x, y) in enumerate(batches(train_set, indices, config.batch_size, config), start=1):
            loss = train_step(model, optimizer, x, y)
            if not math.isfinite(loss):
                raise ValueError(f"the loss is {loss} at step {step} of epoch {epoch}: try a lower learning rate")
            loss_sum += loss * len(y)
            emit({"event": "step", "epoch": epoch, "step": step, "steps": steps, "loss": loss})
        seconds = perf_counter() - start

        model.eval()
        test_loss, accuracy = evaluate(model, batches(test_set, torch.arange(len(test_set)), 256, config))
        result = {
            "epoch": epoch,
            "train_loss": loss_sum / len(indices),
            "test_loss": test_loss,
            "test_accuracy": accuracy,
            "train_seconds": seconds,
            "images": len(indices),
        }
        emit({"event": "epoch"} | result)
        print(epoch_line("pytorch", config.epochs, **result), flush=True)
