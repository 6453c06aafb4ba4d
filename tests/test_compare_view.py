"""The comparison of engines: tabs without JavaScript, readable without styles."""

import re
import shutil

import pytest

from helpers.compare_view import CompareItem, compare_html, compare_text
from helpers.units import duration, megabytes, whole_seconds

ITEMS = [
    CompareItem("pytorch", "PyTorch", "python", "x = 1\n", "ran", "", None, 2.31, 791_000_000, "1\n"),
    CompareItem("candle", "Candle", "rust", 'fn main() { println!("<script>"); }', "ran", "", 0.52, 0.13, 200_000_000),
    CompareItem("dfdx", "dfdx", "rust", "fn main() {", "failed", "E0308: mismatched `<types>`", 3.0),
]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def without_styles(html: str) -> str:
    html = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return re.sub(r"</?(?:input|label|section|div|span|style)[^>]*>", "", html)


def test_views_share_no_identity():
    ids = [re.findall(r' id="([^"]+)"', compare_html(ITEMS)) for _ in range(20)]
    flat = [one for view in ids for one in view]
    assert len(flat) == len(set(flat)) == 20 * 4


def test_each_radio_button_has_its_label_and_one_group():
    html = compare_html(ITEMS)
    ids = re.findall(r'<input type="radio"[^>]* id="([^"]+)"', html)
    assert re.findall(r'<label for="([^"]+)"', html) == ids
    assert len(set(re.findall(r' name="([^"]+)"', html))) == 1
    assert len(re.findall(r"<input[^>]* checked[ >]", html)) == 1
    assert "javascript" not in html.lower()


def test_a_single_program_needs_no_side_by_side():
    assert "All side by side" not in compare_html(ITEMS[:1])


def test_without_styles_it_reads_as_titled_sections():
    html = without_styles(compare_html(ITEMS))
    assert re.findall(r"<h4>(.*?)</h4>", html) == ["PyTorch", "Candle", "dfdx"]
    assert "side by side" not in html
    assert html.index("<h4>dfdx</h4>") < html.index("<table")


def test_sources_and_verdicts_are_escaped():
    html = compare_html(ITEMS)
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<code>&lt;types&gt;</code>" in html


def test_table_says_what_each_cost():
    html = compare_html(ITEMS)
    table = html[html.index("<table") :]
    assert re.findall(r"<t[dh](?: [^>]*)?>(?:<span[^>]*>)?([^<]*)", table) == [
        *("engine", "built in", "ran in", "peak memory", "verdict"),
        *("PyTorch", "-", "2.3 s", "791 MB", "ran"),
        *("Candle", "0.52 s", "0.13 s", "200 MB", "ran"),
        *("dfdx", "3.0 s", "-", "-", "failed: E0308: mismatched "),
    ]


def test_text_twin():
    text = compare_text(ITEMS)
    assert text.startswith("--- PyTorch ---\nx = 1\n\noutput:\n1\n\n--- Candle ---")
    assert text.splitlines()[-2].split() == ["Candle", "0.52", "s", "0.13", "s", "200", "MB", "ran"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.5, "0.50 s"), (7.34, "7.3 s"), (9.97, "10 s"), (59.6, "1 min 0 s"), (72, "1 min 12 s"), (3800, "1 h 3 min")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_counting_durations_and_sizes():
    assert [whole_seconds(s) for s in (0.4, 9.9, 72.9)] == ["0 s", "9 s", "1 min 12 s"]
    assert [megabytes(n) for n in (2_500_000, 304_000_000, 1_812_000_000)] == ["2.5 MB", "304 MB", "1,812 MB"]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_tabs_work_with_keyboard_and_mouse(tmp_path):
    from playwright.sync_api import sync_playwright

    page_file = tmp_path / "view.html"
    page_file.write_text(f'<meta charset="utf-8">{compare_html(ITEMS)}{compare_html(ITEMS)}', encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(page_file.as_uri())

        def shown() -> list[bool]:
            return [section.is_visible() for section in page.locator("section").all()]

        assert shown() == [True, False, False] * 2
        page.get_by_role("radio", name="PyTorch").first.focus()
        page.keyboard.press("ArrowRight")
        assert shown() == [False, True, False, True, False, False]
        outline = page.locator("label[data-title=Candle]").first.evaluate("e => getComputedStyle(e).outlineStyle")
        assert outline == "solid"
        page.locator("label[data-title=dfdx]").nth(1).click()
        assert shown() == [False, True, False, False, False, True]
        page.locator("label.wb-all").first.click()
        assert shown() == [True, True, True, False, False, True]
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 1280
        browser.close()
