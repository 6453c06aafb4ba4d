"""The magics in a real IPython shell, on an engine without a framework."""

import _thread
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from plain_engine import PlainEngine

from helpers import rust_magic
from helpers.engines import ENGINES
from helpers.errors import (
    Interrupted,
    RustCompileError,
    RustExit,
    RustExpectationError,
    RustKilled,
    RustPanic,
    RustUsageError,
    SetupError,
)
from helpers.paths import target_root

Run = Callable[[str], ExecutionResult]


def test_a_short_cell_runs(run: Run, capfd: pytest.CaptureFixture) -> None:
    run('%%rust plain\nprintln!("{}", plain_cells::model::double(21));').raise_error()
    assert "42\n" in capfd.readouterr().out


CRITERION = (
    "Benchmarking two\nBenchmarking two: Warming up for 100.00 ms\n\nWarning: Unable to complete 20 samples\n"
    "Benchmarking two: Collecting 20 samples in estimated 532.04 ms (100 iterations)\nBenchmarking two: Analyzing\n"
)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (CRITERION, "\nWarning: Unable to complete 20 samples\n"),
        (CRITERION.replace("two", "one of three") + "end", "\nWarning: Unable to complete 20 samples\nend\n"),
        (
            "Benchmarking the model\nBenchmarking it: Analyzing\n",
            "Benchmarking the model\nBenchmarking it: Analyzing\n",
        ),
        ("Benchmarking\n\nBenchmarking by hand", "Benchmarking\n\nBenchmarking by hand\n"),
    ],
)
def test_of_stderr_only_criterions_progress_is_left_out(text, shown, size, capsys: pytest.CaptureFixture) -> None:
    writer = rust_magic._LineWriter({})
    for start in range(0, len(text), size):
        writer.write(text[start : start + size])
    writer.close()
    assert capsys.readouterr().err == shown


def test_cells_compose_as_modules(run: Run, capfd: pytest.CaptureFixture, plain_engine: PlainEngine) -> None:
    committed = (plain_engine.package / "src" / "model.rs").read_text()
    run("%%rust plain src/model.rs\npub fn double(x: i64) -> i64 {\n    x + x + 1\n}").raise_error()
    run("%%rust plain src/extra.rs\npub fn triple(x: i64) -> i64 {\n    3 * x\n}").raise_error()
    run(
        "%%rust plain src/main.rs\nuse plain_cells::{extra::triple, model::double};\n"
        'fn main() { println!("{} {}", double(2), triple(2)); }'
    ).raise_error()
    assert "5 6\n" in capfd.readouterr().out
    assert (plain_engine.package / "src" / "model.rs").read_text() == committed
    assert not (plain_engine.package / "src" / "extra.rs").exists()


def test_arguments_reach_the_program_and_python_values_the_line(run: Run, capfd: pytest.CaptureFixture) -> None:
    run("path = 'a b.json'").raise_error()
    run('%%rust plain -- "{path}" --expect\nfor a in std::env::args().skip(1) { println!("<{a}>"); }').raise_error()
    assert "<a b.json>\n<--expect>\n" in capfd.readouterr().out


def test_an_unchanged_cell_is_not_compiled_again(run: Run, shell: InteractiveShell) -> None:
    cell = '%%rust plain --name r\nprintln!("unchanged");'
    run(cell).raise_error()
    run('%%rust plain\nprintln!("another");').raise_error()
    run(cell).raise_error()
    assert shell.user_ns["r"].compiled == 0
    assert shell.user_ns["r"].stdout == "unchanged\n"


def test_a_changed_module_reaches_a_program_that_did_not_change(run: Run, shell: InteractiveShell) -> None:
    program = '%%rust plain --name r\nprintln!("{}", plain_cells::model::double(1));'
    run(program).raise_error()
    run("%%rust plain src/model.rs\npub fn double(_: i64) -> i64 {\n    7\n}").raise_error()
    run(program).raise_error()
    assert shell.user_ns["r"].stdout == "7\n"


