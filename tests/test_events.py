import math

import pytest

from helpers.events import Epoch, EventError, Metric, Phase, RunStarted, Step, parse_event

EVENTS = [
    ({"event": "run_started", "engine": "candle", "device": "cpu", "threads": 2, "parameters": 60362}, RunStarted),
    ({"event": "phase", "name": "load_data", "seconds": 0.02}, Phase),
    ({"event": "step", "epoch": 1, "step": 12, "steps": 63, "loss": 2.1}, Step),
    (
        {
            "event": "epoch",
            "epoch": 1,
            "train_loss": 1.9,
            "test_loss": 1.7,
            "test_accuracy": 0.41,
            "train_seconds": 4.0,
            "images": 4000,
        },
        Epoch,
    ),
    ({"event": "metric", "name": "anything", "value": 1.0}, Metric),
]


@pytest.mark.parametrize(("raw", "kind"), EVENTS, ids=lambda value: getattr(value, "__name__", ""))
def test_each_kind_becomes_its_own_type_and_back(raw, kind):
    event = parse_event(raw)
    assert type(event) is kind
    assert event.model_dump() == raw


def test_an_epoch_knows_its_speed():
    assert parse_event(EVENTS[3][0]).images_per_second == 1000


def test_a_loss_that_is_no_number_arrives_as_null():
    assert math.isnan(parse_event({"event": "step", "epoch": 1, "step": 1, "steps": 1, "loss": None}).loss)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"event": "epok"}, "epok"),
        ({}, "event"),
        ({"event": "phase", "name": "load_data"}, "phase.seconds"),
        ({"event": "phase", "name": "load_data", "seconds": 1, "colour": 2}, "phase.colour"),
        ({"event": "step", "epoch": 0, "step": 1, "steps": 1, "loss": 1}, "step.epoch"),
    ],
)
def test_a_wrong_event_is_named(raw, words):
    with pytest.raises(EventError, match="cannot be read") as caught:
        parse_event(raw)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
