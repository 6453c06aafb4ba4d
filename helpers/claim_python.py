"""Tries the Python probes of claims, each in a process of its own that finds torch imported already.

This module is also the program that does it: it imports torch once, then forks for each probe.
"""

import json
import multiprocessing
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from helpers.claim_outcomes import Outcome, trimmed
from helpers.claim_records import PythonProbe
from helpers.errors import SetupError
from helpers.paths import REPO
from helpers.process import UNLIMITED, run_program


def try_python(probes: Mapping[str, PythonProbe]) -> dict[str, Outcome]:
    """Run the probes one after the other; return their outcomes by the same names.

    Raises:
        SetupError: The program that runs them has ended early.
    """
    if not probes:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        tasks, done = Path(folder) / "tasks.json", Path(folder) / "outcomes.json"
        tasks.write_text(json.dumps({name: [probe.code, probe.timeout] for name, probe in probes.items()}))
        environment = {**os.environ, "PYTHONPATH": str(REPO), "MPLBACKEND": "agg"}
        command = [sys.executable, "-m", "helpers.claim_python", str(tasks), str(done)]
        ended = run_program(command, cwd=Path(folder), env=environment, limits=UNLIMITED)
        if ended.returncode or not done.exists():
            raise SetupError(f"The Python claims could not be run: {ended.stderr.strip().splitlines()[-1:]}.")
        found = json.loads(done.read_text())
    return {name: Outcome(word, trimmed(evidence)) for name, (word, evidence) in found.items()}


def main(tasks: Path, done: Path) -> None:
    """Run all tasks of the file `tasks` and write their outcomes to `done`."""
    import torch  # noqa: F401  imported once here, so that no probe waits for it

    outcomes = {name: _try(code, timeout) for name, (code, timeout) in json.loads(tasks.read_text()).items()}
    done.write_text(json.dumps(outcomes))


def _try(code: str, timeout: float) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        output, ending = Path(folder) / "output", Path(folder) / "ending"
        work = Path(folder) / "work"
        work.mkdir()
        child = multiprocessing.get_context("fork").Process(target=_child, args=(code, work, output, ending))
        child.start()
        child.join(timeout)
        if child.is_alive():
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.join()
        printed = output.read_text(errors="replace").strip() if output.exists() else ""
        if ending.exists():
            word, said = json.loads(ending.read_text())
            return word, "\n".join(filter(None, [printed, said])) or "ran to its end"
        return "killed", "\n".join(filter(None, [printed, f"ended by a signal, or after {timeout:g} s"]))


def _child(code: str, work: Path, output: Path, ending: Path) -> None:
    os.setsid()
    os.chdir(work)
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    program = work / "probe.py"
    program.write_text(code)  # torch.jit.script and tracebacks read the source
    word, said = "runs", ""
    try:
        exec(compile(code, str(program), "exec"), {"__name__": "__main__", "__file__": str(program)})
    except SystemExit as error:
        word, said = ("runs", "") if not error.code else ("error", f"exit code {error.code}")
    except BaseException as error:
        word, said = type(error).__name__, "".join(traceback.format_exception_only(error)).strip()
    sys.stdout.flush()
    ending.write_text(json.dumps([word, said]))
    os._exit(0)  # without the parent's clean-up


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
