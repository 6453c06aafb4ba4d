"""A flamegraph's picture loses its script and tells the functions' own samples."""

import pytest

from helpers import flamegraph
from helpers.errors import WorkbookError
from helpers.flamegraph import Flamegraph, still

HEAD = (
    '<?xml version="1.0" standalone="no"?><!DOCTYPE svg PUBLIC "x" "y"><svg version="1.1" width="1200" height="646" '
    'onload="init(evt)" xmlns:fg="http://example.org/fg"><!--words--><style type="text/css">\ntext { font-size:12px }\n'
    "</style><script type=\"text/ecmascript\"><![CDATA[var a = '<g>';]]></script>"
    '<text id="title" x="50%" y="24.00">Flame Graph</text><text id="search" x="1190" y="24.00">Search</text>'
    '<svg id="frames" x="10" width="1180" total_samples="10">'
)


def box(name, y, x, w):
    return (
        f'<g><title>{name} ({w} samples, 1.00%)</title><rect x="0%" y="{y}" width="1%" height="15" fill="rgb(1,2,3)" '
        f'fg:x="{x}" fg:w="{w}"/><text x="1%" y="{y}.50">{name[:2]}</text></g>'
    )


PICTURE = (
    HEAD
    + box("main", 100, 0, 10)
    + box("forward", 84, 0, 6)
    + box("backward", 84, 6, 3)
    + box("dot&lt;f32&gt;", 68, 1, 4)
    + box("dot&lt;f32&gt;", 68, 6, 2)
    + "</svg></svg>"
)


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "flame.svg"
    path.write_text(PICTURE)
    return Flamegraph.read(path)


def test_own_samples_are_those_that_no_callee_took(graph):
    assert graph.samples == 10
    assert graph.own_samples() == {"dot<f32>": 6, "forward": 2, "main": 1, "backward": 1}
    assert sum(graph.own_samples().values()) == graph.samples
    assert repr(graph).startswith(" 60%  dot<f32>\n 20%  forward\n")


def test_samples_below_a_function_count_once(graph):
    assert graph.under("dot") == 6
    assert graph.under("ward") == 9
    assert graph.under("a") == 10  # main, forward and backward lie in each other
    assert graph.under("nothing") == 0


def test_the_picture_is_still(graph):
    svg = graph.svg
    for word in ("script", "style", "onload", "fg:w", ' id="', "Search", "<!--", "DOCTYPE"):
        assert word not in svg
    assert svg.startswith('<svg font-family="monospace" font-size="12" version="1.1" width="100%" ')
    assert svg.count("<title>") == 5
    assert still(svg).count("<svg ") == svg.count("<svg ")


def test_boxes_too_narrow_to_be_seen_go():
    narrow = box("rare", 52, 0, 1).replace('width="1%"', 'width="0.05%"')
    assert "rare" not in still(HEAD + narrow + box("often", 52, 1, 9) + "</svg></svg>")
    assert "often" in still(HEAD + narrow + box("often", 52, 1, 9) + "</svg></svg>")


def test_a_run_without_samples_says_why(tmp_path, capsys):
    empty = tmp_path / "empty.svg"
    empty.touch()
    with pytest.raises(WorkbookError, match="does not deliver its timer signal"):
        Flamegraph.read(empty)
    assert flamegraph.show(tmp_path / "missing.svg") is None
    assert "took no sample" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "says"),
    [("exit 0", "may record here"), ("exit 255", "may not record"), (None, "is not installed")],
)
def test_what_perf_may_do(tmp_path, monkeypatch, script, says):
    if script is not None:
        (tmp_path / "perf").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "perf").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert says in flamegraph.perf_verdict()
