"""Colours and small pieces of HTML that all cards of the workbook share.

A card has to read well in JupyterLab (light and dark), in the pages of nbconvert, and on a code host that
removes styles: so the structure is plain headings, tables, `pre` and `details`, and colour is only an addition.
"""

import functools
import html
import re

from helpers.terminal_text import only_colours, visible_controls

# Text takes the theme's colours where the page has a Jupyter or editor theme; accents are our own, because
# the themes define none for terminal output. Every pair has a contrast of at least 4.5 to 1.
_PALETTE = """
.wb{--wb-bg:var(--jp-layout-color1,var(--vscode-editor-background,#fff));
--wb-fg:var(--jp-content-font-color1,var(--vscode-editor-foreground,#1f2328));
--wb-dim:var(--jp-content-font-color2,var(--vscode-descriptionForeground,#57606a));
--wb-line:var(--jp-border-color2,var(--vscode-panel-border,#d0d7de));
--wb-code:var(--jp-cell-editor-background,var(--vscode-textCodeBlock-background,#f6f8fa));
--wb-focus:var(--jp-brand-color1,#0969da);
--wb-mono:var(--jp-code-font-family,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);
--wb-red:#b3261e;--wb-blue:#1a56b0;--wb-green:#1a6b38;--wb-yellow:#7a5600;--wb-cyan:#00677a;--wb-purple:#7b3fa0;
--wb-mark:#fff1b8}
[data-jp-theme-light="false"] .wb,.vscode-dark .wb,html[theme="dark"] .wb{--wb-red:#ff8a80;--wb-blue:#8ab4ff;
--wb-green:#81d99a;--wb-yellow:#f2cc60;--wb-cyan:#6fd6e8;--wb-purple:#d7a6ff;--wb-mark:#5c4a00}
.vscode-dark .wb,html[theme="dark"] .wb{--wb-bg:var(--vscode-editor-background,#1e1e1e);
--wb-fg:var(--vscode-editor-foreground,#e0e0e0);--wb-dim:#b0b0b0;--wb-line:#555;--wb-code:#2a2a2a}
"""
_BASE = """
.wb{background:var(--wb-bg);color:var(--wb-fg);border:1px solid var(--wb-line);border-radius:4px;
padding:10px 14px;margin:4px 0;font-size:14px;line-height:1.5;max-width:1100px;box-sizing:border-box}
.wb p{margin:4px 0 8px;color:inherit}
.wb h4,.wb h5{margin:0 0 6px;font-weight:600;color:inherit;line-height:1.4}
.wb h4{font-size:15px}.wb h5{font-size:14px;margin-top:14px}
.wb code,.wb pre{font-family:var(--wb-mono);font-size:13px;color:inherit;background:transparent;padding:0;border:0}
.wb :not(pre)>code{background:var(--wb-code);padding:1px 4px;border-radius:3px;white-space:pre-wrap;font-size:13px}
.wb pre{background:var(--wb-code);border:1px solid var(--wb-line);border-radius:3px;padding:8px 10px;margin:6px 0;
overflow-x:auto;white-space:pre;line-height:1.35;word-break:normal}
.wb details{margin:6px 0}
.wb summary{cursor:pointer;color:var(--wb-dim)}
.wb summary:focus-visible{outline:2px solid var(--wb-focus);outline-offset:2px}
.wb .wb-dim{color:var(--wb-dim)}.wb .wb-error{color:var(--wb-red)}.wb .wb-warning{color:var(--wb-yellow)}
.wb .wb-good{color:var(--wb-green)}
.wb mark{background:var(--wb-mark);color:inherit;padding:0 1px;border-radius:2px}
.wb ins{text-decoration:none;color:var(--wb-green)}.wb del{text-decoration:none;color:var(--wb-red)}
.wb .wb-hint{border-left:3px solid var(--wb-blue);padding:2px 0 2px 10px;margin:8px 0}
.wb .wb-explain{border-left:1px solid var(--wb-line);padding-left:12px}
.wb .ansi1{font-weight:700}.wb .ansi3{font-style:italic}.wb .ansi4{text-decoration:underline}
"""
_ANSI_COLOURS = ("red", "green", "yellow", "blue", "purple", "cyan")
_ANSI_RULES = "".join(
    f".wb .ansi{31 + i},.wb .ansi{91 + i},.wb .ansi38-{1 + i},.wb .ansi38-{9 + i}{{color:var(--wb-{name})}}"
    for i, name in enumerate(_ANSI_COLOURS)
)
# Pygments' short class names: keywords, types and functions, strings, numbers, comments.
_SYNTAX_RULES = """
.wb .k,.wb .kd,.wb .kr,.wb .kc,.wb .kn,.wb .bp,.wb .ow{color:var(--wb-purple)}
.wb .kt,.wb .nc,.wb .nb,.wb .nn{color:var(--wb-cyan)}.wb .nf,.wb .fm,.wb .nd{color:var(--wb-blue)}
.wb .s,.wb .s1,.wb .s2,.wb .sa,.wb .se,.wb .sc,.wb .sd,.wb .si,.wb .cp{color:var(--wb-green)}
.wb .m,.wb .mi,.wb .mf,.wb .mh,.wb .mb,.wb .mo,.wb .il{color:var(--wb-yellow)}
.wb .c,.wb .c1,.wb .cm,.wb .ch{color:var(--wb-dim);font-style:italic}
"""
_CODE_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)


def style_tag(extra: str = "") -> str:
    """The style sheet of a card; every output carries its own, since any other output may be cleared."""
    rules = (_PALETTE + _BASE + _ANSI_RULES + _SYNTAX_RULES + extra).replace("\n", "")
    return f"<style>{rules}</style>"


def card(kind: str, body: str, style: str = "") -> str:
    """A card with its own style sheet; `body` is HTML."""
    return f'<div class="wb {kind}">{style_tag(style)}\n{body}\n</div>'


def escape(text: str) -> str:
    """Escape text for HTML; control characters become their visible signs."""
    return html.escape(visible_controls(text))


def prose(text: str) -> str:
    """Escape text and show `code` between backquotes as code."""
    parts, end = [], 0
    for match in _CODE_SPAN.finditer(text):
        parts += [escape(text[end : match.start()]), f"<code>{escape(match[2].strip())}</code>"]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def fold(summary: str, body: str, *, opened: bool = False) -> str:
    """A foldable part; `summary` and `body` are HTML."""
    return f"<details{' open' if opened else ''}><summary>{summary}</summary>\n{body}\n</details>"


@functools.cache
def _converter():  # noqa: ANN202  the type is imported only when a card is shown
    from ansi2html import Ansi2HTMLConverter

    return Ansi2HTMLConverter(inline=False, escaped=True, linkify=False)


def ansi_html(text: str) -> str:
    """Terminal text to HTML spans with the classes that `style_tag` colours; everything else is escaped."""
    return _converter().convert(visible_controls(only_colours(text), keep_colours=True).strip("\n"), full=False)


def highlighted(source: str, language: str) -> str:
    """Source as HTML spans with Pygments' class names, without a wrapping element.

    Args:
        source: Program text.
        language: Name of a Pygments lexer; an unknown one leaves the text plain.
    """
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(source)
    return highlight(visible_controls(source), lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
