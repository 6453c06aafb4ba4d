"""The exercises' source: regions, table, cells; what is wrong is told in one sentence."""

import pytest

from helpers.exercise_source import ExerciseError, parse_source
from helpers.exercises import (
    all_exercises,
    chapter_exercises,
    exercise_name,
    find_exercise,
    is_open_exercise,
    stub_cell,
    task_markdown,
)

RUST = """\
fn scaled(x: f64) -> f64 {
    // BEGIN SOLUTION
    let y = 2.0 * x;
    y
    // END SOLUTION
}

println!("{}", scaled(1.0));
// BEGIN HIDDEN TESTS
assert_eq!(scaled(2.0), 4.0, "twice");
// END HIDDEN TESTS
"""
PYTHON = """\
def scaled(x):
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION


# BEGIN HIDDEN TESTS
assert scaled(2) == 4, "twice"
# END HIDDEN TESTS
"""
REPAIR = """\
// BEGIN SOLUTION
// STUB: let x = 1
// STUB:
// STUB:     .pow(2);
let x = 1i32.pow(2);
// END SOLUTION
// BEGIN HIDDEN TESTS
assert_eq!(x, 1, "one");
// END HIDDEN TESTS
"""
ENTRY = """
[[exercise]]
name = "{name}"
title = "Twice"
engine = "candle"
points = 2
task = "Write `scaled`."
hint = "Multiply."
"""
TABLE = ENTRY.format(name="scaled")


def parse(text, language="rust"):
    return parse_source(text, language, "04/a.rs")


class TestRegions:
    def test_the_stub_has_todo_and_no_tests(self):
        source = parse(RUST)
        assert source.stub == 'fn scaled(x: f64) -> f64 {\n    todo!()\n}\n\nprintln!("{}", scaled(1.0));\n'
        assert "let y = 2.0 * x;\n    y\n}" in source.solution
        assert source.tests == 'assert_eq!(scaled(2.0), 4.0, "twice");\n'
        assert not any(word in source.solution + source.stub for word in ("BEGIN", "END", "assert"))

    def test_python_raises(self):
        source = parse(PYTHON, "python")
        assert source.stub == "def scaled(x):\n    raise NotImplementedError\n"
        assert source.tests == 'assert scaled(2) == 4, "twice"\n'

    def test_stub_lines_replace_the_solution_with_their_indentation(self):
        source = parse(REPAIR)
        assert source.stub == "let x = 1\n\n    .pow(2);\n"
        assert source.solution == "let x = 1i32.pow(2);\n"

    @pytest.mark.parametrize(("below", "todo"), [("let b = 1;", "todo!();"), ("", "todo!()"), ("}", "todo!()")])
    def test_a_statement_follows_todo_only_with_a_semicolon(self, below, todo):
        tests = "// BEGIN HIDDEN TESTS\nassert!(true);\n// END HIDDEN TESTS\n"
        assert todo in parse(f"// BEGIN SOLUTION\nlet a = 1;\n// END SOLUTION\n{below}\n{tests}").stub.splitlines()

    def test_hidden_tests_of_several_places_are_joined(self):
        text = f"// BEGIN HIDDEN TESTS\nlet first = 1;\n// END HIDDEN TESTS\n{RUST}"
        assert parse(text).tests.splitlines() == ["let first = 1;", 'assert_eq!(scaled(2.0), 4.0, "twice");']

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("    // END SOLUTION\n", "", "line 8: the region SOLUTION of line 2 is still open"),
            ("// END HIDDEN TESTS\n", "", "the region HIDDEN TESTS of line 9 is never closed"),
            ("// END SOLUTION", "// END HIDDEN TESTS", "line 5: END HIDDEN TESTS closes no region"),
            ("// BEGIN SOLUTION", "// BEGIN SOLUTIONS", "line 2: '// BEGIN SOLUTIONS' is no marker: write `// BEGIN"),
            ("// BEGIN SOLUTION", "# BEGIN SOLUTION", "line 2: '# BEGIN SOLUTION' is no marker"),
            ("// BEGIN SOLUTION", "// Begin solution", "line 2"),
            ('println!("{}", scaled(1.0));', "// STUB: let a = 1;", "line 8: a STUB line stands inside a SOLUTION"),
            ("    let y", "    // stub let y", "line 3"),
            ('assert_eq!(scaled(2.0), 4.0, "twice");\n', "", "HIDDEN TESTS is empty"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(self, old, new, said):
        assert old in RUST
        with pytest.raises(ExerciseError) as error:
            parse(RUST.replace(old, new, 1))
        assert str(error.value).startswith("04/a.rs")
        assert said in str(error.value)

    def test_a_stub_that_is_the_solution_is_refused(self):
        with pytest.raises(ExerciseError, match="the stub equals the solution"):
            parse(REPAIR.replace("let x = 1i32.pow(2);", "let x = 1.pow(2);"))


@pytest.fixture
def write(tmp_path):
    def write_chapter(table=TABLE, chapter="04", **files):
        folder = tmp_path / chapter
        folder.mkdir(exist_ok=True)
        (folder / "exercises.toml").write_text(table)
        for name, text in (files or {"scaled": RUST}).items():
            (folder / f"{name}.rs").write_text(text)
        return tmp_path

    return write_chapter


class TestTable:
    def test_a_chapter_is_read_in_order(self, write):
        root = write(TABLE + ENTRY.format(name="other"), scaled=RUST, other=RUST)
        found = chapter_exercises("04", root)
        assert [(e.name, e.label, e.points, e.engine.title) for e in found] == [
            ("scaled", "4.1", 2, "Candle"),
            ("other", "4.2", 2, "Candle"),
        ]
        assert chapter_exercises("05", root) == []

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("points =", "pionts =", "exercise 1: there is no key `pionts`; did you mean `points`?"),
            ('hint = "Multiply."\n', "", "exercise 1: the key `hint` is missing"),
            ("points = 2", "points = 0", "exercise 1: `points`: input should be greater than or equal to 1"),
            ("points = 2", 'points = "2"', "`points`: input should be a valid integer"),
            ('name = "scaled"', 'name = "Scaled-it"', "'Scaled-it' is no name"),
            ("candle", "candel", "exercise 1: there is no engine 'candel': choose one of pytorch, tch, candle"),
            ("[[exercise]]", "[[exercise]", "is no TOML"),
            ("[[exercise]]", "[[exercises]]", "there is no key `exercises`"),
            ('name = "scaled"', 'name = "scale"', "exercise scale has no file scale.rs beside it"),
        ],
    )
    def test_what_is_wrong_is_one_sentence(self, write, old, new, said):
        assert old in TABLE
        with pytest.raises(ExerciseError) as error:
            chapter_exercises("04", write(TABLE.replace(old, new, 1)))
        assert "04/exercises.toml" in str(error.value)
        assert said in str(error.value)
        assert "\n" not in str(error.value)

    def test_a_file_that_is_not_listed_is_named(self, write):
        with pytest.raises(ExerciseError, match=r"does not list forgotten\.rs"):
            chapter_exercises("04", write(scaled=RUST, forgotten=RUST))

    def test_names_are_unique_over_the_course(self, write):
        write()
        with pytest.raises(ExerciseError, match=r"called scaled, 4\.1 and 5\.1"):
            all_exercises(write(chapter="05"))

    def test_a_damaged_chapter_does_not_hide_the_others(self, write):
        write(chapter="05", table="nonsense", other=RUST)
        root = write()
        assert find_exercise("scaled", root).label == "4.1"
        with pytest.raises(ExerciseError, match="did you mean scaled"):
            find_exercise("scalde", root)


