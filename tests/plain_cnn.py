"""The network once more, in plain tensor calls: what every engine has to compute."""

import torch


def logits(parameters: dict[str, torch.Tensor], images: torch.Tensor) -> torch.Tensor:
    """Scores [B, 10] of normalised images [B, 3, 32, 32]."""
    y = images
    for layer in ("conv1", "conv2"):
        y = torch.conv2d(y, parameters[f"{layer}.weight"], parameters[f"{layer}.bias"], padding=1)
        y = torch.max_pool2d(torch.relu(y), 2)
    return y.reshape(len(images), -1) @ parameters["fc.weight"].T + parameters["fc.bias"]


def normalised(images: torch.Tensor, mean: tuple[float, ...], std: tuple[float, ...]) -> torch.Tensor:
    """Bytes [B, 3, 32, 32] as the numbers that the network sees."""
    return (images.float() / 255 - torch.tensor(mean).view(3, 1, 1)) / torch.tensor(std).view(3, 1, 1)
