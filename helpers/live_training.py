"""Progress and curves while engines train.

Where a person watches, a line with a bar follows the engine at work and one figure grows with every epoch. Where
nobody does (a notebook run by papermill, nbval or nbconvert, or with `WORKBOOK_PROFILE` set), nothing is shown until
one final figure, so that the notebook's output is the same every time.
"""

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from IPython import get_ipython
from IPython.display import DisplayHandle, display
from matplotlib.figure import Figure

from helpers.build_progress import REDRAW_SECONDS, Screen, default_screen
from helpers.cifar10 import Source
from helpers.engines import ENGINES
from helpers.events import Epoch, Event, Step, parse_event
from helpers.plots import training_curves
from helpers.units import whole_seconds

DRAWING_SHARE = 0.03  # of the time: drawing takes a core from the engine that is being measured


def has_kernel() -> bool:
    """Tell whether this code runs in a notebook's kernel, which can show figures."""
    return getattr(get_ipython(), "kernel", None) is not None


def is_watched() -> bool:
    """Tell whether a person watches: an open notebook or a terminal, and no automatic run."""
    if os.environ.get("WORKBOOK_PROFILE") or os.environ.get("CI"):
        return False
    if has_kernel():
        # A front end with a person before it allows the kernel to ask questions; nbclient and nbval do not.
        return bool(getattr(get_ipython().kernel, "_allow_stdin", True))
    return sys.stderr.isatty()


class LiveTraining:
    """Shows the training of one engine after the other; a context manager.

    Call `start` before each engine and pass its events to `receive`, as objects or as decoded JSON. So it serves
    child processes and a training loop in the notebook alike:

        with LiveTraining(data.source, epochs=10) as live:
            live.start("pytorch")
            train(model, train_set, test_set, order, config, emit=live.receive)

    Attributes:
        histories: The epochs so far, for each engine its first run.
        figure: The final figure, once the block has ended and at least one epoch was seen.
    """

    def __init__(
        self,
        source: Source,
        *,
        epochs: int,
        watched: bool | None = None,
        make_screen: Callable[[], Screen] = default_screen,
    ) -> None:
        """Prepare; nothing is shown yet.

        Args:
            source: Where the images come from; the figure says so.
            epochs: Epochs of every engine.
            watched: Show progress; None finds out by `is_watched`.
            make_screen: Makes the place for the line of progress.
        """
        self.source = source
        self.epochs = epochs
        self.watched = is_watched() if watched is None else watched
        self.histories: dict[str, list[Epoch]] = {}
        self.figure: Figure | None = None
        self._make_screen = make_screen
        self._progress: _Progress | None = None
        self._engine = ""
        self._first_run = True
        self._place: DisplayHandle | None = None
        self._next_drawing = 0.0

    def __enter__(self) -> Self:
        """Begin to show."""
        return self

    def start(self, engine: str, turn: str = "") -> None:
        """Announce the engine whose events come next; `turn` is shown beside its name, such as `2/5`."""
        self._close_progress()
        self._engine = engine
        self._first_run = engine not in self.histories
        self.histories.setdefault(engine, [])
        if self.watched:
            title = ENGINES[engine].title + (f" ({turn})" if turn else "")
            self._progress = _Progress(title, self.epochs, self._make_screen())

    def receive(self, event: Event | dict[str, Any]) -> None:
        """Take one event of the engine at work."""
        event = parse_event(event) if isinstance(event, dict) else event
        if isinstance(event, Epoch) and self._first_run:
            self.histories[self._engine].append(event)
        if self._progress is not None:
            self._progress.take(event)
            if isinstance(event, Epoch):
                self._draw_now_and_then()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the line away; after a run without error leave the one final figure."""
        self._close_progress()
        if kind is None and any(self.histories.values()):
            self._draw()

    def _close_progress(self) -> None:
        if self._progress is not None:
            self._progress.screen.close("")
            self._progress = None

    def _draw_now_and_then(self) -> None:
        start = time.perf_counter()
        if start >= self._next_drawing and has_kernel():
            self._draw()
            end = time.perf_counter()
            self._next_drawing = end + (end - start) / DRAWING_SHARE

    def _draw(self) -> None:
        seen = {engine: epochs for engine, epochs in self.histories.items() if epochs}
        self.figure = training_curves(seen, source=self.source, epochs=self.epochs)
        if not has_kernel():
            return
        if self._place is None:
            self._place = display(self.figure, display_id=True)
        else:
            self._place.update(self.figure)


class _Progress:
    """The line for one engine: `Candle (2/5): epoch 3 of 10, batch 12 of 63 · 21 s left · loss 1.412`."""

    def __init__(self, title: str, epochs: int, screen: Screen) -> None:
        self.title, self.epochs, self.screen = title, epochs, screen
        self.accuracy = ""
        self.started: float | None = None  # at the first step: loading is not training
        self.shown = 0.0

    def take(self, event: Event) -> None:
        """Show a step, unless the line has just been shown; keep an epoch's accuracy for the next line."""
        now = time.perf_counter()
        if isinstance(event, Epoch):
            self.accuracy = f"test accuracy {event.test_accuracy:.1%}"
        elif isinstance(event, Step):
            self.started = self.started or now
            if now - self.shown >= REDRAW_SECONDS:
                self.shown = now
                self.screen.show(*self.line(event, now - self.started))

    def line(self, step: Step, seconds: float) -> tuple[str, float]:
        """The text, and the finished part of the training from 0 to 1."""
        done = ((step.epoch - 1) * step.steps + step.step) / (step.steps * self.epochs)
        # The first step is where the clock starts, so it does not count.
        counted = done - 1 / (step.steps * self.epochs)
        left = f"{whole_seconds(seconds / counted * (1 - done))} left" if counted > 0 else ""
        place = f"{self.title}: epoch {step.epoch} of {self.epochs}, batch {step.step} of {step.steps}"
        return " · ".join(filter(None, (place, left, f"loss {step.loss:.3f}", self.accuracy))), done
