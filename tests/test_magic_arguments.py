import pytest

from helpers.errors import RustUsageError
from helpers.magic_arguments import parse_compare, parse_pytorch, parse_rust


def test_a_full_line_is_read() -> None:
    options = parse_rust("candle src/main.rs --name first --debug --time --device cpu -- run.json --expect E0382")
    assert options.engine.name == "candle"
    assert (options.file, options.program) == ("src/main.rs", "candle-cells")
    assert (options.name, options.profile, options.time, options.device) == ("first", "debug", True, "cpu")
    assert options.arguments == ("run.json", "--expect", "E0382")
    assert options.expect == ()


@pytest.mark.parametrize(
    ("line", "program"),
    [("tch", "cell"), ("tch src/model.rs", None), ("tch src/bin/demo.rs", "demo"), ("tch src/main.rs", "tch-cells")],
)
def test_what_a_cell_runs(line: str, program: str | None) -> None:
    assert parse_rust(line).program == program


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "needs a framework"),
        ("candel", "Did you mean 'candle'"),
        ("pytorch", "no framework 'pytorch'"),
        ("candle --expect", "--expect: expected one argument"),
        ("candle --expect 382", "names no error"),
        ("candle --expect panic,E0382", "stands alone"),
        ("candle --expec E0382", "unrecognized arguments: --expec"),
        ("candle --debug --release", "not allowed with"),
        ("candle --device gpu", "invalid choice: 'gpu'"),
        ("candle --name 1st", "no name for a Python variable"),
        ("candle ../model.rs", "no file of the package"),
        ("candle /etc/x.rs", "no file of the package"),
        ("candle src/../../x.rs", "no file of the package"),
        ("candle src/model.py", "no file of the package"),
        ("candle src/my-model.rs", "no name for a Rust module"),
        ("candle src/model.rs src/data.rs", "unrecognized arguments: src/data.rs"),
        ("candle 'src/model.rs", "close the quotation mark"),
    ],
)
def test_a_wrong_line_is_refused_in_one_sentence(line: str, said: str) -> None:
    with pytest.raises(RustUsageError) as caught:
        parse_rust(line)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_compare_runs_only_when_there_are_arguments_or_a_program() -> None:
    assert parse_compare("src/model.rs").program is None
    assert parse_compare("src/model.rs -- run.json").program == "src/main.rs"
    assert parse_compare("src/bin/demo.rs --engines tch,candle").program == "src/bin/demo.rs"
    assert [engine.name for engine in parse_compare("").engines] == ["pytorch", "tch", "candle", "burn", "dfdx"]
    with pytest.raises(RustUsageError, match="no framework"):
        parse_compare("--engines tch,candel")


@pytest.mark.parametrize("line", ["", "src/model.py", "model.rs", "a.py b.py"])
def test_pytorch_names_one_file(line: str) -> None:
    with pytest.raises(RustUsageError, match="one file"):
        parse_pytorch(line)
