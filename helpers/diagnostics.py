"""Typed form of the messages that rustc writes as JSON, with file names that a reader can use.

Source of the format: https://doc.rust-lang.org/rustc/json.html
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from helpers.terminal_text import SGR, only_colours, strip_ansi

SUMMARY_LIMIT = 300  # characters; a message can hold a type name of any length

_NOISE = re.compile(
    r"aborting due to|\d+ warnings? emitted|Some errors have detailed explanations|For more information about|"
    r"could not compile|.* generated \d+ warning"
)
# rustc writes very long types to a file and names that file: a machine path that no reader can use.
_LONG_TYPE_NOTE = re.compile(
    r"the full (?:type )?name(?: for the type)? has been written to|"
    r"consider using `--verbose` to print the full type name"
)
# What the reader wrote as `#![warn(…)]` was moved into the generated first line, which is no line of the cell.
_LINT_LEVEL = "the lint level is defined here"
_NEXT_PART = re.compile(r"\s*= |[a-z]+(?:\[\w+\])?: ")
_SOURCE_LINE = re.compile(r"\s*\d+\s[|+~-]")
_ARROW_LINE = re.compile(rf"((?:-->|:::) (?:{SGR})*)(.+?)(:\d+:\d+(?:{SGR})*)$")
_ABSOLUTE = r"(?:[A-Za-z]:[\\/]|/)"
_ABSOLUTE_PATH = re.compile(r"(?<![\w:/<.~-])(?:[A-Za-z]:\\|/)(?:[^\s:'\"`/\\|<>()]+[/\\])+[^\s:'\"`/\\|<>()]+")
_KNOWN_FOLDERS = (
    re.compile(r"/rustc/[0-9a-f]+/(.+)"),
    re.compile(r".*/rustlib/(?:rustc-)?src/rust/(.+)"),
    re.compile(r".*/registry/src/[^/]+/(.+)"),
)
_GIT_CHECKOUT = re.compile(r".*/git/checkouts/(.+?)-[0-9a-f]{16}/[^/]+/(.+)")
_BUILD_OUTPUT = re.compile(r".*/build/(.+?)-[0-9a-f]{16}/out/(.+)")
_PACKAGE_FILE = re.compile(r".*/([^/]+/(?:src|tests|examples|benches)/.+)")


def short_path(path: str) -> str:
    """Shorten an absolute path to what names the file for everybody, such as `anyhow-1.0.105/src/lib.rs`.

    Relative paths stay as they are. Nothing of the reader's home or of the folder of the workbook remains.
    """
    if not re.match(_ABSOLUTE, path):
        return path
    posix = path.replace("\\", "/")
    for pattern in _KNOWN_FOLDERS:
        if match := pattern.fullmatch(posix):
            return match[1]
    if match := _GIT_CHECKOUT.fullmatch(posix):
        return f"{match[1]}/{match[2]}"
    if match := _BUILD_OUTPUT.fullmatch(posix):
        return f"{match[1]}/out/{match[2]}"
    home = f"{Path.home().as_posix()}/"
    if match := _PACKAGE_FILE.fullmatch("/" + posix.removeprefix(home)):
        return match[1]
    return posix.rsplit("/", 1)[-1]


class _Names:
    """Replaces file names in text: the labels of the caller first, then every absolute path."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        self.labels = {short_path(name): label for name, label in labels.items()}
        names = "|".join(re.escape(name) for name in sorted(self.labels, key=len, reverse=True))
        self._mention = re.compile(rf"(?<![\w/.\\-])(?:{names})(?=:\d+:\d+)") if names else None

    def file(self, name: str) -> str:
        short = short_path(name)
        return self.labels.get(short, short)

    def text(self, text: str) -> str:
        text = _ABSOLUTE_PATH.sub(lambda match: short_path(match[0]), text)
        return self._mention.sub(lambda match: self.labels[match[0]], text) if self._mention else text

    def is_generated(self, span: "Span") -> bool:
        """Whether a span lies in the line that was put in front of a cell."""
        return short_path(span.file_name) in self.labels and span.line_start == span.line_end == 1

    def rendered(self, rendered: str, *, without: bool = False) -> str:
        """Rename in rendered text; leave out the note on the lint's level with its source lines if `without`."""
        lines = only_colours(rendered).split("\n")
        lines = _without_lint_level(lines) if without else lines
        return "\n".join(line for line in map(self._rendered_line, lines) if line is not None)

    def _rendered_line(self, line: str) -> str | None:
        plain = strip_ansi(line)
        if _SOURCE_LINE.match(plain):
            return line  # the reader's own text: never touched
        if _LONG_TYPE_NOTE.search(plain):
            return None
        if _ARROW_LINE.search(line):
            return _ARROW_LINE.sub(lambda match: match[1] + self.file(match[2]) + match[3], line)
        return self.text(line)


