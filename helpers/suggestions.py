"""The lines of the reader's source as they are and as rustc proposes them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from helpers.diagnostics import Diagnostic, Span


@dataclass(frozen=True)
class Edit:
    """A proposed change of consecutive lines of one file.

    Attributes:
        file: The reader's name of the file.
        line: Number of the first line, from 1.
        before: The lines as they are; empty when lines are only added.
        after: The lines as proposed; empty when lines are only removed.
    """

    file: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def edits(help_message: Diagnostic) -> list[list[Edit]]:
    """The changes that one `help` of rustc proposes: a list of alternatives, each a list of edits.

    Rustc lists the parts of all alternatives in one row; a part that touches a place which is already
    changed begins the next alternative.
    """
    alternatives: list[list[Span]] = []
    for span in help_message.spans:
        if span.suggested_replacement is None:
            continue
        if not alternatives or any(_overlap(span, other) for other in alternatives[-1]):
            alternatives.append([])
        alternatives[-1].append(span)
    return [list(_edits_of(spans)) for spans in alternatives]


def _start(span: Span) -> tuple[int, int]:
    return span.line_start, span.column_start


def _end(span: Span) -> tuple[int, int]:
    return span.line_end, span.column_end


def _overlap(one: Span, other: Span) -> bool:
    if one.file_name != other.file_name:
        return False
    return _start(one) == _start(other) or (_start(one) < _end(other) and _start(other) < _end(one))


def _edits_of(spans: Iterable[Span]) -> Iterator[Edit]:
    block: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.file_name, _start(span))):
        if block and (span.file_name != block[0].file_name or span.line_start > block[-1].line_end):
            yield _edit(block)
            block = []
        block.append(span)
    if block:
        yield _edit(block)


def _edit(block: list[Span]) -> Edit:
    """Apply the replacements of one block of lines, the last one first so that columns stay right."""
    first = block[0].line_start
    known = {span.line_start + i: line.text for span in block for i, line in enumerate(span.text)}
    before = [known.get(number, "") for number in range(first, max(span.line_end for span in block) + 1)]
    text = "\n".join(before)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line) + 1)
    for span in reversed(block):
        begin = min(starts[span.line_start - first] + span.column_start - 1, len(text))
        end = min(starts[span.line_end - first] + span.column_end - 1, len(text))
        text = text[:begin] + (span.suggested_replacement or "") + text[end:]
    after = text.split("\n")
    return _without_common_lines(Edit(block[0].file_name, first, tuple(before), tuple(after)))


def _without_common_lines(edit: Edit) -> Edit:
    before, after, line = list(edit.before), list(edit.after), edit.line
    while before and after and before[0] == after[0]:
        before, after, line = before[1:], after[1:], line + 1
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    after = [text for text in after if text.strip()] or after[:1]
    if not any(text.strip() for text in before):
        before = []
    if not any(text.strip() for text in after):
        after = []
    return Edit(edit.file, line, tuple(before), tuple(after))


def is_readers_file(name: str) -> bool:
    """False for files of the standard library or of a crate, which the reader cannot edit."""
    return not re.match(r"library/|[A-Za-z0-9_-]+-\d+\.\d+\.\d+[^/]*/", name)
