"""Which share of a library's public functions has a word of documentation, counted in the sources.

Rust is read with tree-sitter: every function marked plain `pub` counts, in any module that is not for tests; it is
documented if a doc comment (`///`, `/** */`) or a `#[doc]` attribute stands above it. Python is read with `ast`:
functions and methods without a leading underscore, in classes and modules without one; documented by a docstring.

It is a coarse measure. A `pub fn` in a private module counts although nobody outside can call it, methods of traits
do not count because they carry no `pub`, and one empty word counts as much as a page with an example.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.crate_sources import api_crates, crate_folder
from helpers.engines import Engine

if TYPE_CHECKING:
    from tree_sitter import Node

# Between a doc comment and its function may stand attributes and ordinary comments.
_BETWEEN = {"attribute_item", "line_comment", "block_comment"}


@dataclass(frozen=True)
class DocumentationShare:
    """How many public functions there are, and how many of them are documented.

    Attributes:
        undocumented: The first names without documentation, to look them up.
    """

    functions: int
    documented: int
    undocumented: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """From 0 to 1; NaN without a function."""
        return self.documented / self.functions if self.functions else float("nan")

    def __add__(self, other: "DocumentationShare") -> "DocumentationShare":
        """The two counted together."""
        names = (*self.undocumented, *other.undocumented)[:5]
        return DocumentationShare(self.functions + other.functions, self.documented + other.documented, names)


NOTHING = DocumentationShare(0, 0)


@lru_cache(maxsize=1)
def _functions():  # noqa: ANN202 - the types live in a package that is imported late
    import tree_sitter_rust
    from tree_sitter import Language, Parser, Query

    language = Language(tree_sitter_rust.language())
    return Parser(language), Query(language, "(function_item) @function")


def rust_share(source: str) -> DocumentationShare:
    """Count the public functions of one Rust file."""
    from tree_sitter import QueryCursor

    parser, query = _functions()
    root = parser.parse(source.encode()).root_node
    nodes = QueryCursor(query).captures(root).get("function", [])
    return _counted((_rust_name(node), _rust_is_documented(node)) for node in nodes if _is_public(node))


def python_share(source: str) -> DocumentationShare:
    """Count the public functions and methods of one Python file."""
    return _counted((node.name, ast.get_docstring(node) is not None) for node in _python_functions(ast.parse(source)))


def crate_share(folder: Path) -> DocumentationShare:
    """Count the public functions of a crate, of which `folder` holds the sources."""
    files = sorted((folder / "src").rglob("*.rs"))
    shares = (rust_share(path.read_text(encoding="utf-8", errors="replace")) for path in files if not _is_test(path))
    return sum(shares, NOTHING)


def package_share(folder: Path) -> DocumentationShare:
    """Count the public functions of a Python package's modules, those with a leading underscore left out."""
    files = (path for path in sorted(folder.rglob("*.py")) if not _hidden(path.relative_to(folder)))
    return sum((python_share(path.read_text(encoding="utf-8")) for path in files), NOTHING)


def engine_share(engine: Engine) -> DocumentationShare | None:
    """Count the public functions of a framework's crates; None if cargo keeps no sources of one of them here."""
    folders = [crate_folder(name, version) for name, version in api_crates(engine).items()]
    if not folders or None in folders:
        return None
    return sum((crate_share(folder) for folder in folders if folder is not None), NOTHING)


def _counted(functions: Iterable[tuple[str, bool]]) -> DocumentationShare:
    found = list(functions)
    missing = tuple(name for name, documented in found if not documented)
    return DocumentationShare(len(found), len(found) - len(missing), missing[:5])


def _is_public(function: "Node") -> bool:
    visible = any(child.type == "visibility_modifier" and child.text == b"pub" for child in function.children)
    return visible and not any(_is_test_module(node) for node in _ancestors(function))


def _ancestors(node: "Node") -> Iterator["Node"]:
    while node.parent is not None:
        node = node.parent
        yield node


def _is_test_module(node: "Node") -> bool:
    if node.type != "mod_item":
        return False
    return any(above.type == "attribute_item" and b"cfg(test)" in (above.text or b"") for above in _above(node))


def _above(node: "Node") -> Iterator["Node"]:
    """The attributes and comments that stand between an item and the one before it, the nearest first."""
    before = node.prev_named_sibling
    while before is not None and before.type in _BETWEEN:
        yield before
        before = before.prev_named_sibling


def _rust_is_documented(function: "Node") -> bool:
    for node in _above(function):
        text = (node.text or b"").lstrip()
        if node.type == "attribute_item":
            if text.startswith((b"#[doc =", b"#[doc=")):
                return True
        elif text.startswith((b"///", b"/**")) and not text.startswith((b"////", b"/***")):
            return True
    return False


def _rust_name(function: "Node") -> str:
    name = function.child_by_field_name("name")
    return (name.text or b"").decode() if name is not None else ""


def _python_functions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from _python_functions(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _is_test(path: Path) -> bool:
    return "tests" in path.parts or path.name in {"tests.rs", "test.rs"}


def _hidden(path: Path) -> bool:
    return any(part.startswith("_") and part != "__init__.py" for part in path.parts)
