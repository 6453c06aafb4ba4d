"""Times builds from nothing: what a reader waits for once."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helpers import builds, doctor
from helpers.engines import Engine
from helpers.paths import TARGET_VARIABLE, target_root
from helpers.terminal import console


@dataclass(frozen=True)
class ColdBuild:
    """One framework built from nothing: crates, seconds, and the disk that it takes."""

    engine: str
    crates: int
    seconds: float
    disk_bytes: int


def measure_build(engine: Engine) -> ColdBuild:
    """Build one framework in a fresh target folder; downloading its crates is not part of the time.

    Raises:
        SetupError: Something that the build needs is missing or wrong.
    """
    doctor.prepare([engine], console)
    with _fresh_target() as folder:
        (built,) = builds.build_engines([engine], console)
        return ColdBuild(engine.name, built.compiled, built.seconds, builds.folder_bytes(folder))


@contextmanager
def _fresh_target() -> Iterator[Path]:
    before = os.environ.get(TARGET_VARIABLE)
    place = target_root()
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-builds-", dir=place) as folder:
        os.environ[TARGET_VARIABLE] = folder
        try:
            yield Path(folder)
        finally:
            if before is None:
                del os.environ[TARGET_VARIABLE]
            else:
                os.environ[TARGET_VARIABLE] = before
