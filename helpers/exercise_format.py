"""Formats the Rust sources of the exercises: `python -m helpers.exercise_format [CHAPTER...]`.

A source is the body of a function, so rustfmt reads it inside of one, with a page that is wider by the indentation.
"""

import subprocess
import sys
import textwrap
from collections.abc import Sequence

from helpers.engines import Engine
from helpers.exercise_source import ExerciseError
from helpers.exercises import all_exercises
from helpers.toolchain import find_tool

_HEAD, _INDENT, _WIDTH = "fn main() {\n", 4, 100
# The usual widths, which rustfmt would take as shares of the page.
_SETTINGS = {
    "max_width": _WIDTH + _INDENT,
    "fn_call_width": 60,
    "attr_fn_like_width": 70,
    "struct_lit_width": 18,
    "struct_variant_width": 35,
    "array_width": 60,
    "chain_width": 60,
    "single_line_if_else_max_width": 50,
    "single_line_let_else_max_width": 50,
}


def formatted(text: str, engine: Engine) -> str:
    """Return a source as rustfmt writes it.

    Raises:
        ExerciseError: rustfmt cannot read it.
    """
    settings = ",".join(f"{name}={value}" for name, value in _SETTINGS.items())
    edition = "2021" if engine.toolchain else "2024"
    command = [str(find_tool("cargo").with_name("rustfmt")), "--edition", edition, "--config", settings]
    whole = f"{_HEAD}{textwrap.indent(text, ' ' * _INDENT)}}}\n"
    done = subprocess.run(command, input=whole, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ExerciseError(f"rustfmt cannot read the source: {done.stderr.strip()}")
    body = done.stdout.removeprefix(_HEAD).removesuffix("}\n")
    return textwrap.dedent(body)


def main(chapters: Sequence[str]) -> None:
    """Rewrite the sources that are not formatted, and name them; those of all chapters if none is given."""
    for exercise in all_exercises():
        if exercise.engine.is_rust and (not chapters or exercise.chapter in chapters):
            text = exercise.path.read_text(encoding="utf-8")
            new = formatted(text, exercise.engine)
            if new != text:
                exercise.path.write_text(new, encoding="utf-8")
                print(f"formatted {exercise.path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
