"""Training runs: the folder that tells every engine what to do, and the child processes that do it.

Each engine, PyTorch included, is a program that gets the path of `run.json`. It reads the images, the first weights
and the order of the images from files, so that all do the same work; see `TrainConfig` for the settings.
"""

import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from helpers import weights
from helpers.build_progress import BuildProgressDisplay
from helpers.cargo import cargo_env, engine_program
from helpers.cifar10 import MEAN, STD, Cifar10, Source
from helpers.engines import ENGINES
from helpers.environment import usable_cores
from helpers.errors import WorkbookError
from helpers.events import Epoch, Event, Phase, RunStarted, parse_event
from helpers.live_training import LiveTraining
from helpers.process import ProgramResult, run_program
from helpers.results import Comparison, EngineResult
from helpers.torch_errors import without_torch_frames

Count = Annotated[int, Field(ge=1, strict=True)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
SOURCE_FILE = "source.json"  # beside run.json: where the images come from, for the figures
LAST_WORDS = 12  # lines of a failed engine's output that its error shows


class TrainingError(WorkbookError):
    """A run cannot be set up as asked."""


class EngineError(WorkbookError):
    """An engine's program failed; the message ends with the program's own last words."""


class TrainConfig(BaseModel):
    """The content of run.json; relative paths start at run.json's folder.

    Attributes:
        task: `train`, or `parity`: one forward and backward pass, written down.
        train_bin: Images in CIFAR-10's binary layout; the first `train_size` records are used.
        test_bin: The same for the test set.
        init: Safetensors file with the first weights.
        order: Safetensors file with `order`, int64 [epochs, train_size].
        threads: CPU threads of the engine.
        mean: Mean of each channel; an engine sees (byte / 255 - mean) / std.
        std: Standard deviation of each channel.
        output: Folder for what the engine writes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Literal["train", "parity"] = "train"
    train_bin: Path
    test_bin: Path
    train_size: Count
    test_size: Count
    init: Path
    order: Path
    epochs: Count
    batch_size: Count
    learning_rate: Positive
    seed: Annotated[int, Field(ge=0, lt=2**63, strict=True)]
    device: Literal["cpu", "cuda"]
    threads: Count
    mean: tuple[float, float, float]
    std: tuple[Positive, Positive, Positive]
    output: Path

    @classmethod
    def build(cls, **values: Any) -> "TrainConfig":
        """Make a config.

        Raises:
            TrainingError: A setting is missing, unknown or out of range; the message names it.
        """
        try:
            return cls(**values)
        except ValidationError as error:
            raise TrainingError(f"The run's settings are wrong: {_first_problem(error)}.") from None

    @classmethod
    def read(cls, path: Path) -> "TrainConfig":
        """Read a run.json.

        Raises:
            TrainingError: The file is missing or its content is wrong; the message names file and field.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise TrainingError(f"{path} cannot be read: {error.strerror}.") from None
        except ValidationError as error:
            raise TrainingError(f"{path}: {_first_problem(error)}.") from None

    def write(self, path: Path) -> None:
        """Write run.json, whole or not at all."""
        weights.write_atomically(path, (self.model_dump_json(indent=2) + "\n").encode())


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"there is no setting `{name}`"
    if problem["type"] == "missing":
        return f"the setting `{name}` is missing"
    return f"`{name}` is {problem['input']!r}: {problem['msg']}" if name else problem["msg"]


@dataclass(frozen=True)
class TrainingRun:
    """A run's folder, its settings, and where its images come from."""

    folder: Path
    config: TrainConfig
    source: Source

    @classmethod
    def open(cls, folder: Path) -> "TrainingRun":
        """Open a folder that `create_run` has written.

        Raises:
            TrainingError: It is not such a folder; the message names the file that is missing or wrong.
        """
        folder = Path(folder).resolve()
        config = TrainConfig.read(folder / "run.json")
        try:
            source = Source(**json.loads((folder / SOURCE_FILE).read_bytes()))
        except (OSError, ValueError, TypeError):
            raise TrainingError(f"{folder / SOURCE_FILE} is missing or wrong: make the run again.") from None
        return cls(folder, config, source)

    @property
    def run_json(self) -> Path:
        """The one file that an engine is told about."""
        return self.folder / "run.json"

    @property
    def output(self) -> Path:
        """The folder in which engines write."""
        return self.folder / self.config.output

    def weights_file(self, engine: str) -> Path:
        """The file with the weights that an engine has trained."""
        return self.output / f"{engine}.safetensors"


def create_run(
    folder: Path,
    data: Cifar10,
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float = 1e-3,
    seed: int = 0,
    device: str = "cpu",
    threads: int | None = None,
    task: str = "train",
    train_size: int | None = None,
    test_size: int | None = None,
) -> TrainingRun:
    """Write a run's folder: images, first weights, order of the images and run.json.

    Args:
        folder: Made if needed; files of the same names are replaced.
        data: The images; `train_size` and `test_size` take the first ones of them, None takes all.
        threads: CPU threads of every engine; None for all usable cores.

    Raises:
        TrainingError: A setting is out of range, or more images are asked for than there are.
    """
    sizes = {"train_size": train_size, "test_size": test_size}
    for name, there in (("train_size", len(data.train)), ("test_size", len(data.test))):
        sizes[name] = there if sizes[name] is None else sizes[name]
        if sizes[name] > there:
            raise TrainingError(f"{name} is {sizes[name]}, but only {there} such images are loaded.")
    config = TrainConfig.build(
        task=task,
        train_bin="train.bin",
        test_bin="test.bin",
        **sizes,
        init="init.safetensors",
        order="order.safetensors",
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        seed=seed,
        device=device,
        threads=usable_cores() if threads is None else threads,
        mean=tuple(MEAN),
        std=tuple(STD),
        output="output",
    )
    folder = Path(folder).resolve()
    (folder / config.output).mkdir(parents=True, exist_ok=True)
    files = data.write_binary(folder)
    config = config.model_copy(
        update={"train_bin": Path(files.train_bin.name), "test_bin": Path(files.test_bin.name)},
    )
    weights.save(folder / config.init, weights.initial_weights(seed))
    weights.save(folder / config.order, {"order": weights.image_order(seed, epochs, config.train_size)})
    weights.write_atomically(folder / SOURCE_FILE, json.dumps(asdict(data.source)).encode())
    run = TrainingRun(folder, config, data.source)
    config.write(run.run_json)
    return run


def execute(
    name: str, run: TrainingRun, *, on_event: Callable[[Event], None] | None = None
) -> tuple[ProgramResult, list[Event]]:
    """Run one engine's program on a run's folder, in a process of its own.

    Args:
        name: pytorch, tch, candle, burn or dfdx.
        on_event: Called with every event as it comes.

    Returns:
        What the process cost and printed, and the events that it sent.

    Raises:
        TrainingError: There is no such engine.
        EngineError: The program failed; the message ends with its last words.
    """
    _check_engines([name])
    events: list[Event] = []

    def receive(raw: dict) -> None:
        events.append(parse_event(raw))
        if on_event is not None:
            on_event(events[-1])

    result = run_program(
        [*engine_program(name, cuda=run.config.device == "cuda"), str(run.run_json)],
        cwd=run.folder,
        env={**cargo_env(ENGINES[name]), **thread_variables(run.config.threads)},
        on_event=receive,
    )
    done = sum(isinstance(event, Epoch) for event in events)
    expected = run.config.epochs if run.config.task == "train" else 0
    if result.returncode != 0 or done != expected:
        raise EngineError(_failure(name, result, done, expected))
    return result, events


def run_engine(name: str, run: TrainingRun, *, on_event: Callable[[Event], None] | None = None) -> EngineResult:
    """Train one engine on a run: `execute`, and what came out of it.

    Raises:
        TrainingError: There is no such engine.
        EngineError: The program failed, or did not say on which device it ran.
    """
    result, events = execute(name, run, on_event=on_event)
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        raise EngineError(f"{ENGINES[name].title} did not say on which device it ran: no event `run_started` came.")
    return EngineResult(
        engine=name,
        device=started.device,
        threads=started.threads,
        parameters=started.parameters,
        wall_seconds=result.wall_seconds,
        cpu_seconds=result.cpu_seconds,
        peak_rss_bytes=result.peak_rss_bytes,
        output=result.stdout,
        weights=run.weights_file(name),
        epochs=[event for event in events if isinstance(event, Epoch)],
        phases={event.name: event.seconds for event in events if isinstance(event, Phase)},
    )


def run_all(
    names: Sequence[str],
    run: TrainingRun,
    rounds: int = 1,
    interleave: bool = True,
    live: bool | LiveTraining = True,
) -> Comparison:
    """Train every engine `rounds` times on the same run.

    All programs are built before the first one starts. Interleaved, each round runs every engine once and begins with
    another one, so that a machine that warms up or is busy for a while does not hurt one engine only.

    Args:
        live: Show progress and curves meanwhile.

    Raises:
        TrainingError: An engine is unknown, or `rounds` is below 1.
        EngineError: A program failed.
    """
    _check_engines(names)
    if rounds < 1:
        raise TrainingError(f"rounds is {rounds}; at least 1 is needed.")
    for name in names:
        with BuildProgressDisplay(ENGINES[name].title) as show:
            engine_program(name, cuda=run.config.device == "cuda", on_progress=show)
    turns = [(name, turn) for turn in range(rounds) for name in _rotated(names, turn)]
    if not interleave:
        turns.sort(key=lambda turn: list(names).index(turn[0]))

    results: dict[str, list[EngineResult]] = {name: [] for name in names}
    if live is True:
        live = LiveTraining(run.source, epochs=run.config.epochs)
    if not live:
        for name, _ in turns:
            results[name].append(run_engine(name, run))
        return Comparison(results, run.source)
    with live:
        for number, (name, _) in enumerate(turns, start=1):
            live.start(name, f"{number}/{len(turns)}")
            results[name].append(run_engine(name, run, on_event=live.receive))
    return Comparison(results, run.source)


def thread_variables(threads: int) -> dict[str, str]:
    """Return the environment that holds every engine's thread pools to `threads`."""
    return dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), str(threads))


