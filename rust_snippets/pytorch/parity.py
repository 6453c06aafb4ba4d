"""One forward and one backward pass, kept for comparison: logits, loss and the gradient of every parameter."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def forward_backward(model: nn.Module, x: Tensor, y: Tensor) -> dict[str, Tensor]:
    """`logits` [B, 10], `loss` [1] and `grad.NAME` for each parameter, before any step of the optimizer."""
    torch.backends.cudnn.allow_tf32 = False  # full float32 on a GPU too: this is a comparison, not a race
    model.zero_grad()
    logits = model(x)  # [B, 10]
    loss = F.cross_entropy(logits, y)
    loss.backward()
    gradients = {f"grad.{name}": parameter.grad for name, parameter in model.named_parameters()}
    return {"logits": logits, "loss": loss.reshape(1), **gradients}
