import dataclasses
import json
import sys
import textwrap

import plain_cnn
import pytest
import torch

from helpers import training, weights
from helpers.cifar10 import Cifar10, Source, Split
from helpers.engines import ENGINES
from helpers.environment import _cgroup_quota
from helpers.events import Step
from helpers.synthetic_cifar10 import generate
from helpers.training import EngineError, TrainConfig, TrainingError, TrainingRun, create_run, run_all, run_engine

SOURCE = Source("synthetic", "generated images", "synthetic images, not CIFAR-10")


def tiny_data(train=40, test=20):
    return Cifar10(Split(*generate(train, seed=0, split=0)), Split(*generate(test, seed=0, split=1)), SOURCE)


@pytest.fixture
def run(tmp_path):
    return create_run(tmp_path / "run", tiny_data(), epochs=2, batch_size=16, threads=1)


def test_a_run_folder_holds_all_that_an_engine_needs(run):
    config = TrainConfig.read(run.run_json)
    assert config == run.config
    assert (config.train_size, config.test_size, config.epochs, config.batch_size) == (40, 20, 2, 16)
    assert (run.folder / config.train_bin).stat().st_size == 40 * 3073
    assert (run.folder / config.test_bin).stat().st_size == 20 * 3073
    assert set(weights.load_parameters(run.folder / config.init)) == set(weights.PARAMETER_SHAPES)
    assert weights.load(run.folder / config.order)["order"].shape == (2, 40)
    assert run.output.is_dir()
    assert not list(run.folder.rglob("*.part"))


def test_the_same_seed_makes_the_same_run(run, tmp_path):
    again = create_run(tmp_path / "again", tiny_data(), epochs=2, batch_size=16, threads=1)
    for name in ("init.safetensors", "order.safetensors", "train.bin", "run.json"):
        assert (run.folder / name).read_bytes() == (again.folder / name).read_bytes(), name
    other = create_run(tmp_path / "other", tiny_data(), epochs=2, batch_size=16, threads=1, seed=1)
    assert (run.folder / "init.safetensors").read_bytes() != (other.folder / "init.safetensors").read_bytes()


def test_an_opened_run_is_the_one_that_was_written(run):
    assert TrainingRun.open(run.folder) == run
    (run.folder / "source.json").unlink()
    with pytest.raises(TrainingError, match=r"source\.json is missing or wrong"):
        TrainingRun.open(run.folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": "red"}, "there is no setting `colour`"),
        ({"epochs": 0}, "`epochs` is 0"),
        ({"epochs": "3"}, "`epochs` is '3'"),
        ({"epochs": True}, "`epochs` is True"),
        ({"batch_size": 2.5}, "`batch_size` is 2.5"),
        ({"device": "tpu"}, "`device` is 'tpu'"),
        ({"learning_rate": -1}, "`learning_rate` is -1"),
        ({"std": [0.2, 0.2, 0]}, "`std.2` is 0"),
        ({"init": None}, "`init` is None"),
    ],
)
def test_a_wrong_setting_in_run_json_is_named(run, change, words):
    content = json.loads(run.run_json.read_text()) | change
    run.run_json.write_text(json.dumps(content))
    with pytest.raises(TrainingError) as caught:
        TrainConfig.read(run.run_json)
    assert words in str(caught.value)
    assert "run.json" in str(caught.value)


def test_a_missing_setting_and_a_missing_file_are_named(run):
    content = json.loads(run.run_json.read_text())
    del content["threads"]
    run.run_json.write_text(json.dumps(content))
    with pytest.raises(TrainingError, match="the setting `threads` is missing"):
        TrainConfig.read(run.run_json)
    with pytest.raises(TrainingError, match="cannot be read"):
        TrainConfig.read(run.folder / "walk.json")


def test_more_images_than_there_are_is_refused(tmp_path):
    with pytest.raises(TrainingError, match="train_size is 41, but only 40 such images are loaded"):
        create_run(tmp_path, tiny_data(), epochs=1, batch_size=4, train_size=41)


