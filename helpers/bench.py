"""`workbook bench`: the measurements behind the workbook's figures. Each writes a JSON file to runs/bench/."""

import json
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import psutil
import typer
from rich.table import Table

from helpers.engines import ENGINES, RUST_ENGINES, rust_engine
from helpers.environment import FRAMEWORK_CRATES, cpu_name, locked_versions, usable_cores
from helpers.paths import REPO, SNIPPETS
from helpers.terminal import console, shows_errors
from helpers.toolchain import rustc_version

RESULTS = REPO / "runs" / "bench"

app = typer.Typer(no_args_is_help=True, help="Measure cells, engines and builds on this machine.")
Frameworks = Annotated[list[str] | None, typer.Argument(help="tch, candle, burn, dfdx; all if none is named.")]


@app.command()
@shows_errors
def cells(
    frameworks: Frameworks = None,
    rounds: Annotated[int, typer.Option(min=1, help="Measurements of each kind.")] = 7,
) -> None:
    """Time a cell with one changed line, and an unchanged one, against bare cargo."""
    from helpers.bench_cells import measure_cells

    measured = []
    for engine in [rust_engine(name) for name in frameworks or RUST_ENGINES]:
        with console.status(f"{engine.title}: {rounds} rounds"):
            measured.append(measure_cells(engine, rounds))
    view = Table("framework", title="workbook bench cells", title_justify="left")
    for title in ("changed cell", "bare cargo + run", "ratio", "unchanged cell", "binary alone", "over it"):
        view.add_column(title, justify="right")
    for row in measured:
        view.add_row(
            ENGINES[row.engine].title,
            _spread(row.changed),
            _spread(row.bare),
            f"{row.ratio:.2f}",
            _spread(row.unchanged),
            _spread(row.binary),
            f"{row.overhead:.3f} s",
        )
    _report("cells", [{**vars(row), "ratio": row.ratio, "overhead": row.overhead} for row in measured], view)


@app.command()
@shows_errors
def engines(
    names: Annotated[list[str] | None, typer.Argument(help="Engines; all five if none is named.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each engine, interleaved.")] = 3,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs a run.")] = 3,
    train_size: Annotated[int | None, typer.Option(min=1, help="Training images; all if not given.")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Images a step.")] = 64,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
) -> None:
    """Train the network in each engine, in interleaved rounds, and show speed, memory and accuracy with spread."""
    from helpers.bench_engines import measure_engines

    chosen = list(names or ENGINES)
    comparison = measure_engines(
        chosen, rounds=rounds, epochs=epochs, train_size=train_size, batch_size=batch_size, device=device
    )
    rows = comparison.rows()
    view = Table(*rows[0], title="workbook bench engines", title_justify="left", caption=comparison.note)
    for row in rows:
        view.add_row(*(value.replace(" (", "\n(") for value in row.values()))
    results = {
        name: {
            "images_per_second": comparison.throughput(name).samples,
            "peak_rss_bytes": comparison.peak_memory(name).samples,
            "test_accuracy": comparison.accuracy(name).samples,
            "wall_seconds": [run.wall_seconds for run in comparison.results[name]],
        }
        for name in chosen
    }
    settings = {
        "rounds": rounds,
        "epochs": epochs,
        "train_size": train_size,
        "batch_size": batch_size,
        "device": device,
    }
    _report("engines", {"settings": settings, "data": comparison.source.description, "engines": results}, view)


@app.command(name="builds")
@shows_errors
def builds_command(frameworks: Frameworks = None) -> None:
    """Time a build of each framework from nothing, in a fresh target folder that is removed afterwards."""
    from helpers.bench_builds import measure_build

    measured = [measure_build(rust_engine(name)) for name in frameworks or RUST_ENGINES]
    view = Table("framework", title="workbook bench builds", title_justify="left")
    for title in ("crates", "seconds", "disk"):
        view.add_column(title, justify="right")
    for row in measured:
        view.add_row(ENGINES[row.engine].title, str(row.crates), f"{row.seconds:.0f}", f"{row.disk_bytes / 1e9:.2f} GB")
    view.add_row("together", "", f"{sum(row.seconds for row in measured):.0f}", "")
    _report("builds", [vars(row) for row in measured], view)


def _spread(samples: Sequence[float]) -> str:
    return f"{statistics.median(samples):.3f} s\n{min(samples):.3f} to {max(samples):.3f}"


def _report(kind: str, results: Any, view: Table) -> None:
    console.print(view)
    path = write_results(kind, results)
    console.print(f"Written to {path}", highlight=False)


def write_results(kind: str, results: Any, folder: Path = RESULTS) -> Path:
    """Write a measurement with the machine and the versions it was made with, and return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now().astimezone()
    content = {
        "kind": kind,
        "date": now.isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "results": results,
    }
    path = folder / f"{kind}_{now:%Y-%m-%d_%H-%M-%S}.json"
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def machine() -> Mapping[str, str | int]:
    """Return what the figures depend on most."""
    return {
        "cpu": cpu_name(),
        "cores_used": usable_cores(),
        "cores": os.cpu_count() or 1,
        "memory_bytes": psutil.virtual_memory().total,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def versions() -> Mapping[str, str]:
    """Return the versions of Python, torch, the compilers and the frameworks."""
    found = {"python": platform.python_version(), "torch": metadata.version("torch")}
    for name, engine in RUST_ENGINES.items():
        found |= locked_versions(SNIPPETS / name / "Cargo.lock", FRAMEWORK_CRATES[name])
        found[f"rustc for {name}"] = ".".join(map(str, rustc_version(engine.toolchain)))
    return found
