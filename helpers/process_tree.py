"""Watches the memory of the processes that are started below this one."""

import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

import psutil

SAMPLE_SECONDS = 0.1
GRACE_SECONDS = 2.0


class ProcessTreeWatch:
    """Samples the memory of all processes below this one, while it is entered.

    Memory that processes share, such as libtorch's code, is counted once: each has its part of it (PSS; resident
    memory where the system does not tell). Processes that were there before are left out. On leaving, what is still
    running of those seen is ended: a kernel that was killed may have left programs behind.

    Attributes:
        peak_bytes: The highest sum seen.
    """

    def __init__(self, seconds: float = SAMPLE_SECONDS) -> None:
        """Prepare a watch that takes a sample every so many seconds."""
        self.peak_bytes = 0
        self._seconds = seconds
        self._seen: set[psutil.Process] = set()
        self._before: set[psutil.Process] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Start sampling."""
        self._before = set(psutil.Process().children(recursive=True))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop sampling and end what is left."""
        self._stop.set()
        self._thread.join()
        self._end_leftovers()

    def _watch(self) -> None:
        while True:
            self.sample()
            if self._stop.wait(self._seconds):
                return

    def sample(self) -> None:
        """Take one sample."""
        current = set(psutil.Process().children(recursive=True)) - self._before
        self._seen |= current
        total = 0
        for process in current:
            with suppress(psutil.Error):
                total += _memory(process)
        self.peak_bytes = max(self.peak_bytes, total)

    def _end_leftovers(self) -> None:
        running = [process for process in self._seen if process.is_running()]
        for process in running:
            with suppress(psutil.Error):
                process.terminate()
        _, alive = psutil.wait_procs(running, GRACE_SECONDS)
        for process in alive:
            with suppress(psutil.Error):
                process.kill()


def _memory(process: psutil.Process) -> int:
    full = process.memory_full_info()
    return getattr(full, "pss", full.rss)
