"""Parses the first line of `%%rust`, `%rust_compare` and `%%pytorch`; its help is the magics' help."""

import argparse
import keyword
import re
import shlex
from dataclasses import dataclass
from typing import NoReturn

from helpers.engines import ENGINES, Engine, rust_engine
from helpers.errors import RustUsageError
from helpers.package_copy import checked_file_name

PANIC, SYNTAX = "panic", "syntax"
RUNNABLE = re.compile(r"src/(main|bin/[^/]+)\.rs")

RUST_EXAMPLES = """
Examples:
  %%rust candle                             a small program; `fn main` and imports may be left out
  %%rust candle src/model.rs                this cell is the file src/model.rs; cells compose as modules
  %%rust candle src/main.rs -- run.json     build the package, run it with the argument run.json
  %%rust tch --expect E0382                 must fail with E0382 and nothing else; shows what rustc teaches
  %%rust tch --expect panic                 must compile and then panic
  %%rust burn --name first --time           keep the run as the Python variable `first`; print what it cost
  %%rust candle --exercise candle_scaled    the answer to an exercise: compiled, run and tested
  %%rust dfdx --debug                       your code unoptimised, with overflow checks; dependencies stay fast

In the cell, `candle_cells::prelude::*` (or that of your framework) is in scope, and so is `?`.
The program runs in a process of its own, in this notebook's folder, with an empty standard input.
Interrupting the cell ends it. A cell that fails is red: RustCompileError, RustPanic, RustKilled, RustExit.
"""


@dataclass(frozen=True)
class RustOptions:
    """What the line of a `%%rust` cell asks for.

    Attributes:
        file: The package file that the cell is; None for an anonymous program.
        expect: The error codes that must come, or ("panic",), or ("syntax",); empty for success.
        name: The Python variable that receives the run.
        exercise: The exercise that the cell answers; None for any other cell.
        arguments: The program's own arguments, those after `--`.
    """

    engine: Engine
    file: str | None = None
    expect: tuple[str, ...] = ()
    name: str | None = None
    profile: str = "release"
    time: bool = False
    device: str = "auto"
    arguments: tuple[str, ...] = ()
    line: str = ""
    exercise: str | None = None

    @property
    def expects_compile_error(self) -> bool:
        """Whether the compiler has to refuse the cell."""
        return bool(self.expect) and self.expect != (PANIC,)

    @property
    def program(self) -> str | None:
        """The Cargo name of the program to build and run; None for a module, which is only compiled."""
        return "cell" if self.file is None else program_name(self.engine, self.file)


def program_name(engine: Engine, file: str) -> str | None:
    """Return the Cargo name of the program in `file`, or None for a module."""
    match = RUNNABLE.fullmatch(file)
    if match is None:
        return None
    return f"{engine.name}-cells" if match[1] == "main" else match[1].removeprefix("bin/")


