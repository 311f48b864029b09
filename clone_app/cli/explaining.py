"""The command that says why a question finds an entry, or doesn't."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from clone_app.cli.commands import command, opened, print_json, ready_vectors
from clone_app.memory.reasons import Reason, Verdict

_SAID = {
    Verdict.FOUND: "Found: number {rank} of the {k} entries an answer is made from.",
    Verdict.BELOW: "Not found: number {rank}, and an answer is made from {k}.",
    Verdict.CROWDED: "Not found: number {rank}, but its time had its share of the {k} already.",
    Verdict.UNREACHED: "Not found: nothing in it is near the question in words, meaning or time.",
    Verdict.LATER: "Not seen: it was written after the moment of asking.",
    Verdict.UNDATED: "Not seen: it has no date, so nobody knows whether it was there by then.",
    Verdict.OUTSIDE: "Not seen: what was searched leaves it out.",
}


@command()
@click.argument("question")
@click.argument("item", type=int)
@click.option("--at", metavar="TIME", help="As things stood then.")
def why(home: Path, question: str, item: int, at: str | None, as_json: bool) -> None:
    """Say why a question finds an entry (its number as in `items --json`), or why not."""
    with opened(home) as app:
        ready_vectors(app)
        reason = app.why(question, item, at=at)
    if as_json:
        print_json(asdict(reason))
        return
    click.echo("\n".join(lines(reason)))


def lines(reason: Reason) -> list[str]:
    """Return a reason in words, the verdict first."""
    said = [_SAID[reason.verdict].format(rank=reason.rank, k=reason.k)]
    if reason.score is not None and reason.needed is not None:
        said.append(f"It stands at {reason.score:.2f}; the last one taken at {reason.needed:.2f}.")
    said += [f"  {each.standing:+.2f}  {each.ranker} ({each.probe})" for each in reason.found]
    if reason.words:
        said.append(f"It holds: {', '.join(reason.words)}.")
    if reason.lacking:
        said.append(f"It lacks: {', '.join(reason.lacking)}.")
    if reason.times:
        said.append(f"Time understood: {', '.join(reason.times)}.")
    if reason.people:
        said.append(f"People understood: {', '.join(reason.people)}.")
    if reason.waiting:
        said.append("It can't be found by meaning yet: vectors are still being made.")
    return said
