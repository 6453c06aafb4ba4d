"""Reads the flamegraph that pprof draws: shows it without its script, and tells where the samples fell.

In a flamegraph a box is a function, as wide as the share of samples in which it was on the stack; it stands on the
function that called it. What of a box no other box stands on is the function's own time.
"""

import itertools
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.errors import WorkbookError

PERF_SECONDS = 20
NARROWEST = 0.1  # percent of the picture's width
NO_SAMPLES = (
    "No flamegraph: the profiler took no sample, so this machine does not deliver its timer signal (SIGPROF). "
    "The times of spans, below, need no signal."
)
_FRAME = re.compile(
    r"<g><title>(?P<name>.*?) \((?P<count>[\d,]+) samples?, [\d.]+%\)</title>"
    r'<rect [^>]*?y="(?P<y>[\d.]+)"[^>]*? fg:x="(?P<x>\d+)" fg:w="(?P<w>\d+)"/>',
    re.DOTALL,
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&"}


@dataclass(frozen=True)
class Frame:
    """One box of a flamegraph.

    Attributes:
        name: The function.
        y: The box's top in the picture; callers have larger values.
        start: Its left edge, in samples.
        width: Its width, in samples.
    """

    name: str
    y: float
    start: int
    width: int

    @property
    def end(self) -> int:
        """Its right edge, in samples."""
        return self.start + self.width


@dataclass(frozen=True)
class Flamegraph:
    """A flamegraph; a notebook shows its picture, a terminal the functions with most samples of their own."""

    svg: str
    frames: tuple[Frame, ...]

    @classmethod
    def read(cls, path: Path) -> "Flamegraph":
        """Read the picture that `pprof` wrote.

        Raises:
            WorkbookError: There is no picture in the file, as after a run without samples.
        """
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        frames = tuple(_frame(match) for match in _FRAME.finditer(text))
        if not frames:
            raise WorkbookError(NO_SAMPLES)
        return cls(still(text), frames)

    @property
    def samples(self) -> int:
        """All samples."""
        return max(frame.end for frame in self.frames)

    def own_samples(self) -> Mapping[str, int]:
        """Samples in which a function itself ran, none that it called; the largest first."""
        rows = sorted({frame.y for frame in self.frames}, reverse=True)
        above = dict(itertools.pairwise(rows))
        own: dict[str, int] = {}
        for frame in self.frames:
            called = (f for f in self.frames if f.y == above.get(frame.y) and frame.start <= f.start < frame.end)
            own[frame.name] = own.get(frame.name, 0) + frame.width - sum(f.width for f in called)
        return dict(sorted(((n, c) for n, c in own.items() if c), key=lambda item: -item[1]))

    def under(self, part: str) -> int:
        """Samples in which a function whose name holds `part` was on the stack, each counted once."""
        found = sorted((f for f in self.frames if part in f.name), key=lambda f: f.start)
        total, reached = 0, 0
        for frame in found:
            total += max(frame.end - max(frame.start, reached), 0)
            reached = max(reached, frame.end)
        return total

    def __repr__(self) -> str:
        """The functions with most samples of their own."""
        rows = list(self.own_samples().items())[:8]
        return "\n".join(f"{count / self.samples:4.0%}  {name}" for name, count in rows)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}


def show(path: Path) -> Flamegraph | None:
    """Show the picture in the notebook and return it; where there is none, say why."""
    from IPython.display import display

    try:
        graph = Flamegraph.read(path)
    except WorkbookError as reason:
        print(reason)
        return None
    display(graph)
    return graph


def _frame(match: re.Match[str]) -> Frame:
    name = match["name"]
    for entity, sign in _ENTITIES.items():
        name = name.replace(entity, sign)
    return Frame(name, float(match["y"]), int(match["x"]), int(match["w"]))


def still(svg: str) -> str:
    """Return the picture without script, controls and style sheet, which would reach into the page around it.

    Boxes too narrow to be seen go as well.
    """
    svg = re.sub(r"<g><title>.*?</g>", lambda box: box[0] if _is_visible(box[0]) else "", svg, flags=re.DOTALL)
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<(script|style)\b.*?</\1>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<text id="(?:details|search|unzoom|matched)".*?</text>', "", svg, flags=re.DOTALL)
    svg = svg.replace('<text id="title"', '<text text-anchor="middle" font-size="17"')
    svg = re.sub(r' (?:onload|total_samples|fg:\w+|id)="[^"]*"', "", svg)
    svg = svg.replace('fill="url(#background)"', 'fill="#f8f8f0"')
    svg = re.sub(r'(<svg[^>]*?) width="\d+" height="\d+"', r'\1 width="100%"', svg, count=1)  # as wide as the page
    return svg.replace("<svg ", '<svg font-family="monospace" font-size="12" ', 1).strip()


def _is_visible(box: str) -> bool:
    width = re.search(r'width="([\d.]+)%"', box)
    return width is None or float(width[1]) >= NARROWEST


def perf_verdict() -> str:
    """Say in one sentence whether `perf`, Linux's own profiler, can record here."""
    perf = shutil.which("perf")
    if perf is None:
        return "perf is not installed here (Debian's package is called linux-perf)."
    with tempfile.TemporaryDirectory(prefix="workbook-perf-") as folder:
        try:
            done = subprocess.run(
                [perf, "record", "--output", f"{folder}/perf.data", "--", "true"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=PERF_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return "perf is installed here and cannot be started."
    if done.returncode == 0:
        return "perf may record here."
    level = Path("/proc/sys/kernel/perf_event_paranoid")
    setting = f" (perf_event_paranoid is {level.read_text().strip()})" if level.exists() else ""
    return f"perf is installed here and may not record{setting}."
