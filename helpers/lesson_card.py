"""The card for an error that a lesson asked for: the borrow, the reason, the repair."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from helpers.diagnostics import Diagnostic, Span, errors_in, title
from helpers.explain import explain_fold, has_explanation
from helpers.hints import hints_for, hints_html
from helpers.html_theme import ansi_html, card, escape, fold, prose
from helpers.suggestions import Edit, edits, is_readers_file

MAX_LINES = 6  # source lines shown for one span
MAX_CANDIDATES = 3  # traits shown of those that the compiler lists; all stand in its own words
NO_REPAIR = "The compiler proposes no change here."

_CANDIDATE = re.compile(r"candidate #\d+: ")
_OWNERSHIP = {"E0373", "E0381", "E0382", "E0384", "E0499", "E0502", "E0503", "E0505", "E0506", "E0507", "E0515"}
_OWNERSHIP |= {"E0521", "E0594", "E0596", "E0597", "E0712", "E0713", "E0716"}
_STYLE = """
.wb.wb-lesson{border-left:4px solid var(--wb-green)}
.wb table.wb-spans{border-collapse:collapse;border:0;margin:4px 0;width:100%;font-size:13px;table-layout:auto}
.wb table.wb-spans tr,.wb table.wb-spans tr:hover{background:transparent}
.wb table.wb-spans td,.wb table.wb-spans th{text-align:left;vertical-align:top;padding:3px 14px 3px 0;border:0;
border-bottom:1px solid var(--wb-line);color:inherit;max-width:none;white-space:normal}
.wb table.wb-spans th{color:var(--wb-dim);font-weight:400}
.wb table.wb-spans td:first-child{white-space:nowrap;color:var(--wb-dim)}
.wb table.wb-spans td:nth-child(2) code{white-space:pre;background:transparent;padding:0}
.wb table.wb-spans td:last-child{min-width:220px;width:99%}
.wb .wb-wide{overflow-x:auto}
"""


def lesson_card_html(diagnostics: Iterable[Diagnostic], expected: str, engine: str | None = None) -> str:
    """A card that teaches from an expected error.

    Args:
        diagnostics: What rustc said about the cell.
        expected: The code that the cell asked for, E0382, or several in one text; `syntax` stands for errors
            without a code.
        engine: Name of the engine whose hints may be shown.

    Returns:
        HTML with a part for each error that was asked for; empty if none was.
    """
    lessons = [_lesson(error, engine) for error in _expected(diagnostics, expected)]
    return card("wb-lesson", "\n<hr>\n".join(lessons), _STYLE) if lessons else ""


def lesson_card_text(diagnostics: Iterable[Diagnostic], expected: str, engine: str | None = None) -> str:
    """The same lesson as plain text."""
    return "\n\n".join(_lesson_text(error, engine) for error in _expected(diagnostics, expected))


def _expected(diagnostics: Iterable[Diagnostic], codes: str) -> list[Diagnostic]:
    wanted = set(re.findall(r"\w+", codes))
    return [error for error in errors_in(diagnostics) if (error.code or "syntax") in wanted]


def _heading(error: Diagnostic) -> str:
    return f"{error.code or 'Syntax error'}, as expected: {title(error).removeprefix(f'{error.code}: ')}"


def _place_heading(error: Diagnostic) -> str:
    return "The borrow" if error.code in _OWNERSHIP else "The place"


def _lesson(error: Diagnostic, engine: str | None) -> str:
    blocks = [
        f"<h4>{prose(_heading(error))}</h4>",
        f"<h5>{_place_heading(error)}</h5>",
        _spans_table(error),
        "<h5>The reason</h5>",
        *(f"<p>{prose(_sentence(reason))}</p>{_spans_table(reason, labelled=True)}" for reason in _reasons(error)),
        "<h5>The repair</h5>",
        *_repairs_html(error, engine),
        fold("The compiler's words", f"<pre>{ansi_html(error.rendered)}</pre>"),
        explain_fold(error.code, error.explanation),
    ]
    return "\n".join(block for block in blocks if block)


def _reasons(error: Diagnostic) -> list[Diagnostic]:
    """The message itself, then the notes in order."""
    return [replace(error, spans=()), *error.notes]


def _sentence(diagnostic: Diagnostic) -> str:
    lines = (diagnostic.message[:1].upper() + diagnostic.message[1:]).split("\n")
    candidates = [line for line in lines if _CANDIDATE.match(line)]
    cut = set(candidates[MAX_CANDIDATES:])
    more = [f"and {len(cut)} more"] if cut else []
    return "\n".join([line for line in lines if line not in cut] + more)


def _spans(diagnostic: Diagnostic, *, labelled: bool = False) -> list[Span]:
    """The places in the reader's own files from top to bottom, those of the first file first."""
    sites = [span.at_call_site() for span in diagnostic.spans]
    sites = [s for s in sites if is_readers_file(s.file_name) and s.text and (s.label or not labelled)]
    main = diagnostic.primary.file_name if diagnostic.primary else ""
    return sorted(sites, key=lambda s: (s.file_name != main, s.file_name, s.line_start, s.column_start))


