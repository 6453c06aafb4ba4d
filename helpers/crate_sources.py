"""What cargo keeps on this machine about a crate: its sources, the versions that the index knows, its dependencies.

Nothing here asks the network. What is not on the machine is None, and the caller says so.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.engines import RUST_ENGINES, Engine
from helpers.environment import locked_versions
from helpers.errors import WorkbookError
from helpers.toolchain import cargo_env, find_tool

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


def api_crates(engine: Engine) -> dict[str, str]:
    """Return the names and locked versions of the crates whose functions a reader calls."""
    return locked_versions(engine.package / "Cargo.lock", API_CRATES[engine.name])


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
