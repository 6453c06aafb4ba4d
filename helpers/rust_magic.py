"""The magics of the workbook: `%%rust`, `%rust_compare`, `%rust_explain` and `%%pytorch`.

Load them with `%load_ext helpers.rust_magic`.
"""

import linecache
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from helpers.cargo import use_packages
from helpers.cell_runner import CellRun, KernelSession, compile_cell, failure, readable_stderr, run_cell_program
from helpers.cell_source import check_text
from helpers.engines import ENGINES
from helpers.errors import (
    Interrupted,
    RustCompileError,
    RustExpectationError,
    RustPanic,
    RustUsageError,
    WorkbookError,
)
from helpers.magic_arguments import (
    PANIC,
    SYNTAX,
    RustOptions,
    compare_parser,
    parse_compare,
    parse_pytorch,
    parse_rust,
    rust_parser,
)

if TYPE_CHECKING:
    from helpers.diagnostics import Diagnostic


@magics_class
class RustMagics(Magics):
    """The magics, sharing one set of package copies."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.session = KernelSession()

    @cell_magic
    def rust(self, line: str, cell: str) -> None:
        """Compile the cell and run it."""
        options = parse_rust(line)
        try:
            run = self._exercise(options, cell) if options.exercise else self._rust(options, cell)
        except KeyboardInterrupt:
            raise Interrupted("the cell was stopped, and what it had started was ended") from None
        if options.name:
            self.shell.user_ns[options.name] = run

    @line_magic("rust")
    def rust_line(self, line: str) -> None:
        """Explain that `%rust` is a cell magic."""
        raise RustUsageError(
            "Rust code stands in a cell of its own: write `%%rust FRAMEWORK` as the cell's first line."
        )

    @line_magic
    def rust_compare(self, line: str) -> None:
        """Build one program in several engines and show them side by side."""
        from helpers.compare import compare

        options = parse_compare(line)
        runs = compare(options, self.session)
        if options.name:
            self.shell.user_ns[options.name] = runs

    @line_magic
    def rust_explain(self, line: str) -> None:
        """Show what `rustc --explain` says of an error code: `%rust_explain E0382`."""
        from helpers.explain import explain

        display({"text/plain": explain(line.strip()), "text/markdown": explain(line.strip())}, raw=True)

    @cell_magic
    def pytorch_exercise(self, line: str, cell: str) -> None:
        """Test the cell as the answer to a PyTorch exercise, in a process of its own: `%%pytorch_exercise NAME`."""
        from helpers.exercise_magic import run_python_exercise

        try:
            run_python_exercise(line.strip(), cell)
        except KeyboardInterrupt:
            raise Interrupted("the cell was stopped, and what it had started was ended") from None

    @cell_magic
    def pytorch(self, line: str, cell: str) -> None:
        """Run the cell here, and keep it as a file of this notebook's PyTorch program: `%%pytorch model.py`.

        The file is what `%rust_compare` and the training runs start in a process of their own.
        """
        name = parse_pytorch(line)
        check_text(cell, "%%pytorch", "Python")
        # The magic line is line 1 of the cell, so that line numbers in tracebacks are those of the cell.
        source = f"# %%pytorch {line.strip()}\n{cell}"
        path = self.session.package(ENGINES["pytorch"]).write(name, source, f"cell [{self.shell.execution_count}]")
        label = f"<cell {name}>"
        linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
        code = compile(source, label, "exec")
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        # The cell is a module, as in the program, so that `from model import Cnn` elsewhere means this very class.
        module = sys.modules[path.stem] = ModuleType(path.stem)
        module.__file__ = str(path)
        exec(code, module.__dict__)
        self.shell.user_ns |= {key: value for key, value in vars(module).items() if not key.startswith("__")}

    def _exercise(self, options: RustOptions, cell: str) -> CellRun | None:
        from helpers.exercise_magic import run_rust_exercise

        run = run_rust_exercise(options, cell, self.session, _LineWriter)
        if options.time and run is not None:
            print(_cost(run))
        return run

    def _rust(self, options: RustOptions, cell: str) -> CellRun:
        device = _device(options)
        from helpers.build_progress import BuildProgressDisplay

        label = f"cell [{self.shell.execution_count}]" if options.file else "cell"
        with BuildProgressDisplay(options.engine.title, first=True) as progress:
            run, built = compile_cell(
                options, cell, self.session, label=label, cuda=device == "cuda", on_progress=progress
            )
        if options.expects_compile_error:
            _judge_compile_error(options, run)
            return run
        if not run.build_ok:
            raise _shown_compile_error(options, run)
        if built.executable is not None and not run.only_items:
            self._run(options, run, built.executable, device)
        elif options.expect == (PANIC,):
            raise RustExpectationError("expected a panic, but nothing ran: the cell only defines items")
        _show_notes(options, run)
        return run

    def _run(self, options: RustOptions, run: CellRun, executable: Path, device: str) -> None:
        labels = self.session.package(options.engine).cells
        stderr = _LineWriter(labels)
        run.program = run_cell_program(
            options.engine,
            [str(executable), *options.arguments],
            device=device,
            on_stdout=_print_out,
            on_stderr=stderr.write,
        )
        stderr.close()
        if run.program.dropped_bytes:
            print(f"\n[{run.program.dropped_bytes:,} more bytes of output are not shown]", file=sys.stderr)
        error = failure(run.program, labels)
        if options.expect == (PANIC,):
            _judge_panic(error)
        elif error is not None:
            _show_hints(options, run.program.stderr)
            raise error


RustMagics.rust.__doc__ = rust_parser().format_help()
RustMagics.rust_compare.__doc__ = compare_parser().format_help()


def _device(options: RustOptions) -> str:
    if options.device == "cpu":
        return "cpu"
    from helpers.devices import resolve

    return resolve(options.engine.name, options.device)


_CRITERION_STEP = re.compile(r": (?:Warming up for|Collecting \d+ samples in|Analyzing$)")
_BACKTRACE_NOTE = "note: run with `RUST_BACKTRACE=1`"


def _print_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


class _LineWriter:
    """Passes a program's error text on line by line, with readable file names.

    Criterion's progress, which no setting of it turns off, is left out: `Benchmarking NAME`, and then that line with a
    colon and what it does now. The first of them has to wait for the next, since a program may print such words itself.
    """

    def __init__(self, labels: dict[str, str]) -> None:
        self.labels, self.rest = labels, ""
        self.benchmark, self.held = "", False

    def write(self, text: str) -> None:
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            if self.benchmark and _CRITERION_STEP.match(line.removeprefix(self.benchmark)):
                self.held = False
                continue
            self._release()
            if line.startswith("Benchmarking "):
                self.benchmark, self.held = line, True
            else:
                self._show(line)
        sys.stderr.flush()

    def close(self) -> None:
        if self.rest:
            self.write("\n")
        self._release()
        sys.stderr.flush()

    def _release(self) -> None:
        if self.held:
            self._show(self.benchmark)
        self.held = False

    def _show(self, line: str) -> None:
        shown = readable_stderr(line, self.labels)
        if (shown or not line) and not line.startswith(_BACKTRACE_NOTE):  # a line of nothing but a C++ frame goes
            sys.stderr.write(f"{shown}\n")


def _judge_compile_error(options: RustOptions, run: CellRun) -> None:
    """Check `--expect CODE`: exactly these codes must have come.

    Raises:
        RustExpectationError: The cell compiled, or another error came.
    """
    from helpers.diagnostic_html import lesson_card_html, lesson_card_text
    from helpers.diagnostics import errors_in, title

    wanted = " and ".join(options.expect)
    if run.build_ok:
        raise RustExpectationError(f"expected {wanted}, but the cell compiles")
    errors = errors_in(run.diagnostics)
    foreign = next((error for error in errors if not _is_in(error, run.label)), None)
    if foreign is not None:
        _shown_compile_error(options, run)
        where = foreign.primary.file_name if foreign.primary else "the linker"
        raise RustExpectationError(f"expected {wanted} in this cell, but an error came from {where}: {title(foreign)}")
    came = {diagnostic.code or SYNTAX for diagnostic in errors}
    if came != set(options.expect):
        error = _shown_compile_error(options, run)
        raise RustExpectationError(f"expected {wanted}, but {' and '.join(sorted(came))} came: {error}")
    engine = options.engine.name
    _show(
        lesson_card_html(run.diagnostics, wanted, engine=engine),
        lesson_card_text(run.diagnostics, wanted, engine=engine),
    )


def _is_in(error: "Diagnostic", label: str) -> bool:
    """Whether an error points into the cell itself."""
    return any(label in {span.file_name, span.at_call_site().file_name} for span in error.spans)


def _judge_panic(error: WorkbookError | None) -> None:
    if not isinstance(error, RustPanic):
        raise RustExpectationError(f"expected a panic, but {'the program ended well' if error is None else error}")
    if "panicked at" not in str(error):
        raise RustExpectationError(f"expected a panic, but {error} came")
    print(f"As expected, the program {error}")


def _shown_compile_error(options: RustOptions, run: CellRun) -> RustCompileError:
    from helpers.diagnostic_html import errors_html, errors_text
    from helpers.diagnostics import errors_in, summary

    engine = options.engine.name
    _show(errors_html(run.diagnostics, engine=engine), errors_text(run.diagnostics, engine=engine))
    codes = tuple(diagnostic.code or "" for diagnostic in errors_in(run.diagnostics))
    more = f" (and {len(codes) - 1} more)" if len(codes) > 1 else ""
    return RustCompileError(summary(run.diagnostics) + more, codes)


def _show_notes(options: RustOptions, run: CellRun) -> None:
    """Show what a good cell still has to say: warnings, that nothing ran, and what it cost if asked."""
    from helpers.diagnostics import warnings_in

    if warnings_in(run.diagnostics):
        from helpers.diagnostic_html import warnings_html, warnings_text

        _show(warnings_html(run.diagnostics), warnings_text(run.diagnostics))
    if run.only_items:
        print("Compiled. Nothing ran: the cell only defines items. Add statements or a `fn main`.")
    elif run.program is None:
        print(f"{run.file} compiled." + (" It is a new file of the package." if run.is_new else ""))
    if options.time:
        print(_cost(run))


def _cost(run: CellRun) -> str:
    parts = [f"built in {run.build_seconds:.2f} s" + ("" if run.compiled else " (nothing to compile)")]
    if run.program is not None:
        parts.append(f"ran in {run.program.wall_seconds:.3f} s")
        if run.peak_rss_bytes is not None:
            parts.append(f"peak memory {run.peak_rss_bytes / 1e6:.1f} MB")
    return ", ".join(parts)


def _show_hints(options: RustOptions, text: str) -> None:
    from helpers.hints import hints_for

    for hint in hints_for(options.engine.name, (), text):
        print(f"Hint: {hint}", file=sys.stderr)


def _show(html: str, text: str) -> None:
    display({"text/html": html, "text/plain": text}, raw=True)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; called by `%load_ext helpers.rust_magic`."""
    magics = RustMagics(shell)
    shell.register_magics(magics)
    # Training and parity in this notebook run what its cells hold, not the committed files.
    use_packages(lambda engine: magics.session.package(engine).root)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Give the package copies back."""
    magics = shell.magics_manager.registry.get("RustMagics")
    if magics is not None:
        magics.session.release()
        use_packages(None)
