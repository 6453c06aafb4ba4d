"""What can go wrong, each as an exception whose text is one clear sentence.

Notebooks show these without a Python traceback: the reader's mistake is in the Rust cell or in the set-up,
not in the code of this package.
"""


class WorkbookError(Exception):
    """The base of all errors that are meant for the reader."""

    def _render_traceback_(self) -> list[str]:
        # IPython asks an exception for its own rendering before it prints a traceback.
        return [f"\x1b[31m{type(self).__name__}\x1b[39m: {self}"]


class RustUsageError(WorkbookError):
    """The magic line or the cell cannot be used as written."""


class RustCompileError(WorkbookError):
    """The compiler refused the cell; `codes` holds its error codes, "" for an error without one."""

    def __init__(self, message: str, codes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.codes = codes


class RustExpectationError(WorkbookError):
    """`--expect` asked for an error that did not come, or another one came."""


class RustPanic(WorkbookError):
    """The program panicked (exit code 101)."""


class RustKilled(WorkbookError):
    """The program was ended by a signal."""


class RustExit(WorkbookError):
    """The program ended with an exit code other than 0."""


class ExerciseFailed(WorkbookError):
    """An answer to an exercise was tested and does not do what the task asks for."""


class RustFinding(WorkbookError):
    """A tool found a fault that the cell did not announce: a failing test, undefined behaviour."""


class SetupError(WorkbookError):
    """Something that the build needs is missing or wrong."""


class Interrupted(KeyboardInterrupt):
    """The reader interrupted a cell; its programs have been ended."""

    def _render_traceback_(self) -> list[str]:
        return [f"\x1b[31mInterrupted\x1b[39m: {self}"]


class DeviceError(WorkbookError):
    """The device asked for cannot be used."""


class DataError(WorkbookError):
    """The image files are missing or damaged."""


class ParameterError(WorkbookError):
    """A notebook parameter is unknown or has a wrong value."""


class ClaimError(WorkbookError):
    """A record of the claim ledger is wrong."""
