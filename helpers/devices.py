"""Which engine can use which device on this machine, and why not."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from helpers.engines import ENGINES
from helpers.errors import DeviceError

_SECONDS_FOR_NVIDIA_SMI = 20


@dataclass(frozen=True)
class DeviceRow:
    """One engine on one device.

    Attributes:
        engine: The engine's name, such as `candle`.
        device: `cpu` or `cuda`.
        available: Whether the engine can compute there.
        reason: Why it cannot, in plain words; empty when it can.
    """

    engine: str
    device: str
    available: bool
    reason: str = ""


@dataclass(frozen=True)
class Gpu:
    """What the NVIDIA driver says.

    Attributes:
        names: The GPUs found, such as `NVIDIA H200`; empty when none can be used.
        driver: The driver's version, empty when there is none.
        reason: Why no GPU can be used; empty when one can.
    """

    names: tuple[str, ...] = ()
    driver: str = ""
    reason: str = ""


def find_gpu(environ: Mapping[str, str] | None = None) -> Gpu:
    """Ask `nvidia-smi` for the GPUs of this machine.

    Args:
        environ: The environment whose `PATH` is searched; this process's own by default.
    """
    environ = os.environ if environ is None else environ
    program = shutil.which("nvidia-smi", path=environ.get("PATH", ""))
    if program is None:
        return Gpu(reason="no NVIDIA driver was found (there is no nvidia-smi on the PATH)")
    query = [program, "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(
            query, env=dict(environ), capture_output=True, text=True, timeout=_SECONDS_FOR_NVIDIA_SMI
        )
    except subprocess.TimeoutExpired:
        return Gpu(reason=f"nvidia-smi did not answer within {_SECONDS_FOR_NVIDIA_SMI} seconds")
    except OSError as error:
        return Gpu(reason=f"nvidia-smi cannot be started ({error.strerror})")
    if answer.returncode != 0:
        said = (answer.stdout + answer.stderr).strip().splitlines()
        return Gpu(reason=f"nvidia-smi failed ({said[0] if said else f'exit code {answer.returncode}'})")
    rows = [line.rpartition(",") for line in answer.stdout.splitlines() if "," in line]
    if not rows:
        return Gpu(reason="nvidia-smi lists no GPU")
    return Gpu(tuple(name.strip() for name, _, _ in rows), rows[0][2].strip())


def torch_cuda_version() -> str | None:
    """Return the CUDA version that the installed torch was built for, without importing it; None for a CPU build."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    version_file = Path(spec.origin).with_name("version.py")
    found = re.search(r"^cuda\b[^=]*=\s*['\"]([^'\"]+)", version_file.read_text(), re.MULTILINE)
    return found[1] if found else None


def device_table(environ: Mapping[str, str] | None = None) -> list[DeviceRow]:
    """Return a row for every engine and device, in the engines' order.

    Args:
        environ: The environment whose `PATH` is searched for `nvidia-smi` and `nvcc`.
    """
    environ = os.environ if environ is None else environ
    rows = []
    for name in ENGINES:
        reason = _cuda_reason(name, environ)
        rows += [DeviceRow(name, "cpu", True), DeviceRow(name, "cuda", not reason, reason)]
    return rows


def resolve(engine: str, requested: str) -> str:
    """Decide where an engine computes.

    Args:
        engine: The engine's name.
        requested: `auto`, `cpu` or `cuda`.

    Returns:
        `cpu` or `cuda`; `auto` gives `cuda` where the engine can use it, but never for Burn: building its CUDA
        support downloads a compiler of several hundred megabytes, which a reader should ask for.

    Raises:
        DeviceError: There is no such device, or `cuda` was asked for and cannot be used; says why.
    """
    if requested not in {"auto", "cpu", "cuda"}:
        raise DeviceError(f"There is no device {requested!r}: choose auto, cpu or cuda.")
    if requested == "cpu":
        return "cpu"
    if engine not in ENGINES:
        raise DeviceError(f"There is no engine {engine!r}: choose one of {', '.join(ENGINES)}.")
    if requested == "auto" and engine == "burn":
        return "cpu"
    reason = _cuda_reason(engine, os.environ)
    if reason and requested == "cuda":
        raise DeviceError(f"{ENGINES[engine].title} cannot use cuda here: {reason}; choose cpu or auto.")
    return "cpu" if reason else "cuda"


@lru_cache(maxsize=8)
def _gpu_on(path: str) -> Gpu:
    # nvidia-smi takes up to a second, too long to ask before every cell.
    return find_gpu({**os.environ, "PATH": path})


def _cuda_reason(engine: str, environ: Mapping[str, str]) -> str:
    """Return why an engine cannot use CUDA; empty when it can."""
    path = environ.get("PATH", "")
    gpu = _gpu_on(path)
    if gpu.reason:
        return gpu.reason
    if engine in {"pytorch", "tch"}:
        return _torch_reason()
    if engine in {"candle", "dfdx"} and shutil.which("nvcc", path=path) is None:
        return "its CUDA kernels are compiled by nvcc, and there is none on the PATH"
    return ""


def _torch_reason() -> str:
    if torch_cuda_version() is None:
        return "the installed torch is a CPU build"
    import torch

    return "" if torch.cuda.is_available() else "torch was built for CUDA but cannot use this driver"
