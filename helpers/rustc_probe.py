"""Asks several Rust compilers about the same few lines, without Cargo: what compiles where, and with which error."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from helpers.diagnostics import errors_in, parse_all, title
from helpers.errors import SetupError
from helpers.toolchain import find_tool, rustc_verbose_version


@dataclass(frozen=True)
class Verdict:
    """What one compiler says.

    Attributes:
        toolchain: The toolchain's name for rustup, such as `stable`.
        version: The compiler's own version, such as `1.95.0`; empty when the toolchain is not installed.
        errors: One line for each different error, `CODE: message`; empty when the lines compile.
        missing: Why the compiler could not be asked; empty when it was.
    """

    toolchain: str
    version: str = ""
    errors: tuple[str, ...] = ()
    missing: str = ""

    @property
    def compiles(self) -> bool:
        """Whether the compiler was asked and found no error."""
        return not self.missing and not self.errors

    @property
    def codes(self) -> tuple[str, ...]:
        """The errors' codes, such as `E0554`, in the order of the errors; those without a code are left out."""
        return tuple(error.split(":")[0] for error in self.errors if re.match(r"E\d{4}:", error))

    def __str__(self) -> str:
        """The toolchain, and beside it what it says, an error a line."""
        said = self.missing or "\n".join(self.errors) or "compiles"
        first, *more = said.split("\n")
        name = f"{self.toolchain} ({self.version})" if self.version else self.toolchain
        return "\n".join([f"{name:<40}{first}", *(f"{'':<40}{line}" for line in more)])


def probe(source: str, toolchain: str) -> Verdict:
    """Check the source of a library with one toolchain; nothing is linked or run.

    Args:
        source: A whole crate, edition 2021, without dependencies.
        toolchain: A name that rustup knows.
    """
    try:
        rustc = find_tool("rustc", toolchain)
    except SetupError as error:
        return Verdict(toolchain, missing=f"not asked: {error}")
    match = re.search(r"^rustc (\S+)", rustc_verbose_version(toolchain))
    with tempfile.TemporaryDirectory() as folder:
        words = [rustc, "--edition=2021", "--crate-type=lib", "--crate-name=probe", "--emit=metadata"]
        words += ["--error-format=json", f"--out-dir={folder}", "-"]
        run = subprocess.run(words, input=source, capture_output=True, text=True, check=False)
    messages = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    told = [message for message in messages if message.get("$message_type", "diagnostic") == "diagnostic"]
    errors = tuple(dict.fromkeys(title(error) for error in errors_in(parse_all(told))))
    if run.returncode and not errors:
        raise SetupError(f"rustc of {toolchain} failed without an error message: {run.stderr.strip()[:200]}")
    return Verdict(toolchain, match[1] if match else "", errors)


def probe_all(source: str, toolchains: Iterable[str]) -> Sequence[Verdict]:
    """Check the same source with several toolchains, in their order."""
    return [probe(source, toolchain) for toolchain in toolchains]
