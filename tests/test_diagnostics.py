"""rustc's messages become typed records with names that a reader can use."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import rustc_samples as samples
from rustc_samples import diagnose, messages

from helpers.diagnostics import (
    Diagnostic,
    errors_in,
    parse,
    parse_all,
    short_path,
    shorten_paths,
    strip_ansi,
    summary,
    title,
    warnings_in,
)
from helpers.paths import REPO
from helpers.suggestions import Edit, edits

CASES = {
    "E0382": samples.MOVED,
    "E0499": samples.TWO_MUT,
    "E0502": samples.MUT_AND_SHARED,
    "E0505": samples.MOVE_BORROWED,
    "E0507": samples.MOVE_OUT_OF_REF,
    "E0597": samples.TOO_SHORT,
    "E0716": samples.TEMPORARY,
    "E0308": samples.MISMATCH_SCRIPT,
    "E0277": samples.QUESTION_MARK,
    "E0599": samples.METHOD_ON_RESULT,
    "E0369": samples.IN_MACRO,
}


@pytest.mark.parametrize("code", CASES)
def test_code_message_and_place_are_read(code):
    (error,) = errors_in(diagnose(CASES[code]))
    assert error.code == code
    assert error.primary.file_name == "cell"
    assert f" --> cell:{error.primary.line_start}:" in error.plain
    assert summary([error]) == f"{code}: {error.message}"
    assert error.explanation


@pytest.mark.parametrize("code", CASES)
def test_only_names_of_files_change_in_the_rendered_text(code):
    raw = [m for m in messages(CASES[code]) if m["level"] == "error" and m["code"]]
    (error,) = errors_in(diagnose(CASES[code]))
    expected = re.sub(r"/rustc/[0-9a-f]+/", "", raw[0]["rendered"])
    assert error.rendered.replace("cell:", "src/bin/cell.rs:") == expected


LEVEL = "#![warn(unused_mut)] fn main() {\n    let mut one = 1;\n    let two = 2;\n    let _ = one;\n}\n"


def test_a_note_about_the_generated_first_line_is_left_out():
    found = {diagnostic.code: diagnostic for diagnostic in diagnose(LEVEL)}
    warned, unused = found["unused_mut"], found["unused_variables"]
    assert "the lint level is defined here" in "".join(message["rendered"] for message in messages(LEVEL))
    assert [note.message for note in warned.notes] == []
    assert " --> cell:2:9" in warned.plain
    assert "help: remove this `mut`" in warned.plain
    assert "lint level" not in warned.plain
    assert "cell:1" not in warned.plain
    assert "unused_variables" in unused.plain


def test_a_lint_level_in_a_line_of_the_cell_stays():
    (warned, *_) = [found for found in diagnose("\n" + LEVEL) if found.code == "unused_mut"]
    assert " --> cell:2:9" in warned.plain[warned.plain.index("note: the lint level is defined here") :]
    assert [note.message for note in warned.notes] == ["the lint level is defined here"]


def test_summary_has_no_path_line_or_colour():
    text = summary(diagnose(samples.MOVED))
    assert text == "E0382: borrow of moved value: `pixels`"


def test_summary_without_errors_is_empty():
    assert summary(diagnose(samples.WARNS)) == ""
    assert summary([]) == ""


def test_syntax_error_has_no_code():
    (error,) = errors_in(diagnose(samples.UNCLOSED))
    assert error.code is None
    assert summary([error]) == "this file contains an unclosed delimiter"


def test_counting_messages_are_dropped():
    raw = messages(samples.MOVED)
    assert any("aborting due to" in message["message"] for message in raw)
    assert any(message["level"] == "failure-note" for message in raw)
    assert [d.code for d in diagnose(samples.MOVED)] == ["E0382"]
    one_by_one = [parse(message) for message in raw]
    assert [d.code for d in errors_in(one_by_one)] == ["E0382"]


def test_repeated_messages_are_shown_once():
    raw = messages(samples.WARNS)
    assert len(parse_all([*raw, *raw])) == len(parse_all(raw))


def test_lints_are_warnings_with_the_lint_as_code():
    found = diagnose(samples.WARNS)
    assert not errors_in(found)
    assert sorted(d.code for d in warnings_in(found)) == ["dead_code", "unused_mut", "unused_variables"]


def test_names_with_non_ascii_letters_keep_their_columns():
    (error,) = errors_in(diagnose(samples.TOO_SHORT))
    line = error.primary.text[0]
    assert line.text[line.highlight_start - 1 : line.highlight_end - 1] == "&größe"


def test_relabel_changes_mentions_but_not_the_readers_text():
    source = samples.CLOSURE.replace("let g", "/* src/bin/cell.rs:1:1 --> src/bin/cell.rs:1:1 */ let g")
    (error,) = errors_in(parse_all(messages(source), {"src/bin/cell.rs": "cell [7]: src/model.rs"}))
    assert "{closure@cell [7]: src/model.rs:2:13: 2:22}" in error.plain
    assert "/* src/bin/cell.rs:1:1 --> src/bin/cell.rs:1:1 */" in error.plain
    assert "closure@src/bin" not in error.search_text


def test_files_without_a_label_keep_their_names():
    (error,) = errors_in(parse_all(messages(samples.MOVED), {"src/model.rs": "cell [1]"}))
    assert "--> src/bin/cell.rs:8:36" in error.plain


def test_label_may_be_given_for_an_absolute_path():
    message = {
        "level": "error",
        "code": None,
        "message": "bad",
        "spans": [],
        "children": [],
        "rendered": "error: bad\n --> /home/eve/copies/k1/candle/src/model.rs:3:5\n",
    }
    relabelled = parse(message).relabel({"/home/eve/copies/k1/candle/src/model.rs": "cell [2]: src/model.rs"})
    assert relabelled.plain == "error: bad\n --> cell [2]: src/model.rs:3:5"


def test_file_names_of_long_types_are_left_out():
    raw = messages(samples.LONG_TYPE)
    assert any("long-type" in message["rendered"] for message in raw)
    (error,) = errors_in(diagnose(samples.LONG_TYPE))
    everything = error.plain + error.search_text
    assert "long-type" not in everything
    assert "--verbose" not in everything


@pytest.mark.parametrize(
    ("path", "short"),
    [
        (
            "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/anyhow-1.0.105/src/lib.rs",
            "anyhow-1.0.105/src/lib.rs",
        ),
        ("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/cmp.rs", "library/core/src/cmp.rs"),
        ("/home/a b/.rustup/toolchains/x/lib/rustlib/src/rust/library/std/src/io.rs", "library/std/src/io.rs"),
        (
            "/home/eve/.cargo/git/checkouts/candle-0123456789abcdef/1a2b3c4/candle-nn/src/a.rs",
            "candle/candle-nn/src/a.rs",
        ),
        ("/w/target/release/build/foo-0123456789abcdef/out/bindings.rs", "foo/out/bindings.rs"),
        ("/work/main/rust_snippets/common/src/config.rs", "common/src/config.rs"),
        ("C:\\Users\\eve\\.cargo\\registry\\src\\x-1\\anyhow-1.0.1\\src\\lib.rs", "anyhow-1.0.1/src/lib.rs"),
        ("/home/eve/secret.txt", "secret.txt"),
        (f"{Path.home()}/src/x.rs", "x.rs"),
        ("src/model.rs", "src/model.rs"),
    ],
)
def test_absolute_paths_are_shortened(path, short):
    assert short_path(path) == short


def test_no_machine_path_is_left_in_any_text():
    home = "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/anyhow-1.0.105/src/lib.rs"
    old_colours = "\x1b[0m \x1b[0m\x1b[0m\x1b[1m\x1b[38;5;12m--> \x1b[0m\x1b[0m"
    span = {
        "file_name": home,
        "line_start": 1,
        "line_end": 1,
        "column_start": 1,
        "column_end": 2,
        "label": f"in {home}",
    }
    message = {
        "level": "error",
        "code": {"code": "E0277", "explanation": None},
        "message": f"bad `{{closure@{home}:1:2: 3:4}}`",
        "spans": [span],
        "children": [{"level": "note", "code": None, "message": f"see '{home}'", "spans": [span], "children": []}],
        "rendered": f"error: bad {home}\n{old_colours}{home}:1:2\x1b[0m\n   ::: {home}:3:4\n  = note: see '{home}'\n",
    }
    found = parse(message)
    assert "/root" not in repr(found)
    assert found.plain.count("anyhow-1.0.105/src/lib.rs") == 4


def test_place_of_a_panic_is_shortened():
    panic = "thread 'main' panicked at /home/eve/.cargo/registry/src/x-1/candle-core-0.11.1/src/op.rs:584:1:\nnot yet"
    assert shorten_paths(panic) == "thread 'main' panicked at candle-core-0.11.1/src/op.rs:584:1:\nnot yet"


def test_links_in_messages_stay():
    message = {"level": "error", "message": "see <https://doc.rust-lang.org/reference/items.html>", "rendered": ""}
    assert parse(message).message == message["message"]


def test_something_else_than_a_diagnostic_is_refused():
    with pytest.raises(ValueError, match="not a diagnostic of rustc"):
        parse({"reason": "build-finished"})


def test_heavy_packages_are_imported_only_when_something_is_shown():
    code = (
        "import helpers.diagnostic_html, helpers.compare_view, helpers.build_progress, sys\n"
        "print({'pydantic', 'ansi2html', 'pygments', 'rich', 'IPython'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_title_of_a_long_message_is_cut_and_one_line():
    found = Diagnostic(level="error", message="a\n" + "b" * 1000)
    assert len(title(found)) == 300
    assert "\n" not in title(found)


def test_strip_ansi_takes_out_links_and_cursor_movements():
    assert strip_ansi("\x1b]8;;http://x\x07a\x1b]8;;\x07\x1b[2K\x1b[1;31mb\x1b[0m") == "ab"


def test_call_site_is_found_through_macros():
    inner = {
        "file_name": "library/std/src/macros.rs",
        "line_start": 1,
        "line_end": 1,
        "column_start": 1,
        "column_end": 2,
    }
    site = {
        **inner,
        "file_name": "cell",
        "line_start": 6,
        "text": [{"text": "x", "highlight_start": 1, "highlight_end": 2}],
    }
    span = {
        **inner,
        "label": "used here",
        "is_primary": True,
        "expansion": {"span": site, "macro_decl_name": "println!"},
    }
    found = Diagnostic.from_json({"level": "error", "message": "m", "spans": [span]})
    assert (found.primary.file_name, found.primary.line_start, found.primary.label) == ("cell", 6, "used here")


def repairs(source: str) -> list[list[Edit]]:
    (error,) = errors_in(diagnose(source))
    return [group for message in error.helps for group in edits(message)]


def test_edit_shows_the_line_before_and_after():
    assert repairs(samples.MOVED) == [
        [Edit("cell", 7, ("    let m = mean(pixels);",), ("    let m = mean(pixels.clone());",))]
    ]


def test_edit_of_several_places_and_added_lines():
    (group,) = repairs(samples.QUESTION_MARK)
    assert group[0].after == ("fn main() -> Result<(), Box<dyn std::error::Error>> {",)
    assert group[1].before == ()
    assert group[1].after == ("    Ok(())",)


def test_edit_of_one_line_into_two():
    (group,) = repairs(samples.TEMPORARY)
    assert group[0].after == ('    let binding = String::from("naïve 日本");', "    let s: &str = binding.as_str();")


def test_alternatives_are_kept_apart():
    source = "fn main() { let e: Error = todo!(); }\n"
    (error,) = errors_in(diagnose(source))
    alternatives = [group for message in error.helps for group in edits(message)]
    assert len(alternatives) > 3
    assert all(len(group) == 1 for group in alternatives)
    assert {re.sub(r";.*", "", group[0].after[0]) for group in alternatives} >= {
        "use std::fmt::Error",
        "use std::io::Error",
    }
