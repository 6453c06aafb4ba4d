"""Ratios with their spread, and programs for the claims' measurements."""

import pytest

from helpers.claim_tools import Ratio, python, run, rust_program, time_ratio, value_ratio
from helpers.errors import ClaimError


def test_a_ratio_is_told_with_its_spread():
    ratio = Ratio((2.0, 1.5, 3.0))
    assert str(ratio) == "2.00 (1.50 to 3.00, 3 rounds)"
    assert ratio.surely_more and not ratio.surely_less
    assert ratio.holds(1.6) and not ratio.holds(3.1)


def test_two_works_take_turns():
    calls = []
    time_ratio(lambda: calls.append("a"), lambda: calls.append("b"), rounds=2)
    assert calls == ["a", "b"] * 3  # one to warm up, then two rounds
    assert value_ratio(lambda: 3.0, lambda: 2.0, rounds=2).samples == (1.5, 1.5)


def test_a_program_that_fails_is_named():
    assert run(python("print(6 * 7)")).stdout == "42\n"
    with pytest.raises(ClaimError, match="ended with 3"):
        run(python("raise SystemExit(3)"))


@pytest.mark.slow
def test_a_cell_becomes_a_program():
    command = rust_program("candle", 'println!("{:?}", Tensor::zeros(3, DType::F32, &Device::Cpu)?.dims());', "dims")
    assert run(command, "candle").stdout == "[3]\n"
    with pytest.raises(ClaimError, match="does not compile"):
        rust_program("candle", "let x: i32 = 1.0;", "wrong_type")