def test_wrong_arguments_are_refused_before_anything_is_written(tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(TrainingError, match="`batch_size` is 0"):
        create_run(folder, tiny_data(), epochs=1, batch_size=0)
    assert not folder.exists()


def test_the_pytorch_program_knows_the_same_settings():
    sys.path.insert(0, str(ENGINES["pytorch"].package))
    try:
        from common import Config
    finally:
        sys.path.pop(0)
    assert [field.name for field in dataclasses.fields(Config)] == list(TrainConfig.model_fields)


def test_a_container_quota_limits_the_cores(tmp_path):
    file = tmp_path / "cpu.max"
    for text, cores in (("200000 100000", 2), ("50000 100000", 1), ("max 100000", None), ("", None)):
        file.write_text(text)
        assert _cgroup_quota(file) == cores
    assert _cgroup_quota(tmp_path / "none") is None


# The engines below are small Python programs in the place of the real ones.

WELL = """
    def epoch(number):
        send(event="step", epoch=number, step=1, steps=1, loss=2.0)
        losses = {"train_loss": 2.0, "test_loss": 2.0, "test_accuracy": 0.5}
        send(event="epoch", epoch=number, train_seconds=0.1, images=40, **losses)
    threads = int(os.environ["RAYON_NUM_THREADS"])
    send(event="run_started", engine="tch", device="cpu", threads=threads, parameters=60362)
    epoch(1)
"""
PREFIX = """
    import json, os, sys
    def send(**event):
        os.write(int(os.environ["WORKBOOK_EVENTS_FD"]), (json.dumps(event) + "\\n").encode())
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Replace the program of every engine by Python code."""

    def replace(code):
        script = tmp_path / "engine.py"
        script.write_text(textwrap.dedent(PREFIX) + textwrap.dedent(WELL) + textwrap.dedent(code))

        def program(name, *, cuda=False, on_progress=None):
            return [sys.executable, str(script), name]

        monkeypatch.setattr(training, "engine_program", program)

    return replace


def test_an_engine_gets_its_threads_and_its_events_come_back(run, stand_in):
    stand_in("epoch(2); send(event='phase', name='load_data', seconds=0.5)")
    seen = []
    result = run_engine("tch", run, on_event=seen.append)
    assert (result.engine, result.device, result.threads, result.parameters) == ("tch", "cpu", 1, 60362)
    assert result.images_per_second == [400, 400]
    assert result.warm_images_per_second == [400]
    assert result.test_accuracy == 0.5
    assert result.phases == {"load_data": 0.5}
    assert result.wall_seconds > 0
    assert sum(isinstance(event, Step) for event in seen) == 2


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "sys.exit('Error: no such file: walk.bin')",
            ["exit code 1 after 1 of 2 epochs", "Error: no such file: walk.bin"],
        ),
        (
            "os.kill(os.getpid(), 9)",
            ["signal 9 (SIGKILL); probably out of memory after 1 of 2 epochs", "printed nothing"],
        ),
        ("print('bye')", ["did not report all of its work after 1 of 2 epochs", "bye"]),
        ("print(*range(99), sep='\\n', file=sys.stderr); sys.exit(3)", ["exit code 3", "\n87\n", "98"]),
    ],
)
def test_a_failed_engine_speaks_its_own_last_words(run, stand_in, code, words):
    stand_in(code)
    with pytest.raises(EngineError) as caught:
        run_engine("candle", run)
    assert str(caught.value).startswith("Candle ")
    for word in words:
        assert word in str(caught.value)
    assert "\n86\n" not in str(caught.value)


def test_an_unreadable_event_stops_the_run(run, stand_in):
    stand_in("send(event='epoch', epoch=2)")
    with pytest.raises(training.WorkbookError, match="sent an event that cannot be read"):
        run_engine("tch", run)


def test_rounds_are_interleaved_and_begin_with_another_engine(run, stand_in, tmp_path):
    stand_in(f"epoch(2); open({str(tmp_path / 'log')!r}, 'a').write(sys.argv[1] + ' ')")
    comparison = run_all(["pytorch", "tch", "burn"], run, rounds=2, live=False)
    assert (tmp_path / "log").read_text().split() == ["pytorch", "tch", "burn", "tch", "burn", "pytorch"]
    assert list(comparison.results) == ["pytorch", "tch", "burn"]
    assert comparison.throughput("burn").samples == (400, 400)
    (tmp_path / "log").unlink()
    run_all(["pytorch", "tch"], run, rounds=2, interleave=False, live=False)
    assert (tmp_path / "log").read_text().split() == ["pytorch", "pytorch", "tch", "tch"]


