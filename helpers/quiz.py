"""`%%rust_predict`: does this cell compile, and if not, which error comes? The reader says so first, then the compiler.

    %%rust_predict candle moved-name
    let b = a;
    ...

The cell is compiled as a `%%rust` cell would be. The last word of its first line is a key of `ownership_quiz.toml`,
which holds the choices and what the compiler has to say, so the cell does not give the answer away. Where nobody
watches, the cell is compiled at once, and another verdict than that of the table is an error: a lesson that no longer
holds cannot stay green.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from helpers.build_progress import BuildProgressDisplay
from helpers.cell_runner import CellRun, KernelSession, compile_cell, failure, run_cell_program
from helpers.cell_source import check_text
from helpers.diagnostics import errors_in
from helpers.engines import RUST_ENGINES, Engine, rust_engine
from helpers.errors import RustExpectationError, RustUsageError
from helpers.live_training import has_kernel, is_watched
from helpers.magic_arguments import SYNTAX, RustOptions
from helpers.quiz_table import COMPILES, Question, question

USAGE = "write `%%rust_predict ENGINE[,ENGINE] KEY`, with a key of helpers/ownership_quiz.toml"


@dataclass
class Prediction:
    """One question that was asked, and what came of it.

    Attributes:
        question: The row of the table.
        engines: The engines that compile the cell, in the order of the magic line.
        source: The cell's text, without the magic line.
        said: What the reader chose, by engine; empty before the answer.
        runs: What the compiler said, by engine; empty until it was asked.
    """

    question: Question
    engines: tuple[Engine, ...]
    source: str
    session: KernelSession
    said: dict[str, str] = field(default_factory=dict)
    runs: dict[str, CellRun] = field(default_factory=dict)

    @property
    def run(self) -> CellRun:
        """The compiler's answer for the first engine; asks the compiler if nobody has yet."""
        self.settle()
        return self.runs[self.engines[0].name]

    @property
    def verdicts(self) -> dict[str, str]:
        """What came, by engine: `compiles`, or the error codes with commas."""
        return {name: verdict(run) for name, run in self.runs.items()}

    def settle(self) -> None:
        """Compile the cell in every engine, and run what compiles; does nothing the second time.

        Raises:
            WorkbookError: The set-up is broken, or a program that compiled did not end well.
        """
        for engine in self.engines:
            if engine.name not in self.runs:
                self.runs[engine.name] = self._settle_one(engine)

    def _settle_one(self, engine: Engine) -> CellRun:
        text = self.source.rstrip("\n") + "\n" + self.question.below.get(engine.name, "")
        with BuildProgressDisplay(engine.title) as progress:
            run, built = compile_cell(
                RustOptions(engine, device="cpu"), text, self.session, label="cell", on_progress=progress
            )
        if built.executable is not None and not run.only_items:
            run.program = run_cell_program(engine, [str(built.executable)])
            error = failure(run.program, self.session.package(engine).cells)
            if error is not None:
                raise error
        return run

    def check(self) -> None:
        """Compare the compiler's verdicts with the table.

        Raises:
            RustExpectationError: An engine gave another verdict.
        """
        for name, came in self.verdicts.items():
            wanted = self.question.answer(name)
            if came != wanted:
                raise RustExpectationError(
                    f"{self.question.key} in {RUST_ENGINES[name].title}: the table says {wanted}, the compiler {came}; "
                    "undo the change of the cell, or correct helpers/ownership_quiz.toml."
                )


_asked: dict[str, Prediction] = {}


def asked(key: str) -> Prediction:
    """Return a question that a cell of this notebook has asked.

    Raises:
        RustUsageError: No cell has asked it yet.
    """
    if key not in _asked:
        raise RustUsageError(f"No cell has asked {key!r} yet: run the %%rust_predict cell with that key first.")
    return _asked[key]


def all_asked() -> Mapping[str, Prediction]:
    """All questions of this notebook, in the order in which they were first asked."""
    return dict(_asked)


def verdict(run: CellRun) -> str:
    """Return `compiles`, or the codes of the errors, in order, each once, with commas."""
    if run.build_ok:
        return COMPILES
    return ",".join(sorted({error.code or SYNTAX for error in errors_in(run.diagnostics)}))


@magics_class
class QuizMagics(Magics):
    """The question magic; it shares the package copies of the other magics."""

    @cell_magic
    def rust_predict(self, line: str, cell: str) -> None:
        """Ask whether the cell compiles, then compile it: `%%rust_predict ENGINE[,ENGINE] KEY`."""
        from helpers.quiz_view import show_static, show_widget

        prediction = _prediction(line, cell, _session(self.shell))
        _asked[prediction.question.key] = prediction
        if has_kernel() and is_watched():
            show_widget(prediction)
            return
        prediction.settle()
        show_static(prediction)
        prediction.check()


def _prediction(line: str, cell: str, session: KernelSession) -> Prediction:
    words = line.split()
    if len(words) != 2:
        raise RustUsageError(f"%%rust_predict needs an engine and a key: {USAGE}.")
    check_text(cell, "%%rust_predict")
    names, key = words
    return Prediction(question(key), tuple(rust_engine(name) for name in names.split(",")), cell, session)


def _session(shell: InteractiveShell) -> KernelSession:
    if "RustMagics" not in shell.magics_manager.registry:
        shell.run_line_magic("load_ext", "helpers.rust_magic")
    return shell.magics_manager.registry["RustMagics"].session


def scoreboard() -> None:
    """Show all questions asked so far: the reader's answers beside the compiler's."""
    from helpers.quiz_view import scoreboard_html, scoreboard_text

    display({"text/html": scoreboard_html(_asked), "text/plain": scoreboard_text(_asked)}, raw=True)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magic; called by `%load_ext helpers.quiz`."""
    _asked.clear()
    shell.register_magics(QuizMagics(shell))
