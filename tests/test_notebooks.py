"""All notebooks run from top to bottom, and a broken one cannot pass."""

import os
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers.paths import NOTEBOOKS
from helpers.process_tree import ProcessTreeWatch
from helpers.run_chapters import Chapter, run_chapter

pytestmark = pytest.mark.slow

CHAPTERS = sorted(NOTEBOOKS.glob("*.ipynb"))
SMALL_MACHINE_BYTES = 1.8e9  # a free Binder session is ended at 2 GB


def nbval(notebook):
    """Run a notebook under `pytest --nbval-lax` in the small profile; return the exit code and what was said."""
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "--nbval-current-env", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-q", f"--rootdir={notebook.parent}", "-c", os.devnull, str(notebook)],
        cwd=notebook.parent,
        env={**os.environ, "WORKBOOK_PROFILE": "small"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("notebook", CHAPTERS, ids=lambda path: path.stem)
def test_chapter(notebook):
    with ProcessTreeWatch() as watch:
        code, said = nbval(notebook)
    assert code == 0, said
    assert watch.peak_bytes < SMALL_MACHINE_BYTES


@pytest.fixture
def write(tmp_path):
    def write_notebook(*sources):
        path = tmp_path / "01_cells.ipynb"
        cells = [new_code_cell(source) for source in ("%load_ext helpers.rust_magic", *sources)]
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return write_notebook


GOOD = '%%rust candle --device cpu\nlet a = Tensor::new(&[1f32, 2.], &Device::Cpu)?;\nprintln!("{a}");'
MOVED = 'let a = String::from("moved");\nlet b = a;\nprintln!("{a} {b}");'
RED = {
    "does not compile": (f"%%rust candle\n{MOVED}", "RustCompileError", "E0382"),
    "expected error does not come": ("%%rust candle --expect E0382\nlet a = 1;", "RustExpectationError", "E0382"),
    "another error comes": (f"%%rust candle --expect E0502\n{MOVED}", "RustExpectationError", "E0382"),
    "panics": ('%%rust candle --device cpu\npanic!("on purpose");', "RustPanic", "on purpose"),
}


@pytest.mark.parametrize(("source", "error", "word"), RED.values(), ids=RED)
def test_a_broken_cell_turns_its_notebook_red(write, tmp_path, source, error, word):
    notebook = write(source)
    code, said = nbval(notebook)
    assert code == 1, said
    assert "1 failed, 1 passed" in said
    assert error in said
    assert word in said

    result = run_chapter(Chapter("01", notebook), tmp_path, profile="small")
    assert not result.passed
    assert result.error.startswith(f"In [2] {source.splitlines()[0]}: {error}: ")
    assert word in result.error


def test_cells_that_keep_their_word_stay_green(write, tmp_path):
    panic = RED["panics"][0].replace("candle", "candle --expect panic", 1)
    notebook = write(GOOD, f"%%rust candle --expect E0382\n{MOVED}", panic)
    code, said = nbval(notebook)
    assert code == 0, said
    assert "4 passed" in said
    result = run_chapter(Chapter("01", notebook), tmp_path, profile="small")
    assert result.passed, result.error
