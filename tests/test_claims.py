"""The claim ledger: records, probes, verdicts, and what counts as evidence."""

import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from helpers import claims as ledger
from helpers.claim_outcomes import NEEDS_GPU, NOT_TESTABLE, OPINION, UNDECIDED, Outcome, verdict
from helpers.claim_python import try_python
from helpers.claim_records import Claim, PythonProbe, RustProbe, SourceProbe, load_claims
from helpers.claim_rust import try_rust
from helpers.claim_source import try_source
from helpers.claims import ClaimResult
from helpers.claims_cli import chosen_claims
from helpers.cli import app
from helpers.engines import RUST_ENGINES
from helpers.errors import ClaimError

RECORD = """
[[claim]]
id = "adds-up"
article = "000"
topic = "language"
frameworks = ["pytorch"]
statement = "One and one is two."
[[claim.probe]]
kind = "python"
holds_if = "runs"
code = "assert 1 + 1 == 2"
"""


def write(folder, text):
    (folder / "some.toml").write_text(text)
    return folder


def claim(*probes, **more) -> Claim:
    about = {
        "id": "a",
        "article": "000",
        "topic": "api",
        "frameworks": ["tch"],
        "statement": "a statement of some kind",
    }
    return Claim.model_validate({**about, "probe": list(probes), **more})


PYTHON = {"kind": "python", "holds_if": "runs", "seen": "NameError", "code": "print(1)", "says": "part"}
HELD, FAILED = Outcome("runs", "1"), Outcome("NameError", "no such name")


def test_a_record_is_read(tmp_path):
    claims = load_claims(write(tmp_path, RECORD))
    assert list(claims) == ["adds-up"]
    assert isinstance(claims["adds-up"].probes[0], PythonProbe)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('topic = "language"', 'topic = "weather"', "claim adds-up: topic"),
        ('statement = "One', 'verdict = "true"\nstatement = "One', "verdict: Extra inputs are not permitted"),
        ('statement = "One', 'evidence = "seen"\nstatement = "One', "evidence: Extra inputs are not permitted"),
        ('holds_if = "runs"', 'holds_if = "perhaps"', "'perhaps' is no outcome"),
        ('holds_if = "runs"', 'holds_if = "runs"\nseen = "runs"', "`seen` is for an outcome other than"),
        ('kind = "python"', 'kind = "rust"\npackage = "jax"', "there is no package 'jax'"),
        ('id = "adds-up"', 'id = "Adds Up"', "claim Adds Up: id"),
        ("[[claim.probe]]", "[[claim.probe", "is no TOML"),
    ],
)
def test_a_wrong_record_is_refused_in_one_sentence(tmp_path, before, after, said):
    with pytest.raises(ClaimError) as raised:
        load_claims(write(tmp_path, RECORD.replace(before, after)))
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_a_name_is_used_once(tmp_path):
    with pytest.raises(ClaimError, match="another claim of this name"):
        load_claims(write(tmp_path, RECORD + RECORD))


def test_a_claim_without_a_trial_is_refused():
    with pytest.raises(ValueError, match="needs a probe"):
        claim()


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((HELD, HELD), "true"),
        ((HELD, FAILED), "partly"),
        ((FAILED, FAILED), "false"),
        ((HELD, Outcome("ImportError", "broken probe")), UNDECIDED),
        ((HELD, replace(FAILED, repaired="E0599")), UNDECIDED),
        ((FAILED, replace(FAILED, repaired="runs")), "false"),
        ((Outcome("skipped", "no GPU"), HELD), "true"),
        ((Outcome("skipped", "no tool"), Outcome("skipped", "no tool")), "not run"),
    ],
)
def test_the_verdict_follows_from_the_outcomes(outcomes, expected):
    assert verdict(claim(PYTHON, PYTHON), outcomes) == expected


def test_opinions_and_gpu_claims_and_untestable_ones_have_verdicts_of_their_own():
    assert verdict(claim(PYTHON, opinion=True), [FAILED]) == OPINION
    assert verdict(claim({**PYTHON, "needs": "cuda"}), [Outcome("skipped", "none")]) == NEEDS_GPU
    assert verdict(claim(untestable="it is about the year 2030"), []) == NOT_TESTABLE


def test_python_probes_are_told_by_their_endings():
    codes = {
        "runs": "import torch\nprint(torch.ones(2).sum().item())",
        "NameError": "F.relu",
        "AssertionError": "assert 1 == 2, 'one is not two'",
        "error": "raise SystemExit(3)",
        "killed": "import os; os.kill(os.getpid(), 9)",
    }
    outcomes = try_python(
        {name: PythonProbe(kind="python", holds_if="runs", code=code) for name, code in codes.items()}
    )
    assert {name: outcome.ended for name, outcome in outcomes.items()} == {name: name for name in codes}
    assert outcomes["runs"].evidence == "2.0"
    assert "one is not two" in outcomes["AssertionError"].evidence


def test_an_endless_python_probe_is_ended():
    probe = PythonProbe(kind="python", holds_if="runs", code="print('begun', flush=True)\nwhile True: pass", timeout=1)
    outcome = try_python({"endless": probe})["endless"]
    assert outcome.ended == "killed" and "begun" in outcome.evidence


def look(**more):
    return try_source(SourceProbe(kind="source", holds_if="found", **more))


