"""Claims as cards that open: each with its programs, what came out, and the repaired version.

Plain `details` elements, so they open in JupyterLab, in nbconvert's pages and without JavaScript.
"""

from collections.abc import Callable, Iterable, Mapping

from helpers.claim_outcomes import Outcome
from helpers.claim_records import ARTICLES, Claim, PythonProbe, RustProbe, SourceProbe
from helpers.claims import ClaimResult
from helpers.engines import ENGINES
from helpers.html_theme import card, escape, fold, highlighted, prose

NOT_TRIED = "not tried"
_WORDS = {"true": "wb-good", "false": "wb-error", "partly": "wb-warning"}
_STYLE = """
.wb .wb-claim{border-top:1px solid var(--wb-line);padding:2px 0}
.wb .wb-claim>summary{color:inherit}
.wb .wb-verdict{display:inline-block;min-width:5.5em;font-weight:600}
.wb .wb-claim>div{padding:0 0 6px 14px}
"""


class ClaimCards:
    """Some claims with their results; in a notebook a card of foldable entries, elsewhere lines of text.

    Args:
        claims: What to show.
        results: What is known of them, by name.
        title: A heading.
        opened: Whether the entries are unfolded at first.
        coloured: Whether programs have the colours of their language, which triples the size of a long list.
    """

    def __init__(
        self,
        claims: Iterable[Claim],
        results: Mapping[str, ClaimResult],
        *,
        title: str = "",
        opened: bool = False,
        coloured: bool = True,
    ) -> None:
        self.claims, self.results, self.title, self.opened = list(claims), results, title, opened
        self.coloured = coloured

    def __repr__(self) -> str:
        """One line a claim: verdict, name, statement."""
        width = max((len(claim.id) for claim in self.claims), default=0)
        lines = [f"{self._verdict(claim):<18} {claim.id:<{width}} {claim.statement}" for claim in self.claims]
        return "\n".join([*([self.title] if self.title else []), *lines])

    def _repr_html_(self) -> str:
        heading = f"<h4>{escape(self.title)}</h4>" if self.title else ""
        return card("wb-claims", heading + "".join(self._entry(claim) for claim in self.claims), _STYLE)

    def _verdict(self, claim: Claim) -> str:
        return self.results[claim.id].verdict if claim.id in self.results else NOT_TRIED

    def _entry(self, claim: Claim) -> str:
        word = self._verdict(claim)
        frameworks = ", ".join(ENGINES[name].title if name in ENGINES else name for name in claim.frameworks)
        summary = (
            f'<span class="wb-verdict {_WORDS.get(word, "wb-dim")}">{escape(word)}</span> {prose(claim.statement)} '
            f'<span class="wb-dim">({escape(frameworks)})</span>'
        )
        result = self.results.get(claim.id)
        outcomes = result.outcomes if result else ()
        pairs = zip(claim.probes, outcomes, strict=False)
        trials = [_trial(probe, outcome, coloured=self.coloured) for probe, outcome in pairs]
        parts = [
            *([f"<p>{prose(claim.note)}</p>"] if claim.note else []),
            *([f"<p>{prose(claim.untestable)}</p>"] if claim.untestable else []),
            *trials,
            _links(claim),
            f'<p class="wb-dim">{escape(claim.id)}; article: {escape(ARTICLES[claim.article])}{_tried(result)}</p>',
        ]
        opened = " open" if self.opened else ""
        return f'<details class="wb-claim"{opened}><summary>{summary}</summary><div>{"".join(parts)}</div></details>'


def _tried(result: ClaimResult | None) -> str:
    if result is None:
        return ""
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    return escape("; " + "; ".join(filter(None, [versions, result.machine, result.tried_on])))


def _trial(probe: RustProbe | PythonProbe | SourceProbe, outcome: Outcome, *, coloured: bool) -> str:
    says = prose(probe.says) if probe.says else "The trial"
    holds = "it holds" if outcome.ended == probe.holds_if else "skipped" if outcome.skipped else "it does not hold"
    body = [f"<h5>{says}: {escape(holds)}</h5>"]
    if isinstance(probe, SourceProbe):
        body.append(f"<p>A look for <code>{escape(probe.pattern)}</code> in {escape(probe.source)}:</p>")
    else:
        body.append(fold("Program", _program(probe, probe.code, coloured=coloured)))
    body.append(f"<p>Ended with <code>{escape(outcome.ended)}</code>:</p><pre>{escape(outcome.evidence)}</pre>")
    if probe.repaired:
        body.append(fold("Repaired", _program(probe, probe.repaired, coloured=coloured)))
    return "".join(body)


def _program(probe: RustProbe | PythonProbe, code: str, *, coloured: bool) -> str:
    language = "rust" if isinstance(probe, RustProbe) else "python"
    return f"<pre>{highlighted(code.strip(), language) if coloured else escape(code.strip())}</pre>"


def _links(claim: Claim) -> str:
    links = [f'<a href="{escape(place)}">{escape(place.partition(".ipynb")[0])}</a>' for place in claim.see]
    return f"<p>More in {', '.join(links)}.</p>" if links else ""


def browse(claims: Mapping[str, Claim], results: Mapping[str, ClaimResult]):  # noqa: ANN201  a widget, imported late
    """Return a widget that filters the ledger by topic, framework and verdict and shows the claims that fit.

    Where no widget can live, the notebook shows the ledger topic by topic instead (`by_topic`).
    """
    import ipywidgets as widgets

    def menu(name: str, values: Iterable[str]) -> widgets.Dropdown:
        options = [("all", ""), *((value, value) for value in sorted(set(values)))]
        return widgets.Dropdown(options=options, description=name)

    verdicts = [results[name].verdict if name in results else NOT_TRIED for name in claims]
    menus = {
        "topic": menu("topic", (claim.topic for claim in claims.values())),
        "framework": menu("framework", (name for claim in claims.values() for name in claim.frameworks)),
        "verdict": menu("verdict", verdicts),
    }
    shown = widgets.HTML()

    def fits(claim: Claim, word: str) -> bool:
        return (
            menus["topic"].value in {"", claim.topic}
            and (not menus["framework"].value or menus["framework"].value in claim.frameworks)
            and menus["verdict"].value in {"", word}
        )

    def update(_: object = None) -> None:
        chosen = [claim for claim, word in zip(claims.values(), verdicts, strict=True) if fits(claim, word)]
        shown.value = ClaimCards(chosen, results, title=f"{len(chosen)} claims")._repr_html_()

    menus["topic"].value = min(claim.topic for claim in claims.values())  # all at once would be a long page
    for chooser in menus.values():
        chooser.observe(update, names="value")
    update()
    return widgets.VBox([widgets.HBox(list(menus.values())), shown])


def by_topic(
    claims: Mapping[str, Claim], results: Mapping[str, ClaimResult], show: Callable[[ClaimCards], object]
) -> None:
    """Show the ledger topic by topic, each as one card: the form that needs no kernel."""
    for topic in sorted({claim.topic for claim in claims.values()}):
        own = [claim for claim in claims.values() if claim.topic == topic]
        show(ClaimCards(own, results, title=f"{topic}: {len(own)} claims", coloured=False))
