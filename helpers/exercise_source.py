"""Takes the source of an exercise apart: what the learner starts from, what solves it, and what tests it.

The source is the text of an ordinary cell with two kinds of regions, marked by comment lines:

    fn scaled(x: &Tensor, factor: f64) -> Result<Tensor> {
        // BEGIN SOLUTION
        Ok((x * factor)?)
        // END SOLUTION
    }
    // BEGIN HIDDEN TESTS
    assert_eq!(scaled(&x, 2.0)?.to_vec1::<f32>()?, [2., 4.], "scaled must multiply every entry");
    // END HIDDEN TESTS

The learner's stub has `todo!()` where a solution stood (`raise NotImplementedError` in Python), or, where the region
holds lines `// STUB: code`, that code. Hidden tests run after the learner's cell, whatever their place in the file.
"""

import re
import textwrap
from dataclasses import dataclass

from helpers.errors import WorkbookError

SOLUTION, TESTS = "SOLUTION", "HIDDEN TESTS"
_COMMENT = {"rust": "//", "python": "#"}
_TODO = {"rust": "todo!()", "python": "raise NotImplementedError"}
_LIKE_A_MARKER = re.compile(r"^\s*(?://+|#+)\s*(?:begin|end)\b.*\b(?:solutions?|tests?)\b|^\s*(?://|#)\s*stub\b", re.I)


class ExerciseError(WorkbookError):
    """An exercise's source, or the table that lists it, is not as it has to be."""


@dataclass(frozen=True)
class ExerciseSource:
    """The parts of one exercise; each text ends in one newline, and none holds a marker.

    Attributes:
        stub: What the learner's cell holds at first.
        solution: A cell that passes.
        tests: The hidden tests of all regions, in order.
    """

    stub: str
    solution: str
    tests: str


def parse_source(text: str, language: str, place: str) -> ExerciseSource:
    """Take a source apart.

    Args:
        text: The whole file.
        language: `rust` or `python`.
        place: What messages call the file.

    Raises:
        ExerciseError: A region is not closed, nested or missing, or a marker is misspelt; says in which line.
    """
    stub: list[str] = []
    solution: list[str] = []
    tests: list[list[str]] = []
    starts: list[str] = []  # the STUB lines of the open region
    found, region, opened = set(), None, 0
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        mark = _marker(line, language)
        if mark is None and _LIKE_A_MARKER.match(line):
            raise ExerciseError(f"{place}, line {number}: {line.strip()!r} is no marker: {_usage(language)}.")
        kind, value = mark or (None, "")
        if kind == "BEGIN":
            if region is not None:
                raise ExerciseError(f"{place}, line {number}: the region {region} of line {opened} is still open.")
            region, opened, starts = value, number, []
            found.add(region)
            if region == TESTS:
                tests.append([])
        elif kind == "END":
            if region != value:
                raise ExerciseError(
                    f"{place}, line {number}: END {value} closes no region; {region or 'none'} is open."
                )
            if region == SOLUTION:
                stub += starts or [_indent(line) + _todo(language, lines[number:])]
            region = None
        elif kind == "STUB":
            if region != SOLUTION:
                raise ExerciseError(f"{place}, line {number}: a STUB line stands inside a SOLUTION region.")
            starts.append((_indent(line) + value).rstrip())
        elif region == TESTS:
            tests[-1].append(line)
        else:
            solution.append(line)
            if region is None:
                stub.append(line)
    if region is not None:
        raise ExerciseError(f"{place}: the region {region} of line {opened} is never closed.")
    for wanted in (SOLUTION, TESTS):
        if wanted not in found:
            raise ExerciseError(f"{place}: there is no region {wanted}: {_usage(language)}.")
    parts = ExerciseSource(_text(stub), _text(solution), "".join(_text(part) for part in tests))
    if not parts.tests.strip():
        raise ExerciseError(f"{place}: the region {TESTS} is empty.")
    if same_code(parts.stub, parts.solution):
        raise ExerciseError(f"{place}: the stub equals the solution.")
    return parts


def same_code(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but white space."""
    return "".join(one.split()) == "".join(other.split())


def _marker(line: str, language: str) -> tuple[str, str] | None:
    """Return what a line marks: ("BEGIN", region), ("END", region) or ("STUB", code)."""
    comment = re.escape(_COMMENT[language])
    if match := re.fullmatch(rf"\s*{comment} (BEGIN|END) ({SOLUTION}|{TESTS})\s*", line):
        return match[1], match[2]
    if match := re.fullmatch(rf"\s*{comment} STUB:(?: (.*))?", line):
        return "STUB", match[1] or ""
    return None


def _usage(language: str) -> str:
    comment = _COMMENT[language]
    names = f"`{comment} BEGIN {SOLUTION}`, `{comment} END {SOLUTION}`, the same with {TESTS}"
    return f"write {names}, or `{comment} STUB: code`"


def _todo(language: str, following: list[str]) -> str:
    """Return the words that stand for a missing solution; a statement in Rust where more statements follow."""
    after = next((line.strip() for line in following if line.strip() and not _marker(line, language)), "}")
    in_tests = next((_marker(line, language) for line in following if line.strip()), None) == ("BEGIN", TESTS)
    ends_block = after.startswith(("}", ")", "]")) or in_tests
    return _TODO[language] + ("" if ends_block or language != "rust" else ";")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _text(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n") + "\n"
