"""The doctor names every missing or wrong part, with a cure, on machines described by a few small scripts."""

import sys

import pytest
from rich.console import Console

from helpers import doctor, doctor_checks, toolchain
from helpers.doctor_checks import Machine
from helpers.engines import ENGINES
from helpers.errors import SetupError
from helpers.paths import SNIPPETS

RUST = [engine for engine in ENGINES.values() if engine.is_rust]
PIN = ENGINES["dfdx"].toolchain

HEALTHY = {
    "cargo": "case $1 in --version) echo 'cargo 1.95.0 (f2d3ce0bd 2026-03-21)';; *) exit 0;; esac",
    "rustc": "echo 'rustc 1.95.0 (59807616e 2026-04-14)'; echo 'host: x86_64-unknown-linux-gnu'",
    "rustup": f"case $1 in run) echo 'rustc 1.95.0 (59807616e)';; toolchain) echo '{PIN}-x86_64';; esac",
    "cc": "echo 'cc 12.2.0'",
    "c++": "echo 'c++ 12.2.0'",
}


@pytest.fixture
def make_machine(tmp_path):
    """Make a machine whose PATH holds the healthy programs, some replaced or, with None, taken away."""

    def make(torch="2.13.0", environ=(), **programs):
        folder = tmp_path / "bin"
        folder.mkdir()
        for name, script in {**HEALTHY, **programs}.items():
            if script is not None:
                (folder / name).write_text(f"#!/bin/sh\n{script}\n")
                (folder / name).chmod(0o755)
        paths = {"PATH": str(folder), "HOME": str(tmp_path), "CARGO_HOME": str(tmp_path / "cargo")}
        return Machine({**paths, **dict(environ)}, SNIPPETS, tmp_path / "target", torch)

    return make


def faults(machine):
    return {check.name: check for check in doctor.examine(RUST, machine) if not check.ok}


def test_a_complete_machine_has_no_fault(make_machine):
    machine = make_machine()
    assert faults(machine) == {}
    doctor.prepare(RUST, Console(quiet=True), machine)


def test_no_cargo(make_machine):
    fault = faults(make_machine(cargo=None, rustc=None, rustup=None))["cargo"]
    assert fault.finding == "there is none on the PATH"
    assert "https://rustup.rs" in fault.cure


def test_cargo_is_also_found_in_its_own_folder(make_machine, tmp_path):
    machine = make_machine(cargo=None)
    own = tmp_path / "cargo" / "bin" / "cargo"
    own.parent.mkdir(parents=True)
    own.write_text(f"#!/bin/sh\n{HEALTHY['cargo']}\n")
    own.chmod(0o755)
    assert doctor_checks.check_cargo(machine).ok


def test_cargo_that_does_not_run(make_machine):
    fault = faults(make_machine(cargo="echo 'error: no override and no default toolchain set'; exit 1"))["cargo"]
    assert "no default toolchain set" in fault.finding


def test_an_old_rustc(make_machine):
    old = HEALTHY["rustup"].replace("1.95.0", "1.84.1")
    fault = faults(make_machine(rustup=old))["rustc"]
    assert fault.finding == "1.84.1 is too old, 1.95 is needed"
    assert fault.cure == "run `rustup update stable`."


def test_the_chosen_toolchain_is_the_one_looked_at(make_machine):
    script = "[ $2 = nightly ] && echo 'rustc 1.97.0-nightly (3f2)' || echo 'rustc 1.95.0 (5980)'"
    machine = make_machine(rustup=script, environ={"RUSTUP_TOOLCHAIN": "nightly"})
    assert doctor_checks.check_rustc(machine, [ENGINES["candle"]]).finding == "1.97.0"


def test_no_stable_toolchain(make_machine):
    script = "case $1 in run) echo \"error: toolchain 'stable' is not installed\"; exit 1;; esac"
    fault = faults(make_machine(rustup=script))["rustc"]
    assert "toolchain 'stable' is not installed" in fault.finding
    assert fault.cure == "run `rustup toolchain install stable`."