class TestCells:
    def test_task_and_stub(self, write):
        exercise = find_exercise("scaled", write())
        task = task_markdown(exercise)
        assert task.startswith("### Exercise 4.1: Twice\n\n*Candle, 2 points.*\n\nWrite `scaled`.\n")
        assert "<details><summary>Hint</summary>\n\nMultiply.\n\n</details>" in task
        assert stub_cell(exercise).startswith("%%rust candle --exercise scaled\nfn scaled")
        assert stub_cell(exercise).endswith("scaled(1.0));")

    def test_white_space_makes_no_answer(self, write):
        exercise = find_exercise("scaled", write())
        assert not exercise.is_attempted("\n")
        assert not exercise.is_attempted(exercise.source.stub.replace("    ", "\t") + "\n\n")
        assert exercise.is_attempted(exercise.source.stub.replace("todo!()", "x"))

    @pytest.mark.parametrize(
        ("source", "name"),
        [
            ("%%rust candle --exercise scaled\nlet a = 1;", "scaled"),
            ("%%rust candle --time --exercise=scaled --debug\nlet a = 1;", "scaled"),
            ("%%pytorch_exercise scaled\na = 1", "scaled"),
            ("%%rust candle\n// --exercise scaled", None),
            ("%%pytorch model.py\na = 1", None),
            ("print('%%rust candle --exercise scaled')", None),
        ],
    )
    def test_the_name_of_a_cells_exercise(self, source, name):
        assert exercise_name(source) == name

    def test_only_an_answered_exercise_needs_a_build(self, write):
        root = write()
        stub = stub_cell(find_exercise("scaled", root))
        assert is_open_exercise(stub, root)
        assert not is_open_exercise(stub.replace("todo!()", "2.0 * x"), root)
        assert not is_open_exercise(stub.replace("scaled\n", "absent\n"), root)
        assert not is_open_exercise("%%rust candle\nlet a = 1;", root)
