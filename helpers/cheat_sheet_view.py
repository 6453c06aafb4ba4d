"""The cheat sheet as one table: a row an operation, PyTorch beside a framework that the reader chooses.

The choice is made by radio buttons and a style sheet. A small script adds the search field, so where scripts do not
run there is no dead field; where styles are removed too, as on a code host, all columns are a plain table.
"""

import json
import secrets

from helpers.cheat_sheet import CheatSheet, Row, RowResult
from helpers.engines import ENGINES, RUST_ENGINES
from helpers.html_theme import card, escape, highlighted, prose

CHOSEN = "candle"  # the framework that is shown first
_MOST_NUMBERS = 12
_STYLE = """
.wb-sheet{max-width:none!important}
.wb-sheet input.wb-pick[hidden]{display:block;position:absolute;width:1px;height:1px;margin:0;opacity:0}
.wb-sheet label.wb-pick[hidden]{display:inline-block;padding:4px 12px;margin:0 4px 8px 0;cursor:pointer;
border:1px solid var(--wb-line);border-radius:4px;color:var(--wb-dim)}
.wb-sheet label.wb-pick::before{content:attr(data-title)}
.wb-sheet input.wb-pick:checked+label{background:var(--wb-code);color:var(--wb-fg);font-weight:600}
.wb-sheet input.wb-pick:focus-visible+label{outline:2px solid var(--wb-focus);outline-offset:1px}
.wb-sheet .wb-search{display:block;margin:0 0 8px;font-size:14px}
.wb-sheet .wb-search input{font:inherit;width:22em;max-width:60%;padding:4px 8px;color:inherit;
background:var(--wb-code);border:1px solid var(--wb-line);border-radius:4px}
.wb-sheet table{border-collapse:collapse;border:0;margin:0;font-size:13px;width:100%;table-layout:auto}
.wb-sheet th,.wb-sheet td{border:0;border-bottom:1px solid var(--wb-line);color:inherit;background:transparent;
padding:6px 14px 6px 0;text-align:left!important;vertical-align:top;white-space:normal;max-width:none}
.wb-sheet tr,.wb-sheet tr:hover{background:transparent!important}
.wb-sheet tr[hidden]{display:none}
.wb-sheet th.wb-group{padding-top:16px;font-size:14px}
.wb-sheet td.wb-what{min-width:220px;width:30%}
.wb-sheet td pre{margin:0 0 4px;border:0;padding:6px 8px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
.wb-sheet td p{margin:2px 0}
"""
_SCRIPT = """
(function () {
  var root = document.getElementById(%s);
  if (!root || root.querySelector(".wb-search")) return;
  var label = document.createElement("label"), field = document.createElement("input");
  var count = document.createElement("span"), rows = root.querySelectorAll("tr.wb-row");
  label.className = "wb-search";
  field.type = "search";
  field.setAttribute("aria-label", "Search the cheat sheet");
  field.placeholder = "Search, such as softmax or unsqueeze";
  count.className = "wb-dim";
  count.setAttribute("role", "status");
  label.append(field, " ", count);
  root.insertBefore(label, root.querySelector("table"));
  ["keydown", "keyup", "keypress"].forEach(function (name) {
    field.addEventListener(name, function (event) { event.stopPropagation(); });
  });
  field.addEventListener("input", function () {
    var words = field.value.toLowerCase().split(/\\s+/).filter(Boolean), found = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
      found += !row.hidden;
    });
    root.querySelectorAll("tr.wb-heading").forEach(function (heading) {
      var next = heading.nextElementSibling, empty = true;
      for (; next && next.classList.contains("wb-row"); next = next.nextElementSibling) empty = empty && next.hidden;
      heading.hidden = empty;
    });
    count.textContent = words.length ? found + " of " + rows.length : "";
  });
})();
"""


def cheat_sheet_html(sheet: CheatSheet) -> str:
    """The whole table as one self-contained piece of HTML."""
    name = f"wb-{secrets.token_hex(4)}"
    switches = "".join(_switch(name, engine, ENGINES[engine].title) for engine in RUST_ENGINES)
    switches += _switch(name, "all", "All")
    head = "".join(f'<th class="wb-{engine}">{escape(ENGINES[engine].title)}</th>' for engine in ENGINES)
    body = "".join(_group_html(sheet, group) for group in dict.fromkeys(row.group for row in sheet.rows))
    table = f"<table><thead><tr><th>what, and its trap</th>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    rules = "".join(
        f".wb-sheet input.wb-{chosen}:checked~table .wb-{engine}{{display:none}}\n"
        for chosen in RUST_ENGINES
        for engine in RUST_ENGINES
        if engine != chosen
    )
    script = f"<script>{_SCRIPT % json.dumps(name)}</script>"
    inner = f'<div id="{name}">{switches}\n<p class="wb-dim">{escape(sheet.summary)}</p>\n{table}</div>'
    return card("wb-sheet", inner, _STYLE + rules) + script


