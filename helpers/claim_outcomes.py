"""What the trial of a claim ended in, and the verdict that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from helpers.claim_records import Claim
from helpers.diagnostics import shorten_paths

GOOD_ENDS = ("compiles", "runs")
EVIDENCE_LIMIT = 900  # characters kept of one probe's evidence
TRUE, FALSE, PARTLY = "true", "false", "partly"
OPINION, NOT_TESTABLE, NEEDS_GPU = "opinion", "not testable here", "needs a GPU"
NOT_RUN, UNDECIDED = "not run", "undecided"
VERDICTS = (TRUE, PARTLY, FALSE, OPINION, NEEDS_GPU, NOT_TESTABLE, NOT_RUN, UNDECIDED)


@dataclass(frozen=True)
class Outcome:
    """How one probe ended.

    Attributes:
        ended: The outcome in one word, as in a probe's `holds_if`; `skipped` if something that it needs is missing.
        evidence: What was seen: error texts, output, file and line; the reason where it was skipped.
        repaired: How the repaired version ended; None where there is none.
    """

    ended: str
    evidence: str
    repaired: str | None = None

    @property
    def skipped(self) -> bool:
        """True if the probe was not tried."""
        return self.ended == "skipped"


def trimmed(text: str) -> str:
    """Shorten evidence to what a reader takes in, without the machine's own paths."""
    text = shorten_paths(text.strip())
    return text if len(text) <= EVIDENCE_LIMIT else f"{text[:EVIDENCE_LIMIT].rstrip()} ..."


def verdict(claim: Claim, outcomes: Sequence[Outcome]) -> str:
    """Return what the outcomes say about the claim.

    A claim is true if all parts hold, false if none does, partly true otherwise. Probes that were skipped do not count.
    An outcome that is neither the predicted nor the known one, or a repaired version that fails, leaves the claim
    undecided: the probe is to be mended.
    """
    if claim.untestable:
        return NOT_TESTABLE
    tried = [(probe, outcome) for probe, outcome in zip(claim.probes, outcomes, strict=True) if not outcome.skipped]
    if any(
        outcome.ended not in {probe.holds_if, probe.seen} or outcome.repaired not in {None, *GOOD_ENDS}
        for probe, outcome in tried
    ):
        return UNDECIDED
    if claim.opinion:
        return OPINION
    if not tried:
        return NEEDS_GPU if any(probe.needs == "cuda" for probe in claim.probes) else NOT_RUN
    held = [outcome.ended == probe.holds_if for probe, outcome in tried]
    return TRUE if all(held) else PARTLY if any(held) else FALSE
