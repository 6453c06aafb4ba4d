import pytest

from helpers import crate_facts
from helpers.crate_facts import locked_versions, source_folder
from helpers.engines import ENGINES
from helpers.errors import SetupError

dfdx = ENGINES["dfdx"]


def test_the_lock_file_says_which_versions_were_chosen() -> None:
    versions = locked_versions(dfdx)
    assert versions["dfdx"] == "0.13.0"
    assert "torch-sys" not in versions and "torch-sys" in locked_versions(ENGINES["tch"])


def test_the_folder_is_that_of_the_locked_version() -> None:
    try:
        folder = source_folder(dfdx, "half")
    except SetupError as error:
        pytest.skip(str(error))
    assert folder.name == f"half-{locked_versions(dfdx)['half']}"
    assert (folder / "Cargo.toml").is_file()


def test_a_crate_that_is_not_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crate_facts, "_source_folders", lambda engine: {"dfdx": engine.package})
    assert source_folder(dfdx, "dfdx") == dfdx.package
    with pytest.raises(SetupError, match="The dfdx package uses no crate 'tokio'"):
        source_folder(dfdx, "tokio")


def test_sources_that_are_not_there_are_told_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    crate_facts._source_folders.cache_clear()
    monkeypatch.setattr(crate_facts, "find_tool", lambda name, toolchain: "false")
    monkeypatch.setattr(crate_facts, "cargo_env", lambda engine: {"PATH": "/usr/bin:/bin"})
    with pytest.raises(SetupError, match="run `workbook build dfdx` first"):
        source_folder(dfdx, "dfdx")
    crate_facts._source_folders.cache_clear()
