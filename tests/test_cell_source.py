import pytest

from helpers.cell_source import module_source, program_source
from helpers.engines import ENGINES
from helpers.errors import RustUsageError

CANDLE = ENGINES["candle"]


def body(text: str) -> str:
    """The wrapped program without its first line."""
    return program_source(text, CANDLE).text.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("cell", "ending"),
    [
        ("let x = 1;", "Ok(()) }\n"),
        ('println!("a")', "; Ok(()) }\n"),
        ("let x = 1;\nOk(())", "\n}\n"),
        ("x?", "; Ok(()) }\n"),
        ("for i in 0..3 {}", "Ok(()) }\n"),
        ("x() // why", "\n; Ok(()) }\n"),
    ],
)
def test_a_cell_without_main_becomes_the_body_of_one(cell: str, ending: str) -> None:
    program = program_source(cell, CANDLE).text
    assert program.split("\n")[0].endswith("fn main() -> ::anyhow::Result<()> {")
    assert program.endswith(ending)


def test_line_numbers_are_those_of_the_cell_with_its_magic_line() -> None:
    assert body("let a = 1;\nlet b = 2;").split("\n")[1] == "let b = 2;"
    assert module_source("pub fn f() {}\n", "%%rust candle src/f.rs").text.split("\n")[1] == "pub fn f() {}"


def test_a_main_of_the_readers_own_is_kept() -> None:
    program = program_source("fn main() {}\n", CANDLE).text
    assert program.count("fn main") == 1
    assert "prelude::*" in program.split("\n")[0]


def test_a_main_in_a_comment_or_string_is_none() -> None:
    assert program_source('// fn main() {}\nlet s = "fn main() {}";', CANDLE).text.count("fn main() -> ::anyhow") == 1


def test_crate_attributes_move_to_the_front_and_lines_stay() -> None:
    program = program_source("#![allow(dead_code)]\nlet é = 1;", CANDLE).text.split("\n")
    assert program[0].startswith("#![allow(dead_code)]")
    assert program[1].strip() == ""
    assert program[2] == "let é = 1;"


def test_attributes_of_the_framework_come_first() -> None:
    assert program_source("1;", ENGINES["burn"]).text.startswith('#![recursion_limit = "256"]')


@pytest.mark.parametrize(
    ("cell", "only_items"), [("fn f() {}", True), ("struct A;\nlet a = A;", False), ("f();", False)]
)
def test_a_cell_of_items_has_nothing_to_run(cell: str, only_items: bool) -> None:
    assert program_source(cell, CANDLE).only_items is only_items


@pytest.mark.parametrize("cell", ["", "  \n\n"])
def test_an_empty_cell_is_refused(cell: str) -> None:
    with pytest.raises(RustUsageError, match="empty"):
        program_source(cell, CANDLE)


def test_a_character_that_utf8_cannot_store_is_named_with_its_line() -> None:
    with pytest.raises(RustUsageError, match=r"Line 3 .*column 10"):
        program_source('let a = 1;\nlet b = "\ud800";', CANDLE)
