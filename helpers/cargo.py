"""Builds one target of one package with cargo and returns what the compiler said, as records."""

import json
import re
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from helpers import binary_cache
from helpers.cargo_failure import setup_error
from helpers.engines import ENGINES, Engine
from helpers.errors import RustCompileError, SetupError
from helpers.paths import SNIPPETS, target_root
from helpers.process import UNLIMITED, run_program
from helpers.toolchain import cargo_env, check_toolchain, find_tool

LOCK_POLL_SECONDS = 0.05
# The reader's own code without optimisation and with all checks; dependencies keep their release build.
_DEBUG_PROFILE = {
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS": "true",
    "CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS": "true",
}
_PROGRESS = re.compile(r"Building \[[=> ]*\] (\d+)/(\d+)(?:: ([^,(\r\n]+))?")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class CargoTarget:
    """What to build: the package's library, or one of its programs, and what for.

    Attributes:
        purpose: `run`; `check`, without making a program; `lint`, compiled by Clippy; `test`, its tests in place of
            its `main`; `inspect`, with debug information about the package's own code.
    """

    kind: str
    name: str | None = None
    purpose: str = "run"

    @property
    def arguments(self) -> list[str]:
        """The words for cargo's command line."""
        return {"lib": ["--lib"], "bin": ["--bin", str(self.name)], "bins": ["--bins", "--keep-going"]}[self.kind]


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is: `done` of `total` crates, or waiting for another build of the same framework."""

    done: int
    total: int
    crate: str
    waiting: bool
    seconds: float


@dataclass
class BuildResult:
    """The outcome of a build.

    Attributes:
        ok: True if the compiler accepted everything.
        executable: The program, in the cache of built programs; None for a library or a failed build.
        messages: rustc's JSON messages about the package itself.
        compiled: How many crates had to be compiled; 0 for a program from the cache.
        stderr: cargo's own words.
        sources: The files that the compiler has read; None where cargo did not tell.
    """

    ok: bool
    executable: Path | None = None
    messages: list[dict] = field(default_factory=list)
    seconds: float = 0.0
    compiled: int = 0
    stderr: str = ""
    sources: list[str] | None = None


def build(
    engine: Engine,
    package: Path,
    target: CargoTarget,
    *,
    profile: str = "release",
    cuda: bool = False,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuildResult:
    """Build `target` of the package at `package`, or take the program from the cache if nothing changed.

    Raises:
        SetupError: Something outside the package is wrong: a tool, the disk, the network, a dependency.
        KeyboardInterrupt: Passed on after cargo and rustc have been ended.
    """
    started = time.perf_counter()
    purpose = () if target.purpose == "run" else (target.purpose,)
    settings = (*target.arguments, *purpose, profile, "cuda" if cuda else "cpu")
    check_toolchain(engine)
    try:
        if target.kind == "bin":  # a library has no program to keep
            cached = binary_cache.find(binary_cache.program_key(engine, package, settings))
            if cached is not None:
                seconds = time.perf_counter() - started
                return BuildResult(True, cached.executable, cached.messages, seconds, sources=cached.sources)
        with framework_lock(engine, started, on_progress):
            # The sources may have been edited while this build waited, or while it ran.
            key = binary_cache.program_key(engine, package, settings) if target.kind == "bin" else ""
            result = _run_cargo(engine, package, target, profile, cuda, started, on_progress)
            if result.executable is not None:
                if binary_cache.program_key(engine, package, settings) != key or _reads_more(result, package):
                    key = f"once-{key}-{time.time_ns()}"  # run it now, and never find it again
                stored = binary_cache.store(key, result.executable, result.messages, result.sources)
                result.executable = stored.executable
    except OSError as error:
        raise SetupError(
            f"The {engine.title} build cannot use its folders ({error.strerror}): check that the target folder is "
            "writable and the disk not full, then run the cell again."
        ) from error
    result.seconds = time.perf_counter() - started
    return result


_packages: Callable[[Engine], Path] | None = None


def use_packages(source: Callable[[Engine], Path] | None) -> None:
    """Choose the packages that `engine_program` builds: a kernel's own, as its cells wrote them, or the committed ones.

    Args:
        source: Gives the folder of an engine's package; None for the committed packages.
    """
    global _packages
    _packages = source


def engine_program(
    name: str, *, cuda: bool = False, on_progress: Callable[[BuildProgress], None] | None = None
) -> list[str]:
    """Return the command that runs an engine's program, built if needed; in a notebook the one of its cells.

    Raises:
        RustCompileError: The program does not compile.
    """
    engine = ENGINES[name]
    package = _packages(engine) if _packages is not None else engine.package
    if not engine.is_rust:
        return [sys.executable, str(package / "main.py")]
    target = CargoTarget("bin", f"{name}-cells")
    result = build(engine, package, target, cuda=cuda, on_progress=on_progress)
    if result.executable is None:
        first = next((m["message"] for m in result.messages if m.get("level") == "error"), result.stderr.strip())
        raise RustCompileError(f"The {engine.title} program does not compile: {first}")
    return [str(result.executable)]


@contextmanager
def framework_lock(engine: Engine, started: float = 0.0, on_progress: Callable | None = None):  # noqa: ANN201
    """Hold this framework's lock: all kernels' programs get one name, which must stay until the copy."""
    root = target_root() / engine.name
    root.mkdir(parents=True, exist_ok=True)
    lock = FileLock(root / ".workbook.lock")
    while True:
        with suppress(Timeout):
            lock.acquire(blocking=False)
            break
        if on_progress is not None:
            on_progress(BuildProgress(0, 0, "", True, time.perf_counter() - started))
        time.sleep(LOCK_POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


def cargo_command(engine: Engine, target: CargoTarget, *, cuda: bool = False) -> list[str]:
    """Return the cargo command that builds a target with the workbook's settings."""
    settings = SNIPPETS / ".cargo" / "config.toml"
    verb = {"test": ["test", "--no-run"], "check": ["check"]}.get(target.purpose, ["build"])
    command = [str(find_tool("cargo", engine.toolchain)), *verb]
    command += ["--release", "--locked", "--config", str(settings)]
    if target.purpose == "inspect":
        command += ["--config", f"profile.release.package.{engine.name}-cells.debug=2"]
    command += target.arguments
    return command + (["--features", engine.cuda_feature] if cuda and engine.cuda_feature else [])


