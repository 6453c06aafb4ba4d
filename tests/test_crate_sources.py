"""What cargo keeps on this machine is read; what is not there is None."""

import pytest

from helpers import crate_sources
from helpers.crate_sources import (
    Release,
    api_crates,
    crate_folder,
    dependencies,
    known_releases,
    locked_versions,
    source_folder,
)
from helpers.engines import ENGINES, RUST_ENGINES
from helpers.errors import SetupError

DFDX = ENGINES["dfdx"]


@pytest.fixture
def home(tmp_path):
    (tmp_path / "registry" / "src" / "index-1" / "burn-core-0.22.1").mkdir(parents=True)
    entries = {
        "bu/rn/burn": [
            '{"vers":"0.9.0","yanked":true,"pubtime":"2023-09-06T00:00:00Z"}',
            '{"vers":"0.23.0-pre.1"}',
            '{"vers":"0.22.1","yanked":false}',
        ],
        "3/t/tch": ['{"vers":"0.26.0"}'],
    }
    for place, lines in entries.items():
        path = tmp_path / "registry" / "index" / "index-1" / ".cache" / place
        path.parent.mkdir(parents=True)
        path.write_bytes(b"\x03\x02\0\0\0etag\0" + b"\0".join(b"x\0" + line.encode() for line in lines) + b"\0")
    return tmp_path


def test_sources(home):
    assert crate_folder("burn-core", "0.22.1", home).name == "burn-core-0.22.1"
    assert crate_folder("burn-core", "0.25.0", home) is None


def test_releases_come_oldest_first(home):
    found = known_releases("burn", home)
    assert [release.version for release in found] == ["0.9.0", "0.22.1", "0.23.0-pre.1"]
    assert found[0] == Release("0.9.0", True, "2023-09-06")
    assert [release.is_final for release in found] == [False, True, False]
    assert [release.version for release in known_releases("tch", home)] == ["0.26.0"]
    assert known_releases("tract", home) is None


@pytest.mark.parametrize("engine", RUST_ENGINES.values(), ids=RUST_ENGINES)
def test_api_crates_are_in_the_lock_file(engine):
    assert api_crates(engine)


@pytest.mark.slow
@pytest.mark.parametrize("engine", RUST_ENGINES.values(), ids=RUST_ENGINES)
def test_dependencies_hold_the_framework_and_not_the_workbook(engine):
    names = {crate.split()[0] for crate in dependencies(engine)}
    assert set(api_crates(engine)) <= names
    assert not {"common", f"{engine.name}-cells"} & names
    assert "criterion" not in names  # a tool of the workbook's own package


def test_the_lock_file_says_which_versions_were_chosen() -> None:
    versions = locked_versions(DFDX)
    assert versions["dfdx"] == "0.13.0"
    assert "torch-sys" not in versions and "torch-sys" in locked_versions(ENGINES["tch"])


def test_the_folder_is_that_of_the_locked_version() -> None:
    try:
        folder = source_folder(DFDX, "half")
    except SetupError as error:
        pytest.skip(str(error))
    assert folder.name == f"half-{locked_versions(DFDX)['half']}"
    assert (folder / "Cargo.toml").is_file()


def test_a_crate_that_is_not_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crate_sources, "_source_folders", lambda engine: {"dfdx": engine.package})
    assert source_folder(DFDX, "dfdx") == DFDX.package
    with pytest.raises(SetupError, match="The dfdx package uses no crate 'tokio'"):
        source_folder(DFDX, "tokio")


def test_sources_that_are_not_there_are_told_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    crate_sources._source_folders.cache_clear()
    monkeypatch.setattr(crate_sources, "find_tool", lambda name, toolchain: "false")
    monkeypatch.setattr(crate_sources, "cargo_env", lambda engine: {"PATH": "/usr/bin:/bin"})
    with pytest.raises(SetupError, match="run `workbook build dfdx` first"):
        source_folder(DFDX, "dfdx")
    crate_sources._source_folders.cache_clear()
