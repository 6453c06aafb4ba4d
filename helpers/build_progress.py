"""Shows how far a build is: one line that updates itself, and afterwards one line or nothing."""

import contextvars
import os
import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from helpers.html_theme import escape
from helpers.units import whole_seconds

if TYPE_CHECKING:
    from helpers.cargo import BuildProgress

SHOW_AFTER = 1.5  # seconds; a cell that builds faster shows nothing
FINAL_LINE_AFTER = 5.0  # seconds; shorter builds leave no line behind
REDRAW_SECONDS = 0.25


class Screen(Protocol):
    """Where the line is shown."""

    def show(self, text: str, fraction: float | None) -> None:
        """Show the line; `fraction` is the finished part from 0 to 1, None while it is not known."""

    def close(self, final: str) -> None:
        """Replace the line by the final one; by nothing if it is empty."""


class BuildProgressDisplay:
    """Context manager that shows a build's progress; its value takes each BuildProgress.

        with BuildProgressDisplay("candle") as show:
            build(engine, package, target, on_progress=show)

    `first` says that nothing else was shown in the cell so far, so that the line may be taken away with its output.

    In a notebook the line is one updating output, in a terminal rich draws it. Where nobody watches (the
    environment variable WORKBOOK_PROFILE is set, or the output is no terminal) only the final line is printed.
    """

    def __init__(self, engine: str, screen: Screen | None = None, *, first: bool = False) -> None:
        self.engine = engine
        self._first = first
        self._screen = screen
        self._last: BuildProgress | None = None
        self._last_at = self._drawn_at = self._started = time.monotonic()
        self._lock = threading.Lock()
        self._done = threading.Event()

    def __enter__(self) -> Self:
        """Start to watch; nothing is shown yet."""
        self._screen = self._screen or default_screen(first=self._first)
        self._started = time.monotonic()
        if not isinstance(self._screen, _FinalLineOnly):
            # cargo says nothing while one long crate compiles, the clock has to go on; the copied context
            # tells the kernel which cell the output belongs to.
            context = contextvars.copy_context()
            threading.Thread(target=context.run, args=(self._tick,), daemon=True).start()
        return self

    def __call__(self, progress: "BuildProgress") -> None:
        """Take a report of the build."""
        with self._lock:
            self._last, self._last_at = progress, time.monotonic()
            self._draw()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away, or leave one line behind."""
        self._done.set()
        with self._lock:
            seconds = time.monotonic() - self._started
            final = ""
            if kind is not None and issubclass(kind, KeyboardInterrupt):
                final = f"Building {self.engine} was stopped after {whole_seconds(seconds)}."
            elif kind is None and self._last is not None and seconds >= FINAL_LINE_AFTER:
                final = f"Building {self.engine} took {whole_seconds(seconds)}."
            self._screen.close(final)

    def _tick(self) -> None:
        while not self._done.wait(1.0):
            with self._lock:
                if not self._done.is_set():
                    self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if self._last is None or now - self._started < SHOW_AFTER or now - self._drawn_at < REDRAW_SECONDS:
            return
        self._drawn_at = now
        seconds = self._last.seconds + now - self._last_at
        known = self._last.total > 0 and not self._last.waiting
        self._screen.show(line(self.engine, self._last, seconds), self._last.done / self._last.total if known else None)


def line(engine: str, progress: "BuildProgress", seconds: float | None = None) -> str:
    """The line for a report: `Building candle: 57 of 133 crates · candle-nn · 1 min 12 s`.

    Args:
        engine: Name of the engine.
        progress: The report.
        seconds: Time since the start if the report is older; the report's own by default.
    """
    elapsed = whole_seconds(progress.seconds if seconds is None else seconds)
    if progress.waiting:
        return f"waiting for another build of {engine} to finish · {elapsed}"
    crates = f"{progress.done} of {progress.total} crates" if progress.total else "asking cargo what to build"
    return " · ".join(part for part in (f"Building {engine}: {crates}", progress.crate.strip(), elapsed) if part)


def default_screen(*, first: bool = False) -> Screen:
    """Choose by where the output goes: a notebook, a terminal, or nobody."""
    if os.environ.get("WORKBOOK_PROFILE"):
        return _FinalLineOnly()
    if _in_notebook():
        return _NotebookScreen(first=first)
    return _TerminalScreen() if sys.stderr.isatty() else _FinalLineOnly()


def _in_notebook() -> bool:
    """True in a Jupyter kernel; IPython is not imported for the question."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class _FinalLineOnly:
    """For runs that nobody watches: papermill, nbval, a log file.

    In a kernel there is no line at all: a build that takes long must not change what a cell prints, which nbval
    compares.
    """

    def show(self, text: str, fraction: float | None) -> None:
        """Show nothing."""

    def close(self, final: str) -> None:
        if final and not _in_notebook():
            print(final, flush=True)


class _NotebookScreen:
    """One output of the cell that is replaced by each new line.

    An output can be emptied and not removed, but all outputs of a cell can. So where the line was the first of them
    it goes without a trace, and elsewhere an empty output stays.
    """

    def __init__(self, *, first: bool = False) -> None:
        self._handle = None
        self._first = first

    def show(self, text: str, fraction: float | None) -> None:
        value = "" if fraction is None else f' value="{fraction:.3f}"'
        bar = f'<progress max="1"{value} style="width:240px;vertical-align:middle"></progress>'
        self._put(f"<div>{bar} {escape(text)}</div>", text)

    def close(self, final: str) -> None:
        if self._handle is not None and self._first and not final:
            from IPython.display import clear_output

            clear_output()
        elif self._handle is not None:
            self._put(f"<div>{escape(final)}</div>" if final else "", final)
        elif final:
            print(final, flush=True)

    def _put(self, html: str, text: str) -> None:
        from IPython.display import DisplayHandle

        bundle = {"text/html": html, "text/plain": text}
        if self._handle is None:
            self._handle = DisplayHandle()
            self._handle.display(bundle, raw=True)
        else:
            self._handle.update(bundle, raw=True)


class _TerminalScreen:
    """A line with a bar at the bottom of the terminal, drawn by rich."""

    def __init__(self) -> None:
        self._progress = None

    def show(self, text: str, fraction: float | None) -> None:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = (BarColumn(bar_width=24), TextColumn("{task.description}", markup=False))
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task("", total=None)
        total = None if fraction is None else 1.0
        self._progress.update(self._task, description=text, total=total, completed=fraction or 0.0)

    def close(self, final: str) -> None:
        if self._progress is not None:
            self._progress.stop()
        if final:
            print(final, file=sys.stderr, flush=True)
