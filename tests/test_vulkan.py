"""Is there a Vulkan driver? Asked of folders made up for the test."""

import ctypes.util
from pathlib import Path

import pytest

from helpers import vulkan


@pytest.fixture(autouse=True)
def _linux_with_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vulkan.sys, "platform", "linux")
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: f"lib{name}.so.1")


def driver(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "lvp_icd.x86_64.json"
    path.write_text("{}")
    return path


def test_no_folder_and_no_file_is_no_driver(tmp_path: Path) -> None:
    empty = tmp_path / "icd.d"
    assert "no Vulkan driver was found" in vulkan.missing_driver({"HOME": str(tmp_path)}, [empty])
    empty.mkdir()
    assert "no Vulkan driver was found" in vulkan.missing_driver({"HOME": str(tmp_path)}, [empty])


def test_a_drivers_file_is_found(tmp_path: Path) -> None:
    driver(tmp_path / "icd.d")
    assert vulkan.missing_driver({"HOME": str(tmp_path)}, [tmp_path / "icd.d"]) == ""


def test_a_driver_of_the_user_is_found(tmp_path: Path) -> None:
    driver(tmp_path / ".local" / "share" / "vulkan" / "icd.d")
    assert vulkan.missing_driver({"HOME": str(tmp_path)}, []) == ""
    assert vulkan.missing_driver({"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "x")}, []) != ""


def test_the_variable_decides_alone(tmp_path: Path) -> None:
    path = driver(tmp_path / "icd.d")
    named = {"HOME": str(tmp_path), "VK_DRIVER_FILES": str(tmp_path / "gone.json")}
    assert "no Vulkan driver was found" in vulkan.missing_driver(named, [path.parent])
    assert vulkan.missing_driver({**named, "VK_DRIVER_FILES": str(path)}, []) == ""


def test_a_driver_without_the_loader_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    driver(tmp_path / "icd.d")
    assert "library that loads it" in vulkan.missing_driver({"HOME": str(tmp_path)}, [tmp_path / "icd.d"])


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_have_their_own_api(system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vulkan.sys, "platform", system)
    assert vulkan.missing_driver({"HOME": str(tmp_path)}, []) == ""
