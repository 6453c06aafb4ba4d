"""The magics of Rust's tools in a real IPython shell, on an engine without a framework."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

from helpers import cell_tools, debugger, miri, tool_magics
from helpers.cell_source import items_source
from helpers.diagnostics import Diagnostic
from helpers.errors import (
    RustCompileError,
    RustExpectationError,
    RustFinding,
    RustUsageError,
)
from helpers.tool_arguments import parse_clippy, parse_gdb, parse_miri, parse_test

Run = Callable[[str], ExecutionResult]


@pytest.fixture(autouse=True)
def tools(shell: InteractiveShell) -> None:
    shell.run_line_magic("load_ext", "helpers.tool_magics")


def error_of(result: ExecutionResult) -> str:
    return str(result.error_in_exec or result.error_before_exec)


NEEDLESS = 'let numbers = vec![1, 2];\nif numbers.len() == 0 {\n    println!("none");\n}'


def test_clippy_names_the_cells_line_and_nothing_runs(run: Run, capfd: pytest.CaptureFixture) -> None:
    run(f"%%rust_clippy plain\n{NEEDLESS}").raise_error()
    out = capfd.readouterr().out
    assert "length comparison to zero" in out
    assert "cell:3:4" in out
    assert "none" not in out.replace('println!("none")', "")


def test_clippy_expects_exact_lints(run: Run, capfd: pytest.CaptureFixture) -> None:
    run(f"%%rust_clippy plain --expect clippy::len_zero,clippy::useless_vec\n{NEEDLESS}").raise_error()
    result = run(f"%%rust_clippy plain --expect clippy::len_zero\n{NEEDLESS}")
    assert isinstance(result.error_in_exec, RustExpectationError)
    assert "useless_vec" in error_of(result)
    run("%%rust_clippy plain\nlet sum = 1 + 2;\nassert_eq!(sum, 3);").raise_error()
    assert "Clippy finds nothing." in capfd.readouterr().out


def test_clippy_on_a_cell_that_does_not_compile(run: Run) -> None:
    result = run('%%rust_clippy plain\nlet a: i64 = "one";')
    assert isinstance(result.error_in_exec, RustCompileError)
    assert result.error_in_exec.codes == ("E0308",)


def test_clippy_leaves_the_programs_of_cells_alone(run: Run, capfd: pytest.CaptureFixture) -> None:
    cell = 'println!("{}", 40 + 2);'
    run(f"%%rust_clippy plain\n{cell}").raise_error()
    run(f"%%rust plain\n{cell}").raise_error()
    assert "42\n" in capfd.readouterr().out


def test_rustfmt_shows_a_difference(run: Run, capfd: pytest.CaptureFixture) -> None:
    run("%%rust_fmt\nlet x=1;\nlet y   = 2;").raise_error()
    out = capfd.readouterr().out
    assert "-let x=1;" in out
    assert "+let x = 1;" in out
    run("%%rust_fmt\nfn double(x: i64) -> i64 {\n    2 * x\n}").raise_error()
    assert "rustfmt changes nothing." in capfd.readouterr().out


def test_rustfmt_names_the_line_that_it_cannot_read(run: Run) -> None:
    assert "line 3 of the cell" in error_of(run("%%rust_fmt\nlet x = 1;\nlet = 2;"))
    assert "takes no words" in error_of(run("%%rust_fmt candle\nlet x = 1;"))


def test_formatted_text_is_stable() -> None:
    once = cell_tools.formatted("fn f( )->i64{1}\nfn g(){}")
    assert once == "fn f() -> i64 {\n    1\n}\nfn g() {}\n"
    assert cell_tools.formatted(once) == once
    statements = cell_tools.formatted('let a=1;\nif a==1{println!("{a}");}')
    assert statements == 'let a = 1;\nif a == 1 {\n    println!("{a}");\n}\n'
    assert cell_tools.formatted(statements) == statements


TESTS = """use plain_cells::model::double;

#[test]
fn doubles() {
    assert_eq!(double(2), 4);
}

