import html
import re

import plain_cnn
import pytest
import torch

from helpers import parity, weights
from helpers.cifar10 import Cifar10, Source, Split
from helpers.engines import RUST_ENGINES
from helpers.parity import ParityError, ParityReport, check_parity, compare
from helpers.synthetic_cifar10 import generate
from helpers.training import TrainingError, create_run


@pytest.fixture
def reference():
    generator = torch.Generator().manual_seed(0)
    tensors = {"logits": torch.randn(4, 10, generator=generator), "loss": torch.tensor([2.3])}
    for name, shape in weights.PARAMETER_SHAPES.items():
        tensors[f"grad.{name}"] = torch.randn(shape, generator=generator)
    return tensors


def report(reference, candidate):
    return ParityReport(tuple(compare("candle", 4, reference, candidate)))


def test_equal_results_pass(reference):
    result = report(reference, {name: tensor.clone() for name, tensor in reference.items()})
    assert result.ok
    result.assert_ok()
    assert "wb-error" not in result.to_html().partition("</style>")[2]
    assert "Candle against PyTorch: all within tolerance." in str(result)


def test_rounding_noise_passes(reference):
    noisy = {name: tensor + 1e-5 * torch.rand_like(tensor) for name, tensor in reference.items()}
    assert report(reference, noisy).ok


def test_a_wrong_gradient_is_red_and_named(reference):
    """A quarter of the gradient of the first convolution, as a wrong max-pool would give."""
    wrong = reference | {"grad.conv1.weight": reference["grad.conv1.weight"] / 4}
    result = report(reference, wrong)
    assert not result.ok
    with pytest.raises(ParityError) as caught:
        result.assert_ok()
    message = str(caught.value)
    assert "Candle, batch 4: the gradient of conv1.weight and PyTorch's differ by 7.5e-01 relative" in message
    assert message.count("differ by") == 1
    body = result.to_html().partition("</style>")[2]
    red = re.findall(r'<th scope="row">((?:(?!</th>).)*)</th><td class="wb-error"[^>]*>([^<]*)</td>', body)
    assert red == [("gradient of <code>conv1.weight</code>", "7.5e-01 ✗")]
    assert body.count("wb-good") == 7
    line = next(line for line in str(result).splitlines() if line.startswith("grad.conv1.weight"))
    assert line.endswith("!! 7.5e-01")


@pytest.mark.parametrize(
    ("quantity", "candidate", "words"),
    [
        ("logits", torch.zeros(2, 10), "the logits: shape [2, 10], not [4, 10]"),
        ("logits", torch.full((4, 10), float("nan")), "the logits and PyTorch's differ by nan"),
        ("loss", torch.tensor([2.3002]), "the loss and PyTorch's differ by 2.0e-04 (at most 1e-04 allowed)"),
        ("grad.fc.bias", None, "the gradient of fc.bias: missing"),
        ("grad.fc.bias", torch.full((10,), float("inf")), "the gradient of fc.bias and PyTorch's differ by inf"),
    ],
)
def test_what_cannot_be_equal_is_named(reference, quantity, candidate, words):
    tensors = dict(reference)
    if candidate is None:
        del tensors[quantity]
    else:
        tensors[quantity] = candidate
    result = report(reference, tensors)
    with pytest.raises(ParityError, match=re.escape(words)):
        result.assert_ok()
    assert words in html.unescape(result.to_html())


def test_a_gradient_of_zeros_needs_zeros(reference):
    zeros = reference | {"grad.fc.bias": torch.zeros(10)}
    assert report(zeros, dict(zeros)).ok
    assert not report(zeros, zeros | {"grad.fc.bias": torch.full((10,), 1e-6)}).ok


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    data = Cifar10(
        Split(*generate(300, seed=0, split=0)), Split(*generate(10, seed=0, split=1)), Source("synthetic", "s", "s")
    )
    return create_run(tmp_path_factory.mktemp("run"), data, epochs=1, batch_size=16, threads=2)


def test_a_batch_larger_than_the_training_set_is_refused(run):
    with pytest.raises(TrainingError, match="A parity batch of 301 does not fit 300 training images"):
        check_parity(run.folder, ["tch"], batch_sizes=(301,))


@pytest.mark.slow
def test_the_batch_is_what_the_order_says_and_old_files_do_not_count(run, monkeypatch):
    """PyTorch's program runs; the other engine is a stand-in that writes PyTorch's own result, or nothing."""
    real = parity.execute
    seen = {}

    def stand_in(name, parity_run):
        if name == "pytorch":
            real(name, parity_run)
        else:
            seen[parity_run.config.batch_size] = weights.load(parity_run.output / "pytorch.parity.safetensors")
            weights.save(parity_run.output / f"{name}.parity.safetensors", seen[parity_run.config.batch_size])

    monkeypatch.setattr(parity, "execute", stand_in)
    result = check_parity(run.folder, ["pytorch", "tch"], batch_sizes=(5,))
    result.assert_ok()
    assert {(row.engine, row.batch_size) for row in result.rows} == {("tch", 5)}
    assert {name: tuple(tensor.shape) for name, tensor in seen[5].items()} == {
        "logits": (5, 10),
        "loss": (1,),
        **{f"grad.{name}": shape for name, shape in weights.PARAMETER_SHAPES.items()},
    }

    order = weights.load(run.folder / "parity-5" / "order.safetensors")["order"][0]
    assert order.sort().values.tolist() == list(range(300))
    order = order[:5]
    images, labels = (torch.from_numpy(array)[order] for array in generate(300, seed=0, split=0))
    x = plain_cnn.normalised(images, run.config.mean, run.config.std)
    logits = plain_cnn.logits(weights.load_parameters(run.folder / run.config.init), x)
    assert torch.allclose(logits, seen[5]["logits"], atol=1e-5)
    loss = torch.nn.functional.cross_entropy(seen[5]["logits"], labels)
    assert torch.allclose(loss, seen[5]["loss"][0])
    bias_gradient = (seen[5]["logits"].softmax(1) - torch.nn.functional.one_hot(labels, 10)).mean(0)
    assert torch.allclose(bias_gradient, seen[5]["grad.fc.bias"], atol=1e-6)

    monkeypatch.setattr(
        parity, "execute", lambda name, parity_run: real(name, parity_run) if name == "pytorch" else None
    )
    with pytest.raises(weights.WeightError, match=r"tch\.parity\.safetensors is missing"):
        check_parity(run.folder, ["tch"], batch_sizes=(5,))


@pytest.mark.slow
@pytest.mark.parametrize("engine", RUST_ENGINES)
def test_every_engine_computes_what_pytorch_computes(run, engine):
    check_parity(run.folder, [engine], batch_sizes=(1, 64)).assert_ok()