def test_a_compile_error_has_the_cells_lines_and_no_path(run: Run, capfd: pytest.CaptureFixture) -> None:
    result = run('%%rust plain\nlet größe = String::from("日本");\nlet t = größe;\nprintln!("{größe} {t}");')
    assert isinstance(result.error_in_exec, RustCompileError)
    assert str(result.error_in_exec) == "E0382: borrow of moved value: `größe`"
    assert result.error_in_exec.codes == ("E0382",)
    said = capfd.readouterr().out
    assert "cell:4:" in said
    assert str(target_root()) not in said
    assert "Traceback" not in said


def test_an_error_in_another_cell_is_placed_there(run: Run, capfd: pytest.CaptureFixture) -> None:
    result = run("%%rust plain src/model.rs\npub fn double(x: i64) -> i64 {\n    y\n}")
    assert isinstance(result.error_in_exec, RustCompileError)
    assert re.search(r"cell \[\d+\]: src/model.rs:3:5", capfd.readouterr().out)


def test_warnings_are_shown_and_the_cell_is_green(run: Run, capfd: pytest.CaptureFixture) -> None:
    for _ in range(2):  # the second time from the cache
        assert run("%%rust plain\nlet unused = 1;").success
        assert "unused variable" in capfd.readouterr().out


class TestExpect:
    MOVED = 'let s = String::from("a");\nlet t = s;\nprintln!("{s} {t}");'

    def test_the_expected_error_is_green_and_teaches(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        assert run(f"%%rust plain --expect E0382\n{self.MOVED}").success
        said = capfd.readouterr().out
        for part in ("value moved here", "value borrowed here after move", "s.clone()"):
            assert part in said

    @pytest.mark.parametrize(
        ("line", "cell", "said"),
        [
            ("--expect E0499", MOVED, "expected E0499, but E0382 came"),
            ("--expect E0382", 'let a = 1; println!("{a}");', "expected E0382, but the cell compiles"),
            ("--expect E0382", f'{MOVED}\nlet x: i32 = "";', "expected E0382, but"),
            ("--expect syntax", MOVED, "expected syntax, but E0382 came"),
            ("--expect panic", "let _ = 1;", "expected a panic, but the program ended well"),
            ("--expect panic", "std::process::exit(2);", "expected a panic, but The program ended with exit code 2"),
        ],
    )
    def test_anything_else_is_red(self, run: Run, line: str, cell: str, said: str) -> None:
        error = run(f"%%rust plain {line}\n{cell}").error_in_exec
        assert isinstance(error, RustExpectationError)
        assert said in str(error)

    def test_a_syntax_error_and_a_panic_can_be_expected(self, run: Run) -> None:
        assert run("%%rust plain --expect syntax\nlet x = ;").success
        assert run('%%rust plain --expect panic\npanic!("on purpose");').success

    def test_a_failing_module_leaves_no_trace(self, run: Run) -> None:
        assert run('%%rust plain --expect E0308 src/model.rs\npub fn double(x: i64) -> i64 { "" }').success
        assert run("%%rust plain --expect E0425 src/fresh.rs\npub fn f() { y }").success
        assert run("%%rust plain\nassert_eq!(plain_cells::model::double(1), 2);").success


class TestPrograms:
    @pytest.mark.parametrize(
        ("code", "kind", "said"),
        [
            ('panic!("größer {}", 7);', RustPanic, "panicked at cell:2:1: größer 7"),
            ("std::process::abort();", RustKilled, "abort (signal 6)"),
            ('bail!("no data");', RustExit, "exit code 1: no data"),
            ("std::process::exit(3);", RustExit, "exit code 3"),
            (
                'fn f(n: u64) -> u64 { 1 + f(std::hint::black_box(n)) }\nprintln!("{}", f(1));',
                RustKilled,
                "overflowed its stack",
            ),
            ('loop { println!("{}", "x".repeat(1000)); }', RustKilled, "does a loop print without end"),
        ],
    )
    def test_a_bad_end_is_named(self, run: Run, code: str, kind: type, said: str) -> None:
        error = run(f"%%rust plain\n{code}").error_in_exec
        assert isinstance(error, kind)
        assert said in str(error)
        assert run('%%rust plain\nprintln!("still here");').success

    def test_a_ten_gigabyte_allocation_meets_the_limit(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WORKBOOK_MEMORY_LIMIT", "1G")
        # Without black_box the compiler drops the allocation: nothing reads it.
        error = run("%%rust plain\nlet v = vec![1u8; 10 << 30];\nstd::hint::black_box(&v);").error_in_exec
        assert isinstance(error, RustKilled)
        assert "asked for 10.0 GiB" in str(error)

    def test_reading_standard_input_finds_its_end(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        run(
            '%%rust plain\nlet n = std::io::stdin().read_line(&mut String::new())?;\nprintln!("read {n}");'
        ).raise_error()
        assert "read 0" in capfd.readouterr().out

    def test_output_that_is_not_utf8_does_no_harm(self, run: Run) -> None:
        assert run("%%rust plain\nuse std::io::Write;\nstd::io::stdout().write_all(&[0xff, 0xfe, 10])?;").success

    def test_an_endless_loop_can_be_interrupted(self, run: Run, tmp_path: Path) -> None:
        pid_file = tmp_path / "pid"
        watcher = threading.Thread(target=interrupt_when_there, args=(pid_file,))
        watcher.start()
        result = run(
            f'%%rust plain\nstd::fs::write("{pid_file}", std::process::id().to_string())?;\n'
            "loop { std::thread::sleep(std::time::Duration::from_millis(5)); }"
        )
        watcher.join()
        assert isinstance(result.error_in_exec, Interrupted)
        assert not psutil.pid_exists(int(pid_file.read_text()))

    def test_overflow_checks_are_on_in_debug_only(self, run: Run) -> None:
        code = 'let n: u8 = std::hint::black_box(255);\nprintln!("{}", n + 1);'
        assert run(f"%%rust plain\n{code}").success
        error = run(f"%%rust plain --debug\n{code}").error_in_exec
        assert isinstance(error, RustPanic)
        assert "attempt to add with overflow" in str(error)


class TestCompare:
    def test_the_program_is_built_run_and_returned(
        self, run: Run, shell: InteractiveShell, capfd: pytest.CaptureFixture
    ) -> None:
        run("%rust_compare src/model.rs --engines plain --name runs -- one two").raise_error()
        assert shell.user_ns["runs"]["plain"].stdout == "42\n"
        said = capfd.readouterr().out
        assert "pub fn double" in said
        assert "42" in said

    def test_it_shows_and_runs_what_the_cells_hold(self, run: Run, shell: InteractiveShell) -> None:
        run("%%rust plain src/model.rs\npub fn double(_: i64) -> i64 {\n    -1\n}").raise_error()
        run("%rust_compare src/main.rs --engines plain --name runs").raise_error()
        assert shell.user_ns["runs"]["plain"].stdout == "-1\n"

    @pytest.mark.parametrize(
        ("main", "kind", "said"),
        [
            ('fn main() { let x: i32 = ""; }', RustCompileError, "Plain Rust: E0308: mismatched types"),
            ('fn main() { panic!("no"); }', RustPanic, "Plain Rust: panicked at"),
        ],
    )
    def test_a_failing_engine_is_red(self, run: Run, main: str, kind: type, said: str) -> None:
        run(f"%%rust plain src/main.rs\n{main}")
        error = run("%rust_compare src/main.rs --engines plain").error_in_exec
        assert isinstance(error, kind)
        assert said in str(error)

    def test_a_file_that_is_not_there_is_named(self, run: Run) -> None:
        error = run("%rust_compare src/absent.rs --engines plain").error_in_exec
        assert isinstance(error, RustUsageError)
        assert "src/absent.rs" in str(error)


class TestPytorch:
    def test_the_cell_runs_here_and_is_a_file_of_the_program(self, run: Run, shell: InteractiveShell) -> None:
        run("%%pytorch model.py\nANSWER = 42\n\ndef answer():\n    return ANSWER").raise_error()
        run("%%pytorch train.py\nfrom model import answer\n\nresult = answer()").raise_error()
        assert shell.user_ns["result"] == 42
        package = shell.magics_manager.registry["RustMagics"].session.package(ENGINES["pytorch"])
        assert "ANSWER = 42" in (package.root / "model.py").read_text()
        assert "ANSWER" not in (ENGINES["pytorch"].package / "model.py").read_text()

    def test_an_error_has_the_cells_line(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        error = run("%%pytorch model.py\n\n1 / 0").error_in_exec
        assert isinstance(error, ZeroDivisionError)
        assert error.__traceback__ is not None
        assert re.search(r"cell model\.py.*3", capfd.readouterr().out)

    def test_another_name_is_refused(self, run: Run) -> None:
        assert isinstance(run("%%pytorch ../model.py\nx = 1").error_in_exec, RustUsageError)


class TestUsage:
    @pytest.mark.parametrize(
        "cell", ["%%rust plian\n1;", "%%rust plain --fast\n1;", "%%rust plain\n   \n", "%rust plain"]
    )
    def test_a_wrong_line_is_one_sentence(self, run: Run, cell: str) -> None:
        assert isinstance(run(cell).error_in_exec, RustUsageError)

    def test_a_lone_surrogate_is_refused(self, run: Run, shell: InteractiveShell) -> None:
        with pytest.raises(RustUsageError, match="UTF-8 cannot store"):
            shell.run_cell_magic("rust", "plain", 'let a = "\ud800";')

    def test_a_cell_without_statements_says_so(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        assert run("%%rust plain\npub struct A;").success
        assert "Nothing ran" in capfd.readouterr().out

    def test_the_help_has_examples(self, shell: InteractiveShell) -> None:
        text = shell.find_cell_magic("rust").__doc__
        for part in ("FRAMEWORK", "--expect CODE", "%%rust candle src/model.rs"):
            assert part in text

    def test_time_prints_the_cost(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        run("%%rust plain --time\nstd::thread::sleep(std::time::Duration::from_millis(50));").raise_error()
        assert re.search(r"built in [\d.]+ s.*, ran in [\d.]+ s, peak memory [\d.]+ MB", capfd.readouterr().out)


class TestNeverSilentlyGreen:
    @pytest.mark.parametrize(
        ("cell", "kind", "said"),
        [
            ("%%rust plain src/a/b.rs\nthis is no Rust", RustUsageError, "no part of the crate"),
            ("%%rust plain --expect panic\nfn f() {}", RustExpectationError, "nothing ran"),
            (
                "%%rust plain --expect panic src/model.rs\npub fn double(x: i64) -> i64 { x }",
                RustUsageError,
                "a module",
            ),
            ("%%rust plain --expect panic\nstd::process::exit(101);", RustExpectationError, "without a panic"),
            ('%%rust plain\nfn work() -> Result<()> { bail!("bad") }\nwork()', RustUsageError, "line 3"),
            ('%%rust plain --expect E0382 --expect E0308\nlet x: i32 = "";', RustUsageError, "given twice"),
            (
                '%%rust plain --expect syntax\nunsafe extern "C" { fn nosuch(); }\nunsafe { nosuch() }',
                RustExpectationError,
                "the linker",
            ),
            (
                "%%rust plain\nmacro_rules! p { ($($t:tt)*) => { fn main() { $($t)* } } }\np! { panic!() }",
                RustUsageError,
                "fn main",
            ),
            ("%%rust plain src/type.rs\npub fn f() {}", RustUsageError, "another file name"),
        ],
    )
    def test_what_did_not_happen_is_red(self, run: Run, cell: str, kind: type, said: str) -> None:
        error = run(cell).error_in_exec
        assert isinstance(error, kind)
        assert said in str(error)

    def test_a_misspelt_file_does_not_break_the_cells_after_it(self, run: Run, capfd: pytest.CaptureFixture) -> None:
        assert isinstance(run("%%rust plain src/modell.rs\nthis is no Rust").error_in_exec, RustCompileError)
        assert run('%%rust plain\nprintln!("fine");').success
        assert run("%%rust plain src/modell.rs\npub fn f() {}").success
        assert "new file of the package" in capfd.readouterr().out

    def test_an_expected_error_must_come_from_this_cell(self, run: Run) -> None:
        run("%%rust plain src/model.rs\npub fn double(x: i64) -> i64 { y }")
        error = run('%%rust plain --expect E0425\nlet fine = 1;\nprintln!("{fine}");').error_in_exec
        assert isinstance(error, RustExpectationError)
        assert "src/model.rs" in str(error)

    def test_a_module_that_the_crate_leaves_out_is_red(self, run: Run) -> None:
        run("%%rust plain src/lib.rs\npub mod model;\npub mod prelude;\n#[cfg(any())]\nmod hidden;").raise_error()
        assert isinstance(run("%%rust plain src/hidden.rs\nthis is no Rust").error_in_exec, RustUsageError)

    def test_a_damaged_program_is_built_again(self, run: Run, shell: InteractiveShell) -> None:
        cell = '%%rust plain --name r\nprintln!("whole");'
        run(cell).raise_error()
        for program in (target_root() / "cells" / "programs").glob("*/program"):
            program.write_bytes(b"")
        run(cell).raise_error()
        assert shell.user_ns["r"].stdout == "whole\n"

    def test_a_file_that_the_cell_includes_is_looked_at_again(
        self, run: Run, shell: InteractiveShell, tmp_path: Path
    ) -> None:
        text = tmp_path / "text.txt"
        cell = f'%%rust plain --name r\nprint!("{{}}", include_str!("{text}"));'
        for word in ("one", "two"):
            text.write_text(word)
            run(cell).raise_error()
            assert shell.user_ns["r"].stdout == word

    def test_a_target_folder_behind_a_link_works(
        self, run: Run, shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "disk").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "disk")
        monkeypatch.setenv("WORKBOOK_TARGET_DIR", str(tmp_path / "link"))
        shell.magics_manager.registry["RustMagics"].session.release()
        assert isinstance(run('%%rust plain\npanic!("seen");').error_in_exec, RustPanic)
        assert isinstance(run('%%rust plain\nlet x: i32 = "";').error_in_exec, RustCompileError)


class TestFolders:
    def test_a_target_folder_removed_in_between_is_made_again(self, run: Run) -> None:
        assert run('%%rust plain\nprintln!("one");').success
        shutil.rmtree(target_root())
        assert run('%%rust plain\nprintln!("two");').success
        assert run("%%rust plain src/model.rs\npub fn double(x: i64) -> i64 {\n    x * 2\n}").success

    def test_a_read_only_target_folder_is_named(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("a file where a folder should be: root may write to read-only folders")
        monkeypatch.setenv("WORKBOOK_TARGET_DIR", str(blocked / "target"))
        run.__closure__[0].cell_contents.magics_manager.registry["RustMagics"].session.release()
        error = run('%%rust plain\nprintln!("one");').error_in_exec
        assert isinstance(error, SetupError)
        assert "WORKBOOK_TARGET_DIR" in str(error)


def interrupt_when_there(file: Path) -> None:
    """Interrupt the main thread as soon as the program has written its process number."""
    for _ in range(600):
        if file.exists() and file.read_text():
            _thread.interrupt_main()
            return
        time.sleep(0.05)
