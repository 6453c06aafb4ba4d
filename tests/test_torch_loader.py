import sys

import numpy as np
import pytest

from helpers.cifar10 import MEAN, STD, normalise
from helpers.paths import SNIPPETS


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.syspath_prepend(str(SNIPPETS / "pytorch"))
    names = ("common", "data", "loader")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    import data
    import loader

    yield data, loader
    for name in names:
        sys.modules.pop(name, None)


def test_an_item_is_the_normalised_image_and_its_label(modules, tmp_path):
    data, loader = modules
    images = np.random.default_rng(0).integers(0, 256, (3, 3, 32, 32), np.uint8)
    labels = np.array([[4], [0], [9]], np.uint8)
    path = tmp_path / "train.bin"
    path.write_bytes(np.concatenate([labels, images.reshape(3, -1)], axis=1).tobytes())
    dataset = loader.CifarImages(data.CifarSet.read(path, 3), MEAN, STD)
    assert len(dataset) == 3
    image, label = dataset[2]
    assert np.array_equal(image.numpy(), normalise(images)[2])
    assert int(label) == 9
