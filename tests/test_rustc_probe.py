import pytest

from helpers import rustc_probe
from helpers.errors import SetupError
from helpers.rustc_probe import probe, probe_all


def test_lines_that_compile_have_no_errors() -> None:
    verdict = probe("pub fn one() -> u8 { 1 }\n", "stable")
    assert verdict.compiles and verdict.errors == () and verdict.version
    assert str(verdict).endswith("compiles")


def test_each_error_is_told_once_with_its_code() -> None:
    verdict = probe("pub fn one() -> u8 { 256u16 }\npub fn two() -> u8 { missing }\n", "stable")
    assert verdict.codes == ("E0425", "E0308")
    assert not verdict.compiles
    assert "cannot find value `missing`" in str(verdict)


def test_errors_without_a_code_are_told_too() -> None:
    source = "pub struct A<const N: usize>(pub [u8; N]);\npub fn f<const N: usize>(_: A<{ N + 1 }>) {}\n"
    verdict = probe(source, "stable")
    assert verdict.errors == ("generic parameters may not be used in const operations",)
    assert verdict.codes == () and not verdict.compiles


def test_a_switch_is_refused_by_stable_rust() -> None:
    assert probe("#![feature(never_type)]\n", "stable").codes == ("E0554",)


def test_a_toolchain_that_is_not_there_is_said_and_the_others_are_asked() -> None:
    missing, stable = probe_all("", ["nightly-1999-01-01", "stable"])
    assert "rustup toolchain install nightly-1999-01-01" in missing.missing
    assert not missing.compiles and stable.compiles
    assert str(missing).startswith("nightly-1999-01-01 ")


def test_a_compiler_that_fails_without_a_word_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rustc_probe, "find_tool", lambda name, toolchain: "false")
    with pytest.raises(SetupError, match="failed without an error message"):
        probe("", "stable")
