import html
import re

from helpers.engines import RUST_ENGINES
from helpers.environment import FRAMEWORK_CRATES, environment_footer, locked_versions
from helpers.errors import SetupError
from helpers.paths import SNIPPETS


def test_the_footer_names_machine_versions_and_date():
    footer = environment_footer()
    rows = dict(footer.rows)
    assert re.search(r"\d+ of \d+ cores used; \d+ GiB memory", rows["Machine"])
    assert rows["Python packages"].startswith("torch 2.")
    for engine in RUST_ENGINES.values():
        assert re.search(r"\d+\.\d+\.\d+.*; rustc \d+\.\d+\.\d+", rows[engine.title])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rows["Date"])
    for name, value in footer.rows:
        assert value in str(footer)
        assert f"{html.escape(value)}</td>" in footer._repr_html_(), name


def test_a_missing_compiler_is_said_in_its_row(monkeypatch):
    def missing(toolchain):
        raise SetupError("There is no rustc on this machine.")

    monkeypatch.setattr("helpers.environment.rustc_version", missing)
    assert dict(environment_footer().rows)["Candle"].endswith("There is no rustc on this machine.")


def test_every_framework_crate_is_locked():
    for name, crates in FRAMEWORK_CRATES.items():
        assert set(locked_versions(SNIPPETS / name / "Cargo.lock", crates)) == set(crates)
