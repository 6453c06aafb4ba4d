"""The question magic, its table, and the questions of chapter 4."""

import re
from collections.abc import Callable, Iterator

import nbformat
import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from IPython.utils.capture import capture_output
from plain_engine import PlainEngine

from helpers import quiz, quiz_table
from helpers.errors import RustExpectationError, RustUsageError
from helpers.paths import NOTEBOOKS
from helpers.quiz_table import COMPILES, Question, meaning, question, table
from helpers.quiz_view import answer_text, question_html, question_text, scoreboard_html, scoreboard_text, show_widget

Run = Callable[[str], ExecutionResult]
ROWS = {
    "moved": Question("moved", {"": "E0382"}, (COMPILES, "E0382", "E0505"), "`s` was given to `t`."),
    "fine": Question("fine", {"": COMPILES}, (COMPILES, "E0382"), "Nothing moves.", {"plain": "fn two() -> i32 { 2 }"}),
    "wrong": Question("wrong", {"": "E0505"}, (COMPILES, "E0505"), "The table is wrong."),
}
MOVED = 'let s = String::from("a");\nlet t = s;\nprintln!("{s} {t}");'
ISSUE_CODES = {"E0382", "E0499", "E0502", "E0505", "E0507", "E0515", "E0597", "E0716"}
ISSUE_CODES |= {"E0277", "E0308", "E0373", "E0599"}


@pytest.fixture
def run(plain_engine: PlainEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setattr(quiz, "question", ROWS.__getitem__)
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(colors="nocolor")
    shell.run_line_magic("load_ext", "helpers.rust_magic")
    shell.run_line_magic("load_ext", "helpers.quiz")
    yield lambda cell: shell.run_cell(cell)
    shell.run_line_magic("unload_ext", "helpers.rust_magic")
    InteractiveShell.clear_instance()


def test_where_nobody_watches_the_answer_follows_the_question(run: Run) -> None:
    with capture_output() as shown:
        run(f"%%rust_predict plain moved\n{MOVED}").raise_error()
    html, text = (shown.outputs[0].data[kind] for kind in ("text/html", "text/plain"))
    assert html.index("Does it compile?") < html.index("<details>") < html.index("E0382, as expected")
    assert "it compiles" in text and "E0505: a value is moved while it is borrowed" in text
    assert "E0382, as expected: borrow of moved value: `s`" in text
    assert "`s` was given to `t`." in text


def test_what_compiles_runs_with_the_text_below(run: Run) -> None:
    with capture_output() as shown:
        run('%%rust_predict plain fine\nprintln!("{}", two() * 21);').raise_error()
    assert "Plain Rust: it compiles.\n42\nNothing moves." in shown.outputs[0].data["text/plain"]
    assert "fn" in shown.outputs[0].data["text/html"]


def test_another_verdict_than_the_tables_is_red(run: Run) -> None:
    with capture_output() as shown, pytest.raises(RustExpectationError, match="says E0505, the compiler E0382"):
        run(f"%%rust_predict plain wrong\n{MOVED}").raise_error()
    assert "a case of your own" in shown.outputs[0].data["text/plain"]
    with pytest.raises(RustExpectationError, match="says E0382, the compiler compiles"), capture_output():
        run("%%rust_predict plain moved\nlet a = 1;\nassert_eq!(a, 1);").raise_error()


@pytest.mark.parametrize("line", ["", "plain", "plain moved more"])
def test_a_line_without_engine_and_key_is_refused(run: Run, line: str) -> None:
    with pytest.raises(RustUsageError, match="needs an engine and a key"):
        run(f"%%rust_predict {line}\nlet a = 1;").raise_error()


def test_a_widget_asks_the_compiler_only_when_the_button_is_pressed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiz, "has_kernel", lambda: True)
    monkeypatch.setattr(quiz, "is_watched", lambda: True)
    made = []
    monkeypatch.setattr("ipywidgets.Button.on_click", lambda button, ask: made.append((button, ask)))
    with capture_output() as shown:
        run(f"%%rust_predict plain moved\n{MOVED}").raise_error()
    assert "application/vnd.jupyter.widget-view+json" in shown.outputs[0].data
    assert "E0382, as expected" not in shown.outputs[0].data["text/html"]
    prediction = quiz.asked("moved")
    assert prediction.runs == {}
    ((button, ask),) = made
    with capture_output():
        ask(button)
    assert prediction.verdicts == {"plain": "E0382"}
    prediction.said = {"plain": "E0505"}
    assert "You said E0505: not so." in answer_text(prediction)
    assert "You were right 0 of 1 times." in scoreboard_text(quiz.all_asked())
    assert "<td>E0505</td><td>E0382</td>" in scoreboard_html(quiz.all_asked())
    assert callable(show_widget) and "E0505" in question_html(prediction) and "E0505" in question_text(prediction)


