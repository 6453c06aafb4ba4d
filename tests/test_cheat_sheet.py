"""The cheat sheet: every row has code in every engine or a reason, and equal results are equal."""

import re

import pytest

from helpers.cheat_sheet import (
    CheatSheet,
    Row,
    RowResult,
    code_by_row,
    compare,
    compare_all,
    program_file,
    read_results,
    read_rows,
    run_cheat_sheet,
    run_rows,
)
from helpers.cheat_sheet_view import cheat_sheet_html, cheat_sheet_text
from helpers.engines import ENGINES
from helpers.errors import WorkbookError

ROW = Row("relu", "Activations", "ReLU", "the trap of `relu`")
CODE = 'fn main() {\n    // row: relu\n    let y = a.relu();\n    show("relu", &y);\n}\n'


def result(values, shape=None):
    return RowResult((len(values),) if shape is None else shape, tuple(values))


def sheet(rows=(ROW,), differences=()):
    code = {name: {"relu": f"y = relu_{name}(a < b)"} for name in ENGINES}
    results = {name: {"relu": result([1.0, 0.0])} for name in ENGINES}
    return CheatSheet(tuple(rows), code, results, tuple(differences))


def test_the_table_has_forty_rows_and_each_its_trap():
    rows = read_rows()
    assert len(rows) >= 40
    assert {"zeros", "matmul", "to-device", "save"} <= {row.name for row in rows}
    assert all(row.trap.endswith(".") and row.group for row in rows)


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_each_row_has_code_or_a_reason(engine):
    code = code_by_row(program_file(engine).read_text(encoding="utf-8"))
    assert set(code) == {row.name for row in read_rows() if engine.name not in row.lacks}
    assert all(code.values())
    assert max(len(line) for text in code.values() for line in text.splitlines()) <= 100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[row]]\nname = "a"\ntitle = "A"', "'trap' is missing"),
        ('[[row]]\nname = "a"\ntitle = "A"\ntrap = "t."\nnote = "n"', "unknown key 'note'"),
        ('[[row]]\nname = "a"\ntitle = "A"\ntrap = "t."\ncompare = "all"', "compare = 'all'"),
        ('[[row]]\nname = "a"\ntitle = "A"\ntrap = "t."\nlacks.candel = "x"', "no engine 'candel'"),
        ('[[row]]\nname = "a"\ntitle = "A"\ntrap = "t."\n' * 2, "another row has this name"),
    ],
)
def test_a_faulty_table_is_named(tmp_path, text, words):
    path = tmp_path / "rows.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        read_rows(path)


def test_code_is_cut_at_the_anchors():
    assert code_by_row(CODE) == {"relu": "let y = a.relu();"}
    assert code_by_row("# row: sum\nfor x in a:\n    s += x\nsay('sum', s)") == {"sum": "for x in a:\n    s += x"}


@pytest.mark.parametrize(
    "source", [CODE * 2, '// row: a\nlet y = 1;\n// row: b\nshow("b", y);', "// row: a\nlet y = 1;"]
)
def test_rows_that_do_not_end_or_come_twice_are_refused(source):
    with pytest.raises(ValueError, match="row"):
        code_by_row(source)


def test_results_are_read_and_other_output_is_left_out():
    output = 'hello\n{"row":"relu","shape":[2],"values":[1.0, 1e-7]}\n{"row":"dtype","text":"F32"}\n'
    assert read_results(output) == {"relu": result([1.0, 1e-7]), "dtype": RowResult(text="F32")}


@pytest.mark.parametrize(
    ("kind", "other", "said"),
    [
        ("values", result([1.0, 2.0]), ""),
        ("values", result([1.0, 2.000001]), ""),
        ("values", result([1.0, 2.1]), "off by 0.1"),
        ("values", result([float("nan"), 2.0]), "off by nan"),
        ("values", result([1.0, 2.0], (2, 1)), "shape [2, 1] instead of [2]"),
        ("shape", result([7.0, 8.0]), ""),
        ("shape", result([7.0]), "shape [1] instead of [2]"),
        ("shown", RowResult(text="anything"), ""),
        ("text", RowResult(text="6"), "'6' instead of ''"),
    ],
)
def test_compare(kind, other, said):
    row = Row("r", "g", "t", "trap", kind)
    assert compare(row, other, result([1.0, 2.0])) == said


def test_a_single_number_may_be_a_vector_of_one():
    assert compare(ROW, result([3.0], (1,)), result([3.0], ())) == ""


def test_a_missing_result_is_a_difference_unless_the_framework_lacks_it():
    results = {"pytorch": {"relu": result([1.0])}, "dfdx": {}}
    assert compare_all([ROW], results) == ("relu in dfdx: no result",)
    assert compare_all([Row("relu", "g", "t", "trap", lacks={"dfdx": "none"})], results) == ()


def test_differences_raise_and_name_the_row():
    sheet().assert_ok()
    with pytest.raises(WorkbookError, match="relu in Candle: off by 1"):
        sheet(differences=["relu in Candle: off by 1"]).assert_ok()


def test_without_styles_and_scripts_all_columns_are_a_plain_table():
    html = cheat_sheet_html(sheet())
    plain = re.sub(r"<(style|script)>.*?</\1>", "", html, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", "", plain)
    assert all(f"relu_{name}(a &lt; b)" in text for name in ENGINES)
    assert "the trap of relu" in text
    assert "<script" not in plain
    assert "wb-search" not in plain  # no dead search field
    for engine in ENGINES.values():
        assert plain.count(f">{engine.title}</th>") == 1
        assert f">{engine.title}</label>" not in plain  # the switches' words come from the style sheet


def test_a_lacking_operation_gives_its_reason():
    row = Row("relu", "g", "ReLU", "trap", lacks={"dfdx": "no `relu` <here>"})
    html = cheat_sheet_html(sheet([row]))
    assert "no <code>relu</code> &lt;here&gt;" in html
    assert "relu_dfdx" not in html
    assert "equal numbers in 4 of 5" in html


def test_text_has_code_and_trap():
    text = cheat_sheet_text(sheet(differences=["relu in Burn: off by 2"]))
    assert "relu_candle(a < b)" in text
    assert "differs: Burn: off by 2" in text


@pytest.mark.slow
def test_pytorch_rows_run(tmp_path):
    results = run_rows(ENGINES["pytorch"], tmp_path)
    assert list(results) == [row.name for row in read_rows()]
    assert results["matmul"].shape == (2, 4)
    assert (tmp_path / "pytorch.safetensors").exists()


@pytest.mark.slow
def test_all_engines_agree(tmp_path):
    sheet = run_cheat_sheet(tmp_path)
    sheet.assert_ok()
    assert len(list(tmp_path.glob("*.safetensors"))) == len(ENGINES)
