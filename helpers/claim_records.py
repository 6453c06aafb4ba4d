"""The claims of the articles as records: what was said, and the probes that try it.

A record holds no verdict and no evidence: both come from running its probes.
"""

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from helpers.engines import ENGINES
from helpers.errors import ClaimError
from helpers.paths import CLAIMS

ARTICLES = {
    "000": "From PyTorch to Rust: tch-rs hands-on, with Candle, Burn and dfdx beside it",
    "001": "Candle against PyTorch",
    "002": "Candle's API compared with PyTorch's",
    "003": "Bindings: tch and a TorchScript service",
}
Framework = Literal["pytorch", "tch", "candle", "burn", "dfdx", "tract"]
Topic = Literal[
    "advice",
    "api",
    "data",
    "deployment",
    "error-handling",
    "interop",
    "language",
    "memory",
    "ownership",
    "performance",
    "service",
    "tooling",
    "training",
]
# What a probe can end in: a good end, error codes of rustc, the name of a Python exception, or a kind of failure.
OUTCOME = re.compile(r"compiles|runs|found|absent|panic|error|syntax|killed|E\d{4}(,E\d{4})*|[A-Z][A-Za-z]+")


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Probe(_Record):
    """What all probes share.

    Attributes:
        says: The part of the claim that this probe tries; needed where a claim has several.
        holds_if: The outcome that the claim predicts.
        seen: The outcome that is known to come instead; any third one means that the probe itself is broken.
        needs: What has to be there: a GPU, the package registry, or a tool on PATH.
        measured: True for a measurement, which is repeated only when asked for.
        repaired: The program that does what the article meant; it has to compile, and to run where the probe runs.
    """

    says: str = ""
    holds_if: str
    seen: str | None = None
    needs: Annotated[str, Field(pattern=r"^(cuda|registry|tool:[a-z0-9_.-]+)$")] | None = None
    measured: bool = False
    repaired: str | None = None

    @model_validator(mode="after")
    def _outcomes_are_known(self) -> "_Probe":
        for outcome in filter(None, (self.holds_if, self.seen)):
            if not OUTCOME.fullmatch(outcome):
                raise ValueError(f"{outcome!r} is no outcome: write compiles, runs, found, absent, panic, E0382, ...")
        if self.seen == self.holds_if:
            raise ValueError("`seen` is for an outcome other than `holds_if`: leave it out")
        return self


class RustProbe(_Probe):
    """A program, checked or run.

    Attributes:
        package: An engine, or a folder below `claims/packages/`.
        mode: `check` for the compiler's word alone, `run` for a program that also runs.
        prelude: False for a file taken as it stands, without the workbook's prelude and `main`.
    """

    kind: Literal["rust"]
    package: str
    mode: Literal["check", "run"] = "check"
    prelude: bool = True
    code: str


class PythonProbe(_Probe):
    """A Python program in a process of its own, with torch imported beforehand. What it prints is its evidence."""

    kind: Literal["python"]
    code: str
    timeout: float = 60


class SourceProbe(_Probe):
    """A look-up in the published source of a crate or an installed Python package.

    Attributes:
        source: `crate NAME`, `crate NAME VERSION` or `python NAME`.
        files: A glob below the package's folder.
        pattern: A regular expression; it is searched line by line, or in the whole file where it holds `(?s)`.
    """

    kind: Literal["source"]
    source: Annotated[str, Field(pattern=r"^(crate [\w-]+( [\w.+-]+)?|python \w+)$")]
    files: str = "**/*.rs"
    pattern: str

    @model_validator(mode="after")
    def _pattern_is_valid(self) -> "SourceProbe":
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ValueError(f"the pattern is no regular expression ({error})") from None
        if {self.holds_if, self.seen} - {"found", "absent", None}:
            raise ValueError("a look-up ends in `found` or `absent`")
        if self.repaired:
            raise ValueError("a look-up has no repaired version")
        return self


Probe = Annotated[RustProbe | PythonProbe | SourceProbe, Field(discriminator="kind")]


class Claim(_Record):
    """One statement of an article.

    Attributes:
        id: Its name, unique in the ledger.
        article: Which article makes it.
        statement: What it says, in our words.
        probes: How it is tried; the verdict follows from their outcomes.
        opinion: True for a matter of taste: the probes are then facts that bear on it.
        untestable: Why it cannot be tried here, for a claim without probes.
        note: What to know beyond the verdict.
        see: Cells of the workbook where more is shown, as `07_candle.ipynb#Heading`.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    article: Literal["000", "001", "002", "003"]
    topic: Topic
    frameworks: Annotated[tuple[Framework, ...], Field(min_length=1)]
    statement: Annotated[str, Field(min_length=10)]
    probes: Annotated[tuple[Probe, ...], Field(alias="probe")] = ()
    opinion: bool = False
    untestable: str | None = None
    note: str = ""
    see: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_a_trial(self) -> "Claim":
        if self.untestable and (self.probes or self.opinion):
            raise ValueError("a claim with probes, or an opinion, is not `untestable`")
        if not self.untestable and not self.probes:
            raise ValueError("a claim needs a probe, or a reason in `untestable`")
        if len(self.probes) > 1 and not all(probe.says for probe in self.probes):
            raise ValueError("each of several probes needs `says`: the part of the claim that it tries")
        return self

    @property
    def is_measured(self) -> bool:
        """Whether one of its probes is a measurement."""
        return any(probe.measured for probe in self.probes)

    def probes_hash(self) -> str:
        """Return a hash of all that decides an outcome apart from versions."""
        described = [probe.model_dump(mode="json", exclude={"says", "holds_if", "seen"}) for probe in self.probes]
        return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:16]


def load_claims(folder: Path = CLAIMS) -> dict[str, Claim]:
    """Read all `*.toml` of the folder; return the claims by their names, in the order of the files.

    Raises:
        ClaimError: A file is no TOML, a record has a wrong or unknown field, or a name comes twice.
    """
    claims: dict[str, Claim] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            records = tomllib.loads(path.read_text(encoding="utf-8")).get("claim", [])
        except tomllib.TOMLDecodeError as error:
            raise ClaimError(f"claims/{path.name} is no TOML: {error}.") from None
        for number, record in enumerate(records, start=1):
            name = record.get("id", f"number {number}")
            try:
                claim = Claim.model_validate(record)
            except ValidationError as error:
                raise ClaimError(f"claims/{path.name}, claim {name}: {_first(error)}.") from None
            if claim.id in claims:
                raise ClaimError(f"claims/{path.name}, claim {name}: there is another claim of this name.")
            claims[claim.id] = claim
            _check_packages(claim, folder, path.name)
    return claims


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    said = first["msg"].removeprefix("Value error, ")
    return ": ".join(filter(None, [".".join(str(part) for part in first["loc"]), said]))


def _check_packages(claim: Claim, folder: Path, file: str) -> None:
    for probe in claim.probes:
        if isinstance(probe, RustProbe) and not (
            (probe.package in ENGINES and ENGINES[probe.package].is_rust)
            or (folder / "packages" / probe.package / "Cargo.toml").is_file()
        ):
            raise ClaimError(f"claims/{file}, claim {claim.id}: there is no package {probe.package!r} to try it with.")
