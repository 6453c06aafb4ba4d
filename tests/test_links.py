"""Links between chapters lead to notebooks and headings that exist."""

import re
from urllib.parse import unquote

import nbformat
import pytest

from helpers.paths import NOTEBOOKS

CHAPTERS = sorted(NOTEBOOKS.glob("*.ipynb"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.MULTILINE | re.DOTALL)


def markdown(path):
    """A notebook's markdown cells, one text each, without blocks of code."""
    cells = nbformat.read(path, as_version=4).cells
    return [FENCE.sub("", cell.source) for cell in cells if cell.cell_type == "markdown"]


def anchor(heading):
    """The name that Jupyter gives to a heading: its text without marks, spaces as hyphens."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().rstrip("#").rstrip())
    return re.sub(r"[`*]|(?<!\w)_|_(?!\w)", "", text).replace(" ", "-")


def anchors(path):
    headings = (re.match(r"#{1,6}\s+(.*)", line) for text in markdown(path) for line in text.splitlines())
    return {anchor(heading[1]) for heading in headings if heading}


def broken_links(path, folder=NOTEBOOKS):
    """The links of a notebook that lead nowhere, as they stand there."""
    broken = []
    for target in LINK.findall("\n".join(markdown(path))):
        if re.match(r"[a-z]+:", target):
            continue  # out of the workbook
        name, _, fragment = unquote(target).partition("#")
        file = folder / name if name else path
        if not file.exists() or (fragment and file.suffix == ".ipynb" and fragment not in anchors(file)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_links(chapter):
    assert broken_links(chapter) == []


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("A plain one", "A-plain-one"),
        ("Threads: `Send` and `Sync`", "Threads:-Send-and-Sync"),
        ("The *other* side", "The-other-side"),
        ("Why `zero_grad`?", "Why-zero_grad?"),
    ],
)
def test_anchors(heading, name):
    assert anchor(heading) == name


def test_a_broken_link_is_found(tmp_path):
    cells = [
        "# A heading\n[good](#A-heading) [bad](#No-heading) [out](https://example.org/#x)",
        "```\n# no heading: [code](#in-a-block)\n```\n[other](02_x.ipynb) [gone](03_y.ipynb) [there](02_x.ipynb#Top)",
    ]
    for name, texts in {"01_a.ipynb": cells, "02_x.ipynb": ["# Top"]}.items():
        nbformat.write(
            nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text) for text in texts]), tmp_path / name
        )
    assert broken_links(tmp_path / "01_a.ipynb", tmp_path) == ["#No-heading", "03_y.ipynb"]
