"""PyTorch loads weights by name and judges the run's own test images."""

import pytest
import torch

from helpers import weights
from helpers.cifar10 import Cifar10, Source, Split
from helpers.synthetic_cifar10 import generate
from helpers.training import create_run
from helpers.weight_exchange import accuracy_in_pytorch, pytorch_network
from helpers.weights import WeightError


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    source = Source("synthetic", "generated", "synthetic images")
    data = Cifar10(*(Split(*generate(64, seed=0, split=split)) for split in (0, 1)), source)
    return create_run(tmp_path_factory.mktemp("run"), data, epochs=1, batch_size=32)


def test_a_constant_network_gets_the_share_of_its_class(run):
    tensors = {name: torch.zeros_like(tensor) for name, tensor in weights.initial_weights(0).items()}
    tensors["fc.bias"][3] = 1
    weights.save(run.folder / "three.safetensors", tensors)
    labels = (run.folder / run.config.test_bin).read_bytes()[:: 1 + 3072][:64]
    assert accuracy_in_pytorch(run, run.folder / "three.safetensors") == labels.count(3) / 64


def test_foreign_weights_are_refused_by_name(run):
    with pytest.raises(WeightError, match=r"order\.safetensors"):
        pytorch_network(run.folder / run.config.order)
