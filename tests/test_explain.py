"""The compiler's chapters about error codes."""

import shutil
import subprocess

import pytest

from helpers.explain import explain, explain_fold, explain_html, has_explanation, readable

needs_rustc = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")


@needs_rustc
def test_explain_is_asked_once(monkeypatch):
    explain.cache_clear()
    calls = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *args, **kw: calls.append(args) or real(*args, **kw))
    assert explain("E0382").startswith("A variable was used after its contents have been moved elsewhere.")
    assert explain("E0382") == explain("E0382")
    assert len(calls) == 1


@needs_rustc
def test_unknown_code_has_no_chapter():
    assert explain("E9999") == ""
    assert explain_fold("E9999") == ""


@pytest.mark.parametrize("code", ["unused_mut", "E38", "--help", "E0382 --help", ""])
def test_only_codes_are_passed_to_rustc(code):
    assert not has_explanation(code)
    with pytest.raises(ValueError, match="E0382"):
        explain(code)


def test_missing_rustc_gives_an_empty_text(monkeypatch):
    explain.cache_clear()
    monkeypatch.setenv("PATH", "")
    assert explain("E0499") == ""
    explain.cache_clear()


def test_words_for_documentation_tests_are_left_out():
    markdown = (
        "Text\n\n```compile_fail,E0382\n# fn main() {\nlet a = 1; // #\n#[derive(Clone)]\n#\n# }\n```\n# Heading\n"
    )
    assert readable(markdown) == "Text\n\n```\nlet a = 1; // #\n#[derive(Clone)]\n```\n# Heading"


def test_html_shows_code_and_paragraphs_escaped():
    html = explain_html("E0382", "A `Vec<u8>` & more.\n\n```\nlet x: Vec<u8>;\n```\n\nEnd.")
    assert "<p>A <code>Vec&lt;u8&gt;</code> &amp; more.</p>" in html
    assert html.count("<pre>") == 1
    assert "Vec<u8>" not in html
