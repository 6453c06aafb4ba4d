"""The compiler's own chapter about an error code: `rustc --explain`."""

import functools
import re
import subprocess

from helpers.html_theme import fold, highlighted, prose

ERROR_CODE = re.compile(r"E\d{4}")
_SECONDS = 20


def has_explanation(code: str | None) -> bool:
    """True for codes of the form E0382; lints such as `unused_mut` have no chapter."""
    return bool(code and ERROR_CODE.fullmatch(code))


@functools.cache
def explain(code: str) -> str:
    """Return what `rustc --explain CODE` says, as Markdown; an empty text when rustc does not know the code.

    Raises:
        ValueError: `code` is not of the form E0382.
    """
    if not has_explanation(code):
        raise ValueError(f"{code!r} is not an error code of rustc: codes look like E0382.")
    try:
        done = subprocess.run(
            ["rustc", "--explain", code],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return readable(done.stdout) if done.returncode == 0 else ""


def readable(markdown: str) -> str:
    """Take out what only rustc's documentation tests need: the words after a fence and hidden lines (`# ...`)."""
    lines, in_code = [], False
    for line in markdown.strip().splitlines():
        if line.startswith("```"):
            in_code = not in_code
            lines.append("```")
        elif not (in_code and re.match(r"\s*#( |$)", line)):
            lines.append(line)
    return "\n".join(lines)


def _parts(markdown: str) -> list[tuple[bool, str]]:
    """Split the text at its fences: pairs (is code, text)."""
    pieces = re.split(r"^```.*\n?", markdown, flags=re.MULTILINE)
    return [(i % 2 == 1, piece.strip("\n")) for i, piece in enumerate(pieces) if piece.strip()]


def explain_html(code: str, text: str | None = None) -> str:
    """Rustc's chapter about an error code as HTML without a card; empty if there is none.

    Args:
        code: An error code such as E0382.
        text: The chapter if it is known already; rustc is asked otherwise.
    """
    pieces = []
    for is_code, piece in _parts(readable(text) if text else explain(code)):
        if is_code:
            pieces.append(f"<pre><code>{highlighted(piece, 'rust')}</code></pre>")
        else:
            pieces += [f"<p>{prose(paragraph)}</p>" for paragraph in piece.split("\n\n") if paragraph.strip()]
    return f'<div class="wb-explain">{"".join(pieces)}</div>' if pieces else ""


def explain_fold(code: str | None, text: str | None = None) -> str:
    """The chapter behind a fold; empty if there is none."""
    body = explain_html(str(code), text) if has_explanation(code) else ""
    return fold(f"rustc --explain {code}", body) if body else ""