def test_the_table_shows_ratio_and_says_that_images_are_synthetic(run, stand_in):
    stand_in("epoch(2)")
    comparison = run_all(["pytorch", "tch"], run, live=False)
    text, page = str(comparison), comparison._repr_html_()
    for shown in (text, page):
        assert "tch-rs" in shown
        assert "400 (400 to 400)" in shown
        assert "synthetic images, not CIFAR-10" in shown
    assert comparison.rows()[1]["x PyTorch"] == "1.00"


@pytest.mark.parametrize(
    ("names", "rounds", "words"),
    [
        (["pytorch", "jax"], 1, "There is no engine 'jax'"),
        ([], 1, "at least one"),
        (["tch", "tch"], 1, "each engine once"),
        (["pytorch"], 0, "rounds is 0"),
    ],
)
def test_wrong_requests_are_refused(run, names, rounds, words):
    with pytest.raises(TrainingError, match=words):
        run_all(names, run, rounds=rounds)


# The real PyTorch program.


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    run = create_run(tmp_path_factory.mktemp("run"), tiny_data(), epochs=2, batch_size=16, threads=1)
    return run, run_engine("pytorch", run)


def test_pytorch_trains_in_a_process_of_its_own(trained):
    run, result = trained
    assert (result.device, result.threads, result.parameters) == ("cpu", 1, 60362)
    assert [epoch.epoch for epoch in result.epochs] == [1, 2]
    assert [epoch.images for epoch in result.epochs] == [40, 40]
    assert set(result.phases) == {"load_data", "load_weights", "save_weights"}
    assert result.peak_rss_bytes > 50e6
    assert result.output.splitlines()[1].startswith("pytorch epoch  2/2  train loss ")
    first, last = weights.load_parameters(run.folder / run.config.init), weights.load_parameters(result.weights)
    assert not any(torch.equal(first[name], last[name]) for name in first)


def test_pytorch_does_the_work_that_run_json_describes(trained):
    """The same training, written down once more with torch alone, reaches the same weights."""
    run, result = trained
    torch.set_num_threads(1)
    start = weights.load_parameters(run.folder / run.config.init)
    parameters = {name: tensor.requires_grad_() for name, tensor in start.items()}
    images, labels = (torch.from_numpy(array) for array in generate(40, seed=0, split=0))
    x = plain_cnn.normalised(images, run.config.mean, run.config.std)
    optimizer = torch.optim.Adam(parameters.values(), lr=run.config.learning_rate)
    for order in weights.load(run.folder / run.config.order)["order"]:
        for index in order.split(16):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(plain_cnn.logits(parameters, x[index]), labels[index]).backward()
            optimizer.step()
    for name, tensor in weights.load_parameters(result.weights).items():
        assert torch.allclose(tensor, parameters[name], atol=1e-5), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": "red"}, "unknown field `colour`"),
        ({"train_size": 41}, "holds 40 whole records; 41 were asked for"),
        ({"epochs": 3}, "order.safetensors: shape [2, 40], not [3, 40]"),
        ({"init": "walk.safetensors"}, "walk.safetensors is missing"),
        ({"learning_rate": 1e30}, "try a lower learning rate"),
    ],
)
def test_pytorch_refuses_a_wrong_run_in_one_line(run, change, words):
    run.run_json.write_text(json.dumps(json.loads(run.run_json.read_text()) | change))
    with pytest.raises(EngineError) as caught:
        run_engine("pytorch", run)
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)


@pytest.mark.slow
def test_pytorch_names_a_wrong_label(run):
    path = run.folder / run.config.train_bin
    content = bytearray(path.read_bytes())
    content[7 * 3073] = 12
    path.write_bytes(content)
    with pytest.raises(EngineError, match=r"train\.bin: record 7 has label 12; labels go from 0 to 9"):
        run_engine("pytorch", run)
