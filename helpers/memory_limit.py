"""How much memory a reader's program may take, so that the kernel and the notebook outlive it."""

import os
import re
from contextlib import suppress
from pathlib import Path

import psutil

LIMIT_VARIABLE = "WORKBOOK_MEMORY_LIMIT"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SHARE = 0.9  # of what is free now


def default_memory_limit() -> int | None:
    """Return the limit in bytes: `WORKBOOK_MEMORY_LIMIT` such as `2G`, else nine tenths of the free memory.

    Raises:
        ValueError: The variable does not hold a size.
    """
    wanted = os.environ.get(LIMIT_VARIABLE)
    if wanted is None:
        return int(free_memory() * _SHARE)
    match = re.fullmatch(r"(\d+)\s*([KMG]?)(?:i?B)?", wanted.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{LIMIT_VARIABLE} is {wanted!r}: write a size such as 2G or 512M, or unset it")
    return int(match[1]) * _UNITS[match[2].upper()]


def free_memory() -> int:
    """Return the free memory in bytes, the container's limit counted (cgroup v2, then v1)."""
    free = psutil.virtual_memory().available
    for limit_file, used_file in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):  # no such file, or the word "max"
            free = min(free, int(Path(limit_file).read_text()) - int(Path(used_file).read_text()))
    return max(free, 0)


# The limit has to hold before the program's first allocation, so a shell sets it and then becomes the program.
# The first to go when the machine runs out of memory is the reader's program, not the kernel.
_SHELL = '{ echo 1000 > /proc/self/oom_score_adj; [ "$0" = unlimited ] || ulimit -d "$0"; } 2>/dev/null; exec "$@"'


def limited(argv: list[str], limit: int | None) -> list[str]:
    """Return the command that runs `argv` with its private memory bounded to `limit` bytes."""
    return ["sh", "-c", _SHELL, _kibibytes(limit), *argv]


def _kibibytes(limit: int | None) -> str:
    return "unlimited" if limit is None else str(limit // 1024)
