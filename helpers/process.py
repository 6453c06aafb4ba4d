"""Runs a program in a process group of its own: streams its output, reads its events, measures and bounds it."""

import codecs
import json
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from helpers.memory_limit import default_memory_limit, limited

EVENTS_VARIABLE = "WORKBOOK_EVENTS_FD"
READ_SIZE = 65536
FIRST_TICK, LONGEST_TICK = 0.001, 0.02  # seconds between two looks at the child's memory
DRAIN_SECONDS = 5.0  # for output that is still on its way when the program has ended
MAX_EVENTS, MAX_EVENT_BYTES = 1_000_000, 1 << 20
GRACE_SECONDS = 1.0  # between asking a group to end and ending it


@dataclass(frozen=True)
class Limits:
    """Bounds for one run.

    Attributes:
        shown_bytes: Output passed on; the rest is counted and dropped.
        total_bytes: Output after which the program is ended.
        memory_bytes: Private memory the program may ask for; None for no limit.
        seconds: Time after which the program is ended; None for no limit.
    """

    shown_bytes: int = 1 << 20
    total_bytes: int = 64 << 20
    memory_bytes: int | None = field(default_factory=default_memory_limit)
    seconds: float | None = None


UNLIMITED = Limits(shown_bytes=1 << 62, total_bytes=1 << 62, memory_bytes=None)


@dataclass
class ProgramResult:
    """What one run of a program was and cost.

    Attributes:
        returncode: Exit code; the negative signal number if a signal ended it.
        wall_seconds: From start to end.
        cpu_seconds: User and system time of the program.
        peak_rss_bytes: Highest resident memory, read from the kernel's high-water mark every 20 ms at least;
            None where the system does not tell or the program ended within the first millisecond.
        output_bytes: All that it wrote on stdout and stderr.
        dropped_bytes: The part of it beyond the cap, which is neither shown nor kept.
        flooded: True when it was ended because it wrote too much.
        timed_out: True when it was ended because it ran too long.
    """

    argv: list[str]
    returncode: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_rss_bytes: int | None = None
    stdout: str = ""
    stderr: str = ""
    events: list[dict] = field(default_factory=list)
    output_bytes: int = 0
    dropped_bytes: int = 0
    flooded: bool = False
    timed_out: bool = False
    memory_limit_bytes: int | None = None


