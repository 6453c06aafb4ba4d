"""The five engines: PyTorch, the reference, and four Rust frameworks."""

import difflib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpers.errors import RustUsageError
from helpers.paths import SNIPPETS


@dataclass(frozen=True)
class Engine:
    """One way of running the same network.

    Attributes:
        name: The word used on the `%%rust` line and for files.
        title: The name as its authors write it.
        is_rust: False for PyTorch only.
        cuda_feature: The Cargo feature that builds GPU support; None when no feature is needed.
        inner_attributes: Crate attributes that every program of this framework needs.
    """

    name: str
    title: str
    is_rust: bool = True
    cuda_feature: str | None = None
    inner_attributes: tuple[str, ...] = ()

    @property
    def package(self) -> Path:
        """The committed package with this engine's programs."""
        return SNIPPETS / self.name

    @property
    def crate(self) -> str:
        """The library that a cell imports from, such as `candle_cells`."""
        return f"{self.name}_cells"

    @cached_property
    def toolchain(self) -> str | None:
        """The toolchain pinned by the package's rust-toolchain.toml; None for the reader's own stable one."""
        import tomllib

        pin = self.package / "rust-toolchain.toml"
        return tomllib.loads(pin.read_text())["toolchain"]["channel"] if pin.exists() else None


ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine("pytorch", "PyTorch", is_rust=False),
        Engine("tch", "tch-rs", cuda_feature="cuda"),
        Engine("candle", "Candle", cuda_feature="cuda"),
        # Burn's nested generic types need more than the default 128 levels of trait resolution.
        Engine("burn", "Burn", cuda_feature="cuda", inner_attributes=('#![recursion_limit = "256"]',)),
        Engine(
            "dfdx",
            "dfdx",
            cuda_feature="cuda",
            inner_attributes=("#![feature(generic_const_exprs)]", "#![allow(incomplete_features)]"),
        ),
    )
}
RUST_ENGINES: dict[str, Engine] = {name: engine for name, engine in ENGINES.items() if engine.is_rust}


def rust_engine(name: str) -> Engine:
    """Return the Rust engine called `name`.

    Raises:
        RustUsageError: There is none; the message names the nearest one.
    """
    if name in RUST_ENGINES:
        return RUST_ENGINES[name]
    known = ", ".join(RUST_ENGINES)
    near = difflib.get_close_matches(name, RUST_ENGINES, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    raise RustUsageError(f"There is no framework {name!r}: choose one of {known}.{guess}")
