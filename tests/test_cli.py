"""The `workbook` command: what it prints, what it refuses, and its exit codes."""

import os
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from typer.testing import CliRunner

from helpers import builds, cli, doctor, sync
from helpers.doctor_checks import Check
from helpers.engines import RUST_ENGINES
from helpers.errors import SetupError
from helpers.run_chapters import ChapterResult

runner = CliRunner()


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(cli.console, "_width", 160)
    monkeypatch.delenv("WORKBOOK_PROFILE", raising=False)


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    """An empty folder of chapters in place of the real one, and a place for runs."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    find = cli.find_chapters
    monkeypatch.setattr(cli, "find_chapters", lambda chosen: find(chosen, folder))
    monkeypatch.setattr(cli, "NOTEBOOKS", folder)
    monkeypatch.setattr(cli, "REPO", tmp_path)
    run_folder = cli.new_run_folder
    monkeypatch.setattr(cli, "new_run_folder", lambda: run_folder(tmp_path / "runs"))
    return folder


@pytest.fixture
def built(monkeypatch):
    """Record what would be built instead of building it."""
    names = []
    monkeypatch.setattr(doctor, "prepare", lambda engines, console: None)
    monkeypatch.setattr(builds, "build_engines", lambda engines, console: names.extend(e.name for e in engines))
    return names


def write(folder, name, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), folder / f"{name}.ipynb")


def call(*words, **more):
    result = runner.invoke(cli.app, list(words), **more)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_all_commands_are_there():
    said = call("--help").output
    assert all(f" {name} " in said for name in ("lab", "run", "build", "doctor", "bench", "sync", "clean"))


@pytest.mark.slow
def test_run_executes_every_chapter_and_one_failure_gives_exit_code_1(notebooks, built):
    write(notebooks, "01_good", "a = 1")
    write(notebooks, "02_bad", "raise ValueError('[told] in brackets')")
    result = call("run")
    assert result.exit_code == 1
    assert "01_good: pass" in result.output
    assert "fail In [1] raise ValueError('[told] in brackets'): ValueError: [told] in brackets" in result.output
    assert built == []


def test_run_builds_only_what_the_chosen_chapters_use(notebooks, built, monkeypatch):
    write(notebooks, "01_first", "%%rust dfdx\nlet a = 1;")
    write(notebooks, "02_second", "%%rust candle\nlet a = 1;", "%%rust tch\nlet a = 1;")
    seen = {}

    def run_nothing(chapters, folder, **options):
        seen.update(options, chapters=[chapter.name for chapter in chapters])
        return [ChapterResult("02_second", True, 1.0, 5_000_000, "", "")]

    monkeypatch.setattr(cli, "run_chapters", run_nothing)
    result = call("run", "--chapter", "2", "--profile", "small", "--param", "epochs=3", "--param", "device=cpu")
    assert result.exit_code == 0, result.output
    assert built == ["tch", "candle"]
    assert seen["chapters"] == ["02_second"]
    assert (seen["profile"], seen["parameters"]) == ("small", {"epochs": 3, "device": "cpu"})
    assert "5 MB" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "--param", "epoch=3"], "There is no parameter `epoch`: did you mean `epochs`?"),
        (["run", "--param", "epochs=lots"], "Parameter `epochs` is 'lots'"),
        (["run", "--chapter", "9"], "There is no chapter '9'"),
        (["build", "candel"], "There is no framework 'candel'"),
        (["clean", "candel"], "There is no framework 'candel'"),
        (["sync", "--to-notebooks", "--to-snippets"], "Choose one of"),
        (["bench", "cells", "jax"], "There is no framework 'jax'"),
    ],
)
def test_bad_words_are_refused_in_one_sentence_before_anything_runs(notebooks, built, words, message):
    write(notebooks, "01_good", "a = 1")
    result = call(*words)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert built == []


def test_an_unknown_profile_is_a_usage_error():
    assert call("run", "--profile", "medium").exit_code == 2


def test_what_is_missing_is_named_before_anything_is_built(notebooks, monkeypatch):
    def refuse(engines, console):
        raise SetupError("cargo: there is none on the PATH; install Rust.")

    monkeypatch.setattr(doctor, "prepare", refuse)
    monkeypatch.setattr(builds, "build_engines", lambda *_: pytest.fail("built"))
    write(notebooks, "01_rust", "%%rust candle\nlet a = 1;")
    for command in ("run", "build", "lab"):
        result = call(command)
        assert result.exit_code == 1
        assert "cargo: there is none on the PATH; install Rust." in result.stderr


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (Check("cargo", False, "none", "install it."), 1),
        (Check("dfdx's compiler", False, "not installed", "run it.", installable=True), 0),
        (Check("cargo", True, "1.95.0"), 0),
    ],
)
def test_doctor_prints_a_table_and_fails_only_on_what_must_be_mended(monkeypatch, check, code):
    monkeypatch.setattr(doctor, "examine", lambda engines: [check])
    result = call("doctor")
    assert check.finding in result.output
    assert result.exit_code == code


def test_lab_opens_chapter_1_and_passes_options_on(notebooks, built, monkeypatch):
    write(notebooks, "01_pytorch_cnn", "a = 1")
    started = []
    monkeypatch.setattr(os, "execv", lambda program, words: started.append(words))
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    call("lab", "--no-browser", "--port", "9999", "--ip=0.0.0.0")
    (command,) = started
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--LabApp.default_url=/lab/tree/notebooks/01_pytorch_cnn.ipynb" in command
    assert {"--no-browser", "--port=9999", "--ip=0.0.0.0"} < set(command)
    assert built == list(RUST_ENGINES)


def test_sync_lists_differences_and_fails(monkeypatch, tmp_path):
    path = tmp_path / "01_test.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("%%rust candle src/nowhere.rs\nfn a() {}")]), path)
    compare = sync.differences
    monkeypatch.setattr(sync, "differences", lambda: compare([path]))
    for words in (["sync"], ["sync", "--check"]):
        result = call(*words)
        assert result.exit_code == 1
        assert "01_test.ipynb, cell 1: there is no file rust_snippets/candle/src/nowhere.rs" in result.output


def test_clean_removes_what_was_built_and_nothing_else(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBOOK_TARGET_DIR", str(tmp_path))
    for name in ("candle/release", "tch/release", "cells/programs", "common", "mine"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(b"x" * 100)
    assert call("clean", input="n\n").exit_code == 0
    assert (tmp_path / "candle").exists()
    assert call("clean", "candle", "--yes").exit_code == 0
    assert not (tmp_path / "candle").exists()
    assert (tmp_path / "tch").exists()
    assert call("clean", "--yes").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells", "mine"]
    assert list((tmp_path / "cells").iterdir()) == []
    assert "nothing to remove" in call("clean", "candle", "--yes").output
