"""A chart of the verdicts: one bar for each topic and each framework."""

from collections import Counter
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.claim_outcomes import FALSE, NEEDS_GPU, NOT_RUN, NOT_TESTABLE, OPINION, PARTLY, TRUE, UNDECIDED
from helpers.claim_records import Claim
from helpers.claims import ClaimResult
from helpers.engines import ENGINES
from helpers.plots import GREY, STYLE

# Okabe-Ito colours, and a hatch for those who cannot tell them apart.
_LOOKS = {
    TRUE: ("#009E73", ""),
    PARTLY: ("#F0E442", "//"),
    FALSE: ("#D55E00", ".."),
    OPINION: ("#56B4E9", "\\\\"),
    "other": ("#BBBBBB", "xx"),
}
_OTHERS = {NEEDS_GPU, NOT_TESTABLE, NOT_RUN, UNDECIDED}


def verdict_counts(
    claims: Mapping[str, Claim], results: Mapping[str, ClaimResult], groups: Mapping[str, Sequence[str]]
) -> dict[str, Counter[str]]:
    """Return how many claims of each group have which verdict.

    Args:
        claims: The ledger.
        results: What is known of it; a claim without a result counts as `other`.
        groups: The names of each group's claims.
    """

    def word(name: str) -> str:
        found = results[name].verdict if name in results else NOT_RUN
        return "other" if found in _OTHERS else found

    return {group: Counter(word(name) for name in names if name in claims) for group, names in groups.items()}


def verdict_chart(claims: Mapping[str, Claim], results: Mapping[str, ClaimResult]) -> Figure:
    """Draw the verdicts by topic and by framework, as stacked bars with their counts."""
    topics = _grouped({name: (claim.topic,) for name, claim in claims.items()})
    frameworks = _grouped({name: claim.frameworks for name, claim in claims.items()})
    frameworks = {ENGINES[n].title if n in ENGINES else n: frameworks[n] for n in frameworks}
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
        _bars(left, verdict_counts(claims, results, topics), "by topic")
        _bars(right, verdict_counts(claims, results, frameworks), "by framework (a claim counts for each it names)")
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    plt.close(figure)
    return figure


def _grouped(groups_of: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, own in groups_of.items():
        for group in own:
            groups.setdefault(group, []).append(name)
    return dict(sorted(groups.items(), key=lambda item: len(item[1])))


def _bars(axes: Axes, counts: Mapping[str, Counter[str]], title: str) -> None:
    left = [0] * len(counts)
    for word, (color, hatch) in _LOOKS.items():
        widths = [count[word] for count in counts.values()]
        bars = axes.barh(
            list(counts), widths, left=left, color=color, hatch=hatch, edgecolor="white", linewidth=0.6, label=word
        )
        labels = [str(width) if width > 2 else "" for width in widths]
        axes.bar_label(bars, labels, label_type="center", fontsize=8, bbox={"fc": "white", "ec": "none", "pad": 0.8})
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.set_xlabel("claims")
    axes.set_title(title, color=GREY)
    axes.grid(axis="y", visible=False)
