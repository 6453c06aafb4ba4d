"""Parses the first lines of the tools' magics: `%%rust_clippy`, `%%rust_test`, `%%rust_gdb`, `%%rust_miri`."""

import argparse
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helpers.engines import Engine, rust_engine
from helpers.errors import RustUsageError
from helpers.magic_arguments import MagicParser


@dataclass(frozen=True)
class ToolOptions:
    """What the line of a tool's cell asks for.

    Attributes:
        engine: Whose crates are in scope; None for plain Rust.
        expect: What has to be found: lints, kinds of finding, or numbers of failing tests; empty for no demand.
        commands: The debugger's commands in one text.
        flags: Words that are passed on.
    """

    engine: Engine | None = None
    expect: tuple[str, ...] = ()
    commands: str = ""
    profile: str = "release"
    flags: tuple[str, ...] = ()


def parse_clippy(line: str) -> ToolOptions:
    """Parse `%%rust_clippy FRAMEWORK [--expect LINT[,LINT]]`.

    Raises:
        RustUsageError: A word is unknown or missing.
    """
    parsed = _parse("%%rust_clippy", line, _framework, _expect("lints, such as clippy::redundant_clone"))
    lints = _listed(parsed.expect)
    for lint in lints:
        if not re.fullmatch(r"(clippy::)?[a-z][a-z0-9_]*", lint):
            raise RustUsageError(f"--expect {lint!r} is no lint: write its name, such as clippy::redundant_clone.")
    return ToolOptions(rust_engine(parsed.framework), lints)


def parse_test(line: str) -> ToolOptions:
    """Parse `%%rust_test FRAMEWORK [--expect failure] [--debug]`.

    Raises:
        RustUsageError: A word is unknown or missing.
    """
    parsed = _parse("%%rust_test", line, _framework, _expect("`failure`: at least one test has to fail"), _debug)
    expect = _listed(parsed.expect)
    if expect not in {(), ("failure",)}:
        raise RustUsageError("%%rust_test can expect one thing: write `--expect failure`, or leave it out.")
    return ToolOptions(rust_engine(parsed.framework), expect, profile=parsed.profile)


def parse_gdb(line: str) -> ToolOptions:
    """Parse `%%rust_gdb FRAMEWORK --do "COMMAND; COMMAND"`.

    Raises:
        RustUsageError: A word is unknown or missing.
    """
    parsed = _parse("%%rust_gdb", line, _framework, _do)
    return ToolOptions(rust_engine(parsed.framework), commands=parsed.do, profile="debug")


def parse_miri(line: str, kinds: Sequence[str]) -> ToolOptions:
    """Parse `%%rust_miri [--expect KIND] [-Z...]`.

    Args:
        line: The magic's line.
        kinds: The findings that can be expected.

    Raises:
        RustUsageError: A word is unknown.
    """
    words = _words("%%rust_miri", line)
    flags = tuple(word for word in words if word.startswith("-Z"))
    rest = shlex.join(word for word in words if not word.startswith("-Z"))
    parsed = _parse("%%rust_miri", rest, _expect(f"one of {', '.join(kinds)}"))
    expect = _listed(parsed.expect)
    if len(expect) > 1 or any(kind not in kinds for kind in expect):
        raise RustUsageError(f"--expect names one kind of finding: {', '.join(kinds)}.")
    return ToolOptions(expect=expect, flags=flags)


def parse_tree(line: str) -> ToolOptions:
    """Parse `%cargo_tree FRAMEWORK [words for cargo tree]`.

    Raises:
        RustUsageError: There is no framework.
    """
    words = _words("%cargo_tree", line)
    if not words:
        raise RustUsageError("%cargo_tree needs a framework: write `%cargo_tree candle --depth 1`.")
    return ToolOptions(rust_engine(words[0]), flags=tuple(words[1:]))


def _words(magic: str, line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise RustUsageError(
            f"{magic}: the line cannot be split into words ({error}): close the quotation mark."
        ) from None


def _parse(magic: str, line: str, *options: Callable[[argparse.ArgumentParser], None]) -> argparse.Namespace:
    parser = MagicParser(prog=magic, add_help=False, allow_abbrev=False)
    for option in options:
        option(parser)
    return parser.parse_args(_words(magic, line))


def _framework(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("framework", metavar="FRAMEWORK", help="tch, candle, burn or dfdx")


def _debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--debug", action="store_const", const="debug", default="release", dest="profile")


def _do(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--do", required=True, metavar='"COMMAND; COMMAND"', help="commands of gdb")


def _expect(meaning: str) -> Callable[[argparse.ArgumentParser], None]:
    return lambda parser: parser.add_argument("--expect", metavar="WORD[,WORD]", help=meaning) and None


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()
