"""The command line: `workbook lab | run | build | doctor | bench | claims | exercises | sync | clean`."""

import os
import shutil
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from helpers import builds, doctor, sync
from helpers.bench import app as bench_app
from helpers.claims_cli import claims_command
from helpers.engines import RUST_ENGINES, Engine, rust_engine
from helpers.errors import SetupError
from helpers.exercise_sync import ExerciseDifference, exercise_differences, update_notebook
from helpers.exercises_cli import app as exercises_app
from helpers.parameters import parse_parameters
from helpers.paths import CIFAR10_VARIABLE, NOTEBOOKS, REPO
from helpers.run_chapters import RUNS, ChapterResult, engines_of, find_chapters, new_run_folder, run_chapters
from helpers.terminal import console, plain, shows_errors

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(bench_app, name="bench")
app.add_typer(exercises_app, name="exercises")
app.command("claims")(claims_command)
FIRST_CHAPTER = "01"


class Profile(StrEnum):
    """How much work the chapters do."""

    SMALL = "small"
    FULL = "full"


@app.callback()
def main() -> None:
    """Deep learning in Rust for PyTorch users: a workbook whose every cell is compiled, run and measured."""
    # Kernels run in the notebooks' folder; a relative path of the reader means the one of this command.
    if directory := os.environ.get(CIFAR10_VARIABLE):
        os.environ[CIFAR10_VARIABLE] = str(Path(directory).expanduser().resolve())


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
@shows_errors
def lab(
    context: typer.Context,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
    port: Annotated[int | None, typer.Option(help="Port of the server.")] = None,
    build: Annotated[bool, typer.Option("--build/--no-build", help="Build what is missing first.")] = True,
) -> None:
    """Check this machine, build what is missing, and open JupyterLab on chapter 1.

    Further options go to JupyterLab as they are.
    """
    if build:
        _build(list(RUST_ENGINES.values()))
    command = lab_command(browser=browser, port=port, more=context.args)
    sys.stdout.flush()
    os.chdir(REPO)
    os.execv(command[0], command)


def lab_command(*, browser: bool, port: int | None, more: Sequence[str] = ()) -> list[str]:
    """Return the command that starts JupyterLab on chapter 1.

    Raises:
        SetupError: The chapter is missing.
    """
    first = next(NOTEBOOKS.glob(f"{FIRST_CHAPTER}_*.ipynb"), None)
    if first is None:
        raise SetupError(f"There is no chapter {FIRST_CHAPTER} in {NOTEBOOKS}: run `git checkout notebooks`.")
    url = f"/lab/tree/{first.relative_to(REPO).as_posix()}"
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={REPO}", f"--LabApp.default_url={url}"]
    command.append("--LabApp.news_url=None")  # no question about news of another project on the first start
    command += [] if browser else ["--no-browser"]
    command += [f"--port={port}"] if port is not None else []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # as in a container; Jupyter refuses otherwise
    return [*command, *more]


@app.command()
@shows_errors
def run(
    profile: Annotated[Profile | None, typer.Option(help="small ends in minutes; full uses all of the data.")] = None,
    chapter: Annotated[list[str] | None, typer.Option(help="A chapter's number; may be repeated.")] = None,
    param: Annotated[list[str] | None, typer.Option(help="A parameter, as epochs=3; may be repeated.")] = None,
) -> None:
    """Execute the chapters without a browser and print what each took, and whether it passed."""
    parameters = parse_parameters(param or [])
    chosen = parameters.get("profile") or (profile.value if profile else None)
    chapters = find_chapters(chapter or [])
    if not chapters:
        raise SetupError(f"There are no chapters in {NOTEBOOKS}: run `git checkout notebooks`.")
    used = {engine.name for item in chapters for engine in engines_of(item)}
    _build([engine for name, engine in RUST_ENGINES.items() if name in used])
    folder = new_run_folder()
    results = run_chapters(
        chapters,
        folder,
        profile=chosen,
        parameters=parameters,
        progress_bar=sys.stderr.isatty(),
        on_result=lambda result: console.print(f"{result.chapter}: {'pass' if result.passed else 'fail'}"),
    )
    console.print(results_table(results))
    console.print(f"The executed chapters are in {folder}", highlight=False)
    if not all(result.passed for result in results):
        raise typer.Exit(1)


