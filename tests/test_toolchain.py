import os
import sys
from pathlib import Path

import pytest

from helpers import toolchain
from helpers.engines import ENGINES
from helpers.errors import SetupError


@pytest.fixture(autouse=True)
def fresh_caches() -> None:
    toolchain.check_toolchain.cache_clear()
    toolchain._find_tool.cache_clear()
    yield
    toolchain.check_toolchain.cache_clear()
    toolchain._find_tool.cache_clear()


def test_a_torch_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "torch_version", lambda: "2.12.1")
    with pytest.raises(SetupError, match=r"tch needs torch 2\.13\.0, but torch 2\.12\.1 is installed: run `uv sync`"):
        toolchain.check_toolchain(ENGINES["tch"])
    toolchain.check_toolchain(ENGINES["candle"])


def test_the_installed_torch_is_the_one_that_tch_needs() -> None:
    assert toolchain.torch_version() == toolchain.required_torch_version()


def test_an_old_rustc_is_named_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "rustc_version", lambda toolchain: (1, 80, 1))
    with pytest.raises(SetupError, match=r"rustc 1\.80\.1 is too old, 1\.95 is needed: run `rustup update stable`"):
        toolchain.check_toolchain(ENGINES["burn"])


def test_without_rust_the_cure_is_rustup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    for name in ("candle", "dfdx"):
        with pytest.raises(SetupError, match=r"rustup\.rs"):
            toolchain.find_tool("cargo", ENGINES[name].toolchain)


def test_cargo_is_found_although_path_lacks_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "bin"
    if not (tools / "cargo").exists():
        pytest.skip("cargo is not installed by rustup here")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert toolchain.find_tool("cargo").name == "cargo"


def test_tch_is_built_with_the_kernels_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBTORCH", "/somewhere/else")
    monkeypatch.setenv("LIBTORCH_CXX11_ABI", "0")
    env = toolchain.cargo_env(ENGINES["tch"])
    assert "LIBTORCH" not in env
    assert "LIBTORCH_CXX11_ABI" not in env
    assert str(Path(sys.executable).parent) in env["PATH"].split(os.pathsep)[:2]
    assert env["LIBTORCH_USE_PYTORCH"] == "1"
