"""The machine and the versions that a page's figures were made with."""

import html
import os
import platform
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path

import psutil

from helpers.engines import RUST_ENGINES
from helpers.errors import WorkbookError
from helpers.paths import SNIPPETS
from helpers.toolchain import rustc_version

FRAMEWORK_CRATES = {"tch": ("tch",), "candle": ("candle-core", "candle-nn"), "burn": ("burn",), "dfdx": ("dfdx",)}


def usable_cores() -> int:
    """Return the cores that this process may use: its CPU affinity, and a container's quota where there is one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _cgroup_quota(Path("/sys/fs/cgroup/cpu.max"))
    return max(1, min(cores, quota or cores))


def _cgroup_quota(cpu_max: Path) -> int | None:
    """Read `QUOTA PERIOD` (microseconds) of the control group, as whole cores; None for no limit."""
    try:
        quota, period = cpu_max.read_text().split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, repr=False)
class Environment:
    """Rows of name and value; shown as a table in a notebook, as lines of text elsewhere."""

    rows: Sequence[tuple[str, str]]

    def __str__(self) -> str:
        """The rows as aligned text."""
        width = max(len(name) for name, _ in self.rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in self.rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f'<tr><th scope="row" style="text-align:left">{html.escape(name)}</th>'
            f'<td style="text-align:left">{html.escape(value)}</td></tr>'
            for name, value in self.rows
        )
        return (
            '<table style="font-size:85%" class="workbook-environment">'
            f'<caption style="text-align:left">Made with</caption><tbody>{cells}</tbody></table>'
        )


def environment_footer() -> Environment:
    """Describe the machine and the versions, for the foot of a page.

    Parts that cannot be found out, such as a compiler that is not installed, say so in their row.
    """
    memory = psutil.virtual_memory().total / 2**30
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("torch", "torchvision", "numpy"))
    rows = [
        ("Machine", f"{cpu_name()}; {usable_cores()} of {os.cpu_count()} cores used; {memory:.0f} GiB memory"),
        ("System", f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"),
        ("Python packages", versions),
    ]
    rows += [("GPU", gpu)] if (gpu := gpu_name()) else []
    rows += [(engine.title, _engine_versions(name)) for name, engine in RUST_ENGINES.items()]
    rows.append(("Date", datetime.now().astimezone().strftime("%Y-%m-%d")))
    return Environment(rows)


def cpu_name() -> str:
    """Return the processor's name as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            return asked.stdout.strip()
    return platform.processor() or platform.machine()


def gpu_name() -> str | None:
    """Return the first CUDA device's name as PyTorch tells it; None without one."""
    import torch

    return torch.cuda.get_device_name(0) if torch.cuda.is_available() else None


def all_locked_versions(lock: Path) -> dict[str, str]:
    """Read the version of every crate in a Cargo.lock; of several versions of one crate the last entry counts."""
    packages = tomllib.loads(lock.read_text(encoding="utf-8")).get("package", [])
    return {package["name"]: package["version"] for package in packages}


def locked_versions(lock: Path, crates: Sequence[str]) -> dict[str, str]:
    """Read the versions of some crates from a Cargo.lock; a crate that is not in it is left out."""
    return {name: version for name, version in all_locked_versions(lock).items() if name in crates}


def _engine_versions(name: str) -> str:
    engine = RUST_ENGINES[name]
    versions = locked_versions(SNIPPETS / name / "Cargo.lock", FRAMEWORK_CRATES[name])
    crates = ", ".join(f"{crate} {version}" for crate, version in versions.items())
    try:
        compiler = "rustc " + ".".join(map(str, rustc_version(engine.toolchain)))
    except WorkbookError as error:
        return f"{crates}; {error}"
    return f"{crates}; {compiler}" + (f" ({engine.toolchain})" if engine.toolchain else "")