def results_table(results: Sequence[ChapterResult]) -> Table:
    """Return a table of chapters with seconds, peak memory and verdict."""
    view = Table("chapter", title="workbook run", title_justify="left")
    view.add_column("seconds", justify="right")
    view.add_column("peak memory", justify="right")
    view.add_column("result", overflow="fold")
    for result in results:
        verdict = "[green]pass[/]" if result.passed else f"[bold red]fail[/] {plain(result.error)}"
        view.add_row(result.chapter, f"{result.seconds:.1f}", f"{result.peak_bytes / 1e6:,.0f} MB", verdict)
    return view


@app.command()
@shows_errors
def build(
    frameworks: Annotated[
        list[str] | None, typer.Argument(help="tch, candle, burn, dfdx; all if none is named.")
    ] = None,
) -> None:
    """Build the frameworks' crates, only what is missing, and print how long each took."""
    _build(_named(frameworks))


@app.command(name="doctor")
@shows_errors
def doctor_command() -> None:
    """Show what is there, what is missing or wrong, and how to mend it."""
    checks = doctor.examine(list(RUST_ENGINES.values()))
    console.print(doctor.table(checks))
    if not all(check.ok or check.installable for check in checks):
        raise typer.Exit(1)


@app.command(name="sync")
@shows_errors
def sync_command(
    check: Annotated[bool, typer.Option("--check", help="Only list the cells that differ (the default).")] = False,
    to_notebooks: Annotated[bool, typer.Option("--to-notebooks", help="Write the files into the cells.")] = False,
    to_snippets: Annotated[bool, typer.Option("--to-snippets", help="Write the cells into the files.")] = False,
) -> None:
    """Compare the cells that hold files, and the exercises, with rust_snippets; or move edits from one to the other.

    Exercises only move to the notebooks, and answers stay as they are.
    """
    if check + to_notebooks + to_snippets > 1:
        raise SetupError("Choose one of --check, --to-notebooks and --to-snippets.")
    found: list[sync.Difference | ExerciseDifference] = [*sync.differences(), *exercise_differences()]
    if found and (to_notebooks or to_snippets):
        cells = [difference for difference in found if isinstance(difference, sync.Difference)]
        written = sync.to_notebooks(cells) if to_notebooks else sync.to_snippets(cells)
        if to_notebooks:
            written += [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if update_notebook(path)]
        for path in dict.fromkeys(written):
            console.print(f"written: {path.relative_to(REPO)}{' (run what has no output)' if to_notebooks else ''}")
        found = [*sync.differences(), *exercise_differences()]
    for difference in found:
        console.print(difference.describe(REPO), highlight=False, markup=False)
    if found:
        console.print("Run `workbook sync --to-notebooks` or `workbook sync --to-snippets`.")
        raise typer.Exit(1)
    console.print("Cells and files hold the same text.")


@app.command()
@shows_errors
def clean(
    frameworks: Annotated[
        list[str] | None, typer.Argument(help="tch, candle, burn, dfdx; all if none is named.")
    ] = None,
    runs: Annotated[bool, typer.Option("--runs", help="Also remove the results in runs/.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove what was built; the next cell of a removed framework builds it again."""
    built = builds.removable(_named(frameworks))
    folders = [*built, *([RUNS] if runs and RUNS.is_dir() else [])]
    if not folders:
        console.print("There is nothing to remove.")
        return
    for folder in folders:
        console.print(f"{builds.folder_bytes(folder) / 1e9:6.2f} GB  {folder}", highlight=False)
    if yes or typer.confirm("Remove these folders?"):
        builds.remove(built)
        if runs:
            shutil.rmtree(RUNS, ignore_errors=True)


def _named(frameworks: Sequence[str] | None) -> list[Engine]:
    return [rust_engine(name) for name in frameworks] if frameworks else list(RUST_ENGINES.values())


def _build(engines: Sequence[Engine]) -> None:
    """Name what is missing, then build."""
    if engines:
        doctor.prepare(engines, console)
        builds.build_engines(engines, console)