class _Once(argparse.Action):
    """Stores an option's value and refuses a second one: the first would be lost without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, *_: object
    ) -> None:
        """Store the value."""
        if getattr(namespace, self.dest, None) not in (None, self.default):
            parser.error(f"{self.option_strings[0]} is given twice")
        setattr(namespace, self.dest, values)


class MagicParser(argparse.ArgumentParser):
    """A parser whose errors are sentences for the reader of a notebook."""

    def error(self, message: str) -> NoReturn:
        """Raise a RustUsageError in place of ending the process."""
        raise RustUsageError(f"{self.prog}: {message}. `{self.prog}?` shows the help.")


def rust_parser() -> argparse.ArgumentParser:
    """Return the parser of the `%%rust` line."""
    parser = MagicParser(
        prog="%%rust",
        usage="%%%%rust FRAMEWORK [FILE] [options] [-- ARGS]",
        description="Compile the cell and run it.",
        epilog=RUST_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("framework", metavar="FRAMEWORK", help="tch, candle, burn or dfdx")
    parser.add_argument("file", metavar="FILE", nargs="?", help="the package file that this cell is, below src/")
    parser.add_argument("--expect", metavar="CODE", action=_Once, help="a code such as E0382, or panic, or syntax")
    parser.add_argument("--name", metavar="N", action=_Once, help="keep the run as the Python variable N")
    parser.add_argument("--exercise", metavar="X", action=_Once, help="the cell answers the exercise X: test it")
    profile = parser.add_mutually_exclusive_group()
    profile.add_argument("--release", action="store_const", const="release", dest="profile", help="optimised (default)")
    profile.add_argument("--debug", action="store_const", const="debug", dest="profile", help="your code unoptimised")
    parser.add_argument("--time", action="store_true", help="print build time, run time and peak memory")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="default: auto")
    return parser


def parse_rust(line: str) -> RustOptions:
    """Parse the line of a `%%rust` cell.

    Raises:
        RustUsageError: A word is unknown, missing or does not fit; the message says which.
    """
    words, arguments = _split(line, "%%rust")
    if not words:
        raise RustUsageError("%%rust needs a framework: write `%%rust candle`, or tch, burn or dfdx.")
    parsed = rust_parser().parse_intermixed_args(words)
    engine = rust_engine(parsed.framework)
    if parsed.name is not None and (not parsed.name.isidentifier() or keyword.iskeyword(parsed.name)):
        raise RustUsageError(f"--name {parsed.name!r} is no name for a Python variable: use letters, digits and `_`.")
    file, expect = checked_file_name(parsed.file) if parsed.file else None, _expected(parsed.expect)
    if expect == (PANIC,) and file is not None and program_name(engine, file) is None:
        raise RustUsageError(f"--expect panic needs a program: {file} is a module, which is compiled and not run.")
    if parsed.exercise is not None and (file is not None or expect or arguments):
        raise RustUsageError("--exercise stands without FILE, --expect and ARGS: its cell is a program that is tested.")
    return RustOptions(
        engine=engine,
        file=file,
        expect=expect,
        name=parsed.name,
        profile=parsed.profile or "release",
        time=parsed.time,
        device=parsed.device,
        arguments=tuple(arguments),
        line=" ".join(f"%%rust {line}".split()),
        exercise=parsed.exercise,
    )


def _expected(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    words = tuple(word.strip() for word in text.split(","))
    for word in words:
        if word not in {PANIC, SYNTAX} and not re.fullmatch(r"E\d{4}", word):
            raise RustUsageError(
                f"--expect {text!r} names no error: write a code such as E0382, several with "
                "commas, or panic, or syntax."
            )
    if PANIC in words and len(words) > 1:
        raise RustUsageError("--expect panic stands alone: a cell that does not compile cannot panic.")
    return words


@dataclass(frozen=True)
class CompareOptions:
    """What a `%rust_compare` line asks for.

    Attributes:
        shown: The files whose sources are shown.
        program: The file that is built and run; None to show only.
    """

    shown: tuple[str, ...]
    program: str | None
    engines: tuple[Engine, ...]
    device: str
    name: str | None
    arguments: tuple[str, ...]


COMPARE_EXAMPLES = """
Examples:
  %rust_compare src/model.rs                           the model's source in every engine, compiled
  %rust_compare src/model.rs src/train.rs -- run.json  the same, and the program of each run with run.json
  %rust_compare src/model.rs --engines tch,candle      two of them

The sources are those of this notebook: what your cells wrote, else the committed files.
"""


def compare_parser() -> argparse.ArgumentParser:
    """Return the parser of the `%rust_compare` line."""
    parser = MagicParser(
        prog="%rust_compare",
        usage="%%rust_compare [FILE ...] [options] [-- ARGS]",
        description="Build one program in several engines, run it if ARGS are given, show the sources side by side.",
        epilog=COMPARE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="files to show; default: src/model.rs")
    parser.add_argument("--engines", metavar="A,B", help="default: pytorch,tch,candle,burn,dfdx")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="default: auto")
    parser.add_argument("--name", metavar="N", help="keep the runs as the Python variable N, a dict by engine")
    return parser


def parse_compare(line: str) -> CompareOptions:
    """Parse a `%rust_compare` line.

    Raises:
        RustUsageError: A word is unknown, missing or does not fit.
    """
    words, arguments = _split(line, "%rust_compare")
    parsed = compare_parser().parse_intermixed_args(words)
    names = [name.strip() for name in parsed.engines.split(",")] if parsed.engines else list(ENGINES)
    engines = tuple(ENGINES[name] if name == "pytorch" else rust_engine(name) for name in names)
    files = tuple(checked_file_name(name) for name in parsed.files or ["src/model.rs"])
    program = next((name for name in files if RUNNABLE.fullmatch(name)), "src/main.rs" if arguments else None)
    return CompareOptions(files, program, engines, parsed.device, parsed.name, tuple(arguments))


def parse_pytorch(line: str) -> str:
    """Return the file named on a `%%pytorch` line, such as `model.py`.

    Raises:
        RustUsageError: The line does not name exactly one Python file.
    """
    words, _ = _split(line, "%%pytorch")
    if len(words) != 1 or not re.fullmatch(r"[A-Za-z_]\w*\.py", words[0]):
        raise RustUsageError("%%pytorch names one file of rust_snippets/pytorch: write `%%pytorch model.py`.")
    return words[0]


def _split(line: str, magic: str) -> tuple[list[str], list[str]]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise RustUsageError(
            f"{magic}: the line cannot be split into words ({error}): close the quotation mark."
        ) from None
    if "--" in words:
        cut = words.index("--")
        return words[:cut], words[cut + 1 :]
    return words, []
