"""Times Rust cells as a reader meets them, against cargo without the workbook.

Both sides build the same package with the same compiler, settings and target folder. The changed cell and bare cargo
take turns, each with a source that neither has seen, so a busy moment of the machine meets both.
"""

import itertools
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers.cargo import CargoTarget, cargo_command
from helpers.cell_source import program_source
from helpers.engines import Engine
from helpers.errors import WorkbookError
from helpers.package_copy import CELL_FILE, CELL_PROGRAM, fill_package
from helpers.paths import target_root
from helpers.toolchain import cargo_env

# One small program a framework; `{n}` is the number that changes from one measurement to the next.
SOURCES = {
    "tch": "let a = Tensor::from_slice(&[1f32, 2., 3., 4.]).view([2, 2]);\nlet b = a.matmul(&a) * {n}.0;\nb.print();",
    "candle": (
        "let a = Tensor::new(&[[1f32, 2.], [3., 4.]], &Device::Cpu)?;\n"
        'let b = (a.matmul(&a)? * {n}.0)?;\nprintln!("{{b}}");'
    ),
    "burn": (
        "let a = Tensor::<2>::from_floats([[1., 2.], [3., 4.]], &Device::flex());\n"
        'let b = a.clone().matmul(a) * {n}.0;\nprintln!("{{b}}");'
    ),
    "dfdx": (
        "let device = Cpu::default();\nlet a = device.tensor([[1f32, 2.], [3., 4.]]);\n"
        'let b = a.clone().matmul(a) * {n}.0;\nprintln!("{{:?}}", b.array());'
    ),
}


@dataclass(frozen=True)
class CellTimes:
    """Seconds, one entry a round.

    Attributes:
        changed: A cell with one changed line, through the magic: compile, link, run, show.
        bare: `cargo build` of the same program, then the program.
        unchanged: The same cell again.
        binary: The cell's program alone.
    """

    engine: str
    changed: tuple[float, ...]
    bare: tuple[float, ...]
    unchanged: tuple[float, ...]
    binary: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Changed cell over bare cargo, medians."""
        return statistics.median(self.changed) / statistics.median(self.bare)

    @property
    def overhead(self) -> float:
        """What an unchanged cell takes beyond its program, seconds, medians."""
        return statistics.median(self.unchanged) - statistics.median(self.binary)


def measure_cells(engine: Engine, rounds: int) -> CellTimes:
    """Measure one framework; builds its dependencies first if they are missing.

    Raises:
        WorkbookError: The cell or the bare build failed.
    """
    # Numbers that no earlier run used, or the programs would already be there.
    numbers = itertools.count(int(time.time()) % 100_000_000)
    with _shell() as shell:
        bare = _BarePackage(engine)
        sides = {"changed": lambda: _timed(lambda: _run_cell(shell, engine, next(numbers)))}
        sides["bare"] = lambda: _timed(lambda: bare.build_and_run(next(numbers)))
        times: dict[str, list[float]] = {name: [] for name in sides}
        for turn in range(rounds + 1):
            for name in sides if turn % 2 else reversed(sides):
                times[name].append(sides[name]())
        number = next(numbers)
        bare.build_and_run(number)
        again: dict[str, list[float]] = {"unchanged": [], "binary": []}
        for _ in range(rounds + 1):
            again["unchanged"].append(_timed(lambda: _run_cell(shell, engine, number)))
            again["binary"].append(_timed(bare.run))
    # The first of each warms up.
    return CellTimes(engine.name, **{name: tuple(values[1:]) for name, values in {**times, **again}.items()})


def _timed(action: Callable[[], None]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


@contextmanager
def _shell():  # noqa: ANN202
    """A notebook's shell in this process, with the magics loaded."""
    existed = InteractiveShell.initialized()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "helpers.rust_magic")
    try:
        yield shell
    finally:
        with suppress(Exception):
            shell.run_line_magic("unload_ext", "helpers.rust_magic")
        if not existed:
            InteractiveShell.clear_instance()


def _run_cell(shell: InteractiveShell, engine: Engine, number: int) -> None:
    with capture_output():
        result = shell.run_cell(f"%%rust {engine.name} --device cpu\n{SOURCES[engine.name].format(n=number)}")
    result.raise_error()


class _BarePackage:
    """A copy of the package that cargo builds without the workbook."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.root = target_root() / "bench" / engine.name
        fill_package(engine, self.root)
        self.command = cargo_command(engine, CargoTarget("bin", CELL_PROGRAM))
        self.env = {**cargo_env(engine), "CARGO_TARGET_DIR": str(target_root() / engine.name)}
        self.program = target_root() / engine.name / "release" / CELL_PROGRAM

    def build_and_run(self, number: int) -> None:
        text = program_source(SOURCES[self.engine.name].format(n=number), self.engine).text
        file = self.root / CELL_FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        _check(self.command, self.root, self.env)
        self.run()

    def run(self) -> None:
        _check([str(self.program)], Path.cwd(), self.env)


def _check(command: Sequence[str], folder: Path, env: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise WorkbookError(f"{Path(command[0]).name} failed in the benchmark:\n{done.stderr}")
