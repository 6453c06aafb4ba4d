"""Tries the claims that a look into published source decides: crates in cargo's registry folder, Python packages."""

import re
import subprocess
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from helpers.claim_outcomes import Outcome, trimmed
from helpers.claim_records import SourceProbe
from helpers.crate_sources import crate_folder
from helpers.environment import FRAMEWORK_CRATES, all_locked_versions
from helpers.paths import CLAIMS, SNIPPETS
from helpers.toolchain import find_tool

SHOWN_HITS = 3
FETCH_SECONDS = 60


def try_source(probe: SourceProbe) -> Outcome:
    """Search the probe's files; `found` with the first places and the number of all, or `absent`."""
    kind, name, *version = probe.source.split()
    folder = _crate(name, *version) if kind == "crate" else python_folder(name)
    if folder is None:
        cure = "the package registry could not be reached" if version else "`workbook build` fetches it"
        cure = cure if kind == "crate" else "it is not installed"
        return Outcome("skipped", f"The source of {' '.join([name, *version])} is not here: {cure}.")
    pattern = re.compile(probe.pattern)
    files = [path for path in sorted(folder.glob(probe.files)) if path.is_file()]
    hits = [hit for path in files for hit in _hits(pattern, path, folder)]
    if not files:
        return Outcome("error", f"{folder.name} has no file {probe.files}")
    if not hits:
        return Outcome("absent", f"no match in {len(files)} files of {folder.name}")
    more = [f"and {len(hits) - SHOWN_HITS} more"] if len(hits) > SHOWN_HITS else []
    return Outcome("found", trimmed("\n".join([*hits[:SHOWN_HITS], *more])))


def _hits(pattern: re.Pattern[str], path: Path, folder: Path) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    place = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    if pattern.flags & re.DOTALL:
        return [
            f"{place}:{text.count(chr(10), 0, match.start()) + 1}: {match[0].splitlines()[0].strip()}"
            for match in pattern.finditer(text)
        ]
    return [
        f"{place}:{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)
    ]


def _crate(name: str, version: str | None = None) -> Path | None:
    """Return the crate's folder; a version that no lock file names is fetched, unless there is no network."""
    if version is None:
        version = locked_version(name)
        return crate_folder(name, version) if version else None
    if crate_folder(name, version) is None:
        # `cargo info` unpacks a published crate where cargo keeps all of them, after checking its checksum.
        command = [str(find_tool("cargo")), "info", "--quiet", f"{name}@{version}"]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, cwd=CLAIMS, capture_output=True, timeout=FETCH_SECONDS, check=False)
    return crate_folder(name, version)


def python_folder(name: str) -> Path | None:
    """Return the folder of an installed Python package; None if there is none."""
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def locked_version(name: str) -> str | None:
    """Return a crate's version in the workbook's lock files; None if no package uses it.

    A framework's own lock file comes first: others may name an older version for a feature that is never built.
    """
    owner = next((engine for engine, crates in FRAMEWORK_CRATES.items() if name in crates), None)
    locks = sorted([*SNIPPETS.glob("*/Cargo.lock"), *CLAIMS.glob("packages/*/Cargo.lock")])
    for lock in sorted(locks, key=lambda lock: lock.parent.name != owner):
        if name in (versions := _versions(lock)):
            return versions[name]
    return None


_versions = lru_cache(maxsize=32)(all_locked_versions)  # asked for each probe of the ledger
