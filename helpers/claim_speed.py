"""How fast the engines do equal work, for measured claims: ratios of seconds from rounds that take turns.

On a CPU the seconds are those of the processor, with one thread, so that other programs of a busy machine count less.
The Rust side is in `claims/speed/`: the same pieces of work under the same names.
"""

import math
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from helpers.claim_tools import Ratio, python, run, rust_program, value_ratio
from helpers.engines import ENGINES
from helpers.errors import ClaimError
from helpers.paths import CLAIMS
from helpers.thread_scaling import Speedup, speedups
from helpers.thread_scaling import rust_program as rust_measure
from helpers.training import thread_variables

PROGRAMS = CLAIMS / "speed"
BUDGET = 0.3  # seconds of repeats in one round
TOKENS, VOCABULARY, HEAD_WIDTH = 16, 32000, 48


def ratio(
    a: str, b: str, task: str, size: int = 0, batch: int = 1, *, rounds: int = 5, device: str = "cpu", file: str = ""
) -> Ratio:
    """Return how many times as long engine `a` takes as engine `b`.

    Args:
        a: pytorch, tch, candle, burn or dfdx.
        b: Another one.
        task: `train` or `answer` (the CNN, size 0), `block` (a bottleneck of ResNet-50, size 256 to 2048 channels),
            `matmul`, `mlp`, `decode` (a language model, `batch` layers), `script` (a TorchScript file, images of
            `size` pixels), `layer` (an encoder layer of BERT-base's sizes, `size` words).
        size: The task's size.
        batch: Images, rows or sentences at once.
        file: A TorchScript file, for `script` and `layer`.
    """
    pair = [partial(seconds, engine, task, size, batch, device, file) for engine in (a, b)]
    return value_ratio(*pair, rounds=rounds)


def seconds(engine: str, task: str, size: int = 0, batch: int = 1, device: str = "cpu", file: str = "") -> float:
    """Return the median seconds of one piece of work, after one that warms up; arguments as for `ratio`."""
    os.environ.update(thread_variables(1))
    if engine == "pytorch":
        torch.set_num_threads(1)
        return _timed(work(task, size, batch, device, file), device)
    words = [task, str(size), str(batch), device, *([file] if file else [])]
    return float(run([*program(engine, device == "cuda"), *words], engine).stdout)


@lru_cache(maxsize=8)
def program(engine: str, cuda: bool = False) -> list[str]:
    """Build the engine's program of all tasks; return the command that runs it."""
    code = (PROGRAMS / "harness.rs").read_text() + (PROGRAMS / f"{engine}.rs").read_text()
    if engine == "dfdx":  # its pinned compiler does not know the newer spelling
        code = code.replace("unsafe extern", "extern")
    return rust_program(engine, code, "claim_speed", cuda=cuda)


def _timed(call: Callable[[], object], device: str) -> float:
    clock = time.perf_counter if device == "cuda" else time.process_time
    call()
    times, begun = [], clock()
    while len(times) < 3 or clock() - begun < BUDGET:
        before = clock()
        call()
        times.append(clock() - before)
    return statistics.median(times)


@lru_cache(maxsize=16)
def work(task: str, size: int = 0, batch: int = 1, device: str = "cpu", file: str = "") -> Callable[[], object]:
    """Return PyTorch's side of a task as a function to call; arguments as for `ratio`."""
    made = {
        "train": _train,
        "answer": _answer,
        "block": _block,
        "matmul": _matmul,
        "mlp": _mlp,
        "decode": _decode,
        "script": _script,
        "layer": _script,
    }
    if task not in made:
        raise ClaimError(f"There is no task {task!r}: choose from {', '.join(made)}.")
    with torch.device(device):
        made_work = made[task](size, batch, device, file)
    return made_work if task == "train" else torch.no_grad()(made_work)


class _Cnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 32, 3, padding=1), nn.Conv2d(32, 64, 3, padding=1)
        self.fc = nn.Linear(4096, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        return self.fc(F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1))


