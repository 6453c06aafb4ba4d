"""The generated images: the same everywhere, balanced, and worth training on."""

import hashlib

import numpy as np
import pytest

from helpers.cifar10 import normalise
from helpers.synthetic_cifar10 import SYNTHETIC_CLASSES, generate


def test_shapes_and_types():
    images, labels = generate(30, seed=0, split=0)
    assert (images.shape, images.dtype) == ((30, 3, 32, 32), np.uint8)
    assert (labels.shape, labels.dtype) == ((30,), np.int64)
    assert len(SYNTHETIC_CLASSES) == len(set(SYNTHETIC_CLASSES)) == 10
    assert [len(part) for part in generate(0, seed=0, split=0)] == [0, 0]


def test_the_bytes_are_the_same_on_every_machine():
    images, labels = generate(600, seed=0, split=1)
    digest = hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest()
    assert digest == "b0e53161bbb7f262a519f33a0d09f6c7b3442d1387b8c074e246119d7f273f44"


def test_a_longer_set_starts_with_the_shorter_one():
    short, short_labels = generate(510, seed=4, split=0)
    long, long_labels = generate(1013, seed=4, split=0)
    assert np.array_equal(short, long[:510])
    assert np.array_equal(short_labels, long_labels[:510])


def test_seed_and_split_change_the_images():
    sets = {generate(10, seed=seed, split=split)[0].tobytes() for seed in (0, 1) for split in (0, 1)}
    assert len(sets) == 4


def test_no_image_comes_twice():
    images = np.concatenate([generate(1000, seed=0, split=split)[0] for split in (0, 1)])
    assert len({image.tobytes() for image in images}) == 2000


def test_every_ten_images_hold_each_class_once():
    labels = generate(1000, seed=0, split=0)[1].reshape(-1, 10)
    assert np.array_equal(np.sort(labels, axis=1), np.tile(np.arange(10), (100, 1)))
    assert len({tuple(row) for row in labels}) == 100  # in ever new order


def test_pixels_use_the_range_without_sticking_to_its_ends():
    images = generate(500, seed=0, split=0)[0]
    assert images.std() > 40
    assert np.mean((images == 0) | (images == 255)) < 0.05


def accuracy(model, epochs, train, test) -> float:
    """Train as the chapters do (Adam 1e-3, batch 64) and return the accuracy on the test images."""
    import torch
    from torch import nn

    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    order = torch.Generator().manual_seed(0)
    for _ in range(epochs):
        for batch in torch.randperm(len(train[0]), generator=order).split(64):
            optimiser.zero_grad()
            nn.functional.cross_entropy(model(train[0][batch]), train[1][batch]).backward()
            optimiser.step()
    with torch.no_grad():
        return (model(test[0]).argmax(1) == test[1]).float().mean().item()


@pytest.mark.slow
def test_the_cnn_learns_what_a_linear_model_cannot():
    import torch
    from torch import nn

    train, test = (
        (torch.from_numpy(normalise(images)), torch.from_numpy(labels))
        for images, labels in (generate(4000, seed=0, split=0), generate(1000, seed=0, split=1))
    )
    torch.manual_seed(0)
    linear = accuracy(nn.Sequential(nn.Flatten(), nn.Linear(3072, 10)), 4, train, test)
    cnn = accuracy(
        nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(4096, 10),
        ),
        4,
        train,
        test,
    )
    assert 0.12 < linear < 0.4
    assert cnn > 0.6
    assert cnn < 0.97  # not trivial
