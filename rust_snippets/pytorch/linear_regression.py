"""Linear regression: ten numbers in, one out, the mean squared error made small."""

import sys
from pathlib import Path

import torch
from small_task import SmallTask
from torch import nn


def train(task: SmallTask, optimizer_class: type[torch.optim.Optimizer] = torch.optim.Adam) -> list[float]:
    """Train from the task's first weights and return the loss before each step."""
    model = nn.Linear(10, 1)
    model.load_state_dict(task.first_weights)

    optimizer = optimizer_class(model.parameters(), lr=task.learning_rate)
    criterion = nn.MSELoss()
    losses = []
    for x, y in task.batches():  # [B, 10] and [B]
        optimizer.zero_grad()
        prediction = model(x)  # [B, 1]
        loss = criterion(prediction, y.unsqueeze(1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    task = SmallTask.read(Path(sys.argv[1]))
    task.report("pytorch", train(task))
