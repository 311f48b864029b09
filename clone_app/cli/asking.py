"""Commands that look and ask: items, search, ask."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from clone_app.app import App
from clone_app.cli.commands import (
    command,
    opened,
    print_json,
    ready_vectors,
    say,
    shown_progress,
)
from clone_app.cli.narrowing import asked_narrowed, narrowed, say_understood
from clone_app.entries import Answer, Dial, Filters, Mode
from clone_app.errors import ModelError
from clone_app.packed import answer_json, hit_json, item_json
from clone_app.persona.document import Audience
from clone_app.settings import AnswerStyle


@command()
@narrowed
@click.option("--limit", type=click.IntRange(min=0), help="At most so many.")
def items(home: Path, filters: Filters, limit: int | None, as_json: bool) -> None:
    """List what is remembered, oldest first."""
    with opened(home) as app:
        found = app.items(
            medium=filters.medium or None,
            since=filters.since or None,
            until=filters.until or None,
            whose=filters.whose,
            who=filters.who,
            limit=limit,
        )
    if as_json:
        print_json([item_json(each) for each in found])
        return
    for each in found:
        item = each.item
        first = (item.title or item.text).strip().splitlines()
        when = item.moment.iso() or "undated"
        say(f"{each.id:6}  {when:26} {item.medium:10} {first[0][:80] if first else ''}")
    if not found:
        say("Nothing found.")


def _asked(_: click.Context, __: click.Parameter, value: str) -> str:
    """Return what was asked; nothing, from an unset variable, is no question."""
    if not value.strip():
        raise click.BadParameter("It is empty. Write words to look for or a question, in quotes.")
    return value


@command()
@click.argument("text", callback=_asked)
@click.option("-k", type=click.IntRange(1, 1000), default=10, help="How many.", show_default=True)
@click.option("--at", metavar="TIME", help="As things stood then.")
@asked_narrowed
def search(home: Path, text: str, k: int, at: str | None, filters: Filters, as_json: bool) -> None:
    """Find entries by meaning and words, best first."""
    with opened(home) as app:
        ready_vectors(app)
        recalled = app.look_up(text, k=k, at=at, filters=filters)
    found = recalled.hits
    if as_json:
        print_json([hit_json(hit) for hit in found])
        return
    say_understood(recalled.intervals, recalled.people)
    for hit in found:
        when = hit.item.moment.iso() or "undated"
        say(f"{hit.item_id:6}  {when}  {hit.item.medium}  {hit.item.key}")
        say(f"        {' '.join(hit.passage.split())[:300]}")
    if not found:
        say("Nothing found.")


@command()
@click.argument("text", callback=_asked)
@click.option("--at", metavar="TIME", help="As things stood then.")
@click.option("--conversation", type=int, metavar="ID", help="Go on with this conversation.")
@click.option(
    "--audience",
    type=click.Choice([each.value for each in Audience]),
    default=Audience.PRIVATE.value,
    show_default=True,
    help="Who listens: you, a friend, or the public. What they must not hear of takes no part.",
)
@click.option(
    "--memory",
    type=click.Choice([each.value for each in Dial]),
    help="How much of memory the answer uses, from the model alone to only your own words; without "
    "it as the settings say. `dial` shows what each stop does.",
)
@asked_narrowed
def ask(
    home: Path,
    text: str,
    at: str | None,
    conversation: int | None,
    audience: str,
    memory: str | None,
    filters: Filters,
    as_json: bool,
) -> None:
    """Ask the clone; its answer says where each sentence comes from."""
    with opened(home) as app:
        ready_vectors(app)
        with shown_progress() as progress:
            events = app.ask(
                text,
                at=at,
                conversation=conversation,
                audience=Audience(audience),
                dial=None if memory is None else Dial(memory),
                filters=filters,
                progress=progress,
            )
            # To the events' end: until then the question counts as being answered.
            *_, answer = (event for event in events if isinstance(event, Answer))
        if as_json:
            print_json(answer_json(answer))
        else:
            say_understood(answer.times, answer.people)
            print_answer(answer)
        if answer.model and answer.mode is not Mode.FRESH:
            _try_model(app)


def _try_model(app: App) -> None:
    """Try a model that has just answered for the first time: nobody waits for the outcome."""
    if not app.model_untried():
        return
    with suppress(ModelError), shown_progress() as progress:
        able = app.try_model(progress)
        if able.style is AnswerStyle.QUOTES:
            say(f"The language model {able}. From now on answers are quotations.", err=True)


def _how(answer: Answer) -> str:
    """Return the dial's stop, and what came of it where that isn't the same word."""
    mode = f"{answer.mode}: {answer.reason}" if answer.reason else str(answer.mode)
    if answer.dial is None:
        return mode
    return f"memory {answer.dial}" + ("" if mode == answer.dial else f", {mode}")


def print_answer(answer: Answer) -> None:
    """Print an answer with a number behind each sentence that has a source, then the sources."""
    numbers = {source.key: number for number, source in enumerate(answer.sources, 1)}
    said = []
    for sentence in answer.sentences:
        marks = "".join(f" [{numbers[key]}]" for key in sentence.citations)
        plain = answer.mode in (Mode.NONE, Mode.FRESH)
        # A mail's own line breaks would tear the answer; the entry shows them as they are.
        text = " ".join(sentence.text.split())
        said.append(text + (marks or ("" if plain else " [not in your entries]")))
    say("\n".join(said))
    if answer.mode is Mode.FRESH:
        say("[The model alone: nothing of your memory was looked at.]")
    say(f"\n(The clone's answer; {_how(answer)}, {answer.model or 'no model'}.)")
    if answer.note:
        say(answer.note)
    for source in answer.sources:
        when = source.moment.iso() or "undated"
        quote = " ".join(source.quote.split())
        say(f"[{numbers[source.key]}] {when} {source.medium}: {quote}")