def test_the_pinned_nightly_is_missing(make_machine):
    machine = make_machine(rustup="case $1 in run) echo 'rustc 1.95.0 (5)';; *) echo stable-x86_64;; esac")
    (fault,) = faults(machine).values()
    assert fault.finding == f"{PIN} is not installed"
    assert fault.cure.startswith(f"run `rustup toolchain install {PIN} --profile minimal --component rustfmt")
    assert fault.installable


def test_the_pinned_nightly_is_installed_with_a_message(make_machine, tmp_path):
    done = tmp_path / "installed"
    script = (
        f"case $1 in run) echo 'rustc 1.95.0 (5)';; toolchain) "
        f"[ $2 = list ] && [ -e {done} ] && echo {PIN}-x86_64; [ $2 = install ] && : > {done}; exit 0;; esac"
    )
    console = Console(record=True, width=200, file=sys.stderr)
    doctor.prepare(RUST, console, make_machine(rustup=script))
    assert done.exists()
    assert f"dfdx needs its own compiler, {PIN}: installing it" in console.export_text()


def test_a_nightly_that_cannot_be_installed_stops_with_rustups_word(make_machine):
    script = (
        "case $1 in run) echo 'rustc 1.95.0 (5)';; "
        "toolchain) [ $2 = install ] && echo 'error: could not download file' && exit 1; exit 0;; esac"
    )
    with pytest.raises(SetupError, match=r"could not download file.*run `rustup toolchain install"):
        doctor.prepare(RUST, Console(quiet=True), make_machine(rustup=script))


def test_no_rustup_for_the_nightly(make_machine):
    fault = faults(make_machine(rustup=None))["dfdx's compiler"]
    assert "no rustup" in fault.finding
    assert "https://rustup.rs" in fault.cure
    assert not fault.installable


@pytest.mark.parametrize(
    ("torch", "finding"), [("2.10.0", "torch 2.10.0, but tch needs exactly 2.13.0"), (None, "not")]
)
def test_a_torch_that_tch_does_not_accept(make_machine, torch, finding):
    fault = faults(make_machine(torch=torch))["torch for tch"]
    assert finding in fault.finding
    assert fault.cure == "run `uv sync`."


def test_the_torch_asked_for_is_the_one_that_tch_was_written_for():
    sources = (toolchain.Path.home() / ".cargo/registry/src").glob("*/torch-sys-0.26.0/build.rs")
    source = next(sources, None)
    if source is None:
        pytest.skip("the source of torch-sys is not on this machine")
    assert f'TORCH_VERSION: &str = "{toolchain.required_torch_version()}"' in source.read_text()


def test_variables_of_another_libtorch(make_machine):
    fault = faults(make_machine(environ={"LIBTORCH": "/opt/libtorch", "LIBTORCH_LIB": "/opt"}))["libtorch variables"]
    assert fault.cure == "run `unset LIBTORCH LIBTORCH_LIB`."


def test_another_libtorch_on_the_library_path(make_machine, tmp_path):
    (tmp_path / "libtorch.so").touch()
    machine = make_machine(environ={"LD_LIBRARY_PATH": f"/nowhere:{tmp_path}"})
    assert str(tmp_path) in faults(machine)["libtorch variables"].finding


def test_no_cpp_compiler(make_machine):
    fault = faults(make_machine(**{"c++": None, "apt-get": "true"}))["C++ compiler"]
    assert "builds tch's half in C++" in fault.finding
    assert fault.cure == "run `sudo apt-get install build-essential`."


def test_the_compiler_named_in_cxx_is_tried(make_machine):
    assert "`nonesuch++`" in faults(make_machine(environ={"CXX": "nonesuch++"}))["C++ compiler"].finding


def test_only_tch_needs_cpp_and_torch(make_machine):
    checks = doctor.examine([ENGINES["candle"]], make_machine(torch=None, **{"c++": None}))
    assert all(check.ok for check in checks)


def test_no_room_on_the_disk(make_machine, monkeypatch):
    usage = type("Usage", (), {"free": int(1e9)})
    monkeypatch.setattr(doctor_checks.shutil, "disk_usage", lambda place: usage)
    fault = faults(make_machine())["disk"]
    assert fault.finding.startswith("1.0 GB free, ")
    assert "WORKBOOK_TARGET_DIR" in fault.cure


