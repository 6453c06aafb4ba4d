"""Every hint is brought up by a message that a beginner can meet, and by no harmless one."""

import re

import pytest
from hint_cases import CASES, Compiled
from rustc_samples import diagnose

from helpers import hints
from helpers.diagnostics import errors_in
from helpers.engines import ENGINES
from helpers.hints import hints_for, hints_html, matching, table


def shown_ids(case) -> list[str]:
    """Ids of the hints that the reader sees for a case, best first."""
    if isinstance(case, Compiled):
        error = errors_in(diagnose(case.source))[0]
        return [hint.id for hint in matching(case.engine, [error.code], error.search_text)[: hints.LIMIT]]
    return [hint.id for hint in matching(case.engine, [case.code], case.text)[: hints.LIMIT]]


def test_every_row_has_a_case():
    assert set(CASES) == {hint.id for hint in table()}
    assert len(CASES) >= 15


@pytest.mark.parametrize("hint_id", CASES)
def test_message_brings_up_its_hint(hint_id):
    assert hint_id in shown_ids(CASES[hint_id])


def test_engines_in_the_table_exist():
    for hint in table():
        assert (hint.engines or set()) <= set(ENGINES)
        assert all(re.fullmatch(r"E\d{4}", code) for code in hint.codes or ())


def test_hint_of_another_engine_is_not_shown():
    text = "shape mismatch in matmul, lhs: [64, 2304], rhs: [4096, 10]"
    assert hints_for("candle", [], text)
    assert hints_for("burn", [], text) == []
    assert hints_for(None, [], text) == []


def test_rows_of_the_engine_come_first():
    ids = shown_ids(CASES["tch-optimizer-config"])
    assert ids[0] == "tch-optimizer-config"
    assert "trait-not-in-scope" in ids


@pytest.mark.parametrize(
    "text", ["", "epoch 1/10 train loss 1.9", "unused variable: `x`", "Finished `release` profile"]
)
def test_harmless_text_has_no_hint(text):
    for engine in (*ENGINES, None):
        assert hints_for(engine, [], text) == []


@pytest.mark.parametrize(
    ("engine", "text", "hint_id"),
    [
        ("candle", "unexpected rank, expected: 0, got: 1 ([2])", "candle-rank"),
        ("candle", "unexpected dtype, expected: F64, got: F32", "candle-dtype-mismatch"),
        ("candle", "unsupported dtype F32 for op gather", "candle-dtype-mismatch"),
        ("candle", "not yet implemented: no unary function for u8", "candle-dtype-mismatch"),
        ("burn", "The inner dimension of matmul should be the same, but got 3 and 4.", "burn-matmul-shapes"),
        ("tch", "Expected input batch_size (36) to match target batch_size (64).", "tch-batch-sizes"),
        ("tch", "shape '[5]' is invalid for input of size 6", "tch-shapes"),
        ("tch", "expected input[2, 1, 8, 8] to have 3 channels, but got 1 channels instead", "tch-shapes"),
        ("tch", "expected target dtype to be Long or Byte, but got Int", "tch-kind"),
        ("tch", "expected scalar type Byte but found Float", "tch-kind"),
    ],
)
def test_other_forms_of_a_message(engine, text, hint_id):
    assert [hint.id for hint in matching(engine, [], text)] == [hint_id]


def test_colours_do_not_hide_a_message():
    assert hints_for("candle", [], "\x1b[31mdtype mis\x1b[0mmatch in add, lhs: F32, rhs: F64")


def test_only_the_end_of_endless_output_is_searched():
    assert hints_for(None, [], "x" * 10_000_000 + "\nattempt to add with overflow")


def test_texts_are_short_whole_sentences():
    for hint in table():
        assert hint.text.endswith("."), hint.id
        assert hint.text.count("`") % 2 == 0, hint.id
        assert len(hint.text) < 330, hint.id


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('id = "a"\ntext = "t."\npatern = "x"', "unknown key 'patern'"),
        ('id = "a"\npattern = "x"', "id and text are needed"),
        ('id = "a"\ntext = "t."', "codes or pattern is needed"),
        (
            'id = "a"\ntext = "t."\npattern = "x"\n[[hint]]\nid = "a"\ntext = "t."\npattern = "x"',
            "another row has this id",
        ),
    ],
)
def test_mistakes_in_the_table_are_named(tmp_path, row, complaint):
    path = tmp_path / "hints.toml"
    path.write_text(f"[[hint]]\n{row}\n")
    with pytest.raises(ValueError, match=complaint):
        table(path)


def test_html_escapes():
    assert hints_html(["Use `a<b>` & <i>."]).endswith("Use <code>a&lt;b&gt;</code> &amp; &lt;i&gt;.</p>")
