"""The events that an engine sends while it runs: one JSON object a line.

Every engine, in Python or in Rust, sends the same five kinds. Counts of epochs and steps start at 1, seconds are
wall-clock seconds, accuracies go from 0 to 1. A loss that is no longer a number arrives as `null` (JSON has no NaN)
and becomes NaN here.
"""

import math
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from helpers.errors import WorkbookError

Number = Annotated[float, BeforeValidator(lambda value: math.nan if value is None else value)]
Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0)]


class EventError(WorkbookError):
    """A program sent an event that is not one of the five kinds."""


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunStarted(_Event):
    """The engine has read its settings; `parameters` is the number of trained values."""

    event: Literal["run_started"] = "run_started"
    engine: str
    device: str
    threads: Count
    parameters: Count


class Phase(_Event):
    """A part of the run other than training took `seconds`: load_data, load_weights, save_weights."""

    event: Literal["phase"] = "phase"
    name: str
    seconds: Seconds


class Step(_Event):
    """One batch is done; `loss` is its mean loss before the step."""

    event: Literal["step"] = "step"
    epoch: Count
    step: Count
    steps: Count
    loss: Number


class Epoch(_Event):
    """One epoch is done. `train_seconds` covers the training batches only, not the evaluation."""

    event: Literal["epoch"] = "epoch"
    epoch: Count
    train_loss: Number
    test_loss: Number
    test_accuracy: Number
    train_seconds: Annotated[float, Field(gt=0)]
    images: Count

    @property
    def images_per_second(self) -> float:
        """Training images a second in this epoch."""
        return self.images / self.train_seconds


class Metric(_Event):
    """Any other number that a program wants to report."""

    event: Literal["metric"] = "metric"
    name: str
    value: Number


Event = RunStarted | Phase | Step | Epoch | Metric

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def parse_event(event: dict) -> Event:
    """Turn one decoded line into a typed event.

    Raises:
        EventError: The kind is unknown, or a field is missing, unknown or of a wrong type; the message names it.
    """
    try:
        return _ADAPTER.validate_python(event)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EventError(
            f"The program sent an event that cannot be read ({where or 'event'}: {first['msg']})."
        ) from None