#[test]
fn fails() {
    assert_eq!(double(2), EXPECTED, "two times two");
}
"""


def test_tests_of_a_cell_run(run: Run, capfd: pytest.CaptureFixture) -> None:
    run(f"%%rust_test plain\n{TESTS.replace('EXPECTED', '4')}").raise_error()
    out = capfd.readouterr().out
    assert "test doubles ... ok" in out
    assert "test result: ok. 2 passed; 0 failed" in out
    assert "finished in" not in out


def test_a_failing_test_is_red_unless_expected(run: Run, capfd: pytest.CaptureFixture) -> None:
    wrong = TESTS.replace("EXPECTED", "5")
    result = run(f"%%rust_test plain\n{wrong}")
    assert isinstance(result.error_in_exec, RustFinding)
    assert error_of(result) == "1 of 2 tests failed"
    out = capfd.readouterr().out
    assert "cell:11:5" in out
    assert "two times two" in out
    run(f"%%rust_test plain --expect failure\n{wrong}").raise_error()
    result = run(f"%%rust_test plain --expect failure\n{TESTS.replace('EXPECTED', '4')}")
    assert isinstance(result.error_in_exec, RustExpectationError)


def test_a_test_cell_without_tests_or_with_statements(run: Run) -> None:
    assert "holds no test" in error_of(run("%%rust_test plain\nfn f() {}"))
    assert "Line 3 of the cell is a statement" in error_of(run("%%rust_test plain\nfn f() {}\nlet a = 1;"))


CENTRED = """fn centred(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}
println!("{:?}", centred(&[1., 2., 6.]));"""


@pytest.mark.skipif(debugger.find() is None, reason=debugger.missing())
def test_gdb_stops_in_the_cell(run: Run, capfd: pytest.CaptureFixture) -> None:
    run(
        f'%%rust_gdb plain --do "break centred; run; next; info locals; print nonsense; continue"\n{CENTRED}'
    ).raise_error()
    out = capfd.readouterr().out
    if out.startswith("Skipped"):
        pytest.skip(out)
    assert "(gdb) break centred\nBreakpoint 1: cell, line 3\n" in out
    assert "(gdb) info locals\nmean = 3\n" in out
    assert '(gdb) print nonsense\nNo symbol "nonsense" in current context' in out.replace("'", '"')
    assert "[-2.0, -1.0, 3.0]\n[the program ended]" in out
    assert "0x" not in out


def test_without_gdb_the_cell_says_what_to_install(
    run: Run, capfd: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debugger, "find", lambda: None)
    run('%%rust_gdb plain --do "run"\nlet a = 1;').raise_error()
    assert capfd.readouterr().out.startswith("Skipped: There is no gdb on this machine: run `sudo apt-get install gdb`")


def test_a_refused_debugger_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    script = tmp_path / "gdb"
    script.write_text('#!/bin/sh\necho "(gdb) run"\necho "warning: ptrace: Operation not permitted" >&2\nexit 1\n')
    script.chmod(0o755)
    session = debugger.debug(script, tmp_path / "program", ["run"], cwd=tmp_path, env={"PATH": "/bin"}, wrapped=True)
    assert session.refused == "warning: ptrace: Operation not permitted"


@pytest.mark.parametrize(
    ("command", "wrapped", "full"),
    [
        ("break 7", True, "break cell.rs:7"),
        ("break centred", True, "break cell::main::centred"),
        ("break centred if x > 1", False, "break cell::centred if x > 1"),
        ("break candle_core::tensor::Tensor::add", True, "break candle_core::tensor::Tensor::add"),
        ("info locals", True, "info locals"),
    ],
)
def test_places_in_the_cell(command: str, wrapped: bool, full: str) -> None:
    assert debugger.in_cell(command, wrapped=wrapped) == full


def test_gdbs_words_without_what_differs_from_run_to_run() -> None:
    said = (
        "[Thread debugging using libthread_db enabled]\n"
        "Breakpoint 1 at 0x16a98: file src/bin/cell.rs, line 2.\n"
        "Breakpoint 2 at 0x81961: cell.rs:5. (2 locations)\n"
        "#1  0x000055555556a9ab in cell::main () at src/bin/cell.rs:8\n"
        "[Inferior 1 (process 4630) exited normally]\n"
    )
    assert debugger.readable(said).splitlines() == [
        "Breakpoint 1: cell, line 2",
        "Breakpoint 2: cell, line 5 (2 places)",
        "#1  cell::main () at cell:8",
        "[the program ended]",
    ]


DANGLING = (
    'fn main() {\n    let v = vec![1];\n    let p = v.as_ptr();\n    drop(v);\n    println!("{}", unsafe { *p });\n}'
)
MIRI = miri.find()


@pytest.mark.slow
@pytest.mark.skipif(isinstance(MIRI, str), reason=str(MIRI))
def test_miri_names_what_a_release_build_lets_pass(shell: InteractiveShell, capfd, monkeypatch) -> None:
    monkeypatch.delenv("WORKBOOK_TARGET_DIR")  # the standard library that is there already
    run = shell.run_cell
    run(f"%%rust_miri --expect use-after-free\n{DANGLING}").raise_error()
    out = capfd.readouterr().out
    assert "has been freed" in out
    assert "cell:6:" in out
    result = run(f"%%rust_miri\n{DANGLING}")
    assert isinstance(result.error_in_exec, RustFinding)
    result = run(f"%%rust_miri --expect data-race\n{DANGLING}")
    assert isinstance(result.error_in_exec, RustExpectationError)
    run('%%rust_miri\nfn main() {\n    println!("sound");\n}').raise_error()
    assert "sound\nMiri finds nothing in this run." in capfd.readouterr().out
    assert isinstance(run("%%rust_miri\nfn main() {\n    nothing();\n}").error_in_exec, RustCompileError)


def test_miri_wants_a_whole_program(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miri, "find", lambda: miri.Miri("nightly", None))
    assert "put the statements into a `fn main`" in error_of(run("%%rust_miri\nlet a = 1;"))


def test_without_miri_the_cell_says_what_to_install(run: Run, capfd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miri, "find", lambda: "Miri is not installed: run `x`.")
    run(f"%%rust_miri --expect use-after-free\n{DANGLING}").raise_error()
    assert capfd.readouterr().out == "Skipped: Miri is not installed: run `x`.\n"


def fake_rustup(folder, *toolchains: str) -> dict[str, str]:
    lines = "".join(f"echo '{name} {folder / name}'\n" for name in toolchains)
    folder.mkdir(exist_ok=True)
    (folder / "rustup").write_text(f"#!/bin/sh\n{lines}")
    (folder / "rustup").chmod(0o755)
    return {"PATH": f"{folder}:/bin:/usr/bin"}


def give(folder, *files: str) -> None:
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


SOURCE = "lib/rustlib/src/rust/library/std.rs"


def test_finding_miri(tmp_path) -> None:
    assert "comes through rustup" in miri.find({"PATH": str(tmp_path)})
    env = fake_rustup(tmp_path / "r", "stable-x86_64", "nightly-2024-02-01-x86_64", "nightly-x86_64")
    assert miri.find(env) == f"Miri is not installed: run `{miri.INSTALL}`."
    give(tmp_path / "r" / "nightly-x86_64", "bin/miri", "bin/cargo-miri")
    assert "rustup component add --toolchain nightly-x86_64 rust-src" in miri.find(env)
    give(tmp_path / "r" / "nightly-2024-02-01-x86_64", "bin/miri", "bin/cargo-miri", SOURCE)
    assert miri.find(env).toolchain == "nightly-2024-02-01-x86_64"
    give(tmp_path / "r" / "nightly-x86_64", SOURCE)
    assert miri.find(env).toolchain == "nightly-x86_64"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (
            "Undefined Behavior: memory access failed: alloc1 has been freed, so this pointer is dangling",
            "use-after-free",
        ),
        ("Undefined Behavior: Data race detected between (1) non-atomic write", "data-race"),
        (
            "Undefined Behavior: constructing invalid value: encountered a dangling box (use-after-free)",
            "use-after-free",
        ),
        ("memory leaked: alloc1 (Rust heap, size: 8, align: 4), allocated here:", "memory-leak"),
        ("Undefined Behavior: entering unreachable code", "undefined-behaviour"),
        ("cannot find function `nothing` in this scope", "error"),
    ],
)
def test_kinds_of_finding(message: str, kind: str) -> None:
    assert miri.kind(Diagnostic("error", message)) == kind


@pytest.mark.parametrize(
    ("parse", "line", "says"),
    [
        (parse_clippy, "", "FRAMEWORK"),
        (parse_clippy, "plane", "There is no framework 'plane'"),
        (parse_clippy, "candle --expect E0382", "is no lint"),
        (parse_test, "candle --expect E0382", "--expect failure"),
        (parse_gdb, "candle", "--do"),
        (parse_gdb, 'candle --do "run', "close the quotation mark"),
        (lambda line: parse_miri(line, tuple(miri.KINDS)), "--expect leak", "data-race"),
        (lambda line: parse_miri(line, tuple(miri.KINDS)), "candle", "unrecognized arguments"),
    ],
)
def test_usage_errors_name_what_to_write(parse: Callable[[str], object], line: str, says: str) -> None:
    with pytest.raises(RustUsageError, match=says):
        parse(line)


def test_miri_flags_pass() -> None:
    options = parse_miri("-Zmiri-seed=3 --expect data-race", tuple(miri.KINDS))
    assert (options.flags, options.expect) == (("-Zmiri-seed=3",), ("data-race",))


def test_items_keep_their_lines_and_inner_attributes_come_first() -> None:
    source = items_source("fn f() {}\n#![allow(dead_code)]\nfn g() {}", None).text.split("\n")
    assert source[0] == "#![allow(dead_code)]"
    assert source[3] == "fn g() {}"


def test_cargo_tree_shows_no_path(run: Run, capfd: pytest.CaptureFixture) -> None:
    run("%cargo_tree plain --depth 1").raise_error()
    out = capfd.readouterr().out
    assert "anyhow v1" in out
    assert "(/" not in out
    assert "cargo tree: " in error_of(run("%cargo_tree plain --nonsense"))


def test_a_test_report_names_failing_tests_once() -> None:
    report = (
        "\nrunning 1 test\ntest fails ... FAILED\n\nfailures:\n\n---- fails stdout ----\npanicked at cell:1:1\n\n\n"
        "failures:\n    fails\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; finished in 0.00s\n"
    )
    shown = tool_magics._test_report(report).splitlines()
    assert shown.count("failures:") == 1
    assert "    fails" not in shown
    assert shown[-1].endswith("0 measured")
