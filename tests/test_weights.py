import pytest
import torch

from helpers import weights


def test_initial_weights_are_pytorchs_own_and_repeatable():
    state = torch.random.get_rng_state()
    first, again, other = (weights.initial_weights(seed) for seed in (3, 3, 4))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert {name: tuple(tensor.shape) for name, tensor in first.items()} == weights.PARAMETER_SHAPES
    assert sum(tensor.numel() for tensor in first.values()) == weights.PARAMETER_COUNT
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not any(torch.equal(first[name], other[name]) for name in first)
    bound = 1 / (3 * 3 * 3) ** 0.5  # PyTorch draws a convolution's weights from +-1/sqrt(inputs)
    assert 0.9 * bound < first["conv1.weight"].abs().max() <= bound


def test_the_order_permutes_every_epoch_anew():
    order = weights.image_order(0, 3, 50)
    assert order.dtype == torch.int64
    assert torch.equal(order.sort(dim=1).values, torch.arange(50).expand(3, 50))
    assert not torch.equal(order[0], order[1])
    assert torch.equal(order, weights.image_order(0, 3, 50))
    assert not torch.equal(order, weights.image_order(1, 3, 50))


def test_a_longer_run_begins_like_a_shorter_one():
    assert torch.equal(weights.image_order(7, 2, 40), weights.image_order(7, 5, 40)[:2])


def test_what_is_saved_is_loaded(tmp_path):
    parameters = weights.initial_weights(0)
    weights.save(tmp_path / "w.safetensors", parameters)
    loaded = weights.load_parameters(tmp_path / "w.safetensors")
    assert all(torch.equal(parameters[name], loaded[name]) for name in parameters)
    assert [path.name for path in tmp_path.iterdir()] == ["w.safetensors"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "w.safetensors"
    path.write_bytes(b"old")
    monkeypatch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        weights.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["w.safetensors"]


def damaged(parameters, kind):
    if kind == "missing":
        del parameters["fc.bias"]
    elif kind == "unknown":
        parameters["fc2.bias"] = torch.zeros(10)
    elif kind == "shape":
        parameters["fc.weight"] = torch.zeros(10, 2304)
    elif kind == "type":
        parameters["conv1.bias"] = parameters["conv1.bias"].double()
    return parameters


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "lacks the parameter fc.bias"),
        ("unknown", "holds fc2.bias"),
        ("shape", r"fc.weight is float32 \[10, 2304\]; the network needs float32 \[10, 4096\]"),
        ("type", "conv1.bias is float64"),
    ],
)
def test_other_tensors_than_the_networks_are_named(tmp_path, kind, words):
    path = tmp_path / "w.safetensors"
    weights.save(path, damaged(weights.initial_weights(0), kind))
    with pytest.raises(weights.WeightError, match=words):
        weights.load_parameters(path)


def test_a_missing_or_cut_file_is_named(tmp_path):
    path = tmp_path / "w.safetensors"
    with pytest.raises(weights.WeightError, match=r"w\.safetensors is missing"):
        weights.load(path)
    weights.save(path, weights.initial_weights(0))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(weights.WeightError, match=r"w\.safetensors .* is not a whole safetensors file"):
        weights.load(path)
