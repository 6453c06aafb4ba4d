"""Programs already built, by the hash of everything that went into them: an unchanged cell is not compiled again."""

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from helpers.engines import Engine
from helpers.paths import SNIPPETS, target_root
from helpers.toolchain import rustc_verbose_version, torch_library_folder, torch_version

MAX_BYTES = 2 << 30
MAX_PROGRAMS = 1000
_SHARED = (SNIPPETS / ".cargo" / "config.toml", SNIPPETS / "common")


@dataclass(frozen=True)
class CachedProgram:
    """A program in the cache, what the compiler said when it was built (rustc's JSON messages), and what it read."""

    executable: Path
    messages: list[dict]
    sources: list[str] | None


def program_key(engine: Engine, package: Path, settings: tuple[str, ...]) -> str:
    """Return the hash of the sources, lock file, compiler and `settings` (target, profile, features)."""
    digest = hashlib.sha256()
    for word in (engine.name, rustc_verbose_version(engine.toolchain), *settings):
        digest.update(word.encode() + b"\0")
    if engine.name == "tch":
        digest.update(f"{torch_version()}\0{torch_library_folder()}\0".encode())
    for variable in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"):
        digest.update(f"{variable}={os.environ.get(variable)}\0".encode())
    for root in (package, *_SHARED):
        for path in _sources(root):
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _sources(root: Path) -> list[Path]:
    if root.is_file():
        return [root]
    named = (root / name for name in ("Cargo.toml", "Cargo.lock", "build.rs"))
    return [*(path for path in named if path.exists()), *sorted(root.glob("src/**/*.rs"))]


def find(key: str) -> CachedProgram | None:
    """Return the program stored under `key`, or None."""
    folder = _folder() / key
    executable = folder / "program"
    try:
        record = json.loads((folder / "build.json").read_text())
        whole = executable.is_file() and os.access(executable, os.X_OK)
        if not whole or executable.stat().st_size != record["size"]:
            return None
        os.utime(folder)  # the oldest by use go first
        return CachedProgram(executable, record["messages"], record["sources"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a damaged entry is built again


def store(key: str, executable: Path, messages: list[dict], sources: list[str] | None) -> CachedProgram:
    """Copy a freshly built program into the cache and drop the least recently used beyond the bounds."""
    folder = _folder() / key
    fresh = folder.with_name(f".{key}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    # A copy, not a link: a later build may write over the original in place.
    shutil.copy2(executable, fresh / "program")
    size = (fresh / "program").stat().st_size
    (fresh / "build.json").write_text(json.dumps({"size": size, "messages": messages, "sources": sources}))
    shutil.rmtree(folder, ignore_errors=True)
    try:
        fresh.rename(folder)
    except OSError:  # another kernel stored the same program first
        shutil.rmtree(fresh, ignore_errors=True)
    _prune()
    return CachedProgram(folder / "program", messages, sources)


def _folder() -> Path:
    return target_root() / "cells" / "programs"


def _prune() -> None:
    entries = []
    for folder in _folder().iterdir():
        with suppress(OSError):
            entries.append((folder.stat().st_mtime, (folder / "program").stat().st_size, folder))
    entries.sort(key=lambda entry: entry[0], reverse=True)
    total = 0
    for count, (_, size, folder) in enumerate(entries, start=1):
        total += size
        if count > MAX_PROGRAMS or (total > MAX_BYTES and count > 1):
            shutil.rmtree(folder, ignore_errors=True)
