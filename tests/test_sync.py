"""Cells and files are the same text, and edits move both ways."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers import sync
from helpers.errors import WorkbookError

MODEL = "pub struct Net;\n\nimpl Net {}\n"


@pytest.fixture
def snippets(tmp_path):
    for name, text in {"candle/src/model.rs": MODEL, "burn/src/model.rs": MODEL, "pytorch/model.py": "a = 1\n"}.items():
        path = tmp_path / "rust_snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "rust_snippets"


@pytest.fixture
def write(tmp_path):
    def write_notebook(*cells, name="01_test.ipynb"):
        path = tmp_path / name
        nbformat.write(new_notebook(cells=list(cells)), path)
        return path

    return write_notebook


def rust(text, line="candle src/model.rs", **metadata):
    return new_code_cell(f"%%rust {line}\n{text}", metadata=metadata)


def describe(notebook, snippets):
    return [d.describe(snippets) for d in sync.differences([notebook], snippets)]


def test_equal_texts_do_not_differ_whatever_the_last_newline(write, snippets):
    notebook = write(
        rust(MODEL.rstrip("\n")), rust(MODEL, "burn src/model.rs --time"), new_code_cell("%%pytorch model.py\na = 1")
    )
    assert len(sync.file_cells(notebook, snippets)) == 3
    assert sync.differences([notebook], snippets) == []


def test_a_difference_names_cell_file_and_line(write, snippets):
    notebook = write(new_markdown_cell("text"), rust(MODEL.replace("impl", "impl<T>")))
    assert describe(notebook, snippets) == ["01_test.ipynb, cell 2: differs from candle/src/model.rs in line 3"]
    assert "+impl<T> Net {}" in sync.differences([notebook], snippets)[0].diff()


def test_a_longer_cell_and_a_missing_file_differ(write, snippets):
    notebook = write(rust(MODEL + "fn more() {}\n"), rust("fn a() {}", "candle src/nowhere.rs"))
    assert describe(notebook, snippets) == [
        "01_test.ipynb, cell 1: differs from candle/src/model.rs in line 4",
        "01_test.ipynb, cell 2: there is no file candle/src/nowhere.rs",
    ]


def test_cells_that_are_no_files_are_left_out(write, snippets):
    notebook = write(
        rust("let a = 1;", "candle"),
        rust("fn broken(", "candle src/model.rs --expect E0382"),
        rust("fn other() {}", tags=["variant"]),
        rust("fn other() {}", "candel src/model.rs"),
        rust("fn other() {}", "candle ../model.rs"),
        new_code_cell("%%pytorch\nb = 2"),
        new_code_cell("print('%%rust candle src/model.rs')"),
    )
    assert sync.file_cells(notebook, snippets) == []


def test_edits_move_into_the_files(write, snippets):
    notebook = write(rust("pub struct Edited;"))
    assert sync.to_snippets(sync.differences([notebook], snippets)) == [snippets / "candle/src/model.rs"]
    assert (snippets / "candle/src/model.rs").read_text() == "pub struct Edited;\n"
    assert sync.differences([notebook], snippets) == []


def test_edits_move_into_the_notebooks_and_stale_outputs_go(write, snippets):
    changed, same = rust("old"), rust(MODEL, "burn src/model.rs")
    for cell in (changed, same):
        cell.outputs, cell.execution_count = [new_output("stream", text="said")], 3
    notebook = write(changed, same)
    assert sync.to_notebooks(sync.differences([notebook], snippets)) == [notebook]
    assert sync.differences([notebook], snippets) == []
    cells = nbformat.read(notebook, as_version=4).cells
    assert cells[0].source == "%%rust candle src/model.rs\n" + MODEL.rstrip("\n")
    assert (cells[0].outputs, cells[0].execution_count) == ([], None)
    assert cells[1].execution_count == 3


def test_two_cells_that_disagree_are_named_and_nothing_is_written(write, snippets):
    first, second = write(rust("fn a() {}")), write(rust("fn b() {}"), name="02_test.ipynb")
    with pytest.raises(WorkbookError, match=r"01_test.ipynb, cell 1 and 02_test.ipynb, cell 1 hold model.rs"):
        sync.to_snippets(sync.differences([first, second], snippets))
    assert (snippets / "candle/src/model.rs").read_text() == MODEL


def test_the_committed_notebooks_hold_the_committed_files():
    found = sync.differences()
    assert not found, "\n".join(d.describe(sync.SNIPPETS) + "\n" + d.diff() for d in found)
