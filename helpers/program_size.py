"""What a program loads when it starts: the shared libraries that the loader names, and their size."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path


def needed_libraries(program: Path) -> list[Path] | None:
    """Return the shared libraries that a program loads; None where the system has no `ldd` to ask."""
    if shutil.which("ldd") is None:
        return None
    asked = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    return parse_ldd(asked.stdout) if asked.returncode == 0 else None


def parse_ldd(output: str) -> list[Path]:
    """Return the files in the output of `ldd`, in its order: `libm.so.6 => /lib/libm.so.6 (0x7f...)`."""
    places = (line.partition("=>")[2].strip().split(" (")[0] for line in output.splitlines() if "=>" in line)
    return [Path(place) for place in places if place.startswith("/")]


def total_bytes(files: Iterable[Path]) -> int:
    """Return the size of files together; links count as what they lead to."""
    return sum(path.stat().st_size for path in files if path.exists())
