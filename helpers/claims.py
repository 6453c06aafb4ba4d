"""Runs the claim ledger: what has to be tried, tries it in batches, and keeps what came out by versions."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from importlib import metadata
from pathlib import Path

from filelock import FileLock

from helpers.claim_outcomes import NOT_TESTABLE, Outcome, verdict
from helpers.claim_python import try_python
from helpers.claim_records import Claim, PythonProbe, RustProbe, SourceProbe
from helpers.claim_rust import engine_of, try_rust
from helpers.claim_source import locked_version, try_source
from helpers.environment import FRAMEWORK_CRATES, cpu_name, usable_cores
from helpers.errors import ClaimError
from helpers.package_copy import write_if_different
from helpers.paths import CLAIMS, target_root
from helpers.toolchain import rustc_version

RECORDED = CLAIMS / "results.json"
REPAIRED = "_repaired"


@dataclass(frozen=True)
class ClaimResult:
    """What one trial of a claim gave.

    Attributes:
        probes: The hash of the probes that were tried.
        versions: What they were tried with: crates, torch, rustc.
        machine: Processor and cores.
        tried_on: The date.
        outcomes: One for each probe.
        verdict: What follows from them.
    """

    probes: str
    versions: dict[str, str]
    machine: str
    tried_on: str
    outcomes: tuple[Outcome, ...]
    verdict: str

    @classmethod
    def from_json(cls, record: dict) -> "ClaimResult":
        """Make a result from its record in a file."""
        return cls(**{**record, "outcomes": tuple(Outcome(**outcome) for outcome in record["outcomes"])})


@dataclass(frozen=True)
class Change:
    """A verdict that is no longer what was recorded."""

    claim: str
    before: ClaimResult
    now: ClaimResult

    def __str__(self) -> str:
        """Both verdicts, each with what it was found with."""

        def told(result: ClaimResult) -> str:
            versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
            return f"{result.verdict} ({versions})"

        return f"{self.claim}: was {told(self.before)}, is {told(self.now)}"


def local_results() -> Path:
    """Return the file with the results of this machine."""
    return target_root() / "claims" / "results.json"


def read_results(path: Path) -> dict[str, ClaimResult]:
    """Read a results file; empty if there is none.

    Raises:
        ClaimError: The file is damaged.
    """
    try:
        records = json.loads(path.read_text(encoding="utf-8"))["claims"]
        return {name: ClaimResult.from_json(record) for name, record in records.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:
        raise ClaimError(
            f"{path.name} of the claims is damaged ({error}): delete it and run the claims again."
        ) from None


def write_results(path: Path, results: Mapping[str, ClaimResult]) -> None:
    """Write a results file, in one step and in the order of the claims' names."""
    records = {name: asdict(results[name]) for name in sorted(results)}
    write_if_different(path, json.dumps({"claims": records}, indent=1, ensure_ascii=False) + "\n")


def versions_of(claim: Claim) -> dict[str, str]:
    """Return the versions of all that a claim's probes are tried with."""
    found: dict[str, str] = {}
    for probe in claim.probes:
        if isinstance(probe, RustProbe):
            crates = FRAMEWORK_CRATES.get(probe.package) or _direct_dependencies(probe.package)
            found |= {crate: version for crate in crates if (version := locked_version(crate))}
            found["rustc"] = ".".join(map(str, rustc_version(engine_of(probe.package).toolchain)))
        elif isinstance(probe, SourceProbe) and probe.source.startswith("crate"):
            name, *version = probe.source.split()[1:]
            found[name] = version[0] if version else locked_version(name) or "none"
        else:
            found["torch"] = metadata.version("torch").split("+")[0]
    return found


def _direct_dependencies(package: str) -> list[str]:
    manifest = (engine_of(package).package / "Cargo.toml").read_text(encoding="utf-8")
    return re.findall(r"^([\w-]+) = ", manifest.partition("[dependencies]")[2], re.MULTILINE)


def is_current(claim: Claim, result: ClaimResult | None) -> bool:
    """Whether a result belongs to these very probes and versions."""
    return result is not None and result.probes == claim.probes_hash() and result.versions == versions_of(claim)


def known_results(claims: Mapping[str, Claim]) -> dict[str, ClaimResult]:
    """Return what is known without running anything: this machine's results, else the recorded ones."""
    known = {**read_results(RECORDED), **read_results(local_results())}
    return {name: known[name] for name in claims if name in known}


