"""`workbook claims`: the ledger as a table, tried again where it is not known or where that is asked for."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from helpers.errors import ClaimError
from helpers.terminal import console, shows_errors

# The ledger itself is imported when it is asked for: every other command starts without it.
if TYPE_CHECKING:
    from helpers import claims as ledger
    from helpers.claim_records import Claim

Words = Annotated[list[str] | None, typer.Argument(help="Names of claims; all if none is given.")]


@shows_errors
def claims_command(
    names: Words = None,
    topic: Annotated[str | None, typer.Option(help="Only this topic, such as api or memory.")] = None,
    framework: Annotated[str | None, typer.Option(help="Only claims about this framework.")] = None,
    article: Annotated[str | None, typer.Option(help="Only this article: 000, 001, 002, 003.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Only this verdict, such as true or false.")] = None,
    rerun: Annotated[bool, typer.Option("--rerun", help="Try them again, whatever is known.")] = False,
    measure: Annotated[bool, typer.Option("--measure", help="Repeat the measurements too; takes minutes.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Write what came out to claims/results.json.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Print each claim's programs' evidence below the table.")
    ] = False,
) -> None:
    """Print the articles' claims with their verdicts, and try those whose result is missing or old."""
    from helpers import claims as ledger
    from helpers.claim_outcomes import UNDECIDED
    from helpers.claim_records import load_claims

    all_claims = load_claims()
    claims = chosen_claims(all_claims, names, topic=topic, framework=framework, article=article)
    before = ledger.read_results(ledger.RECORDED)
    results = _brought_up_to_date(claims, rerun=rerun, measure=measure)
    if record:
        kept = {n: r for n, r in {**before, **results}.items() if n in all_claims}
        of_today = {n: r for n, r in kept.items() if r.probes == all_claims[n].probes_hash()}  # not of older probes
        ledger.write_results(ledger.RECORDED, of_today)
    shown = {n: c for n, c in claims.items() if verdict is None or (n in results and results[n].verdict == verdict)}
    console.print(claims_table(shown, results))
    counts = Counter(results[name].verdict if name in results else "not tried" for name in shown)
    console.print(f"{len(shown)} claims: " + ", ".join(f"{count} {word}" for word, count in counts.most_common()))
    if show:
        for name, claim in shown.items():
            console.print(_evidence(claim, results.get(name)), highlight=False)
    for change in ledger.changes(before, results):
        console.print(f"[yellow]changed[/] {escape(str(change))}", highlight=False)
    if undecided := [name for name in shown if name in results and results[name].verdict == UNDECIDED]:
        raise ClaimError(f"These probes ended in a way that nobody has foreseen: {', '.join(undecided)}.")


def chosen_claims(
    claims: Mapping[str, "Claim"],
    names: list[str] | None = None,
    *,
    topic: str | None = None,
    framework: str | None = None,
    article: str | None = None,
) -> dict[str, "Claim"]:
    """Return the claims that fit all of the filters.

    Raises:
        ClaimError: A name or a filter fits no claim at all.
    """
    if unknown := [name for name in names or [] if name not in claims]:
        raise ClaimError(f"There is no claim {unknown[0]!r}: `workbook claims` lists them.")
    for word, known in (
        (topic, {claim.topic for claim in claims.values()}),
        (framework, {name for claim in claims.values() for name in claim.frameworks}),
        (article, {claim.article for claim in claims.values()}),
    ):
        if word is not None and word not in known:
            raise ClaimError(f"No claim has {word!r}: choose one of {', '.join(sorted(known))}.")
    return {
        name: claim
        for name, claim in claims.items()
        if (not names or name in names)
        and topic in {None, claim.topic}
        and article in {None, claim.article}
        and (framework is None or framework in claim.frameworks)
    }


def _brought_up_to_date(
    claims: Mapping[str, "Claim"], *, rerun: bool, measure: bool
) -> dict[str, "ledger.ClaimResult"]:
    """Try what is missing or old, keep it for this machine, and return the results of all the claims."""
    from helpers import claims as ledger

    known = ledger.known_results(claims)
    stale = [claim for name, claim in claims.items() if rerun or not ledger.is_current(claim, known.get(name))]
    # Measurements take minutes: each is kept as soon as it is there, so an interrupted run loses one of them.
    quick = [claim for claim in stale if not claim.is_measured]
    measured = [[claim] for claim in stale if measure and claim.is_measured]
    for batch in filter(None, [quick, *measured]):
        with console.status(f"trying {len(batch)} claims, from {batch[0].id} on"):
            fresh = ledger.run_claims(batch, measure=measure)
        ledger.write_results(ledger.local_results(), {**ledger.read_results(ledger.local_results()), **fresh})
        known |= fresh
    return known


_COLOURS = {"true": "green", "false": "red", "partly": "yellow"}


def claims_table(claims: Mapping[str, "Claim"], results: Mapping[str, "ledger.ClaimResult"]) -> Table:
    """Return the table: verdict, name, statement and the first line of the evidence."""
    table = Table(title="Claims of the four articles", title_justify="left")
    table.add_column("verdict", no_wrap=True)
    table.add_column("claim", overflow="fold", ratio=1)
    table.add_column("statement", ratio=2)
    table.add_column("evidence", ratio=2)
    for name, claim in claims.items():
        result = results.get(name)
        word = result.verdict if result else "not tried"
        told = claim.untestable or (result.outcomes[0].evidence.splitlines()[0] if result and result.outcomes else "")
        about = f"{name}\n[dim]{claim.topic}; {', '.join(claim.frameworks)}[/]"
        table.add_row(f"[{_COLOURS.get(word, 'dim')}]{word}[/]", about, escape(claim.statement), escape(told))
    return table


def _evidence(claim: "Claim", result: "ledger.ClaimResult | None") -> str:
    lines = [f"\n[bold]{claim.id}[/]: {escape(claim.statement)}"]
    for probe, outcome in zip(claim.probes, result.outcomes if result else (), strict=False):
        lines.append(f"  {escape(probe.says or 'tried')}: {outcome.ended} (it holds if: {probe.holds_if})")
        lines += [f"    {escape(line)}" for line in outcome.evidence.splitlines()]
    if claim.note:
        lines.append(f"  {escape(claim.note)}")
    return "\n".join(lines)
