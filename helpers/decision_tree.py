"""The articles' advice on which framework to choose, each piece beside what this machine measured.

The advice is data: a question, the framework that an article names, and the measure that could confirm it. A piece of
advice that no measure here can judge says so; it is an opinion, which may be right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from helpers.engines import ENGINES
from helpers.measured_stars import RULES, Measurements


class Verdict(StrEnum):
    """What a measurement says of a piece of advice."""

    AGREES = "agrees"
    UNDECIDED = "cannot be told apart"
    DISSENTS = "dissents"
    OPEN = "not measured"


SIGNS = {Verdict.AGREES: "✓", Verdict.UNDECIDED: "≈", Verdict.DISSENTS: "✗", Verdict.OPEN: "○"}


@dataclass(frozen=True)
class Advice:
    """One piece of advice.

    Attributes:
        key: Its short name.
        question: What decides, as a question that is answered by yes or no.
        answer: The framework that an article names for yes.
        rule: The measure that could confirm it; None if there is none.
        beside: What can be said where nothing is measured.
    """

    key: str
    question: str
    answer: str
    rule: str | None
    beside: str = ""


# In the article's order: the first question answered by yes decides.
TREE: tuple[Advice, ...] = (
    Advice("knowledge", "Keep as much PyTorch knowledge as you can?", "tch", "names"),
    Advice("speed", "Extreme demands on speed?", "candle", "speed"),
    Advice(
        "training",
        "Highly customised training?",
        "burn",
        None,
        "a taste: chapter 2 writes the same training loop in each",
    ),
    Advice(
        "functional",
        "A team that thinks functionally?",
        "dfdx",
        None,
        "a fact beside it: the pinned nightly compiler",
    ),
)
OTHERWISE = "none of these: look at what you need again"

PRIORITIES: tuple[Advice, ...] = (
    Advice("latency", "Inference speed comes first?", "candle", "latency"),
    Advice("memory", "Memory comes first?", "burn", "memory"),
    Advice(
        "upkeep",
        "Upkeep comes first?",
        "tch",
        None,
        "a fact beside it: each tch version needs exactly one libtorch version",
    ),
)


@dataclass(frozen=True)
class Judgement:
    """A piece of advice and what was measured for it."""

    advice: Advice
    verdict: Verdict
    evidence: str

    @property
    def line(self) -> str:
        """Verdict and evidence in one line."""
        return f"{SIGNS[self.verdict]} {self.verdict}: {self.evidence}"


def judge(advice: Advice, measured: Measurements) -> Judgement:
    """Compare a piece of advice with the measurements.

    The measurement agrees if the framework named has the best median, and dissents if another one has a better median
    and the ranges of the two do not meet. If they do, the two cannot be told apart.
    """
    if advice.rule is None:
        return Judgement(advice, Verdict.OPEN, advice.beside)
    best = measured.best(advice.rule)
    if not best or measured.spread(advice.rule, advice.answer) is None:
        return Judgement(advice, Verdict.OPEN, f"no figure for {RULES[advice.rule].title} yet")
    if advice.answer == measured.first(advice.rule):
        verdict = Verdict.AGREES
    else:
        verdict = Verdict.UNDECIDED if advice.answer in best else Verdict.DISSENTS
    return Judgement(advice, verdict, _figures(advice, measured))


def judge_all(advice: Sequence[Advice], measured: Measurements) -> list[Judgement]:
    """Compare several pieces of advice with the measurements."""
    return [judge(piece, measured) for piece in advice]


def _figures(advice: Advice, measured: Measurements) -> str:
    """The figures of the framework named and of the best, such as `Candle 0.11, best tch-rs 0.98 x PyTorch`."""
    rule = RULES[advice.rule or ""]
    medians = {name: spread.median for name in ENGINES if (spread := measured.spread(rule.key, name))}
    first = (max if rule.more_is_better else min)(medians, key=medians.__getitem__)
    own = f"{ENGINES[advice.answer].title} {rule.shown.format(medians[advice.answer])}"
    if first == advice.answer:
        others = {name: median for name, median in medians.items() if name != first}
        second = (max if rule.more_is_better else min)(others, key=others.__getitem__, default=None)
        rest = f", next {ENGINES[second].title} {rule.shown.format(others[second])}" if second else ""
    else:
        rest = f", best {ENGINES[first].title} {rule.shown.format(medians[first])}"
        beaten_by = measured.beaten_by(rule.key, advice.answer)
        if beaten_by and first not in beaten_by:  # the best one's range is so wide that another one decides
            rest += f", beaten by {ENGINES[beaten_by[0]].title} {rule.shown.format(medians[beaten_by[0]])}"
    return f"{rule.title}: {own}{rest}"


def follow(answers: Sequence[bool], measured: Measurements) -> Judgement | None:
    """Walk down the tree: the first question answered by yes decides; None if all are answered by no.

    Args:
        answers: One answer for each question of `TREE`.
    """
    for advice, yes in zip(TREE, answers, strict=True):
        if yes:
            return judge(advice, measured)
    return None
