"""Keeps what C++ libraries write on stderr out of a notebook's cells."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Drop what is written on the process's own stderr, descriptor 2, inside the `with` block.

    PyTorch's profiler announces each start and stop there. What Python writes is dropped too if it goes to that
    descriptor; in a notebook `sys.stderr` does not.
    """
    kept = os.dup(2)
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
