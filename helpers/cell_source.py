"""Turns the text of a `%%rust` cell into a Rust source file whose line numbers are those of the cell.

The magic line is line 1 of the cell, so whatever has to come before the cell's text is put on one line.
"""

from dataclasses import dataclass
from functools import lru_cache

from helpers.engines import Engine
from helpers.errors import RustUsageError


@dataclass(frozen=True)
class CellSource:
    """A Rust file made from a cell.

    Attributes:
        text: The file's text; its line n is the cell's line n, the magic line being line 1.
        only_items: True when an anonymous cell has nothing to run, such as a lone `fn` or `struct`.
        last_lines: First and last line of a last expression whose value nobody takes; None if there is none.
        end: The last line that is the reader's; the lines below it are tests.
    """

    text: str
    only_items: bool = False
    last_lines: tuple[int, int] | None = None
    end: int | None = None


@lru_cache(maxsize=1)
def _parser():  # noqa: ANN202 - the type lives in a package that is imported late
    import tree_sitter_rust
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_rust.language()))


def check_text(text: str, magic: str = "%%rust", language: str = "Rust") -> None:
    """Refuse a cell that cannot become a source file.

    Raises:
        RustUsageError: The cell is empty or holds a character that UTF-8 cannot store.
    """
    if not text.strip():
        raise RustUsageError(f"The {magic} cell is empty: write {language} code below its first line.")
    for number, line in enumerate(text.split("\n"), start=2):
        try:
            line.encode()
        except UnicodeEncodeError as error:
            raise RustUsageError(
                f"Line {number} of the cell holds a character that UTF-8 cannot store "
                f"({line[error.start]!r} at column {error.start + 1}): delete it and type it again."
            ) from None


def module_source(text: str, magic_line: str) -> CellSource:
    """Return the file for a cell that names one: the magic line as a comment, then the cell unchanged."""
    check_text(text)
    return CellSource(f"// {magic_line}\n{_ended(text)}")


def program_source(text: str, engine: Engine) -> CellSource:
    """Return a whole program for an anonymous cell.

    The framework's prelude is always in scope. Without a `fn main` the cell becomes the body of one that returns
    `anyhow::Result<()>`, so `?` works.
    """
    check_text(text)
    nodes = _statements(text)
    body, hoisted = _hoist_inner_attributes(text, nodes)
    first = _first_line(engine, hoisted)
    if _has_main(nodes):
        return CellSource(f"{first}\n{_ended(body)}")
    only_items = all(map(_is_item, nodes))
    closing = _closing(nodes)
    return CellSource(f"{first} {MAIN}\n{_ended(body)}{closing}\n", only_items, _last_lines(nodes, closing))


def tested_source(text: str, tests: str, engine: Engine) -> CellSource:
    """Return a program that runs an exercise's cell, and after it `tests` in the same scope.

    Raises:
        RustUsageError: The cell is not a body that other lines can follow.
    """
    check_text(text)
    nodes = _statements(text)
    body, hoisted = _hoist_inner_attributes(text, nodes)
    if _has_main(nodes):
        raise RustUsageError("An exercise has no `fn main`: take its lines out of it, for the tests follow them.")
    closing = _closing(nodes)
    if closing == "}":
        raise RustUsageError("Leave out the last `Ok(...)` of the cell: the tests follow it.")
    # An attribute at the cell's end must not apply to the first test.
    between = ("; " if closing.startswith(";") else "") + "{}"
    whole = f"{_first_line(engine, hoisted)} {MAIN}\n{_ended(body)}{between}\n{tests}Ok(()) }}\n"
    return CellSource(whole, False, _last_lines(nodes, closing), end=_ended(body).count("\n") + 1)


MAIN = "#[allow(unreachable_code)] fn main() -> ::anyhow::Result<()> {"


def _first_line(engine: Engine, hoisted: list[str]) -> str:
    """Return what comes before the cell's text: crate attributes and the prelude."""
    prelude = f"#[allow(unused_imports)] use {engine.crate}::prelude::*;"
    return " ".join([*engine.inner_attributes, *hoisted, prelude])


def _has_main(nodes: list) -> bool:
    return any(node.type == "function_item" and _field(node, "name") == b"main" for node in nodes)


def _last_lines(nodes: list, closing: str) -> tuple[int, int] | None:
    # The wrapper's line stands for the magic line, so the parser's rows, which count from 0, are short by one.
    return (nodes[-1].start_point[0] + 1, nodes[-1].end_point[0] + 1) if closing.startswith(";") else None


def items_source(text: str, engine: Engine | None) -> CellSource:
    """Return the file for a cell of items alone, such as tests: `#[test]` works only at the top of a file.

    Args:
        text: The cell below its magic line.
        engine: Whose prelude is in scope; None for plain Rust.

    Raises:
        RustUsageError: The cell holds statements.
    """
    check_text(text)
    nodes = _statements(text)
    body, hoisted = _hoist_inner_attributes(text, nodes)
    loose = next((node for node in nodes if not _is_item(node)), None)
    if loose is not None:
        raise RustUsageError(
            f"Line {loose.start_point[0] + 1} of the cell is a statement: write it into a function, such as a "
            "`#[test] fn`."
        )
    prelude = [f"#[allow(unused_imports)] use {engine.crate}::prelude::*;"] if engine else []
    first = [*(engine.inner_attributes if engine else ()), *hoisted, *prelude]
    return CellSource(f"{' '.join(first)}\n{_ended(body)}")


def _is_item(node) -> bool:  # noqa: ANN001
    return node.type in _ITEMS or node.type.endswith("_item")


_ITEMS = {"use_declaration", "extern_crate_declaration", "macro_definition", "attribute_item"}
_WRAPPER = b"fn main() {\n"


def _statements(text: str) -> list:
    """Return the syntax nodes of the cell's statements and items, comments left out.

    They are parsed inside a function body, where a last expression without `;` is allowed.
    """
    root = _parser().parse(_WRAPPER + text.encode() + b"\n}\n").root_node
    function = root.children[0] if root.children else root
    block = function.child_by_field_name("body")
    return [node for node in block.named_children if not node.type.endswith("_comment")] if block is not None else []


def _closing(nodes: list) -> str:
    """End the body with `Ok(())`, unless the cell's last expression is an `Ok(...)` or `Err(...)` of its own."""
    last = nodes[-1] if nodes else None
    if last is None or last.type.endswith(("_item", "_declaration", "_statement", "_definition")) or last.is_error:
        return "Ok(()) }"
    if last.type == "call_expression" and _field(last, "function") in {b"Ok", b"Err"}:
        return "}"
    return "; Ok(()) }"


def _field(node, name: str) -> bytes | None:  # noqa: ANN001
    child = node.child_by_field_name(name)
    return child.text if child is not None else None


def _hoist_inner_attributes(text: str, nodes: list) -> tuple[str, list[str]]:
    """Take `#![...]` out of the text, leaving blanks, because crate attributes must come first in a file."""
    encoded = text.encode()
    attributes = [node for node in nodes if node.type == "inner_attribute_item"]
    for node in attributes:
        start, end = node.start_byte - len(_WRAPPER), node.end_byte - len(_WRAPPER)
        blank = bytes(byte if byte in b"\n" else 0x20 for byte in encoded[start:end])
        encoded = encoded[:start] + blank + encoded[end:]
    return encoded.decode(), [" ".join(node.text.decode().split()) for node in attributes]


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