def _run_cargo(
    engine: Engine,
    package: Path,
    target: CargoTarget,
    profile: str,
    cuda: bool,
    started: float,
    on_progress: Callable | None,
) -> BuildResult:
    listener = _Listener(package, started, on_progress)
    env = {
        **cargo_env(engine),
        "CARGO_TARGET_DIR": str(target_root() / engine.name),
        "CARGO_TERM_PROGRESS_WHEN": "always",
        "CARGO_TERM_PROGRESS_WIDTH": "120",
        "CARGO_TERM_COLOR": "never",
        **(_DEBUG_PROFILE if profile == "debug" else {}),
        **(_clippy(engine) if target.purpose == "lint" else {}),
    }
    ended = run_program(
        [*cargo_command(engine, target, cuda=cuda), "--message-format=json-diagnostic-rendered-ansi"],
        cwd=package,
        env=env,
        on_stdout=listener.stdout,
        on_stderr=listener.stderr,
        limits=UNLIMITED,
    )
    own_errors = any(message.get("level", "").startswith("error") for message in listener.messages)
    if ended.returncode != 0 and not own_errors:
        raise setup_error(engine, listener.foreign_errors, ended)
    ok = ended.returncode == 0
    executable = Path(listener.executable) if listener.executable and ok else None
    if ok and executable is None and target.kind == "bin":
        raise SetupError(f"cargo built {target.name} and did not say where it is: run `workbook clean`, then the cell.")
    sources = _dep_info(engine, target) if ok else None
    return BuildResult(ok, executable, listener.messages, 0.0, listener.compiled, ended.stderr, sources)


def _clippy(engine: Engine) -> dict[str, str]:
    """Let Clippy compile the package's own code; `cargo clippy` would first check all dependencies anew.

    Raises:
        SetupError: Clippy is not installed.
    """
    driver = find_tool("cargo", engine.toolchain).with_name("clippy-driver")
    if not driver.exists():
        chosen = f" --toolchain {engine.toolchain}" if engine.toolchain else ""
        raise SetupError(f"Clippy is not installed: run `rustup component add{chosen} clippy`.")
    return {"RUSTC_WORKSPACE_WRAPPER": str(driver)}


def _dep_info(engine: Engine, target: CargoTarget) -> list[str] | None:
    """Return the files that went into the target, from the dependency file that cargo writes beside it."""
    if target.purpose == "test":
        return None  # it lies elsewhere, under a name that only cargo knows
    name = f"lib{engine.crate}.d" if target.kind == "lib" else f"{target.name}.d"
    try:
        text = (target_root() / engine.name / "release" / name).read_text(encoding="utf-8")
    except OSError:
        return None
    return [part.replace("\\ ", " ") for part in re.split(r"(?<!\\) ", text.partition(": ")[2].strip())]


def _reads_more(result: BuildResult, package: Path) -> bool:
    """Whether the program depends on what the cache's key does not know: other files, or environment variables."""
    inside = (str(package.resolve()), str(SNIPPETS.resolve()), str(package))
    for source in result.sources or []:
        if not source.endswith(".rs") or not source.startswith(inside):
            return True
        if source.startswith(inside[0]) and re.search(r"\benv!\s*[(\[{]", Path(source).read_text(encoding="utf-8")):
            return True
    return False


class _Listener:
    """Reads cargo's JSON lines on stdout and its progress bar on stderr."""

    def __init__(self, package: Path, started: float, on_progress: Callable | None) -> None:
        self.manifest = (package / "Cargo.toml").resolve()
        self.started, self.on_progress = started, on_progress
        self.rest = ""
        self.messages: list[dict] = []
        self.foreign_errors: list[str] = []
        self.executable: str | None = None
        self.compiled = 0
        self.last = (0, 0)

    def stdout(self, text: str) -> None:
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            if line.startswith("{"):
                self._record(json.loads(line))

    def _record(self, record: dict) -> None:
        own = Path(record.get("manifest_path", "")).resolve() == self.manifest
        if record["reason"] == "compiler-artifact":
            self.compiled += not record["fresh"]
            if own and record.get("executable"):
                self.executable = record["executable"]
        elif record["reason"] == "compiler-message":
            if own:
                self.messages.append(record["message"])
            elif record["message"]["level"].startswith("error"):
                self.foreign_errors.append(f"{record['target']['name']}: {record['message']['message']}")

    def stderr(self, text: str) -> None:
        if self.on_progress is None:
            return
        seconds = time.perf_counter() - self.started
        if "Blocking waiting for file lock" in text:
            self.on_progress(BuildProgress(*self.last, "", True, seconds))
        for done, total, crate in _PROGRESS.findall(_ANSI.sub("", text)):
            self.last = (int(done), int(total))
            self.on_progress(BuildProgress(*self.last, crate.strip(), False, seconds))
