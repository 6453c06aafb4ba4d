"""One program in several engines: the sources in tabs, and a table of what each cost.

The tabs are radio buttons and a style sheet, without JavaScript, so they work in JupyterLab, in the pages of
nbconvert and with the keyboard. Where styles are removed, nothing of them is seen (the words on the labels come
from the style sheet, the buttons have the attribute `hidden`): the sources are titled sections one under another.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.html_theme import ansi_html, card, escape, highlighted, prose
from helpers.terminal_text import strip_ansi
from helpers.units import duration, megabytes

COLOURS = {"failed": "wb-error", "skipped": "wb-dim"}  # by status; every other status is good

_STYLE = """
.wb .wb-tabs{display:flex;flex-wrap:wrap;align-items:stretch;position:relative}
.wb .wb-tabs>input[hidden]{display:block;position:absolute;width:1px;height:1px;margin:0;opacity:0}
.wb .wb-tabs>label[hidden]{display:block;order:1;padding:6px 14px;margin:0 2px 0 0;cursor:pointer;
border:1px solid transparent;border-bottom:0;border-radius:4px 4px 0 0;color:var(--wb-dim);font-weight:400}
.wb .wb-tabs>label::before{content:attr(data-title)}
.wb .wb-tabs>label.wb-all{margin-left:auto;order:2}
.wb .wb-tabs>input:checked+label{border-color:var(--wb-line);background:var(--wb-code);color:var(--wb-fg);
font-weight:600}
.wb .wb-tabs>input:focus-visible+label{outline:2px solid var(--wb-focus);outline-offset:-2px}
.wb .wb-tabs::before{content:"";order:3;width:100%}
.wb .wb-tabs>section{display:none;order:4;width:100%;box-sizing:border-box;min-width:0}
.wb .wb-tabs>section>pre{margin-top:0}
.wb .wb-tabs>section>h4{display:none}
.wb .wb-tabs>input:checked+label+section{display:block}
.wb .wb-tabs>input.wb-all:checked~section{display:block;width:50%;padding-right:8px}
.wb .wb-tabs>input.wb-all:checked~section>h4{display:block;margin-top:8px}
.wb table.wb-results{border-collapse:collapse;border:0;margin:10px 0 0;font-size:13px}
.wb table.wb-results tr,.wb table.wb-results tr:hover{background:transparent}
.wb table.wb-results th,.wb table.wb-results td{border:0;border-bottom:1px solid var(--wb-line);color:inherit;
padding:4px 16px 4px 0;text-align:left;vertical-align:top;max-width:none;white-space:normal}
.wb table.wb-results .wb-number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
"""
_COLUMNS = ("engine", "built in", "ran in", "peak memory", "verdict")


@dataclass(frozen=True)
class CompareItem:
    """One engine's program and what came of it.

    Attributes:
        engine: Name of the engine.
        title: What the tab says.
        language: Name of a Pygments lexer, `rust` or `python`.
        source: The program.
        status: One word for what came of it, such as `ran`, `failed` or `skipped`.
        detail: One sentence for the verdict; empty if there is nothing to add.
        compile_seconds: Time of the build; None where nothing was built.
        wall_seconds: Time of the run; None where nothing ran.
        peak_rss_bytes: Highest resident memory of the run; None where unknown.
        output: What the program printed.
    """

    engine: str
    title: str
    language: str
    source: str
    status: str = "ran"
    detail: str = ""
    compile_seconds: float | None = None
    wall_seconds: float | None = None
    peak_rss_bytes: int | None = None
    output: str = ""


def compare_html(items: Sequence[CompareItem]) -> str:
    """The sources in tabs and the table of results, as one self-contained piece of HTML."""
    name = f"wb-{secrets.token_hex(4)}"  # two views in one notebook must not share radio buttons
    tabs = [_tab(item, f"{name}-{number}", name, number == 0) for number, item in enumerate(items)]
    if len(items) > 1:
        tabs.insert(0, _switch(f"{name}-all", name, "All side by side", kind=' class="wb-all"'))
    body = f'<div class="wb-tabs" role="group" aria-label="Sources">\n{"".join(tabs)}</div>\n{_table(items)}'
    return card("wb-compare", body, _STYLE)


def compare_text(items: Sequence[CompareItem]) -> str:
    """The same as plain text: sources and output one under another, then the table."""
    blocks = []
    for item in items:
        blocks.append(f"--- {item.title} ---\n{item.source.rstrip()}")
        if item.output.strip():
            blocks.append(f"output:\n{strip_ansi(item.output).rstrip()}")
    rows = [_COLUMNS, *(_cells(item) for item in items)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n\n".join([*blocks, "\n".join(table)])


def _switch(identity: str, group: str, title: str, *, kind: str = "", checked: bool = False) -> str:
    state = " checked" if checked else ""
    button = f'<input type="radio" name="{group}" id="{identity}"{kind}{state} aria-label="{escape(title)}" hidden>'
    return f'{button}<label for="{identity}"{kind} data-title="{escape(title)}" hidden></label>'


def _tab(item: CompareItem, identity: str, group: str, checked: bool) -> str:
    source = f"<pre><code>{highlighted(item.source.rstrip(), item.language)}</code></pre>"
    output = f"<p>Output:</p><pre>{ansi_html(item.output)}</pre>" if item.output.strip() else ""
    section = f"<section><h4>{escape(item.title)}</h4>\n{source}\n{output}</section>"
    return f"{_switch(identity, group, item.title, checked=checked)}\n{section}\n"


def _cells(item: CompareItem) -> tuple[str, str, str, str, str]:
    built = "" if item.compile_seconds is None else duration(item.compile_seconds)
    ran = "" if item.wall_seconds is None else duration(item.wall_seconds)
    memory = "" if item.peak_rss_bytes is None else megabytes(item.peak_rss_bytes)
    verdict = f"{item.status}: {item.detail}" if item.detail else item.status
    return item.title, built, ran, memory, strip_ansi(verdict)


def _table(items: Sequence[CompareItem]) -> str:
    kinds = ["", *[' class="wb-number"'] * 3, ""]
    head = "".join(f"<th{kind}>{title}</th>" for kind, title in zip(kinds, _COLUMNS, strict=True))
    rows = []
    for item in items:
        *cells, verdict = _cells(item)
        texts = [escape(cell or "-") for cell in cells]
        texts.append(f'<span class="{COLOURS.get(item.status, "wb-good")}">{prose(verdict)}</span>')
        columns = zip(kinds, texts, strict=True)
        rows.append(f"<tr>{''.join(f'<td{kind}>{text}</td>' for kind, text in columns)}</tr>")
    return f'<table class="wb-results"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
