"""Runs a program under gdb in batch mode: a list of commands goes in, their answers come out, free of addresses."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.diagnostics import shorten_paths
from helpers.errors import RustUsageError
from helpers.package_copy import CELL_FILE
from helpers.process import run_program
from helpers.toolchain import find_tool

PROMPT = "(gdb) "
INSTALL = "sudo apt-get install gdb"
_SETTINGS = (
    "set pagination off",
    "set confirm off",
    "set style enabled off",
    "set print thread-events off",
    "set disable-randomization off",
    "set language rust",
)
_NOISE = re.compile(
    r"\[(?:Thread debugging using|New Thread|Thread 0x|Switching to Thread)|Using host libthread_db|warning: |"
    r"This GDB supports auto-downloading|Debuginfod has been disabled|Enable debuginfod|To make this setting permanent"
)
_ADDRESS = re.compile(r"(?:(?<=  )0x[0-9a-f]{6,}|^0x[0-9a-f]{6,}) in ")
_POINTER = re.compile(r"0x[0-9a-f]{6,}")
_PLACED_AT = re.compile(r"(Breakpoint \d+) at 0x[0-9a-f]+: file (\S+), line (\d+)\.")
_CELL_NAME = re.escape(Path(CELL_FILE).name)
_PLACED_TWICE = re.compile(r"(Breakpoint \d+) at 0x[0-9a-f]+: (\S+):(\d+)\. \((\d+) locations\)")
_ENDED = re.compile(r"\[Inferior \d+ \(process \d+\) exited (?:normally|with code (\d+))\]")
_REFUSED = ("ptrace: Operation not permitted", "Could not trace the inferior process", "Cannot create process")


@dataclass(frozen=True)
class Session:
    """What gdb answered, command by command, and why nothing could be debugged if so."""

    answers: tuple[tuple[str, str], ...]
    refused: str = ""

    def __str__(self) -> str:
        """The session as a terminal would show it."""
        return "\n".join(f"{PROMPT}{command}\n{answer}".rstrip("\n") for command, answer in self.answers)


def find() -> Path | None:
    """Return gdb's path; None where it is not installed."""
    found = shutil.which("gdb")
    return Path(found) if found else None


def missing() -> str:
    """Say that gdb is missing and how to get it."""
    return f"There is no gdb on this machine: run `{INSTALL}` (Debian's package is called gdb)."


def split_commands(text: str) -> list[str]:
    """Split a line of gdb commands at its semicolons.

    Raises:
        RustUsageError: There is none.
    """
    commands = [command.strip() for command in text.split(";") if command.strip()]
    if not commands:
        raise RustUsageError('Name the commands for gdb: write `--do "break 3; run; backtrace"`.')
    return commands


def in_cell(command: str, *, wrapped: bool) -> str:
    """Complete a breakpoint's place: a line of the cell, or a function of it, is what the reader writes.

    Args:
        command: A gdb command.
        wrapped: Whether the cell's functions lie inside the `fn main` that was put around them.
    """
    match = re.fullmatch(r"(break|tbreak|until|advance) (\w+)( if .*)?", command)
    if match is None:
        return command
    verb, place, condition = match[1], match[2], match[3] or ""
    if place.isdigit():
        return f"{verb} {Path(CELL_FILE).name}:{place}{condition}"
    return f"{verb} cell::{'main::' if wrapped else ''}{place}{condition}"


def debug(
    gdb: Path, program: Path, commands: Sequence[str], *, cwd: Path, env: Mapping[str, str], wrapped: bool
) -> Session:
    """Run `program` under gdb with `commands`; it reads an empty input.

    Args:
        gdb: The debugger.
        program: A program with debug information.
        commands: What to do; after the last one the program is ended.
        cwd: Where the program runs.
        env: Its environment.
        wrapped: See `in_cell`.
    """
    arguments = [str(gdb), "-nx", "-q", "-batch"]
    for setting in (*_pretty_printers(), *_SETTINGS):
        arguments += ["-iex", setting]
    for command in commands:
        arguments += ["-ex", f"echo {PROMPT}{command}\\n", "-ex", in_cell(command, wrapped=wrapped)]
    # One stream, so that gdb's complaints stand where they belong.
    merged = ["sh", "-c", 'exec "$@" 2>&1', "sh", *arguments, str(program)]
    said = run_program(merged, cwd=cwd, env=dict(env)).stdout
    refused = next((line.strip() for line in said.splitlines() if any(sign in line for sign in _REFUSED)), "")
    return Session(tuple(_answers(said, commands)), refused)


def _pretty_printers() -> list[str]:
    """Teach gdb how Rust's own types look, as the script `rust-gdb` does."""
    folder = find_tool("rustc").parent.parent / "lib" / "rustlib" / "etc"
    if not (folder / "gdb_load_rust_pretty_printers.py").exists():
        return []
    return [
        f"python import sys; sys.path.insert(0, {str(folder)!r})",
        f"add-auto-load-safe-path {folder}",
        f"directory {folder}",
    ]


def _answers(said: str, commands: Sequence[str]) -> list[tuple[str, str]]:
    """Cut what gdb said at the echoed commands; none where it ended before the first."""
    answers, rest = [], said
    for number, command in enumerate(commands):
        _, found, rest = rest.partition(f"{PROMPT}{command}\n")
        if not found:
            break
        following = f"{PROMPT}{commands[number + 1]}\n" if number + 1 < len(commands) else None
        answers.append((command, readable(rest.partition(following)[0] if following else rest)))
    return answers


def readable(text: str) -> str:
    """Take addresses, threads, paths and process numbers out of gdb's words; the cell's file becomes `cell`."""
    lines = []
    for line in text.splitlines():
        if _NOISE.match(line):
            continue
        line = _PLACED_AT.sub(r"\1: \2, line \3", _ADDRESS.sub("", line))
        line = _PLACED_TWICE.sub(r"\1: \2, line \3 (\4 places)", line)  # here gdb repeats the place as it was asked for
        line = _ENDED.sub(lambda match: f"[the program ended{f' with code {match[1]}' if match[1] else ''}]", line)
        line = re.sub(rf"(?:[^\s:]*/)?{re.escape(CELL_FILE)}(?=[:,])|(?<= ){_CELL_NAME}(?=, line)", "cell", line)
        lines.append(shorten_paths(_POINTER.sub("0x…", line)))
    return "\n".join(lines).strip("\n")
