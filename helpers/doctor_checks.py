"""The single checks of `workbook doctor`: each looks at one thing that a build needs and names its cure.

They change nothing, import no framework, and see the machine only through a `Machine`, so tests can describe one.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from helpers import debugger, miri
from helpers.devices import find_gpu, torch_cuda_version
from helpers.engines import Engine
from helpers.paths import SNIPPETS, target_root
from helpers.toolchain import FOREIGN_LIBTORCH, RUSTUP_CURE, required_torch_version, torch_version

MINIMUM_PYTHON = (3, 11)
# Disk that a framework's dependencies and a reader's own builds take, measured, in GB.
DISK_GB = {"tch": 0.7, "candle": 1.2, "burn": 1.2, "dfdx": 0.6}
SPARE_GB = 0.5
NETWORK_SECONDS = 25
PROBE_SECONDS = 20


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Attributes:
        name: What was looked at.
        ok: False when a build would fail.
        finding: What was found.
        cure: One sentence with the command that mends it; empty when nothing has to be done.
        installable: True when the workbook's own commands install the missing part themselves.
    """

    name: str
    ok: bool
    finding: str
    cure: str = ""
    installable: bool = False


@dataclass(frozen=True)
class Machine:
    """What the checks see.

    Attributes:
        environ: Environment variables.
        snippets: The folder of the Cargo packages.
        target: The folder that builds write to.
        torch: The installed torch's version, None if there is none.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    snippets: Path = SNIPPETS
    target: Path = field(default_factory=target_root)
    torch: str | None = field(default_factory=torch_version)

    def which(self, program: str) -> str | None:
        """Find a program on the `PATH`, then in Cargo's own folder."""
        home = self.environ.get("CARGO_HOME") or str(Path(self.environ.get("HOME", "~")).expanduser() / ".cargo")
        return shutil.which(program, path=os.pathsep.join([self.environ.get("PATH", ""), str(Path(home) / "bin")]))

    def ask(
        self,
        program: str,
        *arguments: str,
        folder: Path | None = None,
        seconds: float = PROBE_SECONDS,
        environ: Mapping[str, str] | None = None,
    ) -> tuple[int | None, str]:
        """Run a program and return its exit code and all it said; the code is None if it had to be stopped."""
        found = self.which(program)
        if found is None:
            return 127, f"there is no {program}"
        try:
            done = subprocess.run(
                [found, *arguments],
                cwd=folder,
                env={**self.environ, **(environ or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as stopped:
            said = stopped.output or b""
            return None, said.decode(errors="replace") if isinstance(said, bytes) else said
        except OSError as error:
            return 126, f"{program} cannot be started ({error.strerror})"
        return done.returncode, done.stdout


def check_python(machine: Machine) -> Check:
    """The Python that runs this is new enough and, best, one of a virtual environment."""
    version = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, MINIMUM_PYTHON))
    if sys.version_info[:2] < MINIMUM_PYTHON:
        cure = f"run `uv python install {wanted}`, then `uv sync`."
        return Check("Python", False, f"{version}, but {wanted} or newer is needed", cure)
    isolated = sys.prefix != sys.base_prefix or "CONDA_PREFIX" in machine.environ
    return Check("Python", True, version if isolated else f"{version}, outside any virtual environment")


def check_cargo(machine: Machine) -> Check:
    """Cargo is there; rustup tells where toolchains are."""
    code, said = machine.ask("cargo", "--version")
    if code != 0:
        said = "there is none on the PATH" if code == 127 else f"`cargo --version` failed: {_last_line(said)}"
        return Check("cargo", False, said, f"{RUSTUP_CURE}.")
    rustup = "" if machine.which("rustup") else ", without rustup"
    return Check("cargo", True, said.split()[1] + rustup if len(said.split()) > 1 else said.strip())


def check_rustc(machine: Machine, engines: Sequence[Engine]) -> Check:
    """The stable compiler is at least what the packages on it ask for."""
    manifests = [tomllib.loads((machine.snippets / engine.name / "Cargo.toml").read_text()) for engine in engines]
    wanted = max((_version(manifest["package"]["rust-version"]) for manifest in manifests), default=(0, 0))
    if machine.which("rustup"):
        chosen = machine.environ.get("RUSTUP_TOOLCHAIN") or "stable"
        code, said = machine.ask("rustup", "run", chosen, "rustc", "--version")
    else:
        code, said = machine.ask("rustc", "--version")
    found = re.search(r"rustc (\d+\.\d+\.\d+)", said)
    if code != 0 or found is None:
        cure = "run `rustup toolchain install stable`." if machine.which("rustup") else f"{RUSTUP_CURE}."
        return Check("rustc", False, f"no stable compiler ({_last_line(said)})", cure)
    if _version(found[1])[:2] < wanted[:2]:
        finding = f"{found[1]} is too old, {'.'.join(map(str, wanted))} is needed"
        return Check("rustc", False, finding, "run `rustup update stable`.")
    return Check("rustc", True, found[1])


def check_pinned_toolchain(machine: Machine, engine: Engine) -> Check:
    """The toolchain that a package's rust-toolchain.toml pins is installed."""
    name = f"{engine.title}'s compiler"
    channel = tomllib.loads((machine.snippets / engine.name / "rust-toolchain.toml").read_text())["toolchain"][
        "channel"
    ]
    if machine.which("rustup") is None:
        return Check(name, False, f"{channel} is needed, and there is no rustup to install it", f"{RUSTUP_CURE}.")
    code, said = machine.ask("rustup", "toolchain", "list")
    if code == 0 and any(line.startswith(channel) for line in said.splitlines()):
        return Check(name, True, channel)
    return Check(name, False, f"{channel} is not installed", f"run `{' '.join(install_command(engine))}`.", True)


def install_command(engine: Engine) -> list[str]:
    """Return the command that installs the toolchain pinned by an engine's package."""
    pin = tomllib.loads((engine.package / "rust-toolchain.toml").read_text())["toolchain"]
    components = [word for component in pin.get("components", []) for word in ("--component", component)]
    return ["rustup", "toolchain", "install", pin["channel"], "--profile", pin.get("profile", "minimal"), *components]


def check_torch(machine: Machine) -> Check:
    """The installed torch is the one that the locked tch links."""
    wanted = required_torch_version()
    if machine.torch is None:
        return Check("torch for tch", False, f"torch is not installed, tch needs {wanted}", "run `uv sync`.")
    if machine.torch != wanted:
        return Check("torch for tch", False, f"torch {machine.torch}, but tch needs exactly {wanted}", "run `uv sync`.")
    return Check("torch for tch", True, machine.torch)


def check_libtorch_variables(machine: Machine) -> Check:
    """No variable of another libtorch is left in the environment."""
    left = [name for name in (*FOREIGN_LIBTORCH, "LIBTORCH_BYPASS_VERSION_CHECK") if machine.environ.get(name)]
    other = [
        folder
        for folder in machine.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
        if folder and any(Path(folder).glob("libtorch.*"))
    ]
    if left:
        finding = f"{', '.join(left)} would lead tch to another libtorch"
        return Check("libtorch variables", False, finding, f"run `unset {' '.join(left)}`.")
    if other:
        finding = f"LD_LIBRARY_PATH names another libtorch ({other[0]})"
        return Check("libtorch variables", False, finding, "run `unset LD_LIBRARY_PATH`.")
    return Check("libtorch variables", True, "none set")


def check_compiler(machine: Machine, engines: Sequence[Engine]) -> Check:
    """A linker for Rust, and a C++ compiler for tch."""
    wanted = [("cc", "C compiler, which links Rust programs")]
    if any(engine.name == "tch" for engine in engines):
        wanted.append((machine.environ.get("CXX") or "c++", "C++ compiler, which builds tch's half in C++"))
    found = ""
    for program, purpose in wanted:
        code, said = machine.ask(*program.split(), "--version")
        if code != 0:
            return Check("C++ compiler", False, f"no {purpose} (`{program}`)", _compiler_cure(machine))
        found = said.splitlines()[0] if said.strip() else program
    return Check("C++ compiler", True, found)


def _compiler_cure(machine: Machine) -> str:
    for manager, command in (
        ("apt-get", "sudo apt-get install build-essential"),
        ("dnf", "sudo dnf install gcc-c++"),
        ("pacman", "sudo pacman -S base-devel"),
        ("xcode-select", "xcode-select --install"),
    ):
        if machine.which(manager):
            return f"run `{command}`."
    return "install g++ or clang with your system's package manager."


def check_disk(machine: Machine, engines: Sequence[Engine]) -> Check:
    """There is room for what is not built yet, and the target folder can be written."""
    place = machine.target
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK):
        cure = "make it writable, or set WORKBOOK_TARGET_DIR to a folder that is."
        return Check("disk", False, f"the target folder {place} cannot be written", cure)
    needed = sum(DISK_GB[engine.name] for engine in engines if not is_built(machine, engine)) + SPARE_GB
    free = shutil.disk_usage(place).free / 1e9
    finding = f"{free:.1f} GB free, {needed:.1f} GB needed"
    cure = "free some space, or set WORKBOOK_TARGET_DIR to a folder on a larger disk."
    return Check("disk", free >= needed, finding, "" if free >= needed else cure)


