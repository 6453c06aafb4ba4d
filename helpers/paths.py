"""Where things are: the checkout's folders and the one folder for everything that is built."""

import os
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
SNIPPETS = REPO / "rust_snippets"
NOTEBOOKS = REPO / "notebooks"
DATA = REPO / "data"
CLAIMS = REPO / "claims"

TARGET_VARIABLE = "WORKBOOK_TARGET_DIR"
CIFAR10_VARIABLE = "CIFAR10_DIR"


def target_root() -> Path:
    """Return the folder that holds all build output: `WORKBOOK_TARGET_DIR`, else `rust_snippets/target`."""
    chosen = os.environ.get(TARGET_VARIABLE)
    return Path(chosen).expanduser().resolve() if chosen else SNIPPETS / "target"
