"""CIFAR-10 from the official binary files: read, normalise, cut into batches."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from common import Config
from torch import Tensor

RECORD = 1 + 3 * 32 * 32  # bytes: the label, then 1024 red, 1024 green and 1024 blue values


@dataclass(frozen=True)
class CifarSet:
    """Images as bytes; they become numbers batch by batch, so the set stays small in memory."""

    images: Tensor  # [N, 3, 32, 32] uint8
    labels: Tensor  # [N] int64

    @classmethod
    def read(cls, path: Path, limit: int) -> "CifarSet":
        """The first `limit` records of a binary file. Raises ValueError where file and request do not fit."""
        raw = np.fromfile(path, dtype=np.uint8, count=limit * RECORD)
        if len(raw) < limit * RECORD:
            raise ValueError(f"{path} holds {len(raw) // RECORD} whole records; {limit} were asked for")
        records = torch.from_numpy(raw).view(limit, RECORD)  # [N, 3073]
        labels = records[:, 0].long()  # [N]
        if (labels > 9).any():
            bad = int((labels > 9).nonzero()[0])
            raise ValueError(f"{path}: record {bad} has label {labels[bad]}; labels go from 0 to 9")
        return cls(records[:, 1:].reshape(limit, 3, 32, 32), labels)

    def __len__(self) -> int:
        """The number of images."""
        return len(self.labels)


def batches(data: CifarSet, order: Tensor, batch_size: int, config: Config) -> Iterator[tuple[Tensor, Tensor]]:
    """Normalised images [B, 3, 32, 32] float32 and labels [B] in the given order; the last batch may be smaller."""
    mean = torch.tensor(config.mean).view(3, 1, 1)
    std = torch.tensor(config.std).view(3, 1, 1)
    for index in order.split(batch_size):  # [B]
        x = (data.images[index].float() / 255 - mean) / std  # [B, 3, 32, 32]
        yield x.to(config.device), data.labels[index].to(config.device)
