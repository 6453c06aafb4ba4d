"""What the reader sees of the star matrix: a widget for the own stars, and tables that read well without one."""

from IPython.display import display

from helpers.engines import RUST_ENGINES
from helpers.html_theme import card, escape, prose
from helpers.live_training import has_kernel, is_watched
from helpers.measured_stars import MOST, RULES, Measurements, Rule
from helpers.star_matrix import CRITERIA, Criterion, StarMatrix

NOTHING = "no figure"
_STYLE = """
.wb table.wb-stars{border-collapse:collapse;border:0;font-size:13px}
.wb table.wb-stars tr,.wb table.wb-stars tr:hover{background:transparent}
.wb table.wb-stars th,.wb table.wb-stars td{border:0;border-bottom:1px solid var(--wb-line);color:inherit;
padding:3px 14px 3px 0;text-align:left;vertical-align:top;max-width:none}
.wb table.wb-stars td.wb-star{white-space:nowrap}
.wb .wb-first{color:var(--wb-yellow)}.wb .wb-far{font-weight:700;color:var(--wb-red)}
"""


def star_text(stars: int | None) -> str:
    """Five signs: `★★★☆☆`; a dash without stars."""
    return "-" if stars is None else "★" * stars + "☆" * (MOST - stars)


# --- the measures --------------------------------------------------------------------------------------------------


def measures_html(measured: Measurements) -> str:
    """A table with a row for each rule: every framework's median and stars, and the rule itself."""
    titles = "".join(f"<th>{engine.title}</th>" for engine in RUST_ENGINES.values())
    head = f"<tr><th>measure, method and limits</th>{titles}</tr>"
    body = "".join(_measure_row(rule, measured) for rule in RULES.values())
    table = f'<table class="wb-stars"><thead>{head}</thead><tbody>{body}</tbody></table>'
    return card("wb-matrix", table, _STYLE)


def _measure_row(rule: Rule, measured: Measurements) -> str:
    cells = "".join(f'<td class="wb-star">{_measure_cell(rule, measured, name)}</td>' for name in RUST_ENGINES)
    note = f"<br>{escape(measured.notes[rule.key])}" if rule.key in measured.notes else ""
    return (
        f"<tr><td><strong>{escape(rule.title)}</strong><br>"
        f'<span class="wb-dim">{prose(rule.method)}{note}</span><br>Stars: {escape(rule.limits_text)}.</td>{cells}</tr>'
    )


def _measure_cell(rule: Rule, measured: Measurements, engine: str) -> str:
    value = value_text(rule, measured, engine)
    if value == NOTHING:
        return f'<span class="wb-dim">{NOTHING}</span>'
    signs = star_text(measured.stars(rule.key, engine))
    lines = escape(value).replace(" (", "<br>(")
    return f'<span class="wb-first">{signs}</span><br>{lines}{_doubt(rule, measured, engine)}'


def value_text(rule: Rule, measured: Measurements, engine: str) -> str:
    """The median with its range, such as `0.11 x PyTorch (0.10 to 0.12)`."""
    spread = measured.spread(rule.key, engine)
    if spread is None:
        return NOTHING
    text = rule.shown.format(spread.median)
    if len(spread.samples) == 1:
        return text
    low, high = (rule.shown.format(value).removesuffix(" x PyTorch") for value in (spread.low, spread.high))
    return f"{text} ({low} to {high})"


def _doubt(rule: Rule, measured: Measurements, engine: str) -> str:
    low, high = measured.star_range(rule.key, engine) or (0, 0)
    return f'<br><span class="wb-dim">{low} to {high} stars</span>' if low != high else ""


def measures_text(measured: Measurements) -> str:
    """The same as plain text."""
    lines = []
    for rule in RULES.values():
        lines.append(f"{rule.title} ({rule.limits_text})")
        for name, engine in RUST_ENGINES.items():
            stars = star_text(measured.stars(rule.key, name))
            lines.append(f"  {engine.title:<8}{stars:<7}{value_text(rule, measured, name)}")
        lines += [f"  {measured.notes[rule.key]}"] if rule.key in measured.notes else []
    return "\n".join(lines)


def show_measures(measured: Measurements) -> None:
    """Show the table of all measures with their rules."""
    display({"text/html": measures_html(measured), "text/plain": measures_text(measured)}, raw=True)


# --- the matrix ----------------------------------------------------------------------------------------------------