def test_a_question_that_was_not_asked_has_no_answer(run: Run) -> None:
    with pytest.raises(RustUsageError, match="No cell has asked 'moved'"):
        quiz.asked("moved")


def test_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(RustUsageError, match="Did you mean 'two-mut'"):
        question("two-muts")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('key = "a"\nanswer = "E0382"\nothers = []', "why is missing"),
        ('key = "a"\nanswer = "E0382"\nothers = []\nwhy = "x"\nhint = "y"', "unknown key 'hint'"),
        ('key = "a"\nanswer = "E0001"\nothers = []\nwhy = "x"', "E0001 has no meaning"),
    ],
)
def test_a_damaged_row_is_named(tmp_path, row: str, words: str) -> None:
    path = tmp_path / "quiz.toml"
    path.write_text(f'[codes]\nE0382 = "moved"\n[[question]]\n{row}\n')
    with pytest.raises(ValueError, match=words):
        quiz_table.table(path)


def test_choices_begin_with_compiles_and_hold_the_answer() -> None:
    for row in table()[1].values():
        assert row.choices[0] == COMPILES
        assert set(row.answers.values()) <= set(row.choices)
        assert len(row.choices) >= 3, row.key
        assert row.why.endswith(".")
    assert meaning("E0382,E0505").startswith("E0382: a value is used after it was moved; E0505: ")


# --- chapter 4 -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rust_cells() -> list[str]:
    notebook = nbformat.read(NOTEBOOKS / "04_ownership_laboratory.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.source.startswith("%%rust")]


def _key(cell: str) -> str | None:
    match = re.match(r"%%rust_predict (\S+) (\S+)\n", cell)
    return match[2] if match else None


def test_each_question_of_the_table_is_asked_once(rust_cells: list[str]) -> None:
    keys = [key for key in map(_key, rust_cells) if key]
    assert sorted(keys) == sorted(table()[1])


def test_at_least_25_cells_fail_with_all_codes_in_all_engines(rust_cells: list[str]) -> None:
    refused = []
    for cell in rust_cells:
        if key := _key(cell):
            engines = cell.split()[1].split(",")
            refused += [(engine, question(key).answer(engine)) for engine in engines]
    refused = [(engine, code) for engine, code in refused if code != COMPILES]
    assert len(refused) >= 25
    assert {code for _, codes in refused for code in codes.split(",")} >= ISSUE_CODES
    assert {engine for engine, _ in refused} == {"tch", "candle", "burn", "dfdx"}


def test_each_question_is_followed_by_a_cell_that_runs(rust_cells: list[str]) -> None:
    for number, cell in enumerate(rust_cells):
        if _key(cell):
            following = next(later for later in rust_cells[number + 1 :] if _key(later) is None)
            assert "--expect" not in following.split("\n")[0]
    runs = [index for index, cell in enumerate(rust_cells) if _key(cell) is None]
    alone = [cell for number, cell in enumerate(rust_cells) if _key(cell) and number + 1 not in runs]
    assert [_key(cell) for cell in alone] == ["no-lifetime"]  # shares its twin with the question after it
