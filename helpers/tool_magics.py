"""The magics of Rust's tools: `%%rust_clippy`, `%%rust_fmt`, `%%rust_test`, `%%rust_gdb`, `%%rust_miri`, `%cargo_tree`.

Load them with `%load_ext helpers.tool_magics`, after `helpers.rust_magic`, whose package copies they share.
"""

import sys
import tempfile
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from helpers import cell_tools, debugger, miri
from helpers.build_progress import BuildProgressDisplay
from helpers.cell_runner import KernelSession, failure, readable_stderr, run_cell_program
from helpers.cell_source import items_source, program_source
from helpers.diagnostic_html import errors_html, errors_text, findings_html, findings_text
from helpers.diagnostics import Diagnostic, errors_in, summary, title, warnings_in
from helpers.engines import Engine
from helpers.errors import RustCompileError, RustExpectationError, RustFinding, RustUsageError
from helpers.explain import has_explanation
from helpers.html_theme import card, escape
from helpers.tool_arguments import parse_clippy, parse_gdb, parse_miri, parse_test, parse_tree
from helpers.toolchain import cargo_env
from helpers.units import duration


@magics_class
class ToolMagics(Magics):
    """The magics; what they build lies in the package copies of `%%rust`."""

    def __init__(self, shell: InteractiveShell, session: KernelSession) -> None:
        super().__init__(shell)
        self.session = session

    @cell_magic
    def rust_clippy(self, line: str, cell: str) -> None:
        """Let Clippy read the cell: `%%rust_clippy FRAMEWORK [--expect LINT[,LINT]]`.

        The cell is compiled and not run. With `--expect` exactly these lints have to be found.
        """
        options = parse_clippy(line)
        with BuildProgressDisplay(options.engine.title, first=True) as progress:
            said = cell_tools.lint(options.engine, cell, self.session, progress)
        _refuse_errors(said, options.engine)
        found = warnings_in(said)
        if options.expect and {finding.code for finding in found} != set(options.expect):
            came = " and ".join(sorted(title(finding) for finding in found)) or "nothing"
            raise RustExpectationError(f"expected {' and '.join(options.expect)}, but Clippy found {came}")
        if found:
            _show(findings_html(found, "Clippy"), findings_text(found, "Clippy"))
        else:
            print("Clippy finds nothing.")

    @cell_magic
    def rust_fmt(self, line: str, cell: str) -> None:
        """Show what rustfmt would change in the cell: `%%rust_fmt`. The cell itself stays as it is."""
        if line.strip():
            raise RustUsageError(f"%%rust_fmt takes no words, but {line.strip()!r} is there: leave them out.")
        lines = cell_tools.diff_lines(cell, cell_tools.formatted(cell))
        if lines:
            _show(_diff_html(lines), "\n".join(lines))
        else:
            print("rustfmt changes nothing.")

    @cell_magic
    def rust_test(self, line: str, cell: str) -> None:
        """Run the cell's `#[test]` functions: `%%rust_test FRAMEWORK [--expect failure] [--debug]`."""
        options = parse_test(line)
        with BuildProgressDisplay(options.engine.title, first=True) as progress:
            built = cell_tools.build_tests(
                options.engine, cell, self.session, profile=options.profile, on_progress=progress
            )
        _refuse_errors(built.diagnostics, options.engine)
        labels = dict(self.session.package(options.engine).cells)
        command = [str(built.result.executable), "--color", "never", "--test-threads", "1"]
        done = run_cell_program(options.engine, command)
        print(_test_report(readable_stderr(done.stdout, labels)))
        counts = cell_tools.counts_of_tests(done.stdout)
        if counts is None:
            raise failure(done, labels) or RustUsageError("The tests did not come to their end.")
        passed, failed, ignored = counts
        if passed + failed + ignored == 0:
            raise RustUsageError("The cell holds no test: write `#[test]` above a function without arguments.")
        if options.expect and not failed:
            raise RustExpectationError("expected a failing test, but all passed")
        if failed and not options.expect:
            raise RustFinding(f"{failed} of {passed + failed} tests failed")

    @cell_magic
    def rust_gdb(self, line: str, cell: str) -> None:
        """Run the cell, unoptimised, under gdb: `%%rust_gdb FRAMEWORK --do "break 3; run; backtrace; info locals"`.

        `break N` means line N of the cell, `break NAME` a function of it.
        """
        options = parse_gdb(line)
        commands = debugger.split_commands(options.commands)
        gdb = debugger.find()
        if gdb is None:
            print(f"Skipped: {debugger.missing()}")
            return
        source = program_source(cell, options.engine)
        with BuildProgressDisplay(options.engine.title, first=True) as progress:
            built = cell_tools.build_cell(
                options.engine, source, self.session, "inspect", profile=options.profile, on_progress=progress
            )
        _refuse_errors(built.diagnostics, options.engine)
        session = debugger.debug(
            gdb,
            Path(built.result.executable),
            commands,
            cwd=Path.cwd(),
            env=cargo_env(options.engine),
            wrapped="fn main() -> ::anyhow::Result<()> {" in source.text.partition("\n")[0],
        )
        if session.refused:
            print(f"Skipped: this machine does not let gdb watch another process ({session.refused}).")
        else:
            print(session)

    @cell_magic
    def rust_miri(self, line: str, cell: str) -> None:
        """Interpret the cell, plain Rust, under Miri: `%%rust_miri [--expect KIND] [-Zmiri-FLAG]`.

        KIND is what has to be found: data-race, use-after-free, memory-leak, out-of-bounds, aliasing, uninitialised.
        """
        options = parse_miri(line, tuple(miri.KINDS))
        found = miri.find()
        if isinstance(found, str):
            print(f"Skipped: {found}")
            return
        source = _plain_program(cell)
        with tempfile.TemporaryDirectory(prefix="workbook-miri-") as folder:
            run = miri.interpret(found, source, Path(folder), options.flags, on_stdout=_print_out)
        if run.setup_seconds:
            print(f"First use: Miri's standard library was built in {duration(run.setup_seconds)}.")
        if any(has_explanation(finding.code) for finding in run.findings):
            _refuse_errors(run.findings)
        kinds = {miri.kind(finding) for finding in run.findings}
        if options.expect and kinds != set(options.expect):
            came = " and ".join(sorted(kinds)) or "nothing"
            raise RustExpectationError(f"expected {options.expect[0]}, but Miri found {came}: {summary(run.findings)}")
        if run.findings:
            _show(findings_html(run.findings, "Miri"), findings_text(run.findings, "Miri"))
            if not options.expect:
                raise RustFinding(f"Miri: {title(run.findings[0])}")
        elif run.program.returncode != 0:
            raise RustFinding(
                run.program.stderr.strip().splitlines()[-1] if run.program.stderr.strip() else "it failed"
            )
        else:
            print("Miri finds nothing in this run.")

    @line_magic
    def cargo_tree(self, line: str) -> None:
        """Show the crates behind an engine: `%cargo_tree candle --depth 1`, `%cargo_tree candle --invert half`."""
        options = parse_tree(line)
        print(cell_tools.cargo_tree(options.engine, self.session, options.flags).rstrip("\n"))


