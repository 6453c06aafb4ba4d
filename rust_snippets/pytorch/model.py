"""The network of every engine: two convolutions, two poolings, one linear layer; 60,362 parameters."""

import torch.nn.functional as F
from torch import Tensor, nn


class Cnn(nn.Module):
    """Images [B, 3, 32, 32] in, one score for each of the ten classes out."""

    def __init__(self) -> None:
        """Create the layers; PyTorch draws their first weights."""
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, kernel_size=3, padding=1)
        self.fc = nn.Linear(64 * 8 * 8, 10)

    def forward(self, x: Tensor) -> Tensor:
        """Logits [B, 10] of normalised images [B, 3, 32, 32]."""
        x = F.relu(self.conv1(x))  # [B, 3, 32, 32] -> [B, 32, 32, 32]
        x = F.max_pool2d(x, 2)  # -> [B, 32, 16, 16]
        x = F.relu(self.conv2(x))  # -> [B, 64, 16, 16]
        x = F.max_pool2d(x, 2)  # -> [B, 64, 8, 8]
        x = x.flatten(start_dim=1)  # -> [B, 4096]
        return self.fc(x)  # -> [B, 10]