def run_program(
    argv: list[str],
    *,
    cwd: Path,
    env: dict[str, str] | None = None,
    on_stdout: Callable[[str], None] | None = None,
    on_stderr: Callable[[str], None] | None = None,
    on_event: Callable[[dict], None] | None = None,
    limits: Limits | None = None,
) -> ProgramResult:
    """Run `argv` to its end and return what happened; a non-zero exit is not an error here.

    The program reads an empty standard input and leads a new process group. Events are JSON lines that it writes on
    the descriptor named by `WORKBOOK_EVENTS_FD`. Whatever interrupts this call, such as KeyboardInterrupt, ends the
    whole group before it is raised again.

    Raises:
        FileNotFoundError: There is no such program.
    """
    limits = limits or Limits()
    if shutil.which(argv[0], path=(env or os.environ).get("PATH")) is None:
        raise FileNotFoundError(f"there is no program {argv[0]}")
    result = ProgramResult(argv=list(argv), memory_limit_bytes=limits.memory_bytes)
    events_read, events_write = os.pipe()
    started = time.perf_counter()
    try:
        process = subprocess.Popen(
            [*_ends_with_parent(), *limited(argv, limits.memory_bytes)],
            cwd=cwd,
            env={**(os.environ if env is None else env), EVENTS_VARIABLE: str(events_write)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(events_write,),
        )
    except BaseException:
        os.close(events_read)
        raise
    finally:
        os.close(events_write)
    with process.stdout, process.stderr, os.fdopen(events_read, "rb") as events:
        channels = {
            process.stdout: _TextChannel(result, "stdout", on_stdout, limits),
            process.stderr: _TextChannel(result, "stderr", on_stderr, limits),
            events: _EventChannel(result, on_event),
        }
        try:
            usage = _pump(process, channels, result, limits)
        finally:
            _end_group(process)
    result.wall_seconds = time.perf_counter() - started
    result.cpu_seconds = usage.ru_utime + usage.ru_stime
    return result


class _TextChannel:
    """Decodes one of the program's two outputs, passes it on and keeps it, up to the cap."""

    def __init__(
        self, result: ProgramResult, name: str, callback: Callable[[str], None] | None, limits: Limits
    ) -> None:
        self.result, self.name, self.callback, self.limits = result, name, callback, limits
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        result = self.result
        room = max(self.limits.shown_bytes - result.output_bytes, 0)
        result.output_bytes += len(data)
        result.dropped_bytes += max(len(data) - room, 0)
        text = self.decoder.decode(data[:room], final=not data)
        if text:
            setattr(result, self.name, getattr(result, self.name) + text)
            if self.callback is not None:
                self.callback(text)


class _EventChannel:
    """Splits the event descriptor's bytes into JSON lines; what is no JSON object, or too much, is dropped."""

    def __init__(self, result: ProgramResult, callback: Callable[[dict], None] | None) -> None:
        self.result, self.callback, self.rest = result, callback, b""

    def feed(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.rest = self.rest[:MAX_EVENT_BYTES]  # the rest of a line this long is no event
        for line in lines:
            if len(self.result.events) >= MAX_EVENTS:
                return
            with suppress(ValueError, RecursionError):
                event = json.loads(line)
                if isinstance(event, dict):
                    self.result.events.append(event)
                    if self.callback is not None:
                        self.callback(event)


def _pump(process: subprocess.Popen, channels: dict[BinaryIO, object], result: ProgramResult, limits: Limits):  # noqa: ANN202
    """Read until the program has ended and its outputs are drained; return its resource usage."""
    tick, usage, drained_by = FIRST_TICK, None, 0.0
    ended_by = None if limits.seconds is None else time.perf_counter() + limits.seconds
    with selectors.DefaultSelector() as selector:
        for stream, channel in channels.items():
            selector.register(stream, selectors.EVENT_READ, channel)
        while usage is None or selector.get_map():
            ready = selector.select(tick) if selector.get_map() else time.sleep(tick) or []
            tick = min(tick * 2, LONGEST_TICK)
            if usage is None:
                _read_peak_memory(process.pid, result)
            for key, _ in ready:
                data = os.read(key.fd, READ_SIZE)
                key.data.feed(data)
                if not data:
                    selector.unregister(key.fileobj)
                    tick = FIRST_TICK  # a closed output says that the end is near
            if result.output_bytes > limits.total_bytes and not result.flooded:
                result.flooded = True
                _signal_group(process.pid, signal.SIGKILL)
            if usage is None and ended_by is not None and time.perf_counter() > ended_by:
                result.timed_out, ended_by = True, None
                _signal_group(process.pid, signal.SIGKILL)
            if usage is None:
                pid, status, rusage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    process.returncode = result.returncode = os.waitstatus_to_exitcode(status)
                    usage = rusage
                    drained_by = time.perf_counter() + DRAIN_SECONDS
            elif not ready or time.perf_counter() > drained_by:
                break  # something the program left behind still holds its outputs open
    return usage


def _read_peak_memory(pid: int, result: ProgramResult) -> None:
    # The kernel's figure for a waited child also counts the parent's memory at fork, so it is read here instead.
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return
    if status.startswith(_LAUNCHERS):
        return  # not yet the program itself
    _, found, rest = status.partition("VmHWM:")
    if found:
        result.peak_rss_bytes = max(result.peak_rss_bytes or 0, int(rest.split(maxsplit=1)[0]) * 1024)


_LAUNCHERS = ("Name:\tsetpriv\n", "Name:\tsh\n", "Name:\tdash\n", "Name:\tbash\n")


def _signal_group(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _end_group(process: subprocess.Popen) -> None:
    """End what is left of the group: politely at first if the program itself still runs."""
    try:
        if process.returncode is None:
            _signal_group(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_SECONDS)
    finally:  # also when the reader interrupts once more
        _signal_group(process.pid, signal.SIGKILL)
        if process.returncode is None:
            process.wait()


@lru_cache(maxsize=1)
def _ends_with_parent() -> tuple[str, ...]:
    """A prefix that makes the kernel end the program if this process is killed; empty where `setpriv` is missing."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    prefix = (setpriv, "--pdeathsig", "KILL", "--")
    works = subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    return prefix if works else ()
