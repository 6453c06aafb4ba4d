"""Names what is missing or wrong before anything is built, and installs what can be installed without asking."""

import subprocess
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from helpers import doctor_checks
from helpers.doctor_checks import Check, Machine
from helpers.engines import Engine
from helpers.errors import SetupError
from helpers.terminal import plain


def examine(engines: Sequence[Engine], machine: Machine | None = None) -> list[Check]:
    """Run all checks that matter for building these engines.

    Args:
        engines: The engines to build; PyTorch among them is skipped, as it needs no build.
        machine: What to look at; this machine by default.
    """
    machine = machine or Machine()
    rust = [engine for engine in engines if engine.is_rust]
    on_stable = [engine for engine in rust if engine.toolchain is None]
    checks = [doctor_checks.check_python(machine)]
    if rust:
        checks.append(doctor_checks.check_cargo(machine))
    if on_stable:
        checks.append(doctor_checks.check_rustc(machine, on_stable))
    checks += [doctor_checks.check_pinned_toolchain(machine, engine) for engine in rust if engine.toolchain]
    if any(engine.name == "tch" for engine in rust):
        checks += [doctor_checks.check_torch(machine), doctor_checks.check_libtorch_variables(machine)]
    if rust:
        checks += [doctor_checks.check_compiler(machine, rust), doctor_checks.check_disk(machine, rust)]
        if all(check.ok or check.installable for check in checks):
            ready = [engine for engine in rust if not _lacks_toolchain(machine, engine)]
            checks.append(doctor_checks.check_crates(machine, ready))
    optional = [doctor_checks.check_debugger(machine), doctor_checks.check_miri(machine)] if rust else []
    return [*checks, *optional, doctor_checks.check_gpu(machine)]


def _lacks_toolchain(machine: Machine, engine: Engine) -> bool:
    return engine.toolchain is not None and not doctor_checks.check_pinned_toolchain(machine, engine).ok


def table(checks: Sequence[Check]) -> Table:
    """Return the checks as a table for the terminal."""
    view = Table(title="workbook doctor", title_justify="left")
    view.add_column("part", no_wrap=True)
    view.add_column("", no_wrap=True)
    view.add_column("found", overflow="fold")
    view.add_column("what to do", overflow="fold")
    for check in checks:
        verdict = "[green]ok[/]" if check.ok else "[yellow]later[/]" if check.installable else "[bold red]wrong[/]"
        todo = check.cure
        if check.installable and not check.ok:
            todo = "nothing: lab, run and build install it. By hand: " + check.cure.removesuffix(".")
        view.add_row(check.name, verdict, plain(check.finding), plain(todo))
    return view


def require(checks: Sequence[Check]) -> None:
    """Stop before a build that cannot succeed.

    Raises:
        SetupError: One sentence a fault, each with its cure.
    """
    faults = [f"{check.name}: {check.finding}; {check.cure}" for check in checks if not check.ok]
    if faults:
        raise SetupError("\n".join(faults))


def prepare(engines: Sequence[Engine], console: Console, machine: Machine | None = None) -> None:
    """Check the machine, then install pinned toolchains that are missing.

    Raises:
        SetupError: Something is missing or wrong; nothing was built.
    """
    machine = machine or Machine()
    checks = examine(engines, machine)
    require([check for check in checks if not check.installable])
    for engine in engines:
        if engine.toolchain and _lacks_toolchain(machine, engine):
            install_toolchain(engine, console, machine)
    missing = [engine for engine in engines if engine.is_rust]
    if missing and any(check.installable and not check.ok for check in checks):
        require([doctor_checks.check_crates(machine, missing)])


def install_toolchain(engine: Engine, console: Console, machine: Machine) -> None:
    """Install the toolchain that an engine's package pins.

    Raises:
        SetupError: rustup failed; its last line tells why.
    """
    command = doctor_checks.install_command(engine)
    console.print(f"{engine.title} needs its own compiler, {engine.toolchain}: installing it ({' '.join(command)})")
    program = machine.which(command[0]) or command[0]
    done = subprocess.run(
        [program, *command[1:]],
        env=dict(machine.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or [f"exit code {done.returncode}"]
        raise SetupError(
            f"rustup could not install {engine.toolchain} ({lines[-1].strip()}): "
            f"connect to the network and run `{' '.join(command)}`."
        )
