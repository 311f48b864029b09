"""The commands that say why a question finds an entry, or doesn't, and what an answer had found."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from clone_app.cli.commands import command, opened, print_json, ready_vectors, say
from clone_app.cli.narrowing import asked_narrowed
from clone_app.entries import Filters
from clone_app.memory.reasons import found_through, told


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


@command()
@click.argument("conversation", type=int, required=False)
@click.option("--delete", is_flag=True, help="Delete the conversation with its answers.")
def found(home: Path, conversation: int | None, delete: bool, as_json: bool) -> None:
    """List what each answer of a conversation had found, and through what; without one, list them.

    As it was when it was asked; `why` says what a question would find now.
    """
    if delete:
        if conversation is None:
            raise click.UsageError("Say which conversation: `found` lists them.")
        with opened(home, writing=True) as app:
            app.delete_conversation(conversation)
        if as_json:
            print_json({"deleted": conversation})
        else:
            say(f"Conversation {conversation} is deleted.")
        return
    with opened(home) as app:
        if conversation is None:
            talks = app.conversations()
        else:
            turns = [(each, app.found_for(each.id)) for each in app.turns(conversation)]
    if conversation is None:
        if as_json:
            print_json(
                [
                    {"conversation": number, "question": first, "started_at": begun.isoformat()}
                    for number, first, begun in talks
                ]
            )
            return
        for number, first, begun in talks:
            say(f"{number:4}  {begun:%Y-%m-%d}  {' '.join(first.split())[:90]}")
        if not talks:
            say("Nothing was asked yet.")
        return
    if as_json:
        print_json(
            [{"question": turn.question, "found": list(map(asdict, hits))} for turn, hits in turns]
        )
        return
    for turn, hits in turns:
        say(" ".join(turn.question.split()))
        for hit in hits:
            through = found_through(list(dict.fromkeys(each.ranker for each in hit.found)))
            say(f"{hit.place:4}. entry {hit.item_id}, by {through}")
        if not hits:
            say("      nothing, or it has been removed since")
