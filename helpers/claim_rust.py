"""Tries the Rust probes of many claims at once: one `cargo check` and one `cargo build` for each package."""

import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpers.cargo import CargoTarget, cargo_command, framework_lock
from helpers.cargo_failure import setup_error
from helpers.cell_runner import failure
from helpers.cell_source import program_source
from helpers.claim_outcomes import Outcome, trimmed
from helpers.claim_records import RustProbe
from helpers.diagnostics import Diagnostic, errors_in, parse_all, title
from helpers.engines import ENGINES, Engine
from helpers.errors import RustExit, RustKilled, RustPanic
from helpers.package_copy import package_sources, write_if_different
from helpers.paths import CLAIMS, target_root
from helpers.process import UNLIMITED, Limits, run_program
from helpers.toolchain import cargo_env, check_toolchain

COPY = "claims"
RUN_SECONDS = 60
SHOWN_ERRORS = 4


@dataclass(frozen=True)
class ProbePackage(Engine):
    """A package below `claims/packages/`, for claims about crates that no engine has."""

    @cached_property
    def package(self) -> Path:
        """The committed package."""
        return CLAIMS / "packages" / self.name


def engine_of(package: str) -> Engine:
    """Return the engine of this name, or the claims' own package."""
    return ENGINES.get(package) or ProbePackage(package, package)


def try_rust(probes: Mapping[str, RustProbe]) -> dict[str, Outcome]:
    """Check or run the probes; return their outcomes by the same names.

    Args:
        probes: Programs by name; a name has to be a Rust identifier.

    Raises:
        SetupError: A toolchain or a dependency is missing, so that nothing can be tried.
    """
    batches: dict[tuple[str, str], dict[str, RustProbe]] = defaultdict(dict)
    for name, probe in probes.items():
        batches[probe.package, probe.mode][name] = probe
    outcomes: dict[str, Outcome] = {}
    for (package, mode), batch in batches.items():
        engine = engine_of(package)
        check_toolchain(engine)
        for name, built in _build(engine, mode, batch).items():
            outcomes[name] = built.outcome if mode == "check" else _run(engine, name, built)
    return outcomes


@dataclass
class _Built:
    outcome: Outcome
    executable: Path | None = None


def _build(engine: Engine, mode: str, batch: Mapping[str, RustProbe]) -> dict[str, _Built]:
    with framework_lock(engine):
        root = target_root() / COPY / engine.name
        _write_package(engine, root, batch)
        command = cargo_command(engine, CargoTarget("bins", purpose=mode))
        env = {**cargo_env(engine), "CARGO_TARGET_DIR": str(target_root() / engine.name), "CARGO_TERM_COLOR": "never"}
        ended = run_program(
            [*command, "--message-format=json-diagnostic-rendered-ansi"], cwd=root, env=env, limits=UNLIMITED
        )
        records = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        foreign = [r["message"]["message"] for r in records if _is_foreign_error(r, root)]
        if foreign or (ended.returncode and not any(r["reason"] == "compiler-message" for r in records)):
            raise setup_error(engine, foreign, ended)
        return {name: _outcome(name, records, root) for name in batch}


def _write_package(engine: Engine, root: Path, batch: Mapping[str, RustProbe]) -> None:
    """Make `root` the engine's package with the probes as its only programs."""
    files = {
        name: text
        for name, text in package_sources(engine, COPY).items()
        if name != "src/main.rs" and not name.startswith("src/bin/")
    }
    for name, probe in batch.items():
        files[f"src/bin/{name}.rs"] = program_source(probe.code, engine).text if probe.prelude else probe.code
    for path in root.glob("src/**/*.rs"):
        if path.relative_to(root).as_posix() not in files:
            path.unlink()
    for name, text in files.items():
        write_if_different(root / name, text)


def _is_foreign_error(record: dict, root: Path) -> bool:
    return (
        record["reason"] == "compiler-message"
        and record["message"]["level"].startswith("error")
        and (Path(record["manifest_path"]).resolve().parent != root.resolve() or "lib" in record["target"]["kind"])
    )


def _outcome(name: str, records: list[dict], root: Path) -> _Built:
    own = [r for r in records if r.get("target", {}).get("name") == name]
    messages = [r["message"] for r in own if r["reason"] == "compiler-message"]
    errors = errors_in(parse_all(messages, {f"src/bin/{name}.rs": "program"}))
    if errors:
        return _Built(compile_outcome(errors))
    artifact = next((r for r in own if r["reason"] == "compiler-artifact"), None)
    if artifact is None:
        return _Built(Outcome("error", "cargo did not say what became of the program"))
    return _Built(Outcome("compiles", "accepted by the compiler"), Path(artifact["executable"] or root))


def compile_outcome(errors: list[Diagnostic]) -> Outcome:
    """Return the outcome of a program that the compiler refuses: its error codes, or `syntax`."""
    codes = sorted({error.code for error in errors if error.code})
    told = [title(error) for error in errors]
    more = [f"and {len(told) - SHOWN_ERRORS} more"] if len(told) > SHOWN_ERRORS else []
    return Outcome(",".join(codes) or "syntax", trimmed("\n".join([*told[:SHOWN_ERRORS], *more])))


def _run(engine: Engine, name: str, built: _Built) -> Outcome:
    if built.executable is None:
        return built.outcome
    with tempfile.TemporaryDirectory() as folder:
        limits = Limits(seconds=RUN_SECONDS)
        ended = run_program([str(built.executable)], cwd=Path(folder), env=cargo_env(engine), limits=limits)
    error = failure(ended, {f"src/bin/{name}.rs": "program"})
    printed = ended.stdout.strip()
    if error is None:
        return Outcome("runs", trimmed(printed) or "ran to its end")
    kinds = {RustPanic: "panic", RustKilled: "killed", RustExit: "error"}
    return Outcome(kinds[type(error)], trimmed("\n".join(filter(None, [printed, str(error)]))))
