"""The README names only what is there."""

import re

import pytest
from typer.main import get_command

from helpers.cli import app
from helpers.paths import NOTEBOOKS, REPO

README = (REPO / "README.md").read_text(encoding="utf-8")
LINKS = [target for target in re.findall(r"\]\(([^)\s]+)\)", README) if "://" not in target]


@pytest.mark.parametrize("target", LINKS)
def test_links_lead_to_files(target):
    assert (REPO / target).exists()


def test_commands_exist():
    named = set(re.findall(r"(?:uv run |`)workbook ([a-z]+)", README))
    assert named <= set(get_command(app).commands)
    assert {"lab", "run", "doctor", "build", "bench", "sync", "clean"} <= named


def test_every_chapter_is_in_the_map():
    missing = [path.name for path in NOTEBOOKS.glob("[0-9][0-9]_*.ipynb") if f"notebooks/{path.name}" not in README]
    assert missing == []