def cheat_sheet_text(sheet: CheatSheet) -> str:
    """The same as plain text: the rows one under another, each with its code in five engines and its trap."""
    lines = [sheet.summary]
    for row in sheet.rows:
        lines += ["", f"{row.title} ({row.group.lower()}): {_verdict(sheet, row)}"]
        for engine in ENGINES:
            code = _code(sheet, row, engine).splitlines() or [f"({row.lacks.get(engine, '')})"]
            lines += [f"  {ENGINES[engine].name:<8} {code[0]}", *(f"  {'':<8} {line}" for line in code[1:])]
        lines.append(f"  trap:    {row.trap}")
    return "\n".join(lines)


def _switch(group: str, engine: str, title: str) -> str:
    checked = " checked" if engine == CHOSEN else ""
    identity = f"{group}-{engine}"
    return (
        f'<input type="radio" name="{group}" id="{identity}" class="wb-pick wb-{engine}"{checked} '
        f'aria-label="{escape(title)}" hidden><label for="{identity}" class="wb-pick" '
        f'data-title="{escape(title)}" hidden></label>'
    )


def _group_html(sheet: CheatSheet, group: str) -> str:
    rows = "".join(_row_html(sheet, row) for row in sheet.rows if row.group == group)
    rest = f'<td colspan="{len(ENGINES)}"></td>'
    return f'<tr class="wb-heading" align="left"><th class="wb-group">{escape(group)}</th>{rest}</tr>\n{rows}'


def _row_html(sheet: CheatSheet, row: Row) -> str:
    reference = sheet.results["pytorch"].get(row.name)
    tensor = _tensor(row, reference) if reference and reference.shape is not None else ""
    shown = f'<p class="wb-dim">{escape(tensor)}</p>' if tensor else ""
    good = not any(difference.startswith(f"{row.name} in ") for difference in sheet.differences)
    verdict = f'<p class="{"wb-good" if good else "wb-error"}">{escape(_verdict(sheet, row))}</p>'
    what = f'<td class="wb-what"><b>{escape(row.title)}</b>{shown}{verdict}<p>{prose(row.trap)}</p></td>'
    return f'<tr class="wb-row" valign="top">{what}{"".join(_cell(sheet, row, engine) for engine in ENGINES)}</tr>\n'


def _cell(sheet: CheatSheet, row: Row, engine: str) -> str:
    if engine in row.lacks:
        return f'<td class="wb-{engine}"><p class="wb-dim">{prose(row.lacks[engine])}</p></td>'
    language = "rust" if ENGINES[engine].is_rust else "python"
    code = f"<pre><code>{highlighted(_code(sheet, row, engine), language)}</code></pre>"
    result = sheet.results[engine].get(row.name)
    words = f"<pre>{escape(result.text)}</pre>" if result is not None and result.shape is None else ""
    return f'<td class="wb-{engine}">{code}{words}</td>'


def _code(sheet: CheatSheet, row: Row, engine: str) -> str:
    return sheet.code[engine].get(row.name, "")


def _tensor(row: Row, result: RowResult) -> str:
    if row.compare == "shape":
        return str(list(result.shape or ()))  # the numbers are random
    numbers = " ".join(f"{value:.4g}" for value in result.values[:_MOST_NUMBERS])
    return f"{list(result.shape or ())}: {numbers}{' ...' if len(result.values) > _MOST_NUMBERS else ''}"


def _verdict(sheet: CheatSheet, row: Row) -> str:
    differing = [text for text in sheet.differences if text.startswith(f"{row.name} in ")]
    if differing:
        return "differs: " + "; ".join(text.removeprefix(f"{row.name} in ") for text in differing)
    if row.compare == "shown":
        return "each in its own words"
    what = {"values": "equal numbers", "shape": "equal shape", "text": "equal"}[row.compare]
    number = len(ENGINES) - len(row.lacks)
    return f"{what} in {'all five' if number == len(ENGINES) else f'{number} of {len(ENGINES)}'}"
