import pytest

from helpers.fact_table import FactError, FactTable


def test_facts_are_found_among_other_lines():
    table = FactTable.of({"tch": "16 batches\nthe rest: dropped: yes\n", "Burn": "the rest:  kept\n"}, ["the rest"])
    assert table.facts == {"tch": {"the rest": "dropped: yes"}, "Burn": {"the rest": "kept"}}
    assert str(table) == "the rest\n  tch   dropped: yes\n  Burn  kept"


def test_a_missing_fact_is_told():
    with pytest.raises(FactError, match="The cell of Burn has not printed a line that begins with `seed: `"):
        FactTable.of({"tch": "seed: same", "Burn": "sead: same"}, ["seed"])


def test_the_html_escapes_what_cells_print():
    shown = FactTable({"Candle": {"item": "Result<Tensor>"}})._repr_html_()
    assert "Result&lt;Tensor&gt;" in shown
    assert shown.count("<tr>") == 2
