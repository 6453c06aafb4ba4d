"""The outputs in the committed notebooks hold what a reader needs: no blanks, nothing about one machine's builds."""

import re
from pathlib import Path

import nbformat
import pytest

from helpers.paths import NOTEBOOKS

CHAPTERS = sorted(NOTEBOOKS.glob("*.ipynb"))
BUILT = re.compile(r"^Building \w\S* (?:took|was stopped after) ", re.MULTILINE)


def faults(outputs: list) -> list[str]:
    """What is wrong with a cell's outputs, in words."""
    found = []
    for output in outputs:
        shown = output.get("data", {}).values() if output.output_type != "stream" else [output.text]
        texts = ["".join(text) for text in shown if isinstance(text, str | list)]
        if texts and not any(text.strip() for text in texts):
            found.append(f"a blank {output.output_type}")
        if any(BUILT.search(text) for text in texts):
            found.append("the time of a build")
    return found


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_output_is_blank_or_tells_of_a_build(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    found = {number: said for number, cell in enumerate(cells) if (said := faults(cell.get("outputs", [])))}
    assert found == {}


def test_faults_are_seen() -> None:
    new = nbformat.v4.new_output
    empty = new("display_data", {"text/html": "", "text/plain": ""})
    took = new("stream", name="stderr", text="x\nBuilding Burn took 5 s.\n")
    good = new("display_data", {"text/html": "<b>Building</b>", "text/plain": ""})
    assert faults([empty, new("stream", name="stdout", text=" \n"), took, good]) == [
        "a blank display_data",
        "a blank stream",
        "the time of a build",
    ]
