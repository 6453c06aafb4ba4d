"""What a crate's own files say: where Cargo keeps its sources, and which versions a framework's lock file chose."""

import json
import re
import subprocess
import tomllib
from functools import lru_cache
from pathlib import Path

from helpers.engines import Engine
from helpers.errors import SetupError
from helpers.toolchain import cargo_env, find_tool, rustc_verbose_version


def source_folder(engine: Engine, crate: str) -> Path:
    """Return the folder in which Cargo keeps the sources of a crate that a framework's package uses.

    Raises:
        SetupError: The package does not use the crate, or its sources are not on this machine yet.
    """
    folders = _source_folders(engine)
    if crate not in folders:
        raise SetupError(f"The {engine.title} package uses no crate {crate!r}.")
    return folders[crate]


@lru_cache(maxsize=8)
def _source_folders(engine: Engine) -> dict[str, Path]:
    host = re.search(r"^host: (\S+)", rustc_verbose_version(engine.toolchain), re.MULTILINE)
    words = [find_tool("cargo", engine.toolchain), "metadata", "--format-version=1", "--locked", "--offline"]
    if host is not None:
        words.append(f"--filter-platform={host[1]}")  # crates of other systems were never downloaded
    words.append(f"--manifest-path={engine.package / 'Cargo.toml'}")
    asked = subprocess.run(words, capture_output=True, text=True, check=False, env=cargo_env(engine))
    if asked.returncode != 0:
        raise SetupError(
            f"The sources of {engine.title}'s crates are not all here: run `workbook build {engine.name}` first."
        )
    packages = json.loads(asked.stdout)["packages"]
    return {package["name"]: Path(package["manifest_path"]).parent for package in packages}


def locked_versions(engine: Engine) -> dict[str, str]:
    """Return the version of every crate in a framework's lock file; of several versions the newest entry counts."""
    lock = tomllib.loads((engine.package / "Cargo.lock").read_text())
    return {package["name"]: package["version"] for package in lock["package"]}