def missing_need(need: str | None) -> str | None:
    """Return why a probe's need is not met here; None if it is."""
    if need is None:
        return None
    if need == "cuda":
        import torch

        return None if torch.cuda.is_available() else "There is no CUDA GPU here."
    if need == "registry":
        return None if os.environ.get("WORKBOOK_OFFLINE") is None else "WORKBOOK_OFFLINE forbids the package registry."
    tool = need.removeprefix("tool:")
    return None if shutil.which(tool) else f"The program {tool} is not installed."


def run_claims(claims: Iterable[Claim], *, measure: bool = False) -> dict[str, ClaimResult]:
    """Try the claims and return the results by the claims' names.

    Args:
        claims: What to try.
        measure: Also repeat the measurements; otherwise claims with a measured probe are left out.

    Raises:
        SetupError: A toolchain or a dependency is missing.
    """
    chosen = [claim for claim in claims if measure or not claim.is_measured]
    outcomes: dict[str, Outcome] = {}
    rust: dict[str, RustProbe] = {}
    python: dict[str, PythonProbe] = {}
    for claim in chosen:
        for number, probe in enumerate(claim.probes):
            name = probe_name(claim.id, number)
            if reason := missing_need(probe.needs):
                outcomes[name] = Outcome("skipped", reason)
            elif isinstance(probe, SourceProbe):
                outcomes[name] = try_source(probe)
            else:
                batch = rust if isinstance(probe, RustProbe) else python
                batch[name] = probe
                if probe.repaired:
                    batch[name + REPAIRED] = probe.model_copy(update={"code": probe.repaired})
    (target_root() / "claims").mkdir(parents=True, exist_ok=True)
    with FileLock(target_root() / "claims" / ".lock"):
        outcomes |= try_rust(rust) | try_python(python)
    for name in [name for name in outcomes if name + REPAIRED in outcomes]:
        outcomes[name] = replace(outcomes[name], repaired=outcomes.pop(name + REPAIRED).ended)
    return {claim.id: _result(claim, outcomes) for claim in chosen}


def probe_name(claim: str, number: int) -> str:
    """Return a probe's name, which is also a Rust identifier and a file's name."""
    return f"claim_{claim.replace('-', '_')}_{number}"


def _result(claim: Claim, outcomes: Mapping[str, Outcome]) -> ClaimResult:
    own = tuple(outcomes[probe_name(claim.id, number)] for number in range(len(claim.probes)))
    machine = f"{cpu_name()}, {usable_cores()} cores"
    today = date.today().isoformat()
    return ClaimResult(claim.probes_hash(), versions_of(claim), machine, today, own, verdict(claim, own))


def changes(before: Mapping[str, ClaimResult], now: Mapping[str, ClaimResult]) -> list[Change]:
    """Return the verdicts that differ, with both sides; a claim that could not be tried now is no change."""
    return [
        Change(name, before[name], result)
        for name, result in now.items()
        if name in before and before[name].verdict != result.verdict and not _untried(result)
    ]


def _untried(result: ClaimResult) -> bool:
    return result.verdict != NOT_TESTABLE and all(outcome.skipped for outcome in result.outcomes)


def evidence_faults(claims: Mapping[str, Claim], results: Mapping[str, ClaimResult]) -> list[str]:
    """Return what is wrong with recorded results: one sentence for each claim whose verdict no run has produced.

    A measurement may be missing, since `--measure` has to be asked for; a record of another probe may not.
    """
    faults = [f"{name}: there is no such claim" for name in results if name not in claims]
    for name, claim in claims.items():
        result = results.get(name)
        if result is None and claim.is_measured:
            continue  # a measurement that nobody has made yet has no verdict, and says so
        if result is None:
            faults.append(f"{name}: it has never been tried")
        elif result.probes != claim.probes_hash():
            faults.append(f"{name}: its probes have changed since they were tried")
        elif len(result.outcomes) != len(claim.probes) or not all(outcome.evidence for outcome in result.outcomes):
            faults.append(f"{name}: a probe has no evidence")
        elif result.verdict != verdict(claim, result.outcomes):
            faults.append(f"{name}: the verdict {result.verdict!r} does not follow from its evidence")
    return faults
