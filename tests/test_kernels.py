"""Real Jupyter kernels: two at once, an interrupt, a kernel that is killed."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_client import KernelManager
from jupyter_client.blocking import BlockingKernelClient
from plain_engine import PlainEngine

pytestmark = pytest.mark.slow

SETUP = """
import sys
sys.path.insert(0, {tests!r})
from contextlib import suppress
from pathlib import Path
from typing import Any
from plain_engine import PlainEngine
from helpers.engines import ENGINES, RUST_ENGINES
ENGINES["plain"] = RUST_ENGINES["plain"] = PlainEngine(name="plain", title="Plain Rust", folder=Path({folder!r}))
%load_ext helpers.rust_magic
"""
ENDLESS = (
    '%%rust plain\nstd::fs::write("{pid_file}", std::process::id().to_string())?;\n'
    "loop {{ std::thread::sleep(std::time::Duration::from_millis(5)); }}"
)
Start = Callable[[], "Kernel"]


class Kernel:
    """A kernel with the magics and the framework-less engine loaded."""

    def __init__(self, engine: PlainEngine, folder: Path) -> None:
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(folder))
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        self.run(SETUP.format(tests=str(Path(__file__).parent), folder=str(engine.folder)))

    def run(self, code: str, timeout: float = 120) -> tuple[str, dict]:
        """Execute a cell; return what it printed and the reply."""
        printed: list[str] = []

        def keep(message: dict) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        reply = self.client.execute_interactive(code, timeout=timeout, output_hook=keep, store_history=True)
        return "".join(printed), reply["content"]

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def start(plain_engine: PlainEngine, tmp_path: Path) -> Iterator[Start]:
    kernels: list[Kernel] = []

    def start_one() -> Kernel:
        kernels.append(Kernel(plain_engine, tmp_path))
        return kernels[-1]

    yield start_one
    for kernel in kernels:
        kernel.close()


def test_two_kernels_do_not_mix_their_programs(start: Start) -> None:
    def work(kernel: Kernel, sign: str) -> list[str]:
        outputs = []
        for number in range(6):
            kernel.run(f"%%rust plain src/model.rs\npub fn double(_: i64) -> i64 {{ {sign}{number} }}")
            outputs.append(kernel.run('%%rust plain\nprintln!("{}", plain_cells::model::double(0));')[0].strip())
        return outputs

    first, second = start(), start()
    with ThreadPoolExecutor(2) as pool:
        ups, downs = pool.submit(work, first, "1"), pool.submit(work, second, "-1")
        assert ups.result() == [f"1{number}" for number in range(6)]
        assert downs.result() == [f"-1{number}" for number in range(6)]


def test_a_program_that_does_not_end_holds_up_no_other_kernel(start: Start, tmp_path: Path) -> None:
    busy, other = start(), start()
    pid_file = tmp_path / "pid"
    busy.client.execute(ENDLESS.format(pid_file=pid_file))
    program = started_program(pid_file)
    assert other.run('%%rust plain\nprintln!("through");')[0] == "through\n"
    assert program.is_running()


def test_an_interrupt_ends_the_program_within_two_seconds(start: Start, tmp_path: Path) -> None:
    kernel = start()
    pid_file = tmp_path / "pid"
    request = kernel.client.execute(ENDLESS.format(pid_file=pid_file))
    program = started_program(pid_file)
    kernel.manager.interrupt_kernel()
    program.wait(2)
    reply = kernel.client.get_shell_msg(timeout=30)
    assert reply["parent_header"]["msg_id"] == request
    assert (reply["content"]["status"], reply["content"]["ename"]) == ("error", "Interrupted")
    assert kernel.run('%%rust plain\nprintln!("still here");')[0] == "still here\n"


def test_an_interrupt_ends_the_compiler(start: Start) -> None:
    kernel = start()
    kernel.client.execute(
        "%%rust plain\n#![allow(long_running_const_eval)]\n"
        'const N: u64 = { let mut i = 0; while i < u64::MAX { i += 1; } i };\nprintln!("{N}");'
    )
    compiler = wait_for(lambda: compilers_below(kernel.manager.provisioner.pid))
    kernel.manager.interrupt_kernel()
    assert psutil.wait_procs(compiler, timeout=2)[1] == []


def test_a_killed_kernel_takes_its_program_along(start: Start, tmp_path: Path) -> None:
    kernel = start()
    pid_file = tmp_path / "pid"
    kernel.client.execute(ENDLESS.format(pid_file=pid_file))
    program = started_program(pid_file)
    kernel.manager.signal_kernel(9)
    psutil.wait_procs([program], timeout=5)
    assert not program.is_running()
    fresh = start()
    assert fresh.run('%%rust plain\nprintln!("again");')[0] == "again\n"


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("%%rust plain\n", "UsageError"),
        ('%%rust plain\nlet x: i32 = "";', "RustCompileError"),
        ("%%rust plain --expect E0382\nlet x = 1;", "RustExpectationError"),
        ('%%rust plain\npanic!("on purpose");', "RustPanic"),
    ],
)
def test_a_failed_cell_is_an_error_reply(start: Start, cell: str, name: str) -> None:
    _, reply = start().run(cell)
    assert (reply["status"], reply["ename"]) == ("error", name)


def started_program(pid_file: Path) -> psutil.Process:
    """Wait for the program to write its number."""
    return psutil.Process(int(wait_for(lambda: pid_file.exists() and pid_file.read_text())))


def compilers_below(pid: int) -> list[psutil.Process]:
    """The rustc processes that compile a cell for this kernel."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):
            if process.name() == "rustc" and "src/bin/cell.rs" in process.cmdline():
                found.append(process)
    return found


def wait_for(look: Callable[[], Any]) -> Any:
    """Look until there is something, for two minutes at most."""
    for _ in range(2400):
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came within two minutes")