def is_built(machine: Machine, engine: Engine) -> bool:
    """Whether an engine's committed program was built once, so that its dependencies are there."""
    return (machine.target / engine.name / "release" / f"{engine.name}-cells").exists()


def check_crates(machine: Machine, engines: Sequence[Engine]) -> Check:
    """The crates are on this machine or can be fetched; fetching them is how the network is tried."""
    missing = [engine for engine in engines if _resolve_crates(machine, engine, "--offline")[0] != 0]
    if not missing:
        return Check("crates", True, "all downloaded")
    for engine in missing:
        code, said = _resolve_crates(machine, engine)
        if code is not None and code != 0:
            finding = f"those of {engine.title} cannot be downloaded ({_reason(said)})"
            cure = f"connect to the network and run `cargo fetch --locked` in rust_snippets/{engine.name}."
            return Check("crates", False, finding, cure)
        if code is None:  # stopped in the middle of a download: the network is there
            return Check("crates", True, "the registry answers, the rest comes with the build")
    return Check("crates", True, "downloaded just now")


def _resolve_crates(machine: Machine, engine: Engine, *more: str) -> tuple[int | None, str]:
    """Let cargo collect the crates of one package for this machine; unlike `cargo fetch`, only those it builds."""
    host = re.search(r"^host: (\S+)", machine.ask("rustc", "-vV")[1], re.MULTILINE)
    platform = ["--filter-platform", host[1]] if host else []
    quick = {"CARGO_NET_RETRY": "0", "CARGO_HTTP_TIMEOUT": "10", "CARGO_TERM_COLOR": "never"}
    arguments = ["metadata", "--locked", "--format-version", "1", *platform, *more]
    folder = machine.snippets / engine.name
    return machine.ask("cargo", *arguments, folder=folder, seconds=NETWORK_SECONDS, environ=quick)


