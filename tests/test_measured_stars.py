"""Stars follow the written limits, and where nothing was measured there is no star."""

import math

import pytest

from helpers.errors import WorkbookError
from helpers.measured_stars import RULES, Measurements, relative, single
from helpers.results import Spread


@pytest.mark.parametrize(
    ("rule", "value", "stars"),
    [
        ("documentation", 0.97, 5),
        ("documentation", 0.9, 5),
        ("documentation", 0.8999, 4),
        ("documentation", 0.38, 2),
        ("documentation", 0.05, 1),
        ("speed", 1.02, 5),
        ("speed", 0.11, 2),
        ("speed", 0.09, 1),
        ("compile", 0.75, 5),
        ("compile", 0.76, 4),
        ("compile", 100.0, 1),
        ("memory", 0.1, 5),
        ("memory", 0.9, 1),
    ],
)
def test_limits(rule, value, stars):
    assert RULES[rule].stars(value) == stars


def test_no_measurement_no_star():
    measured = Measurements({"speed": {"tch": Spread((1.0,)), "candle": Spread(())}})
    assert RULES["speed"].stars(None) is None
    assert RULES["speed"].stars(math.nan) is None
    assert measured.stars("speed", "candle") is None
    assert measured.stars("speed", "burn") is None
    assert measured.stars("memory", "tch") is None
    assert measured.stars("speed", "tch") == 5


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_rule_goes_from_five_to_one(rule):
    order = sorted(rule.limits, reverse=rule.more_is_better)
    assert list(rule.limits) == order
    assert len(set(rule.limits)) == 4
    step = -1e-6 if rule.more_is_better else 1e-6
    assert [rule.stars(limit) for limit in rule.limits] == [5, 4, 3, 2]
    assert [rule.stars(limit + step) for limit in rule.limits] == [4, 3, 2, 1]
    assert rule.limits_text.startswith("5 ")
    assert rule.limits_text.endswith("else 1")


def test_the_range_of_samples_shows_in_the_stars():
    measured = Measurements({"speed": {"burn": Spread((0.24, 0.26, 0.6))}})
    assert measured.stars("speed", "burn") == 3
    assert measured.star_range("speed", "burn") == (2, 4)
    assert measured.star_range("speed", "tch") is None


def test_the_best_are_those_that_nothing_beats():
    measured = Measurements(
        {
            "speed": {"tch": Spread((0.9, 1.0, 1.1)), "candle": Spread((0.1, 0.11)), "burn": Spread((0.7, 0.95))},
            "memory": {"tch": Spread((0.3,)), "burn": Spread((0.15, 0.16)), "dfdx": Spread((0.1, 0.12))},
        }
    )
    assert measured.best("speed") == ["tch", "burn"]  # their ranges meet
    assert measured.best("memory") == ["dfdx"]
    assert measured.best("latency") == []
    assert (measured.first("speed"), measured.first("memory"), measured.first("latency")) == ("tch", "dfdx", None)


@pytest.mark.parametrize(("rule", "sign"), [("speed", 1), ("latency", -1)])
def test_a_wide_range_in_front_does_not_save_what_another_one_beats(rule, sign):
    ranges = {"tch": (0.2, 1.0, 1.1), "candle": (0.3, 0.35, 0.4), "burn": (0.8, 0.85, 0.9), "dfdx": (0.4, 0.5, 0.8)}
    samples = {engine: Spread(tuple(sign * value + 2 for value in values)) for engine, values in ranges.items()}
    measured = Measurements({rule: samples})
    assert measured.first(rule) == "tch"
    assert measured.best(rule) == ["tch", "burn", "dfdx"]  # candle meets the first one's range, not burn's
    assert measured.beaten_by(rule, "candle") == ["burn"]
    assert measured.beaten_by(rule, "dfdx") == measured.beaten_by(rule, "tch") == []


def test_ratios_leave_out_the_reference_and_what_was_not_measured():
    found = relative({"pytorch": (200.0,), "tch": (100.0, 300.0), "candle": ()}, 200.0)
    assert found == {"tch": Spread((0.5, 1.5))}
    assert single({"pytorch": 70, "dfdx": 34}) == {"dfdx": Spread((34.0,))}


@pytest.mark.parametrize("values", [{"beauty": {}}, {"speed": {"pytorch": Spread((1.0,))}}])
def test_unknown_names_are_refused(values):
    with pytest.raises(WorkbookError, match="There is no"):
        Measurements(values)
