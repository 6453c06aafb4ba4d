"""CIFAR-10 for PyTorch's `DataLoader`: one image an item, bytes in the file, numbers when asked for."""

import time

import torch
from data import CifarSet
from torch import Tensor
from torch.utils.data import Dataset


class CifarImages(Dataset):
    """Normalised images [3, 32, 32] float32 and their labels."""

    def __init__(
        self, images: CifarSet, mean: tuple[float, ...], std: tuple[float, ...], wait_seconds: float = 0.0
    ) -> None:
        self.images = images
        self.mean = torch.tensor(mean).view(3, 1, 1)
        self.std = torch.tensor(std).view(3, 1, 1)
        self.wait_seconds = wait_seconds  # stands for a slow disk or network

    def __len__(self) -> int:
        """The number of images."""
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        """One image and its label."""
        if self.wait_seconds:
            time.sleep(self.wait_seconds)
        image = self.images.images[index].float() / 255
        return (image - self.mean) / self.std, self.images.labels[index]