def matrix_html(matrix: StarMatrix) -> str:
    """The article's matrix with the reader's and the measured stars in every cell."""
    titles = "".join(f"<th>{engine.title}</th>" for engine in RUST_ENGINES.values())
    head = f"<tr><th></th><th></th>{titles}</tr>"
    body = "".join(_criterion_rows(matrix, criterion) for criterion in CRITERIA)
    table = f'<table class="wb-stars"><thead>{head}</thead><tbody>{body}</tbody></table>'
    note = '<p class="wb-dim">Red: two stars or more away from the article.</p>'
    return card("wb-matrix", table + note, _STYLE)


def _criterion_rows(matrix: StarMatrix, criterion: Criterion) -> str:
    own = matrix.reader.get(criterion.key, {})
    kinds = {
        "article": dict(criterion.article),
        "you": own,
        "measured": {name: matrix.measured_stars(criterion, name) for name in RUST_ENGINES},
    }
    rows = []
    for kind, stars in kinds.items():
        cells = "".join(
            f'<td class="wb-star">{_stars_cell(criterion, name, stars.get(name))}</td>' for name in RUST_ENGINES
        )
        first = ""
        if kind == "article":
            first = (
                f'<td rowspan="3"><strong>{escape(criterion.title)}</strong><br>'
                f'<span class="wb-dim">{prose(criterion.remark)}</span></td>'
            )
        rows.append(f"<tr>{first}<td>{kind}</td>{cells}</tr>")
    return "".join(rows)


def _stars_cell(criterion: Criterion, engine: str, stars: int | None) -> str:
    far = stars is not None and abs(stars - criterion.article[engine]) > 1
    return f'<span class="{"wb-far" if far else "wb-first" if stars else "wb-dim"}">{star_text(stars)}</span>'


def matrix_text(matrix: StarMatrix) -> str:
    """The same as plain text."""
    lines = [f"{'':<38}{'':<9}" + "".join(f"{engine.title:<8}" for engine in RUST_ENGINES.values()).rstrip()]
    for criterion in CRITERIA:
        measured = {name: matrix.measured_stars(criterion, name) for name in RUST_ENGINES}
        kinds = {"article": criterion.article, "you": matrix.reader.get(criterion.key, {}), "measured": measured}
        for kind, stars in kinds.items():
            title = criterion.title if kind == "article" else ""
            cells = "".join(f"{star_text(stars.get(name)):<8}" for name in RUST_ENGINES)
            lines.append(f"{title:<38}{kind:<9}{cells}".rstrip())
    return "\n".join(lines)


class StarWidget:
    """A field for each place of the matrix, and the matrix below, which follows every change.

    Attributes:
        fields: The fields by criterion and framework.
        table: The HTML below them.
        box: The whole widget.
    """

    def __init__(self, matrix: StarMatrix) -> None:
        import ipywidgets as widgets

        self.matrix = matrix
        self.table = widgets.HTML()
        self.fields: dict[tuple[str, str], widgets.Dropdown] = {}
        options = [("-", 0), *((star_text(stars), stars) for stars in range(1, MOST + 1))]
        cells: list[widgets.Widget] = [widgets.HTML("")]
        cells += [widgets.HTML(f"<b>{engine.title}</b>") for engine in RUST_ENGINES.values()]
        for criterion in CRITERIA:
            cells.append(widgets.HTML(escape(criterion.title)))
            for name in RUST_ENGINES:
                stars = matrix.reader.get(criterion.key, {}).get(name, 0)
                entry = widgets.Dropdown(options=options, value=stars, layout=widgets.Layout(width="95px"))
                entry.observe(self._setter(criterion.key, name), "value")
                self.fields[criterion.key, name] = entry
                cells.append(entry)
        columns = f"280px repeat({len(RUST_ENGINES)}, 105px)"
        grid = widgets.GridBox(cells, layout=widgets.Layout(grid_template_columns=columns))
        self.box = widgets.VBox([grid, self.table])
        self.update()

    def _setter(self, criterion: str, engine: str):  # noqa: ANN202 - a callback of ipywidgets
        def set_stars(change: dict) -> None:
            self.matrix.give(criterion, engine, change["new"])
            self.matrix.save()
            self.update()

        return set_stars

    def update(self) -> None:
        """Show the matrix as it is now."""
        self.table.value = matrix_html(self.matrix)


def show_matrix(matrix: StarMatrix) -> None:
    """Show the widget to somebody at a kernel, and the table elsewhere."""
    bundle = {"text/html": matrix_html(matrix), "text/plain": matrix_text(matrix)}
    if has_kernel() and is_watched():
        # Pages without widgets take the next best form of the same output.
        bundle = {**StarWidget(matrix).box._repr_mimebundle_(), **bundle}
    display(bundle, raw=True)
