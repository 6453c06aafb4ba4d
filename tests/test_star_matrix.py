"""Three opinions in one matrix: the article's, the reader's, the measurements'."""

import pytest

from helpers.errors import WorkbookError
from helpers.measured_stars import Measurements
from helpers.results import Spread
from helpers.star_matrix import CRITERIA, StarMatrix
from helpers.star_matrix_view import StarWidget, matrix_html, matrix_text, measures_html, measures_text, star_text

MEASURED = Measurements(
    {
        "speed": {"tch": Spread((0.8, 1.0, 1.2)), "candle": Spread((0.11,))},
        "documentation": {"tch": Spread((0.05,)), "burn": Spread((0.97,))},
    },
    {"build": "No build from nothing is recorded."},
)


def test_the_article_s_stars():
    rows = {criterion.key: tuple(criterion.article.values()) for criterion in CRITERIA}
    assert rows == {
        "similarity": (5, 3, 2, 1),
        "learning": (2, 3, 4, 5),
        "flexibility": (3, 4, 5, 4),
        "performance": (4, 5, 4, 3),
        "documentation": (4, 3, 2, 2),
    }


def test_disagreements_are_two_stars_or_more():
    assert StarMatrix(MEASURED).disagreements() == [
        "performance, Candle: 5 against 2",
        "documentation, tch-rs: 4 against 1",
        "documentation, Burn: 2 against 5",
    ]


def test_rows_without_a_measure_get_no_star():
    matrix = StarMatrix(MEASURED)
    learning = next(criterion for criterion in CRITERIA if criterion.key == "learning")
    assert matrix.measured_stars(learning, "tch") is None
    text = matrix_text(matrix).splitlines()
    start = next(i for i, line in enumerate(text) if line.startswith("learning"))
    assert text[start + 2].split() == ["measured", "-", "-", "-", "-"]


def test_the_reader_s_stars_are_kept(tmp_path):
    matrix = StarMatrix(MEASURED, tmp_path / "runs" / "stars.json")
    matrix.give("learning", "burn", 2)
    matrix.give("learning", "tch", 4)
    matrix.give("learning", "tch", 0)
    matrix.save()
    assert StarMatrix(MEASURED, matrix.file).reader == {"learning": {"burn": 2}}


@pytest.mark.parametrize("content", ["{", '{"beauty": {"tch": 5}}', '{"learning": {"tch": 9}}', '{"learning": 3}'])
def test_a_damaged_file_is_forgotten(tmp_path, content):
    (tmp_path / "stars.json").write_text(content)
    assert StarMatrix(MEASURED, tmp_path / "stars.json").reader == {}


@pytest.mark.parametrize(
    ("row", "engine", "stars"), [("beauty", "tch", 1), ("learning", "pytorch", 1), ("learning", "tch", 6)]
)
def test_places_and_numbers_are_checked(row, engine, stars):
    with pytest.raises(WorkbookError):
        StarMatrix(MEASURED).give(row, engine, stars)


def test_stars_as_signs():
    assert (star_text(4), star_text(None)) == ("★★★★☆", "-")


def test_the_measures_show_value_range_rule_and_note():
    for shown in (measures_html(MEASURED), measures_text(MEASURED)):
        assert "1.00 x PyTorch (0.80 to 1.20)" in shown.replace("<br>(", " (")
        assert "5 from 0.90, 4 from 0.50" in shown
        assert "no figure" in shown
        assert "No build from nothing is recorded." in shown
    assert "4 to 5 stars" in measures_html(MEASURED)


def test_the_matrix_marks_what_is_far_from_the_article():
    html = matrix_html(StarMatrix(MEASURED))
    assert html.count('class="wb-far"') == 3


def test_the_widget_follows_and_keeps(tmp_path):
    matrix = StarMatrix(MEASURED, tmp_path / "stars.json")
    widget = StarWidget(matrix)
    assert len(widget.fields) == 20
    widget.fields["performance", "dfdx"].value = 1
    assert matrix.reader == {"performance": {"dfdx": 1}}
    assert "★☆☆☆☆" in widget.table.value
    assert StarWidget(StarMatrix(MEASURED, matrix.file)).fields["performance", "dfdx"].value == 1
