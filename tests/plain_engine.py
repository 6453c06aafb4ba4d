"""A Rust engine without a framework, so that tests of the magic need seconds, not the frameworks' builds."""

from dataclasses import dataclass
from pathlib import Path

from helpers.engines import Engine

MANIFEST = """\
[package]
name = "plain-cells"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
anyhow = "1.0"
"""
LIBRARY = "pub mod model;\npub mod prelude;\n"
MODEL = "pub fn double(x: i64) -> i64 {\n    2 * x\n}\n"
PRELUDE = "pub use anyhow::{Context, Result, bail, ensure};\n"
MAIN = 'fn main() {\n    println!("{}", plain_cells::model::double(21));\n}\n'


@dataclass(frozen=True)
class PlainEngine(Engine):
    """An engine whose package lies where the test wants it."""

    folder: Path = Path()

    @property
    def package(self) -> Path:
        return self.folder


def make_plain_engine(folder: Path) -> PlainEngine:
    """Write the package to `folder` and return its engine."""
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST)
    for name, text in (("lib", LIBRARY), ("model", MODEL), ("prelude", PRELUDE), ("main", MAIN)):
        (folder / "src" / f"{name}.rs").write_text(text)
    return PlainEngine(name="plain", title="Plain Rust", folder=folder)
