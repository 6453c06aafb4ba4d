"""Public functions and their documentation are counted as the module says."""

import pytest

from helpers.documentation_share import (
    NOTHING,
    DocumentationShare,
    crate_share,
    engine_share,
    package_share,
    python_share,
    rust_share,
)
from helpers.engines import RUST_ENGINES

RUST = """
//! A module comment is not a function's.

/// Documented.
pub fn one() {}

/// Documented, with an attribute between.
#[inline]
#[must_use]
pub fn two() -> u8 { 2 }

/** A block. */
pub async fn three() {}

#[doc = "By attribute."]
pub fn four() {}

pub fn bare() {}

// An ordinary comment.
pub fn ordinary() {}

//// Four slashes are ordinary too.
pub fn four_slashes() {}

fn private() {}
pub(crate) fn in_the_crate() {}

pub struct S;
impl S {
    /// Documented.
    pub fn method(&self) {}
    pub const fn bare_method(&self) {}
}

pub trait T {
    /// Carries no `pub`.
    fn of_a_trait(&self) {}
}

#[cfg(test)]
mod tests {
    pub fn for_tests() {}
}
"""
PYTHON = '''
def one():
    """Documented."""

def bare(): ...

def _private(): ...

class Public:
    """Of the class."""

    def method(self):
        """Documented."""
        def inner(): ...

    async def bare_method(self): ...

    def __init__(self): ...

class _Private:
    def method(self): ...
'''


def test_rust():
    found = rust_share(RUST)
    assert (found.functions, found.documented) == (9, 5)
    assert found.undocumented == ("bare", "ordinary", "four_slashes", "bare_method")


def test_python():
    found = python_share(PYTHON)
    assert (found.functions, found.documented) == (4, 2)
    assert found.undocumented == ("bare", "bare_method")


def test_shares_add_up():
    both = DocumentationShare(3, 1, ("a", "b")) + DocumentationShare(1, 0, ("c",))
    assert both == DocumentationShare(4, 1, ("a", "b", "c"))
    assert both.share == 0.25
    assert NOTHING.share != NOTHING.share  # no number


def test_folders_leave_out_tests_and_hidden_files(tmp_path):
    crate, package = tmp_path / "crate", tmp_path / "package"
    for path, text in {
        crate / "src" / "lib.rs": RUST,
        crate / "src" / "tests" / "more.rs": RUST,
        crate / "src" / "tests.rs": RUST,
        crate / "build.rs": RUST,
        package / "__init__.py": PYTHON,
        package / "_hidden.py": PYTHON,
        package / "_folder" / "module.py": PYTHON,
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert crate_share(crate).functions == 9
    assert package_share(package).functions == 4


@pytest.mark.parametrize("engine", RUST_ENGINES.values(), ids=RUST_ENGINES)
def test_without_sources_there_is_no_share(engine, monkeypatch, tmp_path):
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    assert engine_share(engine) is None
