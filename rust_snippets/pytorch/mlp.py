"""A multi-layer perceptron: 784 numbers in, ten scores out, 109,386 parameters."""

import sys
from pathlib import Path

import torch
from common import save_tensors
from small_task import SmallTask
from torch import nn


def mlp() -> nn.Sequential:
    """The layers; their names in `state_dict()` are their places, 0 to 4."""
    return nn.Sequential(
        nn.Linear(784, 128),  # [B, 128]
        nn.ReLU(),
        nn.Linear(128, 64),  # [B, 64]
        nn.ReLU(),
        nn.Linear(64, 10),  # [B, 10]
    )


def train(task: SmallTask) -> list[float]:
    """Train with plain SGD, write the weights, and return the loss before each step."""
    model = mlp()
    model.load_state_dict(task.first_weights)

    optimizer = torch.optim.SGD(model.parameters(), lr=task.learning_rate)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for x, y in task.batches():  # [B, 784] and [B]
        optimizer.zero_grad()
        loss = criterion(model(x), y.long())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    save_tensors(task.trained("pytorch"), model.state_dict())
    return losses


if __name__ == "__main__":
    task = SmallTask.read(Path(sys.argv[1]))
    task.report("pytorch", train(task))
