import pytest

from helpers.cargo_failure import setup_error
from helpers.engines import ENGINES
from helpers.process import ProgramResult


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("error: failed to write `x`\nCaused by: No space left on device (os error 28)", "the disk is full"),
        ("error: could not create\nCaused by: Read-only file system (os error 30)", "WORKBOOK_TARGET_DIR"),
        (
            "warning: spurious network error : [6] Could not resolve host: x",
            "connect to the network",
        ),
        ("error: failed to download from `https://x`", "connect to the network"),
        ("this tch version expects PyTorch 2.13.0, got 2.12.1, this check", "torch 2.13.0, but torch 2.12.1 was found"),
        ("error: linker `cc` not found", "there is no C++ compiler"),
        ('error occurred in cc-rs: failed to find tool "c++": No such file', "there is no C++ compiler"),
        (
            "error: cannot update the lock file : lock file x needs to be updated",
            "git checkout rust_snippets",
        ),
        ("error: failed to parse lock file at: /x/Cargo.lock", "git checkout rust_snippets"),
        ("process didn't exit successfully: rustc (signal: 9, SIGKILL: kill)", "probably out of memory"),
        ("error: something nobody has seen before", "something nobody has seen before"),
    ],
)
def test_the_reason_is_told_with_its_cure(stderr: str, said: str) -> None:
    error = setup_error(ENGINES["tch"], [], ProgramResult(argv=["cargo"], returncode=101, stderr=stderr))
    assert said in str(error)
    assert str(error).startswith("tch-rs could not be built: ")


def test_a_dependency_that_does_not_compile_is_named() -> None:
    ended = ProgramResult(argv=["cargo"], returncode=101)
    assert "gemm_common: unknown feature" in str(setup_error(ENGINES["dfdx"], ["gemm_common: unknown feature"], ended))


def test_a_killed_cargo_says_run_again() -> None:
    assert "signal 15" in str(setup_error(ENGINES["burn"], [], ProgramResult(argv=["cargo"], returncode=-15)))
