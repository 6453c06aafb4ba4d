"""The first cell of a chapter stops on anything it does not understand."""

import pytest

from helpers.errors import ParameterError
from helpers.parameters import PROFILES, chapter_parameters, parse_parameters


@pytest.fixture(autouse=True)
def no_profile_in_environment(monkeypatch):
    monkeypatch.delenv("WORKBOOK_PROFILE", raising=False)


def cell(**names):
    """A notebook's namespace after its parameters cell."""
    given = {"profile": "full", "epochs": None, "train_size": None, "test_size": None, "batch_size": None}
    return {"In": [""], "Out": {}, "_": 3, "get_ipython": print, **given, "device": "auto", "seed": 0, **names}


def test_none_takes_what_the_profile_says():
    small = chapter_parameters(cell(profile="small"))
    assert (small.epochs, small.train_size, small.test_size, small.batch_size) == tuple(PROFILES["small"].values())
    full = chapter_parameters(cell())
    assert (full.epochs, full.train_size, full.test_size) == (10, None, None)


def test_a_given_value_wins_over_the_profile():
    assert chapter_parameters(cell(profile="small", epochs=7)).epochs == 7


def test_a_chapter_may_have_defaults_of_its_own():
    assert chapter_parameters(cell(profile="small"), small={"epochs": 1}).epochs == 1
    assert chapter_parameters(cell(profile="full"), small={"epochs": 1}).epochs == 10


def test_environment_decides_the_profile(monkeypatch):
    monkeypatch.setenv("WORKBOOK_PROFILE", "small")
    assert chapter_parameters(cell(profile="full")).train_size == PROFILES["small"]["train_size"]
    monkeypatch.setenv("WORKBOOK_PROFILE", "tiny")
    with pytest.raises(ParameterError, match="WORKBOOK_PROFILE is 'tiny'"):
        chapter_parameters(cell())


def test_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(ParameterError, match="no parameter `epoch`: did you mean `epochs`"):
        chapter_parameters(cell(epoch=3))
    with pytest.raises(ParameterError, match="no parameter `zzz`: the parameters are profile, epochs"):
        chapter_parameters(cell(zzz=3))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", "three"),
        ("epochs", "3"),
        ("epochs", 0),
        ("epochs", True),
        ("epochs", 2.5),
        ("train_size", -1),
        ("batch_size", [64]),
        ("seed", -1),
        ("device", "gpu"),
        ("device", 0),
        ("profile", "medium"),
        ("profile", 3),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(name, value):
    with pytest.raises(ParameterError, match=f"`{name}` is .*: set it to ") as refused:
        chapter_parameters(cell(**{name: value}))
    assert repr(value) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_names_set_later_in_the_notebook_are_no_parameters():
    parameters = 'profile = "full"  # small or full\nepochs = None'
    history = ["", parameters, "params = chapter_parameters(globals())", "accuracy = 0.5", "%%rust candle\nlet a = 1;"]
    assert chapter_parameters(cell(In=history, accuracy=0.5)).epochs == 10


def test_a_corrected_misspelling_is_forgotten_and_a_new_one_is_seen():
    wrong, right = 'profile = "full"\nepoch = 3', 'profile = "full"\nepochs = 3'
    assert chapter_parameters(cell(In=["", wrong, right], epoch=3, epochs=3)).epochs == 3
    with pytest.raises(ParameterError, match="`epoch`"):
        chapter_parameters(cell(In=["", right, wrong], epoch=3, epochs=3))


def test_names_that_papermill_injects_are_checked():
    history = ["", 'profile = "full"\nepochs = None', "# Parameters\ntrain_sizes = 100\n"]
    with pytest.raises(ParameterError, match="`train_sizes`: did you mean `train_size`"):
        chapter_parameters(cell(In=history, train_sizes=100))


def test_command_line_words():
    assert parse_parameters(["epochs=3", "device=cpu", "train_size=None"]) == {
        "epochs": 3,
        "device": "cpu",
        "train_size": None,
    }
    for words, message in [
        (["epochs"], "write it as name=value"),
        (["=3"], "write it as name=value"),
        (["ephocs=3"], "did you mean `epochs`"),
        (["epochs=many"], "`epochs` is 'many'"),
        (["epochs=1.5"], "`epochs` is 1.5"),
        (["seed=true"], "`seed` is True"),
    ]:
        with pytest.raises(ParameterError, match=message):
            parse_parameters(words)
