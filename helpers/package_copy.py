"""The kernel's own copies of the framework packages, into which cells are written.

The copies live in numbered slots of the target folder. A kernel leases the first free slot for as long as it lives,
so two kernels never share a copy, and a restarted kernel finds its slot as warm as it was: files are only rewritten
where they differ, which keeps their times and so cargo's trust in what it built from them.
"""

import atexit
import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from helpers.engines import Engine
from helpers.errors import RustUsageError, SetupError
from helpers.paths import SNIPPETS, target_root

CELL_PROGRAM = "cell"
CELL_FILE = f"src/bin/{CELL_PROGRAM}.rs"
COPIED = ("Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain.toml")
MAX_SLOTS = 256


@dataclass
class PackageCopy:
    """One framework's package as this kernel sees it.

    Attributes:
        engine: Whose package it is.
        root: The copy's folder.
        cells: For each file that a cell has written, what to call it in messages, such as `cell [7] src/model.rs`.
    """

    engine: Engine
    root: Path
    cells: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str, label: str) -> Path:
        """Write a cell's source to the file `name`, in place of what was there, and remember its label."""
        path = self.root / name
        write_if_different(path, text)
        self.cells[name] = label
        if name.startswith("src/") and name.count("/") == 1 and name not in {"src/lib.rs", "src/main.rs"}:
            self._declare_module(path.stem)
        return path

    def _declare_module(self, module: str) -> None:
        """Add `pub mod name;` to lib.rs, so that a new file is part of the crate as soon as its cell has run."""
        library = self.root / "src" / "lib.rs"
        text = library.read_text()
        if not re.search(rf"^\s*(pub(\([a-z]+\))?\s+)?mod\s+{re.escape(module)}\s*[;{{]", text, re.MULTILINE):
            write_if_different(library, f"{text.rstrip()}\npub mod {module};\n")


class Slot:
    """A leased folder for this kernel's package copies."""

    def __init__(self) -> None:
        self.packages: dict[str, PackageCopy] = {}
        self.root, self._lock, self._inode = _lease()
        atexit.register(self.release)

    def package(self, engine: Engine) -> PackageCopy:
        """Return the copy for this engine, made anew if it is not there, as after `workbook clean`."""
        copy = self.packages.get(engine.name)
        if copy is None or not _package_files(copy.root):
            root = self.root / engine.name
            fill_package(engine, root)
            copy = self.packages[engine.name] = PackageCopy(engine, root)
        return copy

    def is_valid(self) -> bool:
        """Whether the lock file is still the one that was locked: the folder may have been removed meanwhile."""
        with suppress(OSError):
            return Path(self._lock.lock_file).stat().st_ino == self._inode
        return False

    def release(self) -> None:
        """Give the slot back; its files stay for the next kernel."""
        self._lock.release()


def _lease() -> tuple[Path, FileLock, int]:
    cells = target_root() / "cells"
    try:
        cells.mkdir(parents=True, exist_ok=True)
        for number in range(MAX_SLOTS):
            lock = FileLock(cells / f"slot-{number}.lock")
            with suppress(Timeout):
                lock.acquire(blocking=False)
                return cells / f"slot-{number}", lock, Path(lock.lock_file).stat().st_ino
    except OSError as error:
        raise SetupError(
            f"The folder for built programs cannot be written ({error.strerror}): make {cells.name!r} in the target "
            "folder writable, or name another folder in WORKBOOK_TARGET_DIR."
        ) from None
    raise SetupError(f"{MAX_SLOTS} kernels already build Rust cells here: shut some of them down.")


def fill_package(engine: Engine, root: Path) -> None:
    """Make `root` equal to the committed package, rewriting only what differs and removing what is not in it."""
    wanted = package_sources(engine, root.parent.name)
    for path in _package_files(root):
        # The anonymous cell stays: its program is built by name, and its time tells cargo whether it is fresh.
        name = path.relative_to(root).as_posix()
        if name not in wanted and name != CELL_FILE:
            path.unlink()
    for name, text in wanted.items():
        write_if_different(root / name, text)


def package_sources(engine: Engine, copy: str) -> dict[str, str]:
    """Return the committed package's files, by their names, as they stand in the copy of this name."""
    files = {
        source.relative_to(engine.package).as_posix(): source.read_text(encoding="utf-8")
        for source in _package_files(engine.package)
    }
    if engine.is_rust:
        _make_own(files, copy)
    return files


def _make_own(files: dict[str, str], slot: str) -> None:
    """Make the copied manifest and lock file those of a package of its own.

    Cargo names what it builds by a package's name and version, not by its folder: with equal versions, two slots
    would take each other's programs for their own. And `../common` would be built anew for each slot.
    """
    package = re.search(r'^name = "([^"]+)"\nversion = "([^"]+)"', files["Cargo.toml"], re.MULTILINE)
    if package is None:
        raise SetupError("A Cargo.toml of rust_snippets is damaged: restore it with `git checkout rust_snippets`.")
    own = f'name = "{package[1]}"\nversion = "{package[2]}+{slot}"'
    for name in ("Cargo.toml", "Cargo.lock"):
        files[name] = files[name].replace(package[0], own, 1)
    files["Cargo.toml"] = files["Cargo.toml"].replace('"../common"', f'"{(SNIPPETS / "common").as_posix()}"')


def _package_files(root: Path) -> list[Path]:
    named = [root / name for name in COPIED]
    return [*(path for path in named if path.exists()), *sorted(root.glob("*.py")), *sorted(root.glob("src/**/*.rs"))]


def write_if_different(path: Path, text: str) -> None:
    """Write `text`, unless the file holds it already: a new time would make cargo build again.

    The file is replaced in one step, so a reader of it never sees half of it.
    """
    data = text.encode()
    with suppress(OSError):
        if path.read_bytes() == data:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def checked_file_name(name: str) -> str:
    """Return a cell's FILE as a path inside the package.

    Raises:
        RustUsageError: It is absolute, leaves `src/`, or does not end in `.rs`.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or path.parts[:1] != ("src",) or path.suffix != ".rs":
        raise RustUsageError(f"{name!r} is no file of the package: name one below src/, such as src/model.rs.")
    if any(not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", part.removesuffix(".rs")) for part in path.parts):
        raise RustUsageError(f"{name!r} is no name for a Rust module: use letters, digits and `_` only.")
    if path.stem in _RESERVED or (path.parts[1:2] == ("bin",) and path.stem in _CARGO_FOLDERS):
        raise RustUsageError(f"{path.stem!r} has a meaning of its own for Rust or cargo: choose another file name.")
    return path.as_posix()


_KEYWORDS = """
_ as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod move mut
pub ref return self static struct super trait true try type unsafe use where while
"""
_RESERVED = frozenset(_KEYWORDS.split())
_CARGO_FOLDERS = frozenset(("build", "deps", "examples", "incremental", CELL_PROGRAM))


def remove_slots() -> None:
    """Remove all package copies that no kernel holds."""
    for lock_file in sorted((target_root() / "cells").glob("slot-*.lock")):
        lock = FileLock(lock_file)
        with suppress(Timeout):
            lock.acquire(blocking=False)
            shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
            lock.release()