def check_gpu(machine: Machine) -> Check:
    """What is there for CUDA; nothing in the workbook needs it."""
    gpu = find_gpu(machine.environ)
    if gpu.reason:
        return Check("GPU", True, f"not used: {gpu.reason}")
    compiler = "with nvcc" if machine.which("nvcc") else "without nvcc, which Candle and dfdx need"
    build = torch_cuda_version()
    torch = f"torch for CUDA {build}" if build else "a CPU build of torch"
    return Check("GPU", True, f"{', '.join(gpu.names)}, driver {gpu.driver}, {torch}, {compiler}")


def check_debugger(machine: Machine) -> Check:
    """What is there for the debugger's cells of chapter 11; nothing else needs it."""
    code, said = machine.ask("gdb", "--version")
    if code == 0:
        version = re.search(r"(\d+\.\d+)\s*$", said.splitlines()[0]) if said.strip() else None
        return Check("gdb, optional", True, version[1] if version else "installed")
    cure = f"nothing, or run `{debugger.INSTALL}`."
    return Check("gdb, optional", True, "not installed: chapter 11 skips its debugger", cure)


def check_miri(machine: Machine) -> Check:
    """What is there for Miri's cells of chapter 11; nothing else needs it."""
    found = miri.find(dict(machine.environ), machine.which("rustup"))
    if isinstance(found, miri.Miri):
        return Check("Miri, optional", True, found.toolchain)
    reason, _, cure = found.partition(": ")
    return Check("Miri, optional", True, f"{reason}: chapter 11 skips its cells", f"nothing, or {cure}")


def _reason(said: str) -> str:
    """Return the line of cargo's words that tells most: the innermost cause."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("[") or "error" in line or "failed" in line.lower()]
    return (errors or lines or ["cargo said nothing"])[-1].removeprefix("error: ")


def _last_line(said: str) -> str:
    lines = said.strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing"


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
