"""Chapters run as papermill would run them, are measured, and fail with their cell's error."""

import json
import os

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.errors import ParameterError
from helpers.process_tree import ProcessTreeWatch
from helpers.run_chapters import Chapter, engines_of, find_chapters, new_run_folder, run_chapter, run_chapters

PARAMETERS = 'profile = "full"\nepochs = None\ntrain_size = None\nseed = 0'
CHECK = "from helpers.parameters import chapter_parameters\nparams = chapter_parameters(globals())"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "notebooks"


@pytest.fixture
def write(folder, monkeypatch):
    monkeypatch.delenv("WORKBOOK_PROFILE", raising=False)

    def write_chapter(*sources, name="01_test", tags=None, metadata=None):
        folder.mkdir(exist_ok=True)
        cells = [new_markdown_cell("# A chapter")] + [new_code_cell(source) for source in sources]
        for index, tag in (tags or {}).items():
            cells[index + 1].metadata["tags"] = [tag]
        path = folder / f"{name}.ipynb"
        nbformat.write(new_notebook(cells=cells, metadata=metadata or {}), path)
        return Chapter(name[:2], path)

    return write_chapter


def last_output(result):
    cells = nbformat.read(result.output, as_version=4).cells
    return "".join(output.text for output in cells[-1].outputs if output.output_type == "stream").strip()


def test_chapters_are_found_by_number_and_by_name(write, folder):
    write(name="02_five_engines")
    write(name="01_pytorch_cnn")
    write(name="scratch")
    assert [chapter.name for chapter in find_chapters(folder=folder)] == ["01_pytorch_cnn", "02_five_engines"]
    for word in ("2", "02", "02_five_engines", "02_five_engines.ipynb"):
        assert [chapter.number for chapter in find_chapters([word], folder)] == ["02"]
    with pytest.raises(ParameterError, match="no chapter '02_five_engine': did you mean 02_five_engines"):
        find_chapters(["02_five_engine"], folder)
    with pytest.raises(ParameterError, match="no chapter '7': the chapters are 01_pytorch_cnn, 02_five_engines"):
        find_chapters(["7"], folder)


def test_only_the_engines_a_chapter_uses_are_named(write):
    assert engines_of(write("import torch\nprint('%%rust')")) == []
    chapter = write("%%rust dfdx\nlet a = 1;", "%%rust candle src/model.rs\nfn a() {}")
    assert [engine.name for engine in engines_of(chapter)] == ["candle", "dfdx"]
    assert [e.name for e in engines_of(write("%rust_compare --engines tch,pytorch src/model.rs"))] == ["tch"]
    assert [e.name for e in engines_of(write("x = 1\n%rust_compare"))] == ["tch", "candle", "burn", "dfdx"]
    assert [e.name for e in engines_of(write("x", metadata={"workbook": {"engines": ["burn"]}}))] == ["burn"]


def test_a_chapter_gets_its_parameters_its_profile_and_its_folder(write, tmp_path):
    show = "import os\nprint(params.train_size, params.epochs, os.getcwd())"
    chapter = write(PARAMETERS, CHECK, show, tags={0: "parameters"})
    result = run_chapter(chapter, tmp_path, profile="small", parameters={"epochs": 1})
    assert result.passed, result.error
    assert last_output(result) == f"512 1 {chapter.path.parent}"
    assert "WORKBOOK_PROFILE" not in os.environ


def test_an_unknown_parameter_stops_in_the_first_cell(write, tmp_path):
    chapter = write(PARAMETERS, CHECK, "print('reached')", tags={0: "parameters"})
    result = run_chapter(chapter, tmp_path, parameters={"epoch": 1})
    assert not result.passed
    assert "ParameterError: There is no parameter `epoch`: did you mean `epochs`?" in result.error
    assert last_output(result) == ""


def test_a_failing_chapter_tells_the_cells_error_and_the_rest_still_runs(write, tmp_path):
    bad = write("a = 1", "%time b = 2", "raise ValueError('a \\x1b[31mred\\x1b[0m\\nword')", name="01_bad")
    good = write("a = 1", name="02_good")
    seen = []
    results = run_chapters([bad, good], tmp_path, on_result=seen.append)
    assert [result.passed for result in results] == [False, True]
    assert results[0].error.startswith("In [3] raise ValueError(")
    assert results[0].error.endswith(": ValueError: a red word")
    assert seen == results
    saved = json.loads((tmp_path / "results.json").read_text())
    assert [entry["passed"] for entry in saved] == [False, True]


@pytest.mark.slow
def test_a_kernel_that_dies_is_a_failure(write, tmp_path):
    result = run_chapter(write("import os\nos._exit(3)"), tmp_path)
    assert not result.passed
    assert "DeadKernelError" in result.error


@pytest.mark.slow
def test_the_memory_of_programs_below_the_kernel_counts(write, tmp_path):
    child = "import time; block = bytearray(300 << 20); time.sleep(1)"
    small = run_chapter(write("a = 1"), tmp_path)
    large = run_chapter(write(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])"), tmp_path)
    assert large.passed, large.error
    assert large.peak_bytes - small.peak_bytes > 250 << 20


@pytest.mark.slow
def test_what_a_kernel_leaves_running_is_ended(write, tmp_path):
    start = "import subprocess, time\nprint(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)"
    result = run_chapter(write(f"{start}\ntime.sleep(0.5)"), tmp_path)
    pid = int(last_output(result))
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_programs_from_before_are_neither_counted_nor_ended():
    with psutil.Popen(["sleep", "60"]) as before:
        with ProcessTreeWatch() as watch:
            watch.sample()
        assert before.is_running()
        before.kill()
    assert watch.peak_bytes == 0


def test_run_folders_do_not_collide(tmp_path):
    assert len({new_run_folder(tmp_path) for _ in range(3)}) == 3
