"""Whether this machine has a graphics driver that Burn's `wgpu` backend can use, and the program that tries it."""

import ctypes.util
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.cargo import CargoTarget, cargo_command
from helpers.engines import ENGINES
from helpers.errors import SetupError
from helpers.paths import target_root
from helpers.toolchain import cargo_env

# Where a Vulkan driver leaves a JSON file that says which library it is.
DRIVER_FOLDERS = ("/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d")
_VARIABLES = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")


def missing_driver(environ: Mapping[str, str] | None = None, folders: Sequence[str | Path] = DRIVER_FOLDERS) -> str:
    """Return why `wgpu` has no driver to work with; empty when it has one.

    On macOS and Windows `wgpu` uses the system's own graphics API, so nothing can be missing there.

    Args:
        environ: The environment to look at, such as for `VK_DRIVER_FILES`; this process's own by default.
        folders: Where drivers are looked for besides.
    """
    if sys.platform in {"darwin", "win32"}:
        return ""
    environ = os.environ if environ is None else environ
    named = next((environ[name] for name in _VARIABLES if environ.get(name)), None)
    if named is not None:  # the loader looks at nothing else then
        drivers = [Path(name) for name in named.split(os.pathsep) if Path(name).is_file()]
    else:
        home = environ.get("XDG_DATA_HOME") or str(Path(environ.get("HOME", "/")) / ".local" / "share")
        places = [*map(Path, folders), Path(home) / "vulkan" / "icd.d"]
        drivers = [path for place in places for path in place.glob("*.json")]
    if not drivers:
        return "no Vulkan driver was found (on Debian: apt install mesa-vulkan-drivers, also without a GPU)"
    if ctypes.util.find_library("vulkan") is None:
        return "there is a Vulkan driver, but not the library that loads it (on Debian: apt install libvulkan1)"
    return ""


def run_with_wgpu(program: str) -> str:
    """Build one of the committed Burn programs with the feature `wgpu`, run it, and return what it printed.

    The build takes minutes the first time. It has a target folder of its own, so that no other cell is built anew.

    Raises:
        SetupError: The build or the program failed; the message ends with the last words.
    """
    burn = ENGINES["burn"]
    build = cargo_command(burn, CargoTarget("bin", program))
    env = {**os.environ, **cargo_env(burn), "CARGO_TARGET_DIR": str(target_root() / "burn-wgpu")}
    for command in (
        [*build, "--features", "wgpu"],
        [str(target_root() / "burn-wgpu" / "release" / program)],
    ):
        done = subprocess.run(command, cwd=burn.package, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            words = "\n".join(done.stderr.strip().splitlines()[-12:])
            raise SetupError(f"{program} with wgpu failed. Its last words:\n{words}")
    return done.stdout
