"""Tells in one sentence why cargo failed when the reader's code is not the reason."""

import re

from helpers.engines import Engine
from helpers.errors import SetupError
from helpers.process import ProgramResult

# What cargo and the build scripts print, and what to do about it.
_REASONS = (
    (r"No space left on device", "the disk is full: free some space (`workbook clean` removes built programs)"),
    (
        r"Read-only file system|Permission denied",
        "a folder cannot be written: make the target folder and Cargo's home "
        "writable, or name another folder in WORKBOOK_TARGET_DIR",
    ),
    (
        r"[Cc]ould not resolve host|failed to download|network failure|[Cc]onnection (refused|reset|timed out)|"
        r"Temporary failure in name resolution|download of .* failed|spurious network error",
        "crates could not be downloaded: connect to the network and run the cell again",
    ),
    (
        r"this tch version expects PyTorch (\S+), got ([^\s,]+)",
        "tch needs torch \\1, but torch \\2 was found: run `uv sync`",
    ),
    (
        r"linker `\w+` not found|failed to find tool|is not installed\?|command not found.*(c\+\+|g\+\+|cc)|"
        r"failed to execute command.*(c\+\+|g\+\+|cc)",
        "there is no C++ compiler: install one (Debian and Ubuntu: `sudo apt install build-essential`)",
    ),
    (r"nvcc", "the CUDA compiler nvcc is missing or failed: install the CUDA toolkit, or use `--device cpu`"),
    (
        r"lock file .* needs to be updated",
        "Cargo.lock does not fit Cargo.toml: restore both with `git checkout rust_snippets`",
    ),
    (
        r"signal: 9|SIGKILL",
        "the compiler was killed, probably out of memory: close other programs or set "
        "CARGO_BUILD_JOBS=1, then run the cell again",
    ),
    (
        r"failed to parse (lock file|manifest)",
        "Cargo.lock or Cargo.toml is damaged: restore it with `git checkout rust_snippets`",
    ),
)


def setup_error(engine: Engine, foreign_errors: list[str], ended: ProgramResult) -> SetupError:
    """Return the error to raise: a known reason with its cure, else cargo's own first error line."""
    said = ended.stderr + "\n".join(foreign_errors)
    for pattern, cure in _REASONS:
        match = re.search(pattern, said)
        if match is not None:
            return SetupError(f"{engine.title} could not be built: {match.expand(cure)}.")
    if ended.returncode < 0:
        return SetupError(
            f"{engine.title} could not be built: cargo was ended by signal {-ended.returncode}. Run the cell again."
        )
    if foreign_errors:
        return SetupError(
            f"{engine.title} could not be built: a dependency did not compile ({foreign_errors[0]}). "
            "Run `workbook doctor`."
        )
    first = next(
        (line for line in ended.stderr.splitlines() if line.startswith("error")), f"exit code {ended.returncode}"
    )
    return SetupError(f"{engine.title} could not be built: cargo said {first!r}. Run `workbook doctor`.")
