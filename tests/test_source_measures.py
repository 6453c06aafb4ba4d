"""Names and lines are counted as the module says."""

import pytest

from helpers.engines import ENGINES, RUST_ENGINES
from helpers.source_measures import (
    called_names,
    code_lines,
    further_files,
    kept_name_shares,
    network_files,
    python_code_lines,
    rust_code_lines,
)


def test_called_names():
    assert called_names("y = torch.zeros(2, 3).relu()") == {"zeros", "relu"}
    assert called_names("let y = Tensor::<2>::zeros([2, 3], d).reshape::<Rank2<2, 6>>();") >= {"zeros"}
    assert called_names("a + b") == set()


def test_lines():
    assert rust_code_lines("//! Head.\n\nfn f() { // f\n    /// x\n    1\n}\n") == 3
    assert (
        python_code_lines('"""Head.\n\nMore."""\n\nx = 1  # one\n# two\ndef f():\n    """Doc."""\n    return x\n') == 3
    )


def test_shares_are_those_of_all_frameworks():
    shares = kept_name_shares()
    assert set(shares) == set(RUST_ENGINES)
    assert all(0 < share < 1 for share in shares.values())
    assert shares["dfdx"] == min(shares.values())


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_network_files_are_there(engine):
    assert all(path.is_file() for path in network_files(engine))
    assert code_lines(engine) > 50


def test_further_files():
    assert further_files(ENGINES["dfdx"]) == ["pool.rs", "weights.rs"]
    assert further_files(ENGINES["tch"]) == []
