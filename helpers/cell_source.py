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
    """

    text: str
    only_items: bool = False
    last_lines: tuple[int, int] | None = None


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
    first = [*engine.inner_attributes, *hoisted, f"#[allow(unused_imports)] use {engine.crate}::prelude::*;"]
    if any(node.type == "function_item" and _field(node, "name") == b"main" for node in nodes):
        return CellSource(f"{' '.join(first)}\n{_ended(body)}")
    first.append("#[allow(unreachable_code)] fn main() -> ::anyhow::Result<()> {")
    only_items = all(node.type in _ITEMS or node.type.endswith("_item") for node in nodes)
    closing = _closing(nodes)
    # The wrapper's line stands for the magic line, so the parser's rows, which count from 0, are short by one.
    last = (nodes[-1].start_point[0] + 1, nodes[-1].end_point[0] + 1) if closing.startswith(";") else None
    return CellSource(f"{' '.join(first)}\n{_ended(body)}{closing}\n", only_items, last)


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
