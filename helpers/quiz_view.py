"""What the reader sees of a question: a widget where somebody answers, a card with the answer folded away elsewhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from IPython.display import display

from helpers.diagnostic_html import errors_html, errors_text, lesson_card_html, lesson_card_text
from helpers.engines import RUST_ENGINES
from helpers.errors import WorkbookError
from helpers.html_theme import card, escape, fold, highlighted, prose
from helpers.quiz_table import COMPILES, meaning

if TYPE_CHECKING:
    from helpers.quiz import Prediction

_STYLE = """
.wb.wb-quiz{border-left:4px solid var(--wb-blue)}
.wb.wb-quiz ul{margin:4px 0;padding-left:22px}
.wb table.wb-board{border-collapse:collapse;border:0;font-size:13px}
.wb table.wb-board tr,.wb table.wb-board tr:hover{background:transparent}
.wb table.wb-board th,.wb table.wb-board td{border:0;border-bottom:1px solid var(--wb-line);color:inherit;
padding:3px 16px 3px 0;text-align:left;vertical-align:top;max-width:none}
"""
_NOTHING = "-"


def _asks(prediction: "Prediction") -> str:
    engines = [engine.title for engine in prediction.engines]
    where = f" in {' and '.join([', '.join(engines[:-1]), engines[-1]])}" if len(engines) > 1 else ""
    return f"Does it compile{where}? If not, which error comes?"


# --- for readers of a page -----------------------------------------------------------------------------------------


def question_html(prediction: "Prediction") -> str:
    """The question with its choices, without the answer."""
    return card("wb-quiz", _question_body(prediction), _STYLE)


def question_text(prediction: "Prediction") -> str:
    """The same as plain text."""
    choices = [f"  - {meaning(choice)}" for choice in prediction.question.choices]
    return "\n".join([_asks(prediction), *choices, *_below_text(prediction)])


def _question_body(prediction: "Prediction") -> str:
    items = "".join(f"<li>{prose(meaning(choice))}</li>" for choice in prediction.question.choices)
    below = [
        fold(f"What stands below the cell in {RUST_ENGINES[name].title}", f"<pre>{highlighted(text, 'rust')}</pre>")
        for name, text in prediction.question.below.items()
    ]
    return f"<h4>{_asks(prediction)}</h4><ul>{items}</ul>{''.join(below)}"


def _below_text(prediction: "Prediction") -> list[str]:
    return [f"Below the cell in {name}:\n{text}" for name, text in prediction.question.below.items()]


def show_static(prediction: "Prediction") -> None:
    """Show a settled question: the choices, and the compiler's answer behind a fold."""
    answer = fold("<strong>The compiler's answer</strong>", answer_html(prediction))
    html = card("wb-quiz", f"{_question_body(prediction)}\n{answer}", _STYLE)
    display({"text/html": html, "text/plain": f"{question_text(prediction)}\n\n{answer_text(prediction)}"}, raw=True)


def answer_html(prediction: "Prediction") -> str:
    """What the compiler said, engine by engine, then why."""
    parts = []
    for name, came in prediction.verdicts.items():
        run = prediction.runs[name]
        parts.append(f"<h5>{prose(_verdict_line(prediction, name, came))}</h5>")
        if came != COMPILES:
            whole = lesson_card_html(run.diagnostics, came, engine=name) or errors_html(run.diagnostics, engine=name)
            parts.append(whole)
        elif run.stdout:
            parts.append(f"<pre>{escape(run.stdout.rstrip())}</pre>")
    return "\n".join([*parts, f"<p>{prose(_why(prediction))}</p>"])


def answer_text(prediction: "Prediction") -> str:
    """The same as plain text."""
    parts = []
    for name, came in prediction.verdicts.items():
        run = prediction.runs[name]
        parts.append(_verdict_line(prediction, name, came))
        if came != COMPILES:
            parts.append(lesson_card_text(run.diagnostics, came, engine=name) or errors_text(run.diagnostics))
        elif run.stdout:
            parts.append(run.stdout.rstrip())
    return "\n".join([*parts, _why(prediction)])


