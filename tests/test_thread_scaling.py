import sys

import pytest

from helpers.engines import ENGINES
from helpers.errors import WorkbookError
from helpers.thread_scaling import Speedup, rust_program, speedups


def test_each_round_gives_one_ratio_and_the_rounds_take_turns():
    calls = []

    def halves(threads):
        calls.append(threads)
        return {"matmul": 4.0 / threads, "copy": 3.0}

    found = speedups({"program": halves}, threads=2, rounds=3)
    assert found["program"]["matmul"] == Speedup(2, (2.0, 2.0, 2.0))
    assert found["program"]["copy"].median == 1
    assert calls == [1, 2, 2, 1, 1, 2]


def test_the_text_holds_median_and_spread():
    assert str(Speedup(2, (1.0, 1.5, 1.9))) == "1.50 times as fast (1.00 to 1.90)"


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(WorkbookError, match="at least one round"):
        speedups({}, rounds=0)
    with pytest.raises(WorkbookError, match="other tasks with 2 threads"):
        speedups({"odd": lambda threads: {str(threads): 1.0}})


def test_a_program_reads_its_threads_and_its_failure_is_told():
    code = "import json, os; print(json.dumps({'threads': float(os.environ['RAYON_NUM_THREADS'])}))"
    measure = rust_program(ENGINES["candle"], [sys.executable, "-c", code])
    assert measure(2) == {"threads": 2.0}
    fails = [sys.executable, "-c", "import sys; print('no memory', file=sys.stderr); sys.exit(3)"]
    with pytest.raises(WorkbookError, match="ended with 3: no memory"):
        rust_program(ENGINES["candle"], fails)(1)
