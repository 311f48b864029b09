"""The command that says why a question finds an entry, or doesn't."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from clone_app.cli.commands import command, opened, print_json, ready_vectors, say
from clone_app.cli.narrowing import asked_narrowed
from clone_app.entries import Filters
from clone_app.memory.reasons import told


@command()
@click.argument("question")
@click.argument("item", type=int)
@click.option("--at", metavar="TIME", help="As things stood then.")
@asked_narrowed
def why(
    home: Path, question: str, item: int, at: str | None, filters: Filters, as_json: bool
) -> None:
    """Say why a question finds an entry (its number as in `search` and `items`), or why not."""
    with opened(home) as app:
        ready_vectors(app)
        reason = app.why(question, item, at=at, filters=filters)
    if as_json:
        print_json(asdict(reason))
        return
    say("\n".join(told(reason)))
