"""Progress and curves while engines train.

Where a person watches, a bar counts the batches of the engine at work and one figure grows with every epoch. Where
nobody does (a notebook run by papermill, nbval or nbconvert, or with `WORKBOOK_PROFILE` set), nothing is shown until
one final figure, so that the notebook's output is the same every time.
"""

import os
import sys
import time
from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.display import DisplayHandle, display
from matplotlib.figure import Figure
from tqdm.auto import tqdm

from helpers.cifar10 import Source
from helpers.engines import ENGINES
from helpers.events import Epoch, Event, Step, parse_event
from helpers.plots import training_curves

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

    def __init__(self, source: Source, *, epochs: int, watched: bool | None = None) -> None:
        """Prepare; nothing is shown yet.

        Args:
            source: Where the images come from; the figure says so.
            epochs: Epochs of every engine.
            watched: Show progress; None finds out by `is_watched`.
        """
        self.source = source
        self.epochs = epochs
        self.watched = is_watched() if watched is None else watched
        self.histories: dict[str, list[Epoch]] = {}
        self.figure: Figure | None = None
        self._engine = ""
        self._first_run = True
        self._bar: tqdm | None = None
        self._place: DisplayHandle | None = None
        self._next_drawing = 0.0

    def __enter__(self) -> "LiveTraining":
        """Begin to show."""
        return self

    def start(self, engine: str, turn: str = "") -> None:
        """Announce the engine whose events come next; `turn` is shown beside its name, such as `2/5`."""
        self._close_bar()
        self._engine = engine
        self._first_run = engine not in self.histories
        self.histories.setdefault(engine, [])
        if self.watched:
            title = ENGINES[engine].title + (f" ({turn})" if turn else "")
            self._bar = tqdm(desc=title, unit="batch", leave=False, mininterval=0.5, dynamic_ncols=True)

    def receive(self, event: Event | dict[str, Any]) -> None:
        """Take one event of the engine at work."""
        event = parse_event(event) if isinstance(event, dict) else event
        if isinstance(event, Step) and self._bar is not None:
            if self._bar.total is None:
                self._bar.reset(total=event.steps * self.epochs)
            self._bar.update()
        elif isinstance(event, Epoch):
            if self._first_run:
                self.histories[self._engine].append(event)
            if self._bar is not None:
                self._bar.set_postfix_str(
                    f"epoch {event.epoch}/{self.epochs}, loss {event.test_loss:.3f}, accuracy {event.test_accuracy:.3f}"
                )
                self._draw_now_and_then()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the bar away; after a run without error leave the one final figure."""
        self._close_bar()
        if kind is None and any(self.histories.values()):
            self._draw()

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

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
