"""Fixtures that several test files share."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from plain_engine import PlainEngine, make_plain_engine

from helpers.engines import ENGINES, RUST_ENGINES
from helpers.paths import REPO, TARGET_VARIABLE
from helpers.toolchain import find_tool

SUBSET = REPO.parent / "shared" / "data" / "cifar10-subset"


@pytest.fixture(scope="session", autouse=True)
def _real_images() -> None:
    """Use the real images that lie beside the checkout, unless the reader named others."""
    if (SUBSET / "train.bin").exists():
        os.environ.setdefault("CIFAR10_DIR", str(SUBSET))


@pytest.fixture(scope="session")
def plain_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The package and the target folder of the framework-less engine."""
    root = tmp_path_factory.mktemp("plain")
    package = root / "package"
    make_plain_engine(package)
    subprocess.run([find_tool("cargo"), "generate-lockfile"], cwd=package, check=True, capture_output=True)
    return package, root / "target"


@pytest.fixture
def plain_engine(plain_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[PlainEngine]:
    """A framework-less engine called `plain`, known to the magics, with a target folder of its own."""
    package, target = plain_folders
    engine = PlainEngine(name="plain", title="Plain Rust", folder=package)
    monkeypatch.setenv(TARGET_VARIABLE, str(target))
    monkeypatch.setitem(ENGINES, "plain", engine)
    monkeypatch.setitem(RUST_ENGINES, "plain", engine)
    return engine


@pytest.fixture
def shell(plain_engine: PlainEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """An IPython shell with the magics loaded, which knows the framework-less engine."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("model", "train"):  # what `%%pytorch` imports must not reach other tests
        monkeypatch.setitem(sys.modules, name, None)
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(colors="nocolor")
    shell.run_line_magic("load_ext", "helpers.rust_magic")
    yield shell
    shell.run_line_magic("unload_ext", "helpers.rust_magic")
    InteractiveShell.clear_instance()


@pytest.fixture
def run(shell: InteractiveShell) -> Callable[[str], ExecutionResult]:
    """Run a cell in the shell, as its next one."""
    return lambda cell: shell.run_cell(cell, store_history=True)
