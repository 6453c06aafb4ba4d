"""What cargo keeps on this machine about a crate: its sources, the versions that the index knows, its dependencies.

Nothing here asks the network. What is not on the machine is None, and the caller says so; only `source_folder`, whose
caller needs the files, says itself what is missing.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from helpers import environment
from helpers.engines import RUST_ENGINES, Engine
from helpers.errors import SetupError, WorkbookError
from helpers.toolchain import cargo_env, find_tool, rustc_verbose_version

# The crates whose functions a reader of this workbook calls. A facade such as `burn` only passes others on.
API_CRATES: Mapping[str, tuple[str, ...]] = {
    "tch": ("tch",),
    "candle": ("candle-core", "candle-nn"),
    "burn": ("burn-core", "burn-tensor", "burn-nn", "burn-optim"),
    "dfdx": ("dfdx",),
}
# The crates that a reader's own Cargo.toml would name.
ROOT_CRATES: Mapping[str, tuple[str, ...]] = {
    "tch": ("tch",),
    "candle": ("candle-core", "candle-nn"),
    "burn": ("burn",),
    "dfdx": ("dfdx",),
}


def cargo_home() -> Path:
    """Return cargo's own folder: `CARGO_HOME`, else `.cargo` in the home folder."""
    return Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))


def crate_folder(name: str, version: str, home: Path | None = None) -> Path | None:
    """Return the folder with a crate's unpacked sources; None if cargo has not unpacked it here."""
    found = sorted((home or cargo_home()).glob(f"registry/src/*/{name}-{version}"))
    return found[0] if found else None


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


def api_crates(engine: Engine) -> dict[str, str]:
    """Return the names and locked versions of the crates whose functions a reader calls."""
    return environment.locked_versions(engine.package / "Cargo.lock", API_CRATES[engine.name])


def locked_versions(engine: Engine) -> dict[str, str]:
    """Return the version of every crate in a framework's lock file; of several versions the newest entry counts."""
    return environment.all_locked_versions(engine.package / "Cargo.lock")


@dataclass(frozen=True)
class Release:
    """One published version of a crate; `date` is empty where the index does not tell."""

    version: str
    yanked: bool = False
    date: str = ""

    @property
    def number(self) -> tuple[int, ...]:
        """The version's numbers, without what follows a hyphen or a plus sign."""
        return tuple(int(part) for part in re.split(r"[-+]", self.version)[0].split("."))

    @property
    def is_final(self) -> bool:
        """Whether it is neither a pre-release nor withdrawn."""
        return "-" not in self.version and not self.yanked


def known_releases(name: str, home: Path | None = None) -> list[Release] | None:
    """Return the versions of a crate in this machine's copy of the index, oldest first; None without a copy.

    Cargo renews the copy when it resolves versions, so releases since then are not in it.
    """
    if len(name) <= 3:
        place = f"{len(name)}/{name}" if len(name) < 3 else f"3/{name[0]}/{name}"
    else:
        place = f"{name[:2]}/{name[2:4]}/{name}"
    files = sorted(
        (home or cargo_home()).glob(f"registry/index/*/.cache/{place}"), key=lambda path: path.stat().st_size
    )
    if not files:
        return None
    releases = []
    for part in files[-1].read_bytes().split(b"\0"):
        if part.startswith(b"{"):
            entry = json.loads(part)
            releases.append(Release(entry["vers"], entry.get("yanked", False), entry.get("pubtime", "")[:10]))
    return sorted(releases, key=lambda release: release.number)


def dependencies(engine: Engine) -> set[str]:
    """Return the crates, as `name version`, that a framework's own crates need to be built as the workbook builds them.

    Dependencies for tests and for other systems do not count, nor does the workbook's own package.

    Raises:
        WorkbookError: Cargo cannot tell; the message ends with its last line.
    """
    found: set[str] = set()
    for crate in ROOT_CRATES[engine.name]:
        command = [str(find_tool("cargo", engine.toolchain)), "tree", "--locked", "--offline", "--package", crate]
        done = subprocess.run(
            [*command, "--edges", "normal,build", "--prefix", "none", "--format", "{p}"],
            cwd=engine.package,
            env=cargo_env(engine),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
            raise WorkbookError(f"cargo tree cannot list the dependencies of {crate}: {last}")
        found |= {" ".join(line.split()[:2]) for line in done.stdout.splitlines() if line.strip()}
    return found


def dependency_counts() -> dict[str, int]:
    """Return the number of crates behind each framework, the framework's own ones included."""
    return {name: len(dependencies(engine)) for name, engine in RUST_ENGINES.items()}
