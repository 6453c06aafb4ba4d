import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from helpers import weights
from helpers.cell_runner import KernelSession
from helpers.compare import compare
from helpers.loss_curves import FLOOR, LossCurves, LossError, grey_crops, losses_of, write_task
from helpers.magic_arguments import parse_compare


def run_with(*losses):
    return SimpleNamespace(events=[{"event": "phase"}, *({"event": "step", "loss": loss} for loss in losses)])


def test_a_task_is_written_and_old_results_go(tmp_path):
    (tmp_path / "burn.safetensors").write_text("old")
    x, y = np.arange(6.0).reshape(3, 2), np.array([0, 1, 2])
    folder = write_task(tmp_path, x, y, {"w": torch.ones(2)}, steps=5, batch_size=2, learning_rate=0.5)
    settings = {"samples": 3, "inputs": 2, "batch_size": 2, "steps": 5, "learning_rate": 0.5}
    assert json.loads((folder / "task.json").read_text()) == settings
    samples = weights.load(folder / "samples.safetensors")
    assert samples["x"].dtype == samples["y"].dtype == torch.float32
    assert samples["x"].tolist() == x.tolist()
    assert samples["y"].tolist() == [0, 1, 2]
    assert weights.load(folder / "init.safetensors")["w"].tolist() == [1, 1]
    assert not (folder / "burn.safetensors").exists()


def test_grey_crops_keep_the_middle():
    images = np.zeros((1, 3, 32, 32), np.uint8)
    images[0, :, 2, 2] = 200, 100, 50  # the crop's first corner
    images[0, :, 0, 0] = 255
    grey = grey_crops(images)
    assert grey.shape == (1, 28, 28)
    assert grey[0, 0, 0] == round(0.299 * 200 + 0.587 * 100 + 0.114 * 50)
    assert grey.sum() == grey[0, 0, 0]


def test_equal_losses_pass_and_others_are_told(capsys):
    runs = {"pytorch": run_with(2.0, 1.0), "tch": run_with(2.0, 1.0), "burn": run_with(2.0, 1.0001)}
    curves = LossCurves.of(runs)
    curves.assert_equal(1e-3)
    assert "tch-rs  largest relative difference 0.0e+00" in capsys.readouterr().out
    with pytest.raises(LossError, match=r"Burn's loss in step 2 differs from PyTorch's by 1\.0e-04 of it"):
        curves.assert_equal(1e-5)


def test_a_loss_that_is_no_number_is_never_equal():
    with pytest.raises(LossError, match="Candle's loss in step 2"):
        LossCurves({"pytorch": np.array([1.0, 1.0]), "candle": np.array([1.0, np.nan])}).assert_equal(1.0)


def test_missing_losses_are_told():
    with pytest.raises(LossError, match="reported no losses"):
        losses_of(run_with())
    with pytest.raises(LossError, match="PyTorch did not run"):
        LossCurves.of({"tch": run_with(1.0)})
    with pytest.raises(LossError, match="tch-rs reported 1 losses, PyTorch 2"):
        LossCurves.of({"pytorch": run_with(1.0, 1.0), "tch": run_with(1.0)})


def test_the_figure_shows_all_engines_on_one_axis():
    losses = {"pytorch": np.array([2.0, 1.0]), "tch": np.array([2.0, 1.0]), "candle": np.array([2.0, 1.1])}
    curves, distances = LossCurves(losses).figure("A title", "mean squared error").axes
    assert [line.get_label() for line in curves.lines] == ["PyTorch", "tch-rs", "Candle"]
    assert curves.get_ylabel() == "mean squared error"
    assert distances.lines[0].get_ydata().tolist() == [FLOOR, FLOOR]
    assert distances.lines[1].get_ydata()[1] == pytest.approx(0.1)


def test_a_point_of_the_figure_can_stand_for_several_steps():
    losses = {"pytorch": np.array([4.0, 2.0, 1.0]), "tch": np.array([4.0, 1.0, 1.0])}
    curves, distances = LossCurves(losses).figure("A title", "loss", block=2).axes
    assert curves.lines[0].get_xdata().tolist() == [2, 3]
    assert curves.lines[0].get_ydata().tolist() == [3.0, 1.0]
    assert distances.lines[0].get_ydata().tolist() == [0.5, FLOOR]


REGRESSION = torch.nn.Linear(10, 1)
MLP = torch.nn.Sequential(
    torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10)
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "network", "inputs", "rate"),
    [("linear_regression", REGRESSION, 10, 1e-3), ("mlp", MLP, 784, 1e-2)],
    ids=["linear_regression", "mlp"],
)
def test_five_engines_give_equal_losses(tmp_path, program, network, inputs, rate):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((70, inputs))  # the last batch is smaller
    y = rng.integers(0, 10, 70)
    write_task(tmp_path, x, y, network.state_dict(), steps=20, batch_size=32, learning_rate=rate)
    session = KernelSession()
    try:
        runs = compare(parse_compare(f"src/bin/{program}.rs --device cpu -- '{tmp_path}'"), session)
    finally:
        session.release()
    assert list(runs) == ["pytorch", "tch", "candle", "burn", "dfdx"]
    LossCurves.of(runs).assert_equal(1e-5)
    if program == "mlp":
        expected = weights.load(tmp_path / "pytorch.safetensors")
        for engine in runs:
            found = weights.load(tmp_path / f"{engine}.safetensors")
            for name, value in expected.items():
                torch.testing.assert_close(found[name], value, rtol=1e-4, atol=1e-6)
            assert found.keys() == expected.keys()