def _rotated(names: Sequence[str], turn: int) -> list[str]:
    shift = turn % len(names)
    return [*names[shift:], *names[:shift]]


def _check_engines(names: Sequence[str]) -> None:
    if unknown := [name for name in names if name not in ENGINES]:
        raise TrainingError(f"There is no engine {unknown[0]!r}: choose from {', '.join(ENGINES)}.")
    if not names or len(set(names)) != len(names):
        raise TrainingError("Name each engine once, and at least one.")


def _failure(name: str, result: ProgramResult, epochs: int, expected: int) -> str:
    """One sentence on how the program ended, then its last words."""
    if result.returncode < 0:
        number = -result.returncode
        known = number in set(signal.Signals)
        how = f"was ended by signal {number}" + (f" ({signal.Signals(number).name})" if known else "")
        how += "; probably out of memory" if number == signal.SIGKILL else ""
    elif result.returncode:
        how = f"ended with exit code {result.returncode}"
    else:
        how = "ended without an error but did not report all of its work"
    done = f" after {epochs} of {expected} epochs" if expected else ""
    lines = without_torch_frames(result.stderr.strip() or result.stdout.strip()).splitlines()
    lines = [line for line in lines if line and not line.startswith("note: run with `RUST_BACKTRACE=1`")]
    words = "\n".join(lines[-LAST_WORDS:]) or "(it printed nothing)"
    return f"{ENGINES[name].title} {how}{done}. Its last words:\n{words}"