def _why(prediction: "Prediction") -> str:
    for name, came in prediction.verdicts.items():
        if came != prediction.question.answer(name):
            return "That is another answer than the unchanged cell gives: you have found a case of your own."
    return prediction.question.why


def _verdict_line(prediction: "Prediction", name: str, came: str) -> str:
    line = f"{RUST_ENGINES[name].title}: {meaning(came)}."
    said = prediction.said.get(name)
    if said is None:
        return line
    return f"{line} You said {said}: {'right' if said == came else 'not so'}."


# --- for readers at a kernel ---------------------------------------------------------------------------------------


def show_widget(prediction: "Prediction") -> None:
    """Show the question as a widget; the compiler is asked when the reader presses the button."""
    import ipywidgets as widgets

    options = [(meaning(choice), choice) for choice in prediction.question.choices]
    wide = widgets.Layout(width="max-content")
    fields = {
        engine.name: widgets.RadioButtons(options=options, value=None, layout=wide) for engine in prediction.engines
    }
    titles = [widgets.HTML(f"<b>{engine.title}</b>") for engine in prediction.engines]
    columns = [widgets.VBox([title, fields[name]]) for title, name in zip(titles, fields, strict=True)]
    if len(columns) == 1:
        columns = list(fields.values())
    button = widgets.Button(description="Ask the compiler", button_style="primary")
    output = widgets.Output()

    def ask(_: object) -> None:
        button.disabled = True
        prediction.said = {name: field.value for name, field in fields.items() if field.value is not None}
        output.clear_output()
        with output:
            _show_answer(prediction)
        button.description = "Asked"

    button.on_click(ask)
    heading = widgets.HTML(f"<b>{_asks(prediction)}</b>")
    box = widgets.VBox([heading, widgets.VBox(columns), button, output])
    # Pages without widgets take the next best form of the same output.
    bundle = {**box._repr_mimebundle_(), "text/html": question_html(prediction)}
    display({**bundle, "text/plain": question_text(prediction)}, raw=True)


def _show_answer(prediction: "Prediction") -> None:
    try:
        prediction.settle()
    except WorkbookError as error:
        display({"text/html": card("wb-errors", prose(str(error))), "text/plain": str(error)}, raw=True)
        return
    html = card("wb-quiz", answer_html(prediction), _STYLE)
    display({"text/html": html, "text/plain": answer_text(prediction)}, raw=True)


# --- the score -----------------------------------------------------------------------------------------------------


def _rows(asked: Mapping[str, "Prediction"]) -> list[tuple[str, str, str, str]]:
    rows = []
    for key, prediction in asked.items():
        for engine in prediction.engines:
            came = prediction.verdicts.get(engine.name, _NOTHING)
            rows.append((key, engine.title, prediction.said.get(engine.name, _NOTHING), came))
    return rows


def _summary(rows: list[tuple[str, str, str, str]]) -> str:
    refused = [came for *_, came in rows if came not in {COMPILES, _NOTHING}]
    codes = {code for came in refused for code in came.split(",")}
    said = [(said, came) for *_, said, came in rows if said != _NOTHING and came != _NOTHING]
    right = f" You were right {sum(a == b for a, b in said)} of {len(said)} times." if said else ""
    return f"Verdicts: {len(rows)}. Refusals: {len(refused)}. Different codes: {len(codes)}.{right}"


def scoreboard_html(asked: Mapping[str, "Prediction"]) -> str:
    """All questions in a table: the reader's answers beside the compiler's."""
    rows = _rows(asked)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    head = "<tr><th>cell</th><th>engine</th><th>you said</th><th>the compiler</th></tr>"
    table = f'<table class="wb-board"><thead>{head}</thead><tbody>{body}</tbody></table>'
    return card("wb-quiz", f"<h4>{_summary(rows)}</h4>{table}", _STYLE)


def scoreboard_text(asked: Mapping[str, "Prediction"]) -> str:
    """The same as plain text."""
    rows = _rows(asked)
    lines = [f"{key:<22}{engine:<9}{said:<10}{came}" for key, engine, said, came in rows]
    return "\n".join([_summary(rows), *lines])
