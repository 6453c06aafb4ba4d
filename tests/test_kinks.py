import plain_cnn
import pytest
import torch

from helpers import weights
from helpers.cifar10 import MEAN, STD
from helpers.kinks import kink_distances
from helpers.synthetic_cifar10 import generate


@pytest.fixture(scope="module")
def parameters():
    return weights.initial_weights(0)


def images(count):
    return plain_cnn.normalised(torch.from_numpy(generate(count, seed=0, split=0)[0]), MEAN, STD)


def test_every_image_has_its_own_distance(parameters):
    x = images(40)
    distances = kink_distances(parameters, x)
    assert distances.shape == (40,)
    assert (distances > 0).all() and (distances < 1e-3).all()
    assert torch.equal(distances[33:34], kink_distances(parameters, x[33:34]))


def test_a_relu_input_at_zero_is_a_kink(parameters):
    """A bias moves one channel's value at one place to 1e-9 from zero."""
    x = images(1)
    y = torch.conv2d(x.double(), parameters["conv1.weight"].double(), padding=1)
    moved = {name: tensor.double() for name, tensor in parameters.items()}
    moved["conv1.bias"] = moved["conv1.bias"].clone()
    moved["conv1.bias"][5] = 1e-9 - y[0, 5, 7, 7]
    assert kink_distances(moved, x).item() == pytest.approx(1e-9, rel=1e-3)


def test_equal_pixels_are_no_kink(parameters):
    """In an image of one colour all squares hold equal values; which one is chosen changes no gradient."""
    assert kink_distances(parameters, torch.full((1, 3, 32, 32), 0.3)).item() > 1e-6


def test_far_from_kinks_rounding_does_not_matter(parameters):
    """One float32 and one float64 gradient agree on the images that are chosen."""
    x = images(128)
    labels = torch.from_numpy(generate(128, seed=0, split=0)[1])
    best = kink_distances(parameters, x).argsort(descending=True)[:32]
    gradients = []
    for kind in (torch.float32, torch.float64):
        values = {name: tensor.to(kind).clone().requires_grad_() for name, tensor in parameters.items()}
        logits = plain_cnn.logits(values, x[best].to(kind))
        torch.nn.functional.cross_entropy(logits, labels[best]).backward()
        gradients.append([value.grad.double() for value in values.values()])
    for single, double in zip(*gradients, strict=True):
        assert (single - double).abs().max() < 2e-5 * double.abs().max()