def _refuse_errors(said: list[Diagnostic], engine: Engine | None = None) -> None:
    """Show compile errors as `%%rust` does.

    Raises:
        RustCompileError: There is one.
    """
    errors = errors_in(said)
    if errors:
        name = engine.name if engine else None
        _show(errors_html(said, engine=name), errors_text(said, engine=name))
        raise RustCompileError(summary(said), tuple(error.code or "" for error in errors))


def _plain_program(text: str):  # noqa: ANN202
    try:
        source = items_source(text, None)
        if "fn main" in text:
            return source
    except RustUsageError:
        pass
    raise RustUsageError("Miri takes a whole program of plain Rust: put the statements into a `fn main`.")


def _test_report(text: str) -> str:
    """Drop what says nothing to a reader: blank lines, repeats, the time."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("note: run with")]
    lines = [line.partition("; finished in")[0] for line in lines]
    last = next(
        (
            i
            for i, line in enumerate(lines)
            if line == "failures:" and i + 1 < len(lines) and not lines[i + 1].startswith("----")
        ),
        None,
    )
    if last is not None:  # the names of the failing tests once more
        end = next(i for i, line in enumerate(lines) if i > last and not line.startswith("    "))
        del lines[last:end]
    return "\n".join(lines)


def _diff_html(lines: list[str]) -> str:
    rows = []
    for line in lines:
        element = {"+": "ins", "-": "del"}.get(line[:1])
        rows.append(f"<{element}>{escape(line)}</{element}>" if element else escape(line))
    return card("wb-warnings", "<h4>What rustfmt would change</h4>\n<pre>" + "\n".join(rows) + "</pre>")


def _print_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _show(html: str, text: str) -> None:
    display({"text/html": html, "text/plain": text}, raw=True)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; called by `%load_ext helpers.tool_magics`."""
    if "RustMagics" not in shell.magics_manager.registry:
        shell.extension_manager.load_extension("helpers.rust_magic")
    shell.register_magics(ToolMagics(shell, shell.magics_manager.registry["RustMagics"].session))