def test_a_look_up_names_file_and_line():
    found = look(source="python helpers", files="units.py", pattern=r"^def ")
    assert found.ended == "found" and found.evidence.startswith("helpers/units.py:")
    assert look(source="python helpers", files="units.py", pattern="no such text").ended == "absent"
    assert look(source="python no_such_package_anywhere", pattern="x").skipped
    assert look(source="crate no-such-crate 9.9.9", pattern="x").skipped
    assert look(source="python helpers", files="no_such_file", pattern="x").ended == "error"


def result(word: str, outcomes=(HELD,), probes="", **versions) -> ClaimResult:
    return ClaimResult(probes, versions, "a machine", "2026-01-01", tuple(outcomes), word)


def test_a_version_that_flips_a_verdict_is_reported_with_both():
    before, now = {"a": result("true", burn="0.22.1")}, {"a": result("false", burn="0.23.0")}
    assert [str(change) for change in ledger.changes(before, now)] == [
        "a: was true (burn 0.22.1), is false (burn 0.23.0)"
    ]
    assert ledger.changes(before, before) == []
    assert ledger.changes(before, {"a": result("not run", [Outcome("skipped", "no tool")])}) == []


def test_a_verdict_without_evidence_is_a_fault():
    tried = claim(PYTHON)
    good = result("true", probes=tried.probes_hash())
    assert ledger.evidence_faults({"a": tried}, {"a": good}) == []
    for wrong, said in [
        (replace(good, verdict="false"), "does not follow from its evidence"),
        (replace(good, outcomes=()), "has no evidence"),
        (replace(good, outcomes=(Outcome("runs", ""),)), "has no evidence"),
        (replace(good, probes="0123"), "have changed since"),
    ]:
        (fault,) = ledger.evidence_faults({"a": tried}, {"a": wrong})
        assert said in fault
    assert "never been tried" in ledger.evidence_faults({"a": tried}, {})[0]
    assert "no such claim" in ledger.evidence_faults({}, {"a": good})[0]


def test_results_survive_writing_and_reading(tmp_path):
    path = tmp_path / "results.json"
    ledger.write_results(path, {"a": result("true", torch="2.13.0")})
    assert ledger.read_results(path) == {"a": result("true", torch="2.13.0")}
    assert ledger.read_results(tmp_path / "none.json") == {}
    path.write_text(json.dumps({"claims": {"a": {"verdict": "true"}}}))
    with pytest.raises(ClaimError, match="is damaged"):
        ledger.read_results(path)


def test_filters_choose_and_refuse():
    claims = {"a": claim(PYTHON), "b": claim(PYTHON, id="b", topic="memory")}
    assert list(chosen_claims(claims, topic="memory")) == ["b"]
    assert list(chosen_claims(claims, ["a"], framework="tch")) == ["a"]
    for wrong in ({"topic": "weather"}, {"framework": "jax"}, {"article": "009"}, {"names": ["c"]}):
        with pytest.raises(ClaimError):
            chosen_claims(claims, **wrong)


def test_every_committed_verdict_has_evidence():
    assert ledger.evidence_faults(load_claims(), ledger.read_results(ledger.RECORDED)) == []


def test_the_command_prints_the_ledger():
    shown = CliRunner().invoke(app, ["claims", "no-such-claim"])
    assert shown.exit_code == 1


RUST = {
    "compiles": ("check", "let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?; drop(x);"),
    "E0382": ("check", 'let s = String::from("a"); let t = s; println!("{s}{t}");'),
    "syntax": ("check", "let x = ;"),
    "runs": ("run", 'println!("{:?}", Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?.dims());'),
    "panic": ("run", 'let v: Vec<i32> = Vec::new(); println!("{}", v[0]);'),
    "error": ("run", "let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?; x.matmul(&x)?;"),
    "killed": ("run", "std::process::abort();"),
}


@pytest.mark.slow
def test_rust_probes_are_told_by_their_endings():
    probes = {
        f"claim_test_{word}": RustProbe(kind="rust", package="candle", holds_if="runs", mode=mode, code=code)
        for word, (mode, code) in RUST.items()
    }
    outcomes = try_rust(probes)
    assert {name.removeprefix("claim_test_"): outcome.ended for name, outcome in outcomes.items()} == {
        w: w for w in RUST
    }
    assert outcomes["claim_test_runs"].evidence == "[2, 3]"
    assert "borrow of moved value" in outcomes["claim_test_E0382"].evidence
    assert "/" not in outcomes["claim_test_panic"].evidence.split("panicked at")[1].split(":")[0]


def is_cheap(probe) -> bool:
    """Whether a probe needs no program to be linked: those are left to `workbook claims --rerun`."""
    if isinstance(probe, RustProbe):
        return probe.mode == "check" and probe.package in RUST_ENGINES
    return isinstance(probe, SourceProbe) or not re.search("rust_program|cargo|subprocess|claim_speed", probe.code)


@pytest.mark.slow
def test_the_ledger_run_here_agrees_with_the_record():
    claims = {name: claim for name, claim in load_claims().items() if all(map(is_cheap, claim.probes))}
    assert len(claims) > 100
    before = ledger.read_results(ledger.RECORDED)
    now = ledger.run_claims(claims.values())
    assert [str(change) for change in ledger.changes(before, now)] == []
    assert [name for name, tried in now.items() if tried.verdict == UNDECIDED] == []