def _without_lint_level(lines: list[str]) -> list[str]:
    kept, inside = [], False
    for line in lines:
        plain = strip_ansi(line)
        inside = plain == f"note: {_LINT_LEVEL}" or (inside and bool(plain) and not _NEXT_PART.match(plain))
        if not inside:
            kept.append(line)
    return kept


def shorten_paths(text: str) -> str:
    """Shorten every absolute path in text of any kind, such as the place that a panic names."""
    return _Names({}).text(text)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of source that a span touches; the highlight's columns count characters from 1, end exclusive."""

    text: str
    highlight_start: int
    highlight_end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source file; lines and columns count from 1, the end column is exclusive.

    Attributes:
        text: The source lines, as far as rustc could read the file.
        suggested_replacement: What rustc would write here; None if it proposes nothing.
        call_site: Where the macro was called that this place comes from; None outside of macros.
    """

    file_name: str
    line_start: int
    line_end: int
    column_start: int
    column_end: int
    is_primary: bool = False
    text: tuple[SourceLine, ...] = ()
    label: str | None = None
    suggested_replacement: str | None = None
    call_site: "Span | None" = None

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Span":
        """Read a span object of rustc."""
        expansion = data.get("expansion")
        lines = (
            SourceLine(line["text"], line["highlight_start"], line["highlight_end"]) for line in data.get("text") or ()
        )
        return cls(
            file_name=data["file_name"],
            line_start=data["line_start"],
            line_end=data["line_end"],
            column_start=data["column_start"],
            column_end=data["column_end"],
            is_primary=bool(data.get("is_primary")),
            text=tuple(lines),
            label=data.get("label"),
            suggested_replacement=data.get("suggested_replacement"),
            call_site=cls.from_json(expansion["span"]) if expansion else None,
        )

    def at_call_site(self) -> "Span":
        """Follow macro calls outwards to the first place whose source text rustc could show."""
        if self.text or self.call_site is None:
            return self
        return replace(self.call_site.at_call_site(), label=self.label, is_primary=self.is_primary)

    def _renamed(self, names: _Names) -> "Span":
        return replace(
            self,
            file_name=names.file(self.file_name),
            label=self.label and names.text(self.label),
            call_site=self.call_site and self.call_site._renamed(names),
        )


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of rustc: an error or warning with its places and its notes.

    Attributes:
        level: `error`, `warning`, `note`, `help` and a few rarer words.
        code: An error code or the name of a lint; None for syntax errors.
        children: Notes and helps, in rustc's order.
        rendered: The message as rustc would print it, with terminal colours.
        explanation: rustc's chapter about the code, as Markdown.
    """

    level: str
    message: str
    code: str | None = None
    spans: tuple[Span, ...] = ()
    children: "tuple[Diagnostic, ...]" = ()
    rendered: str = ""
    explanation: str | None = None

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Diagnostic":
        """Read a diagnostic object of rustc with its paths as they are.

        Raises:
            ValueError: A field is missing or of another type.
        """
        try:
            code = data.get("code") or {}
            return cls(
                level=data["level"],
                message=data["message"],
                code=code.get("code"),
                spans=tuple(Span.from_json(span) for span in data.get("spans") or ()),
                children=tuple(cls.from_json(child) for child in data.get("children") or ()),
                rendered=data.get("rendered") or "",
                explanation=code.get("explanation"),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a diagnostic of rustc: {error!r}") from error

    @property
    def is_error(self) -> bool:
        """True for errors, internal compiler errors included."""
        return self.level.startswith("error") and not self.is_noise

    @property
    def is_warning(self) -> bool:
        """True for warnings and lints at the level `warn`."""
        return self.level == "warning" and not self.is_noise

    @property
    def is_noise(self) -> bool:
        """True for the messages that only count others, such as `aborting due to 2 previous errors`."""
        return self.level == "failure-note" or (self.code is None and bool(_NOISE.match(self.message)))

    @property
    def primary(self) -> Span | None:
        """The place that the message is about."""
        return next((span.at_call_site() for span in self.spans if span.is_primary), None)

    @property
    def plain(self) -> str:
        """The rendered text without colours."""
        return strip_ansi(self.rendered).strip("\n")

    @property
    def notes(self) -> "list[Diagnostic]":
        """The notes in rustc's order."""
        return [child for child in self.children if child.level == "note"]

    @property
    def helps(self) -> "list[Diagnostic]":
        """What rustc proposes, in its order."""
        return [child for child in self.children if child.level == "help"]

    @property
    def search_text(self) -> str:
        """All words of the message, one part a line; hints are looked up in it."""
        return "\n".join(self._words())

    def _words(self) -> Iterator[str]:
        yield self.message
        yield from (span.label for span in self.spans if span.label)
        for child in self.children:
            yield from child._words()

    def relabel(self, labels: Mapping[str, str]) -> "Diagnostic":
        """Return a copy in which file names are replaced, in the spans and in the rendered text.

        Args:
            labels: File name as rustc wrote it -> the reader's name for it, `{"src/bin/cell.rs": "cell"}`.
                Files that are not in the map keep their names.
        """
        return self._renamed(_Names(labels))

    def _renamed(self, names: _Names) -> "Diagnostic":
        told = [child for child in self.children if not _LONG_TYPE_NOTE.match(child.message)]
        kept = [
            child for child in told if not (child.message == _LINT_LEVEL and all(map(names.is_generated, child.spans)))
        ]
        return replace(
            self,
            message=names.text(self.message),
            rendered=names.rendered(self.rendered, without=len(kept) < len(told)),
            spans=tuple(span._renamed(names) for span in self.spans),
            children=tuple(child._renamed(names) for child in kept),
        )


def parse(message: dict[str, Any]) -> Diagnostic:
    """Turn one rustc JSON message (cargo's `message` object) into a Diagnostic.

    Absolute paths are shortened at once, so no path of the reader's machine is left in any text.

    Raises:
        ValueError: The object is not a rustc diagnostic.
    """
    return Diagnostic.from_json(message)._renamed(_Names({}))


def parse_all(messages: Iterable[dict[str, Any]], labels: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """Parse and relabel messages; those that only count others and repeats are dropped."""
    names = _Names(labels or {})
    parsed = (Diagnostic.from_json(message) for message in messages)
    found = {(d.rendered, d.message): d for d in reversed([d for d in parsed if not d.is_noise])}
    return [diagnostic._renamed(names) for diagnostic in reversed(found.values())]


def errors_in(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors, in rustc's order."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.is_error]


def warnings_in(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The warnings, in rustc's order."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.is_warning]


def title(diagnostic: Diagnostic) -> str:
    """Code and message in one line: ``E0382: borrow of moved value: `t` ``."""
    message = " ".join(strip_ansi(diagnostic.message).split())
    if len(message) > SUMMARY_LIMIT:
        message = message[: SUMMARY_LIMIT - 1] + "…"
    return f"{diagnostic.code}: {message}" if diagnostic.code else message


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """The first error as one line without path, line number or colour; empty when there is no error."""
    return next((title(diagnostic) for diagnostic in diagnostics if diagnostic.is_error), "")
