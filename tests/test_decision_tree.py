"""The tree agrees, dissents or says that nothing was measured, and the widget follows the ticks."""

import pytest

from helpers import decision_tree_view
from helpers.decision_tree import PRIORITIES, TREE, Advice, Verdict, follow, judge, judge_all
from helpers.decision_tree_view import TreeWidget, advice_html, advice_text, answer_html, tree_figure
from helpers.engines import RUST_ENGINES
from helpers.measured_stars import RULES, Measurements
from helpers.results import Spread

MEASURED = Measurements(
    {
        "names": {"tch": Spread((0.56,)), "candle": Spread((0.52,))},
        "speed": {"tch": Spread((0.95, 1.05)), "candle": Spread((0.1, 0.12)), "burn": Spread((0.3,))},
        "memory": {"burn": Spread((0.16,)), "dfdx": Spread((0.12,))},
    }
)
SPEED = next(advice for advice in TREE if advice.key == "speed")


def test_advice_names_known_frameworks_and_rules():
    for advice in (*TREE, *PRIORITIES):
        assert advice.answer in RUST_ENGINES
        assert advice.rule is None or advice.rule in RULES
        assert advice.rule or advice.beside


def test_a_slower_framework_brings_dissent():
    judgement = judge(SPEED, MEASURED)
    assert judgement.verdict is Verdict.DISSENTS
    assert judgement.evidence == "training speed: Candle 0.11 x PyTorch, best tch-rs 1.00 x PyTorch"


def test_a_faster_framework_brings_assent():
    measured = Measurements({"speed": {"tch": Spread((1.0,)), "candle": Spread((1.3,))}})
    judgement = judge(SPEED, measured)
    assert judgement.verdict is Verdict.AGREES
    assert judgement.evidence.endswith("Candle 1.30 x PyTorch, next tch-rs 1.00 x PyTorch")


def test_ranges_that_meet_do_not_bring_dissent():
    measured = Measurements({"speed": {"tch": Spread((0.9, 1.1)), "candle": Spread((0.8, 0.95))}})
    assert judge(SPEED, measured).verdict is Verdict.UNDECIDED
    assert "≈ cannot be told apart" in advice_html([SPEED], measured, "Speed")


def test_a_second_framework_brings_dissent_where_the_best_ones_range_is_wide():
    samples = {"tch": Spread((0.2, 1.0, 1.1)), "burn": Spread((0.8, 0.84)), "candle": Spread((0.3, 0.4))}
    judgement = judge(SPEED, Measurements({"speed": samples}))
    assert judgement.verdict is Verdict.DISSENTS
    assert judgement.evidence.endswith("best tch-rs 1.00 x PyTorch, beaten by Burn 0.82 x PyTorch")


def test_without_a_figure_nothing_is_said():
    assert judge(SPEED, Measurements()).verdict is Verdict.OPEN
    assert judge(SPEED, Measurements({"speed": {"tch": Spread((1.0,))}})).verdict is Verdict.OPEN
    opinion = Advice("taste", "Do you like it?", "burn", None, "a taste")
    assert judge(opinion, MEASURED).line.endswith("not measured: a taste")


def test_memory_goes_to_the_smallest():
    verdicts = {judgement.advice.key: judgement.verdict for judgement in judge_all(PRIORITIES, MEASURED)}
    assert verdicts == {"latency": Verdict.OPEN, "memory": Verdict.DISSENTS, "upkeep": Verdict.OPEN}


@pytest.mark.parametrize(
    ("answers", "engine"),
    [((True, True, False, False), "tch"), ((False, True, True, True), "candle"), ((False, False, False, True), "dfdx")],
)
def test_the_first_yes_decides(answers, engine):
    assert follow(answers, MEASURED).advice.answer == engine


def test_all_no_leads_to_nothing():
    assert follow([False] * len(TREE), MEASURED) is None
    assert "look at what you need" in answer_html([False] * len(TREE), MEASURED)


def test_the_figure_shows_every_branch_and_the_dissent():
    texts = [text.get_text() for text in tree_figure(MEASURED, "The tree").axes[0].texts]
    joined = " ".join(" ".join(texts).split())
    for advice in TREE:
        assert advice.question in joined
    assert "✗ dissents" in joined
    assert "Candle 0.11 x PyTorch" in joined


def test_the_table_says_the_same_in_html_and_text():
    html, text = (show(TREE, MEASURED, "Branches") for show in (advice_html, advice_text))
    for part in ("dissents: training speed: Candle 0.11 x PyTorch", "not measured", "Branches"):
        assert part in html
        assert part in text


def test_the_widget_follows_the_ticks():
    widget = TreeWidget(MEASURED)
    assert "look at what you need" in widget.answer.value
    widget.boxes[1].value = True
    assert "The tree says Candle." in widget.answer.value
    assert "dissents" in widget.answer.value
    widget.boxes[0].value = True
    assert "The tree says tch-rs." in widget.answer.value


@pytest.mark.parametrize("watched", [False, True])
def test_pages_without_widgets_get_the_table(monkeypatch, watched):
    shown = []
    monkeypatch.setattr(decision_tree_view, "has_kernel", lambda: True)
    monkeypatch.setattr(decision_tree_view, "is_watched", lambda: watched)
    monkeypatch.setattr(decision_tree_view, "display", lambda bundle, raw: shown.append(bundle))
    decision_tree_view.show_tree(MEASURED)
    assert ("application/vnd.jupyter.widget-view+json" in shown[0]) is watched
    assert "dissents" in shown[0]["text/html"]
