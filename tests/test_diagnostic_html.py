"""The cards: nothing unescaped, readable without styles, all parts there."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import rustc_samples as samples
from rustc_samples import diagnose

from helpers.diagnostic_html import (
    errors_html,
    errors_text,
    lesson_card_html,
    lesson_card_text,
    warnings_html,
    warnings_text,
)
from helpers.diagnostics import Diagnostic

VOID = {"input", "hr", "br"}


class Page(HTMLParser):
    """Text, tags and nesting of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == [], f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def bare(html: str) -> str:
    """What is left on a host that removes styles."""
    return Page(re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)).text


def many_errors(count: int) -> list[Diagnostic]:
    body = "".join(f'    let v{i}: i32 = "{i}";\n' for i in range(count))
    return diagnose(f"fn main() {{\n{body}}}\n")


def test_error_card_has_heading_text_hint_and_explanation():
    html = errors_html(diagnose(samples.MOVED))
    page = Page(html)
    assert page.tags.count("details") == 1
    assert "rustc --explain E0382" in page.text
    assert "cell, line 8" in page.text
    assert "value moved here" in page.text
    assert "Hint:" in page.text
    assert html.count("<style>") == 1


def test_gutter_of_the_rendered_text_is_unchanged():
    (error,) = diagnose(samples.MOVED)
    assert error.plain in bare(errors_html([error]))


def test_first_three_errors_are_open_and_the_rest_folded():
    html = errors_html(many_errors(5))
    assert html.count("<details open>") == 3
    assert re.search(r">5 errors<", html)
    assert len(re.findall(r"<summary><span class=\"wb-title\">", html)) == 5


def test_very_many_errors_are_listed_by_title():
    html = errors_html(many_errors(25))
    Page(html)
    assert "5 more errors" in html
    assert html.count("<li>") == 5


def test_no_card_without_errors():
    assert errors_html(diagnose(samples.WARNS)) == ""
    assert errors_text(diagnose(samples.WARNS)) == ""
    assert warnings_html(diagnose(samples.MOVED)) == ""
    assert warnings_text(diagnose(samples.MOVED)) == ""


def test_warnings_are_folded_with_their_number():
    html = warnings_html(diagnose(samples.WARNS))
    Page(html)
    assert "<details>" in html
    assert "<details open>" not in html
    assert "3 warnings" in bare(html)
    assert warnings_text(diagnose(samples.WARNS)).startswith("3 warnings:")


@pytest.mark.parametrize("card", [errors_html, lambda found: lesson_card_html(found, "E0308")])
def test_markup_in_a_string_of_the_program_is_escaped(card):
    html = card(diagnose(samples.MISMATCH_SCRIPT))
    assert "script" not in Page(html).tags
    assert "<script>alert(1)</script> ünïcödé" in bare(html)


def test_markup_and_escapes_in_every_field_are_harmless():
    evil = "</pre></details><script>alert(1)</script>\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07\x1b[31m`<img src=x>`"
    line = {"text": evil, "highlight_start": 1, "highlight_end": 5}
    span = {"file_name": evil, "line_start": 1, "line_end": 1, "column_start": 1, "column_end": 5, "text": [line]}
    span |= {"label": evil, "is_primary": True}
    child = {"level": "help", "message": evil, "spans": [{**span, "suggested_replacement": evil}]}
    found = Diagnostic.from_json(
        {"level": "error", "code": {"code": "E0382", "explanation": evil}, "message": evil, "rendered": evil}
        | {"spans": [span], "children": [child, {**child, "level": "note"}]}
    )
    warning = replace(found, level="warning")
    for html in (errors_html([found]), lesson_card_html([found], "E0382"), warnings_html([warning])):
        tags = set(Page(html).tags)
        assert not tags & {"script", "img", "a"}
        assert "\x1b" not in html


def test_lesson_shows_the_borrow_the_reason_and_the_repair_in_order():
    found = diagnose(samples.MOVED)
    text = bare(lesson_card_html(found, "E0382"))
    steps = ["The borrow", "cell,\xa0line\xa06", "value moved here", "value borrowed here after move"]
    steps += ["The reason", "onsider changing this parameter type", "this parameter takes ownership"]
    steps += ["The repair", "7 -     let m = mean(pixels);", "7 +     let m = mean(pixels.clone());", "Hint:"]
    steps += ["The compiler's words", "rustc --explain E0382"]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)


def test_lesson_marks_the_borrowed_part():
    html = lesson_card_html(diagnose(samples.TOO_SHORT), "E0597")
    assert "r = <mark>&amp;größe</mark>;" in html


def test_lesson_without_a_proposal_says_so():
    assert "The compiler proposes no change here." in lesson_card_html(diagnose(samples.TWO_MUT), "E0499")


def test_lesson_for_another_code_is_empty():
    assert lesson_card_html(diagnose(samples.TWO_MUT), "E0382") == ""
    assert lesson_card_text(diagnose(samples.TWO_MUT), "E0382") == ""


def test_lesson_for_several_codes_and_for_syntax():
    both = diagnose(samples.MISSING_IMPORT)
    assert [error.code for error in both] == ["E0425", "E0433"]
    text = bare(lesson_card_html(both, "E0425 and E0433"))
    assert "E0425, as expected" in text
    assert "E0433, as expected" in text
    assert "Syntax error, as expected: this file contains" in bare(
        lesson_card_html(diagnose(samples.UNCLOSED), "syntax")
    )


@pytest.mark.parametrize(("traits", "shown", "more"), [(3, 3, ""), (4, 3, "and 1 more"), (13, 3, "and 10 more")])
def test_lesson_cuts_a_long_list_of_candidates(traits, shown, more):
    listed = "".join(f"trait Made{number} {{ fn new() -> Self; }}\n" for number in range(traits))
    found = diagnose(f"{listed}struct Data;\nfn main() {{\n    Data::new();\n}}\n")
    text, html = lesson_card_text(found, "E0599"), lesson_card_html(found, "E0599")
    assert text.count("candidate #") == shown
    assert html[: html.index("The compiler")].count("candidate #") == shown
    assert html.count("candidate #") == shown + traits  # the compiler's own words are whole
    assert (f"\n{more}\n" in text) if more else ("more\n" not in text)


def test_lesson_text_matches_the_card():
    text = lesson_card_text(diagnose(samples.MUT_AND_SHARED), "E0502")
    assert "cell, line 4: losses.push(1.9);  <- mutable borrow occurs here" in text
    assert text.startswith("E0502, as expected: cannot borrow `losses` as mutable")
    assert "\x1b" not in text


def test_lesson_leaves_out_files_of_the_library():
    source = "fn main() {\n    let x = 1.0_f32 + 2_i32;\n}\n"
    html = lesson_card_html(diagnose(source), "E0277")
    table = html[: html.index("The reason")]
    assert "library/core" not in table
    assert "/rustc/" not in html


def test_text_twin_is_plain_unless_colour_is_asked_for():
    found = diagnose(samples.MOVED)
    assert "\x1b" not in errors_text(found)
    assert "\x1b[" in errors_text(found, colour=True)
    assert "hint: " in errors_text(found)
    assert "rustc --explain E0382" in errors_text(found)


def test_every_card_closes_what_it_opens():
    for source in (samples.QUESTION_MARK, samples.MISSING_IMPORT, samples.UNCLOSED, samples.LONG_TYPE, samples.CLOSURE):
        found = diagnose(source)
        Page(errors_html(found))
        Page(lesson_card_html(found, next(d.code or "" for d in found)) or "<p></p>")
