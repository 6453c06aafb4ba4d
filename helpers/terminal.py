"""What the commands share: the console, and errors shown as the sentences they are."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import typer
from rich.console import Console

from helpers.errors import WorkbookError

console = Console()


def shows_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that the workbook's own errors are printed without a traceback and give exit code 1."""

    @wraps(command)
    def shown(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except WorkbookError as error:
            Console(stderr=True).print(str(error), style="red", markup=False, highlight=False)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None

    return shown


def plain(text: str) -> str:
    """Return text in which rich sees no markup."""
    return text.replace("[", r"\[")