def _says(span: Span) -> str:
    return span.label or ("the error is here" if span.is_primary else "")


def _where(span: Span) -> str:
    return f"{span.file_name}, line {span.line_start}"


def _spans_table(diagnostic: Diagnostic, *, labelled: bool = False) -> str:
    spans = _spans(diagnostic, labelled=labelled)
    if not spans:
        return ""
    rows = []
    for span in spans:
        says = prose(_says(span))
        says = f'<strong class="wb-error">{says}</strong>' if span.is_primary and not labelled else says
        rows.append(f"<tr><td>{_nowrap(_where(span))}</td><td><code>{_marked(span)}</code></td><td>{says}</td></tr>")
    head = "<tr><th>where</th><th>code</th><th>what the compiler says</th></tr>"
    table = f'<table class="wb-spans"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="wb-wide">{table}</div>'


def _nowrap(text: str) -> str:
    return escape(text).replace(" ", "&nbsp;")


def _marked(span: Span) -> str:
    """The source lines of a span with the part that it covers marked."""
    indent = min((len(line.text) - len(line.text.lstrip()) for line in span.text), default=0)
    lines = []
    for line in span.text[:MAX_LINES]:
        start, end = max(line.highlight_start - 1, indent), line.highlight_end - 1
        middle = f"<mark>{escape(line.text[start:end])}</mark>" if end > start else ""
        lines.append(escape(line.text[indent:start]) + middle + escape(line.text[max(start, end) :]))
    return "\n".join(lines + (["…"] if len(span.text) > MAX_LINES else []))


def _repairs(error: Diagnostic) -> Iterator[tuple[Diagnostic, list[list[Edit]]]]:
    """Each help with the changes that it proposes in the reader's files."""
    for message in error.helps:
        alternatives = [[edit for edit in group if is_readers_file(edit.file)] for group in edits(message)]
        yield message, [group for group in alternatives if group]


def _repairs_html(error: Diagnostic, engine: str | None) -> Iterator[str]:
    found = False
    for message, alternatives in _repairs(error):
        found = True
        yield f"<p>{prose(_sentence(message))}{':' if alternatives else ''}</p>"
        for group in alternatives:
            lines = [_diff_line_html(sign, number, text) for sign, number, text in _diff(group)]
            yield f"<pre>{chr(10).join(lines)}</pre>"
    if not found:
        yield f"<p>{NO_REPAIR}</p>"
    yield hints_html(hints_for(engine, [error.code], error.search_text))


def _diff(group: list[Edit]) -> Iterator[tuple[str, int, str]]:
    """Signed lines of an alternative: sign, line number, text."""
    for edit in group:
        yield from (("-", edit.line + i, text) for i, text in enumerate(edit.before))
        yield from (("+", edit.line + i, text) for i, text in enumerate(edit.after))


def _diff_line_html(sign: str, number: int, text: str) -> str:
    element = "ins" if sign == "+" else "del"
    return f"{number:>4} <{element}>{sign} {escape(text)}</{element}>"


def _lesson_text(error: Diagnostic, engine: str | None) -> str:
    lines = [_heading(error), "", f"{_place_heading(error)}:", *_spans_text(error), "", "The reason:"]
    for reason in _reasons(error):
        lines += [f"  {_sentence(reason)}", *_spans_text(reason, labelled=True)]
    lines += ["", "The repair:"]
    for message, alternatives in _repairs(error):
        lines.append(f"  {_sentence(message)}")
        lines += [f"  {number:>4} {sign} {text}" for group in alternatives for sign, number, text in _diff(group)]
    if not error.helps:
        lines.append(f"  {NO_REPAIR}")
    lines += [f"  hint: {hint}" for hint in hints_for(engine, [error.code], error.search_text)]
    if has_explanation(error.code):
        lines += ["", f"More about this error: rustc --explain {error.code}"]
    return "\n".join(lines)


def _spans_text(diagnostic: Diagnostic, *, labelled: bool = False) -> list[str]:
    lines = []
    for span in _spans(diagnostic, labelled=labelled):
        code = " ".join(line.text.strip() for line in span.text[:MAX_LINES])
        lines.append(f"  {_where(span)}: {code}" + (f"  <- {_says(span)}" if _says(span) else ""))
    return lines
