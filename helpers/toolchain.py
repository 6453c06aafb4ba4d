"""Finds cargo and rustc, and makes the environment in which they and the programs run."""

import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path

from helpers.engines import Engine
from helpers.errors import SetupError
from helpers.paths import SNIPPETS

MINIMUM_RUSTC = (1, 95)
RUSTUP_CURE = "install Rust from https://rustup.rs, then open a new terminal"
# What a plain `cargo` run for tch might have left in the environment; each would make it look elsewhere for libtorch.
FOREIGN_LIBTORCH = ("LIBTORCH", "LIBTORCH_LIB", "LIBTORCH_INCLUDE", "LIBTORCH_CXX11_ABI", "LIBTORCH_STATIC")


def find_tool(name: str, toolchain: str | None = None) -> Path:
    """Return the real `cargo` or `rustc`, past rustup's proxy, which costs a process start in every build.

    Raises:
        SetupError: There is none, or the pinned toolchain is not installed.
    """
    return _find_tool(name, toolchain, os.environ.get("PATH", ""), os.environ.get("RUSTUP_TOOLCHAIN"))


@lru_cache(maxsize=16)
def _find_tool(name: str, toolchain: str | None, path: str, override: str | None) -> Path:
    rustup = shutil.which("rustup", path=_with_cargo_home(path))
    plain = shutil.which(name, path=_with_cargo_home(path))
    if rustup is None:
        if toolchain is not None:
            raise SetupError(f"The toolchain {toolchain} needs rustup: {RUSTUP_CURE}.")
        if plain is None:
            raise SetupError(f"There is no {name} on this machine: {RUSTUP_CURE}.")
        return Path(plain)
    chosen = toolchain or override or "stable"
    asked = subprocess.run([rustup, "which", "--toolchain", chosen, name], capture_output=True, text=True, check=False)
    if asked.returncode == 0:
        return Path(asked.stdout.strip())
    if toolchain is None and plain is not None:
        return Path(plain)
    raise SetupError(f"The toolchain {chosen} is not installed: run `rustup toolchain install {chosen}`.")


def _with_cargo_home(path: str) -> str:
    """`PATH` and cargo's own folder, which Jupyter started from a desktop icon often lacks."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    return os.pathsep.join([path, str(home / "bin")])


@lru_cache(maxsize=8)
def rustc_verbose_version(toolchain: str | None = None) -> str:
    """Return the text of `rustc -vV`, which names the exact compiler."""
    return subprocess.run([find_tool("rustc", toolchain), "-vV"], capture_output=True, text=True, check=True).stdout


def rustc_version(toolchain: str | None = None) -> tuple[int, int, int]:
    """Return the compiler's version, such as (1, 95, 0)."""
    match = re.search(r"rustc (\d+)\.(\d+)\.(\d+)", rustc_verbose_version(toolchain))
    if match is None:
        raise SetupError(f"`rustc -vV` did not print a version: {RUSTUP_CURE}.")
    return int(match[1]), int(match[2]), int(match[3])


@lru_cache(maxsize=8)
def check_toolchain(engine: Engine) -> None:
    """Check, once, that this engine's compiler is there and new enough, and for tch that torch fits.

    Raises:
        SetupError: One sentence with the command that cures it.
    """
    version = rustc_version(engine.toolchain)
    if engine.toolchain is None and version[:2] < MINIMUM_RUSTC:
        wanted = ".".join(map(str, MINIMUM_RUSTC))
        raise SetupError(
            f"rustc {'.'.join(map(str, version))} is too old, {wanted} is needed: run `rustup update stable`."
        )
    if engine.name == "tch":
        installed, wanted = torch_version(), required_torch_version()
        if installed != wanted:
            raise SetupError(f"tch needs torch {wanted}, but torch {installed or 'none'} is installed: run `uv sync`.")


def torch_version() -> str | None:
    """Return the installed torch's version without its build suffix, without importing it; None if there is none."""
    try:
        return metadata.version("torch").split("+")[0]
    except metadata.PackageNotFoundError:
        return None


def required_torch_version() -> str:
    """Return the version of libtorch that the locked tch accepts; torch-sys states it in its build script."""
    lock = (SNIPPETS / "tch" / "Cargo.lock").read_text()
    tch = re.search(r'name = "tch"\nversion = "([^"]+)"', lock)
    return {"0.26.0": "2.13.0"}[tch[1]] if tch else "2.13.0"


def torch_library_folder() -> Path | None:
    """Return the folder with libtorch inside the installed torch package, without importing torch."""
    spec = util.find_spec("torch")
    return Path(spec.origin).parent / "lib" if spec and spec.origin else None


def cargo_env(engine: Engine) -> dict[str, str]:
    """Return the environment for building and running this engine's programs."""
    env = {name: value for name, value in os.environ.items() if name not in FOREIGN_LIBTORCH}
    # A child made by the kernel should not inherit the kernel's backtrace wishes: a panic is told in one line.
    env |= {"RUST_BACKTRACE": "0", "RUST_LIB_BACKTRACE": "0", "PYTHONUNBUFFERED": "1"}
    first = []
    if engine.is_rust:
        first.append(str(find_tool("cargo", engine.toolchain).parent))
        env.pop("RUSTUP_TOOLCHAIN", None)
    if engine.name == "tch":
        # torch-sys asks the first `python` on PATH where libtorch is: it has to be the kernel's own.
        first.append(str(Path(sys.executable).parent))
        env |= {"VIRTUAL_ENV": sys.prefix, "LIBTORCH_USE_PYTORCH": "1"}
        library = torch_library_folder()
        if library is not None:
            env["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [str(library), env.get("LD_LIBRARY_PATH")]))
    env["PATH"] = os.pathsep.join([*first, _with_cargo_home(env.get("PATH", ""))])
    return env
