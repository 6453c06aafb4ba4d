"""Exercise cells follow their source, and answers are never written over."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_exercises import ENTRY, RUST
from typer.testing import CliRunner

from helpers import exercises, exercises_cli, run_chapters
from helpers.exercise_magic import not_attempted_output
from helpers.exercise_sync import chapter_cells, exercise_differences, update_notebook
from helpers.exercises import find_exercise, stub_cell, task_markdown

NAMES = ("first", "second")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "exercises" / "04"
    folder.mkdir(parents=True)
    (folder / "exercises.toml").write_text("".join(ENTRY.format(name=name) for name in NAMES))
    for name in NAMES:
        (folder / f"{name}.rs").write_text(RUST.replace("scaled", name))
    return folder.parent


@pytest.fixture
def notebook(tmp_path, root):
    """A chapter with the exercises' cells between a heading and a last cell."""
    path = tmp_path / "notebooks" / "04_test.ipynb"
    path.parent.mkdir()
    end = new_code_cell("print(1)", execution_count=7)
    nbformat.write(new_notebook(cells=[new_markdown_cell("## Exercises"), *chapter_cells("04", root), end]), path)
    return path


def cells(notebook):
    return nbformat.read(notebook, as_version=4).cells


def edit(notebook, change):
    content = nbformat.read(notebook, as_version=4)
    change(content.cells)
    nbformat.write(content, notebook)


def described(notebook, root):
    return [difference.describe() for difference in exercise_differences([notebook], root)]


def change_source(root, name="first"):
    path = root / "04" / f"{name}.rs"
    path.write_text(path.read_text().replace(f"fn {name}(x: f64)", f"fn {name}(number: f64)"))
    table = root / "04" / "exercises.toml"
    table.write_text(table.read_text().replace("Write `scaled`.", "Write it."))


def test_fresh_cells_do_not_differ(notebook, root):
    assert described(notebook, root) == []
    assert not update_notebook(notebook, root)
    code = cells(notebook)[2]
    assert code.source == stub_cell(find_exercise("first", root))
    assert code.outputs[0].data == not_attempted_output(find_exercise("first", root))


def test_a_changed_source_moves_into_unchanged_stubs(notebook, root):
    change_source(root)
    assert described(notebook, root) == [
        "04_test.ipynb: exercise first has another stub than its source",
        "04_test.ipynb: exercise first has another task than its source",
        "04_test.ipynb: exercise second has another task than its source",
    ]
    assert update_notebook(notebook, root)
    assert described(notebook, root) == []
    assert "fn first(number: f64)" in cells(notebook)[2].source
    assert [cell.execution_count for cell in cells(notebook) if cell.cell_type == "code"] == [1, 2, 3]


def test_an_answer_is_kept_whatever_happens_to_its_source(notebook, root):
    def answer(found):
        found[2].source = found[2].source.replace("todo!()", "2.0 * x")
        found[2].outputs = [new_output("stream", text="mine")]

    edit(notebook, answer)
    mine = cells(notebook)[2]
    said = "04_test.ipynb: exercise first holds an answer, not the stub"
    assert described(notebook, root) == [said]
    change_source(root)
    assert update_notebook(notebook, root)
    after = cells(notebook)
    assert (after[2].source, after[2].outputs) == (mine.source, mine.outputs)
    assert after[1].source == task_markdown(find_exercise("first", root))
    assert described(notebook, root) == [said]


def test_a_missing_exercise_is_named_and_inserted_in_its_place(notebook, root):
    edit(notebook, lambda found: found.__delitem__(slice(1, 3)))
    assert described(notebook, root) == ["04_test.ipynb: exercise first is missing"]
    assert update_notebook(notebook, root)
    assert described(notebook, root) == []
    names = [exercises.exercise_name(cell.source) for cell in cells(notebook) if cell.cell_type == "code"]
    assert names == ["first", "second", None]


def test_a_learners_own_cells_between_do_no_harm(notebook, root):
    edit(notebook, lambda found: found.insert(2, new_markdown_cell("my notes")))
    assert described(notebook, root) == []
    assert not update_notebook(notebook, root)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found.append(new_code_cell(found[2].source)), "has more than one cell"),
        (lambda found: found.__delitem__(1), "has no task above its cell"),
        (lambda found: found.append(new_code_cell("%%rust candle --exercise absent\n1")), "absent is not listed"),
    ],
)
def test_what_is_wrong_is_named(notebook, root, change, said):
    edit(notebook, change)
    assert any(said in line for line in described(notebook, root))


def test_only_answers_need_their_engine(notebook, root, monkeypatch):
    monkeypatch.setattr(exercises, "EXERCISES", root)
    chapter = run_chapters.Chapter("04", notebook)
    assert run_chapters.engines_of(chapter) == []
    edit(notebook, lambda found: found[2].update(source=found[2].source.replace("todo!()", "2.0 * x")))
    assert [engine.name for engine in run_chapters.engines_of(chapter)] == ["candle"]


class TestCommand:
    @pytest.fixture
    def invoke(self, root, notebook, monkeypatch):
        monkeypatch.setattr(exercises, "EXERCISES", root)
        monkeypatch.setattr(exercises_cli, "NOTEBOOKS", notebook.parent)
        monkeypatch.setattr(exercises_cli.console, "_width", 160)
        return lambda *words: CliRunner().invoke(exercises_cli.app, words)

    def test_list_and_hint_and_solution(self, invoke):
        assert "4.2" in invoke("list").output
        assert "Multiply." in invoke("hint", "first").output
        said = invoke("solution", "first").output
        assert "let y = 2.0 * x;" in said
        assert "HIDDEN" not in said
        assert "assert" not in said

    def test_untouched_answers_are_not_attempted_and_no_failure(self, invoke):
        result = invoke("check")
        assert result.exit_code == 0, result.output
        assert result.output.count("not attempted") == 2
        assert "0 of 4 points" in result.output

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("check", "frist"), "did you mean first?"),
            (("check", "--chapter", "9"), "Chapter '9' has no exercises; these chapters have some: 4."),
            (("check", "--stubs", "--solutions"), "Choose one of"),
        ],
    )
    def test_a_wrong_word_is_one_sentence(self, invoke, words, said):
        result = invoke(*words)
        assert result.exit_code == 1
        assert said in result.output