def test_what_is_built_needs_no_more_room(make_machine, monkeypatch):
    machine = make_machine()
    for engine in RUST:
        program = machine.target / engine.name / "release" / f"{engine.name}-cells"
        program.parent.mkdir(parents=True)
        program.touch()
    usage = type("Usage", (), {"free": int(1e9)})
    monkeypatch.setattr(doctor_checks.shutil, "disk_usage", lambda place: usage)
    assert faults(machine) == {}


def test_a_target_folder_that_cannot_be_written(make_machine, monkeypatch):
    monkeypatch.setattr(doctor_checks.os, "access", lambda place, mode: False)
    assert "cannot be written" in faults(make_machine())["disk"].finding


OFFLINE = """case "$*" in
--version) echo 'cargo 1.95.0 (f2d)' ;;
*--offline*) exit 101 ;;
*) echo 'error: failed to get `tch`'; echo '  [6] Could not resolve hostname'; exit 101 ;;
esac"""


def test_no_network_before_the_crates_were_fetched(make_machine):
    fault = faults(make_machine(cargo=OFFLINE))["crates"]
    assert "Could not resolve hostname" in fault.finding
    assert "connect to the network and run `cargo fetch --locked`" in fault.cure


def test_a_slow_network_is_no_fault(make_machine, monkeypatch):
    monkeypatch.setattr(doctor_checks, "NETWORK_SECONDS", 0.2)
    slow = OFFLINE.replace("echo 'error: failed to get `tch`'", "exec /bin/sleep 5")
    crates = doctor_checks.check_crates(make_machine(cargo=slow), RUST)
    assert crates.ok
    assert "the rest comes with the build" in crates.finding


def test_all_faults_are_named_at_once_before_anything_is_built(make_machine):
    machine = make_machine(torch="2.10.0", **{"c++": None, "apt-get": "true"})
    with pytest.raises(SetupError) as refused:
        doctor.prepare(RUST, Console(quiet=True), machine)
    lines = str(refused.value).splitlines()
    assert [line.split(":")[0] for line in lines] == ["torch for tch", "C++ compiler"]
    assert all("run `" in line for line in lines)
    assert not machine.target.exists()


def test_the_table_shows_findings_and_cures(make_machine):
    console = Console(record=True, width=160, file=sys.stderr)
    console.print(doctor.table(doctor.examine(RUST, make_machine(torch="2.10.0"))))
    text = console.export_text()
    assert "torch 2.10.0, but tch needs exactly 2.13.0" in text
    assert "run `uv sync`." in text
    assert "wrong" in text


def optional(machine):
    return {check.name: check for check in doctor.examine(RUST, machine) if "optional" in check.name}


def test_optional_tools_that_are_missing_are_no_fault(make_machine):
    rows = optional(make_machine())
    assert all(check.ok for check in rows.values())
    assert rows["gdb, optional"].finding == "not installed: chapter 11 skips its debugger"
    assert rows["gdb, optional"].cure == "nothing, or run `sudo apt-get install gdb`."
    assert rows["Miri, optional"].finding == "Miri is not installed: chapter 11 skips its cells"
    assert rows["Miri, optional"].cure.startswith("nothing, or run `rustup toolchain install nightly ")


def test_optional_tools_that_are_there(make_machine, tmp_path):
    nightly = tmp_path / "nightly"
    for name in ("bin/miri", "bin/cargo-miri", "lib/rustlib/src/rust/library/std.rs"):
        (nightly / name).parent.mkdir(parents=True, exist_ok=True)
        (nightly / name).touch()
    script = (
        f"case $1 in run) echo 'rustc 1.95.0 (5)';; *) echo '{PIN}-x86_64 /x'; echo 'nightly-x86_64 {nightly}';; esac"
    )
    rows = optional(make_machine(rustup=script, gdb="echo 'GNU gdb (Debian 13.1-3) 13.1'"))
    assert rows["gdb, optional"].finding == "13.1"
    assert rows["Miri, optional"].finding == "nightly-x86_64"
    assert not any(check.cure for check in rows.values())
