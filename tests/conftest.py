"""Fixtures that several test files share."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
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
