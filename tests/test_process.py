import os
import signal
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

from helpers.memory_limit import default_memory_limit
from helpers.process import Limits, run_program


def python(code: str, **options: object):
    return run_program([sys.executable, "-c", textwrap.dedent(code)], cwd=Path.cwd(), **options)


def test_output_comes_while_the_program_runs() -> None:
    arrived = []
    result = python(
        "import time\nfor i in range(3): print(i, flush=True); time.sleep(0.4)",
        on_stdout=lambda text: arrived.append((text, time.perf_counter())),
    )
    assert "".join(text for text, _ in arrived) == "0\n1\n2\n"
    assert arrived[-1][1] - arrived[0][1] > 0.3  # not all at the end
    assert result.stdout == "0\n1\n2\n"
    assert result.returncode == 0


def test_events_have_a_channel_of_their_own() -> None:
    seen = []
    result = python(
        """
        import os
        fd = int(os.environ["WORKBOOK_EVENTS_FD"])
        os.write(fd, b'{"event": "step", "loss": 1.5}\\nnot json\\n{"event": "ep')
        os.write(fd, b'och"}\\n')
        print("mine")
        """,
        on_event=seen.append,
    )
    assert seen == result.events == [{"event": "step", "loss": 1.5}, {"event": "epoch"}]
    assert result.stdout == "mine\n"


def test_characters_split_between_reads_are_whole() -> None:
    result = python("import os, time\nos.write(1, b'\\xc3'); time.sleep(0.1); os.write(1, b'\\xa9')")
    assert result.stdout == "é"


def test_peak_memory_is_the_childs_own() -> None:
    ballast = bytearray(300 << 20)
    ballast[::4096] = b"x" * len(ballast[::4096])
    small = python("import time; time.sleep(0.2)")
    large = python("import time; x = bytearray(150 << 20); time.sleep(0.2)")
    assert small.peak_rss_bytes < 60 << 20
    assert large.peak_rss_bytes - small.peak_rss_bytes == pytest.approx(150 << 20, rel=0.1)


def test_endless_output_is_capped_and_ended() -> None:
    result = run_program(["yes"], cwd=Path.cwd(), limits=Limits(shown_bytes=1000, total_bytes=1 << 20))
    assert len(result.stdout) == 1000
    assert result.flooded
    assert result.dropped_bytes == result.output_bytes - 1000
    assert result.returncode == -signal.SIGKILL


def test_a_greedy_program_meets_its_limit() -> None:
    result = python("x = bytearray(2 << 30)", limits=Limits(memory_bytes=1 << 30))
    assert result.returncode == 1
    assert "MemoryError" in result.stderr


def test_standard_input_is_empty() -> None:
    assert python("import sys; print(repr(sys.stdin.read()))").stdout == "''\n"


def test_a_signal_is_a_negative_return_code() -> None:
    assert python("import os; os.abort()").returncode == -signal.SIGABRT


def test_something_left_behind_does_not_hold_the_cell(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    result = run_program(["sh", "-c", f"sleep 60 & echo $! > {pid_file}; echo done"], cwd=tmp_path)
    assert result.stdout == "done\n"
    assert result.wall_seconds < 30
    assert ended(int(pid_file.read_text()))


def test_an_interrupt_ends_the_whole_group(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = f"trap '' TERM INT; sleep 60 & echo $! > {pid_file}; while :; do sleep 1; done"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        run_program(["sh", "-c", script], cwd=tmp_path)
    assert time.perf_counter() - started < 0.5 + 2
    assert ended(int(pid_file.read_text()))


def test_a_second_interrupt_does_not_save_the_program(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = f"trap '' TERM INT; echo $$ > {pid_file}; while :; do sleep 0.1; done"
    timers = [threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)) for delay in (0.5, 0.8)]
    for timer in timers:
        timer.start()
    with pytest.raises(KeyboardInterrupt):
        run_program(["sh", "-c", script], cwd=tmp_path)
    for timer in timers:
        timer.join()
    assert ended(int(pid_file.read_text()))


def test_a_flood_of_events_is_bounded() -> None:
    result = python("import os\nfd = int(os.environ['WORKBOOK_EVENTS_FD'])\nos.write(fd, b'[' * 100000 + b'\\n')")
    assert result.returncode == 0
    assert result.events == []


def test_a_missing_program_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        run_program(["no-such-program"], cwd=Path.cwd())


@pytest.mark.parametrize(("text", "size"), [("2G", 2 << 30), ("512m", 512 << 20), ("1GiB", 1 << 30), ("1000", 1000)])
def test_the_memory_limit_can_be_set(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBOOK_MEMORY_LIMIT", text)
    assert default_memory_limit() == size


def test_a_wrong_memory_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBOOK_MEMORY_LIMIT", "much")
    with pytest.raises(ValueError, match="WORKBOOK_MEMORY_LIMIT is 'much'"):
        default_memory_limit()


def ended(pid: int) -> bool:
    """Whether the process is gone, waiting a moment for the kernel to take it."""
    for _ in range(50):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False
