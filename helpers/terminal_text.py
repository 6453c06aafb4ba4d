"""Text as programs write it for a terminal: taking out colours, cursor movements and control characters."""

import re

SGR = r"\x1b\[[\d;:]*m"  # the escape sequences that set colours and weight

_COLOURS = re.compile(SGR)
_OTHER_ESCAPES = re.compile(r"\x1b(?!\[[\d;:]*m)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
# Unicode has a visible sign for each control character: U+241B for ESC, and so on.
CONTROL_SIGNS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"} | {127: 0x2421}


def only_colours(text: str) -> str:
    """Return `text` without the escape sequences that move the cursor, set titles or make links."""
    return _OTHER_ESCAPES.sub("", text)


def strip_ansi(text: str) -> str:
    """Return `text` without any terminal escape sequence."""
    return _COLOURS.sub("", only_colours(text))


def visible_controls(text: str, *, keep_colours: bool = False) -> str:
    """Replace control characters other than newline and tab by visible signs."""
    signs = {code: sign for code, sign in CONTROL_SIGNS.items() if code != 27 or not keep_colours}
    return text.translate(signs)
