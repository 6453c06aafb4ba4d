"""What the reader sees of the compiler's messages: cards for notebooks, each with a twin in plain text."""

from collections.abc import Iterable, Sequence

from helpers.diagnostics import Diagnostic, errors_in, title, warnings_in
from helpers.explain import explain_fold, has_explanation
from helpers.hints import hints_for, hints_html
from helpers.html_theme import ansi_html, card, fold, prose
from helpers.lesson_card import lesson_card_html, lesson_card_text

__all__ = [
    "errors_html",
    "errors_text",
    "findings_html",
    "findings_text",
    "lesson_card_html",
    "lesson_card_text",
    "warnings_html",
    "warnings_text",
]

OPEN_ERRORS = 3  # further errors are folded
SHOWN_ERRORS = 20  # further errors are only listed by title

_STYLE = """
.wb.wb-errors{border-left:4px solid var(--wb-red)}.wb.wb-warnings{border-left:4px solid var(--wb-yellow)}
.wb .wb-title{color:var(--wb-fg);font-weight:600}
"""


def errors_html(diagnostics: Iterable[Diagnostic], engine: str | None = None) -> str:
    """One card with all errors: heading, coloured text, hints, and the long explanation behind a fold.

    Args:
        diagnostics: Everything that rustc said; only errors are shown.
        engine: Name of the engine whose hints may be shown.
    """
    errors = errors_in(diagnostics)
    if not errors:
        return ""
    if len(errors) == 1:
        body = f"<h4>{_heading(errors[0])}</h4>\n{_error_body(errors[0], engine)}"
    else:
        folds = [
            fold(_heading(error), _error_body(error, engine), opened=number < OPEN_ERRORS)
            for number, error in enumerate(errors[:SHOWN_ERRORS])
        ]
        rest = [f"<li>{prose(title(error))}</li>" for error in errors[SHOWN_ERRORS:]]
        more = [fold(f"{len(rest)} more errors", f"<ul>{''.join(rest)}</ul>")] if rest else []
        body = "\n".join([f'<h4 class="wb-error">{len(errors)} errors</h4>', *folds, *more])
    return card("wb-errors", body, _STYLE)


def errors_text(diagnostics: Iterable[Diagnostic], engine: str | None = None, *, colour: bool = False) -> str:
    """The same for a terminal, with rustc's own colours if `colour`."""
    blocks = []
    for error in errors_in(diagnostics)[:SHOWN_ERRORS]:
        blocks.append(_rendered(error, colour))
        blocks += [f"hint: {hint}" for hint in _hints(error, engine)]
        if has_explanation(error.code):
            blocks.append(f"More about this error: rustc --explain {error.code}")
    return "\n\n".join(blocks)


def warnings_html(diagnostics: Iterable[Diagnostic]) -> str:
    """All warnings in one folded card with their number; empty without warnings."""
    warnings = warnings_in(diagnostics)
    if not warnings:
        return ""
    first = f"{prose(title(warnings[0]))}{', …' if len(warnings) > 1 else ''}"
    heading = f'<span class="wb-warning">{_count(warnings, "warning")}</span>: {first}'
    body = "\n".join(_pre(warning) for warning in warnings)
    return card("wb-warnings", fold(heading, body), _STYLE)


def warnings_text(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All warnings in full, after a line with their number; empty without warnings."""
    warnings = warnings_in(diagnostics)
    if not warnings:
        return ""
    return "\n\n".join([f"{_count(warnings, 'warning')}:", *(_rendered(warning, colour) for warning in warnings)])


def findings_html(findings: Sequence[Diagnostic], tool: str) -> str:
    """One open card with what a tool such as Clippy found; empty if it found nothing."""
    if not findings:
        return ""
    parts = [f"<h5>{_heading(finding)}</h5>\n{_pre(finding)}" for finding in findings]
    heading = f'<h4><span class="wb-warning">{tool} found {_count(findings, "thing")}</span></h4>'
    return card("wb-warnings", "\n".join([heading, *parts]), _STYLE)


def findings_text(findings: Sequence[Diagnostic], tool: str, *, colour: bool = False) -> str:
    """The same for a terminal."""
    if not findings:
        return ""
    heading = f"{tool} found {_count(findings, 'thing')}:"
    return "\n\n".join([heading, *(_rendered(finding, colour) for finding in findings)])


def _count(items: Sequence[Diagnostic], word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _heading(diagnostic: Diagnostic) -> str:
    """Code, message and place."""
    code = f'<span class="wb-error">{prose(diagnostic.code)}</span>: ' if diagnostic.code else ""
    message = title(diagnostic).removeprefix(f"{diagnostic.code}: ")
    place = ""
    if diagnostic.primary is not None:
        where = prose(f"{diagnostic.primary.file_name}, line {diagnostic.primary.line_start}")
        place = f' <span class="wb-dim">({where})</span>'
    return f'<span class="wb-title">{code}{prose(message)}</span>{place}'


def _error_body(error: Diagnostic, engine: str | None) -> str:
    return "\n".join(
        part
        for part in (_pre(error), hints_html(_hints(error, engine)), explain_fold(error.code, error.explanation))
        if part
    )


def _hints(diagnostic: Diagnostic, engine: str | None) -> list[str]:
    return hints_for(engine, [diagnostic.code], diagnostic.search_text)


def _pre(diagnostic: Diagnostic) -> str:
    return f"<pre>{ansi_html(_rendered(diagnostic, True))}</pre>"


def _rendered(diagnostic: Diagnostic, colour: bool) -> str:
    """The rendered text, or the title where a tool gave none."""
    text = diagnostic.rendered if colour else diagnostic.plain
    return text.strip("\n") or title(diagnostic)
