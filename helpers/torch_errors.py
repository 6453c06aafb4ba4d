"""libtorch puts its C++ call stack in every error; without it the message is one sentence and the same in each run."""

import re

# In a panic the text is Rust's debug form: one line, with line ends written as \n, up to the quote at its end.
_ESCAPED = re.compile(
    r"(?:\\n+Exception raised from | '[\w:.]+' is only available for these backends: \[).*?(?=(?<!\\)\"\)|$)",
    re.MULTILINE,
)
_LINES = re.compile(r"^(?:Exception raised from |frame #\d+: ).*(?:\n|\Z)", re.MULTILINE)


def without_torch_frames(text: str) -> str:
    """Leave out what libtorch adds for its own developers: the C++ stack and the list of back ends.

    Works on a whole text and on single lines; a line that is nothing but a stack frame becomes empty.
    """
    return _LINES.sub("", _ESCAPED.sub("", text))