def _train(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    model, x, y = _Cnn(), torch.randn(batch, 3, 32, 32), torch.zeros(batch, dtype=torch.long)
    adam = torch.optim.Adam(model.parameters())

    def step() -> float:
        adam.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        adam.step()
        return loss.item()

    return step


def _answer(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    model, x = _Cnn(), torch.randn(batch, 3, 32, 32)
    return lambda: model(x).tolist()


def bottleneck(channels: int) -> nn.Module:
    """Return the three convolutions of a bottleneck block of ResNet-50, without the addition."""
    narrow = channels // 4
    sizes = ((channels, narrow, 1), (narrow, narrow, 3), (narrow, channels, 1))
    layers = [(nn.Conv2d(i, o, k, padding=k // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU()) for i, o, k in sizes]
    return nn.Sequential(*sum(layers, ())[:-1]).eval()


def _block(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    block, side = bottleneck(size), 56 * 256 // size
    x = torch.randn(batch, size, side, side)
    return lambda: F.relu(block(x) + x)[0, 0, 0, 0].item()


def _matmul(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    a = torch.randn(size, size)
    return lambda: (a @ a)[0, 0].item()


def _mlp(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    model, x = nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, 10)), torch.randn(batch, size)
    return lambda: model(x).tolist()


def _script(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    module = torch.jit.load(file, map_location=device)
    shape = (batch, 3, size, size) if module.original_name != "TransformerEncoderLayer" else (batch, size, 768)
    x = torch.randn(shape)
    return lambda: module(x).flatten()[0].item()


def _decode(size: int, batch: int, device: str, file: str) -> Callable[[], object]:
    """Make a model of the LLaMA kind without its rotation, `size` wide, of `batch` layers; it writes 16 tokens."""
    hidden, heads, kind = size * 8 // 3, size // HEAD_WIDTH, torch.float16 if device == "cuda" else torch.float32
    linear = partial(nn.Linear, bias=False, dtype=kind)
    norm = partial(nn.RMSNorm, size, eps=1e-5, dtype=kind)
    layers = [
        (*(linear(size, size) for _ in range(4)), linear(size, hidden), linear(size, hidden), linear(hidden, size))
        for _ in range(batch)
    ]
    norms = [(norm(), norm()) for _ in layers]
    table, head, last = nn.Embedding(VOCABULARY, size, dtype=kind), linear(size, VOCABULARY), norm()

    def write() -> int:
        token, cache = torch.tensor([1], device=device), [None] * len(layers)
        for _ in range(TOKENS):
            x = table(token)
            for number, ((q, k, v, o, gate, up, down), (norm1, norm2)) in enumerate(zip(layers, norms, strict=True)):
                h = norm1(x)
                query, key, value = (part(h).view(heads, 1, -1) for part in (q, k, v))
                if cache[number] is not None:
                    key, value = (torch.cat(pair, 1) for pair in zip(cache[number], (key, value), strict=True))
                cache[number] = key, value
                scores = query @ key.transpose(1, 2) / math.sqrt(HEAD_WIDTH)
                x = x + o((scores.softmax(-1) @ value).view(1, size))
                h = norm2(x)
                x = x + down(F.silu(gate(h)) * up(h))
            token = head(last(x)).argmax(1)
        return token.item()

    return write


def scripted(model: nn.Module, example: torch.Tensor, name: str = "model.pt") -> str:
    """Write a traced model as a TorchScript file into the current folder; return its path."""
    path = Path(name).resolve()
    torch.jit.trace(model.eval(), example, check_trace=False).save(path)
    return str(path)


def thread_gains(rounds: int = 7) -> dict[str, dict[str, Speedup]]:
    """Measure what a second thread gains, by the clock: for pytorch and candle, for each of three operations.

    Raises:
        ClaimError: Two programs get less than 1.5 cores at present: the machine is too busy to tell.
    """
    threads = rust_program("candle", (PROGRAMS / "threads.rs").read_text(), "claim_threads")
    measure = {"pytorch": _thread_seconds, "candle": rust_measure(ENGINES["candle"], threads)}
    found = []
    for moment in ("before", "after"):
        cores = _free_cores()
        if cores < 1.5:
            raise ClaimError(f"Two programs get {cores:.1f} cores {moment} it: repeat it on a quiet machine.")
        found = found or speedups(measure, threads=2, rounds=rounds)
    return found


def _free_cores() -> float:
    """Return how many cores two busy programs get together, from half a second of trying."""
    spin = "import time; end = time.time() + 0.5\nwhile time.time() < end: pass\nprint(time.process_time())"
    with ThreadPoolExecutor(2) as both:
        started = time.perf_counter()
        spent = sum(both.map(lambda _: float(run(python(spin)).stdout), range(2)))
        return spent / (time.perf_counter() - started)


def _thread_seconds(threads: int) -> dict[str, float]:
    torch.set_num_threads(threads)
    a, images, kernel = torch.randn(768, 768), torch.randn(16, 32, 32, 32), torch.randn(64, 32, 3, 3)
    tasks = {
        "matmul": lambda: a @ a,
        "conv2d": lambda: F.conv2d(images, kernel, padding=1),
        "max_pool2d": lambda: F.max_pool2d(images, 2),
    }
    return {name: _least(task) for name, task in tasks.items()}


def _least(task: Callable[[], object]) -> float:
    times = []
    for _ in range(8):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times[1:])
