"""Commands about the persona document: read, build, accept, edit, lock, delete, forget a topic."""

from __future__ import annotations

from pathlib import Path

import click

from clone_app.cli.commands import (
    command,
    counted,
    listing,
    opened,
    print_json,
    say,
    shown_progress,
)
from clone_app.memory.lines import KeptLine, LineState, Section
from clone_app.persona.document import TITLES, Audience, as_text, shown, span

_WHO = {Audience.FRIEND: "friends", Audience.PUBLIC: "the public"}


@listing
def persona(home: Path, as_json: bool) -> None:
    """Read what your entries say of you; `persona build` proposes, you accept, edit, lock, delete."""
    _show(home, Audience.PRIVATE, as_json)


@command(persona, name="show")
@click.option(
    "--audience",
    type=click.Choice([str(each) for each in Audience]),
    default=str(Audience.PRIVATE),
    help="As this audience may hear it.",
)
def show(home: Path, audience: str, as_json: bool) -> None:
    """Print the document; proposals come after it, marked with +."""
    _show(home, Audience(audience), as_json)


def _show(home: Path, audience: Audience, as_json: bool) -> None:
    with opened(home) as app:
        kept = app.persona_lines()
        heard = app.persona_document(audience)
        apart = app.voice_told_apart()
    if audience is not Audience.PRIVATE:
        if as_json:
            print_json([shown(line) for line in heard.lines])
        else:
            say(as_text(heard) or f"Nothing of the document is for {_WHO[audience]}.")
        return
    if as_json:
        print_json([_line_json(each) for each in kept])
        return
    if not kept:
        say("Nothing is known of you yet. `persona build` reads your entries.")
        return
    first = True
    for section, title in TITLES.items():
        mine = [each for each in kept if each.line.section is section]
        if mine:
            say(title if first else f"\n{title}")
            first = False
        for each in mine:
            new = "+" if each.state is LineState.PROPOSED else " "
            mark = " [locked]" if each.state is LineState.LOCKED else ""
            hidden = " [private]" if each.line.private else ""
            say(f"{new}{each.id:5}  {shown(each.line)}{mark}{hidden}")
            if each.offered is not None:
                say(f"~{each.id:5}  {each.offered}")
        if mine and section is Section.WRITING and apart is not None:
            say(f"        {apart.said()}")


@command(persona, name="build")
def build(home: Path, as_json: bool) -> None:
    """Read all entries and put what they say of you into the inbox."""
    with opened(home, writing=True) as app, shown_progress() as progress:
        found = app.build_persona(progress)
        waiting = sum(each.waiting for each in app.persona_lines())
    if as_json:
        print_json({"added": found.added, "changed": found.changed, "waiting": waiting})
    else:
        say(
            f"{counted(found.added, 'new line')} and {counted(found.changed, 'new wording')}; "
            f"{waiting} wait{'s' if waiting == 1 else ''} for you. `persona show` lists what waits, "
            "`persona accept` takes it into the document."
        )


@command(persona, name="accept")
@click.argument("ids", nargs=-1, type=int)
@click.option("--all", "everything", is_flag=True, help="All that wait.")
def accept(home: Path, ids: tuple[int, ...], everything: bool, as_json: bool) -> None:
    """Take proposals into the document, by their numbers or all."""
    _need(ids, everything)
    with opened(home, writing=True) as app:
        number = app.accept_lines(None if everything else ids)
    _told("accepted", number, as_json)


@command(persona, name="reject")
@click.argument("ids", nargs=-1, type=int)
@click.option("--all", "everything", is_flag=True, help="All that wait.")
def reject(home: Path, ids: tuple[int, ...], everything: bool, as_json: bool) -> None:
    """Refuse proposals for good, by their numbers or all."""
    _need(ids, everything)
    with opened(home, writing=True) as app:
        number = app.reject_lines(None if everything else ids)
    _told("rejected", number, as_json)


@command(persona, name="edit")
@click.argument("line_id", metavar="ID", type=int)
@click.argument("text")
def edit(home: Path, line_id: int, text: str, as_json: bool) -> None:
    """Give a line your own words."""
    with opened(home, writing=True) as app:
        app.edit_line(line_id, text)
    _told("edited", 1, as_json)


@command(persona, name="lock")
@click.argument("ids", nargs=-1, type=int, required=True)
@click.option("--off", is_flag=True, help="Unlock.")
def lock(home: Path, ids: tuple[int, ...], off: bool, as_json: bool) -> None:
    """Keep lines as they are, whatever later entries say."""
    with opened(home, writing=True) as app:
        for line_id in ids:
            app.lock_line(line_id, locked=not off)
    _told("unlocked" if off else "locked", len(ids), as_json)


@command(persona, name="delete")
@click.argument("ids", nargs=-1, type=int, required=True)
def delete(home: Path, ids: tuple[int, ...], as_json: bool) -> None:
    """Take lines out; they never come back."""
    with opened(home, writing=True) as app:
        for line_id in ids:
            app.delete_line(line_id)
    _told("deleted", len(ids), as_json)


@command(persona, name="forget")
@click.argument("topic", required=False)
@click.option("--off", is_flag=True, help="Let the topic be used again.")
def forget_topic(home: Path, topic: str | None, off: bool, as_json: bool) -> None:
    """Never use a topic again, in the document or in answers; without one, list what is left out."""
    if topic is None:
        with opened(home) as app:
            found = app.forgotten_topics()
        if as_json:
            print_json(list(found))
        else:
            say("\n".join(found) or "No topic is forgotten.")
        return
    with opened(home, writing=True) as app:
        if off:
            app.allow_topic(topic)
            number = 0
        else:
            number = len(app.forget_topic(topic).lines)
    if as_json:
        print_json({"allowed" if off else "forgotten": number})
    elif off:
        say(f"“{topic}” may be used again.")
    else:
        say(f"“{topic}” is never used again; {counted(number, 'line')} went with it.")


@command(persona, name="private")
@click.argument("ids", nargs=-1, type=int)
@click.option("--medium", multiple=True, help="Everything of a medium.")
@click.option("--person", multiple=True, help="Whatever names a person.")
@click.option("--topic", multiple=True, help="Whatever speaks of a topic.")
@click.option("--off", is_flag=True, help="No longer.")
@click.option("--list", "listing", is_flag=True, help="List what is private and how much that is.")
def private(
    home: Path,
    ids: tuple[int, ...],
    medium: tuple[str, ...],
    person: tuple[str, ...],
    topic: tuple[str, ...],
    off: bool,
    listing: bool,
    as_json: bool,
) -> None:
    """Keep lines, media, people or topics from everybody but yourself."""
    if listing:
        _list_private(home, as_json)
        return
    marks = [
        (kind, name)
        for kind, names in (("medium", medium), ("person", person), ("topic", topic))
        for name in names
    ]
    if not (ids or marks):
        raise click.UsageError(
            "Say what to keep private: the numbers of lines, --medium, --person or --topic."
        )
    with opened(home, writing=True) as app:
        for line_id in ids:
            app.keep_line_private(line_id, private=not off)
        for kind, name in marks:
            app.mark_private(kind, name, private=not off)
    if as_json:
        print_json({"open" if off else "private": len(ids) + len(marks)})
        return
    kept = [f"line {each}" for each in ids] + [f"{kind} “{name}”" for kind, name in marks]
    say(f"{'Open again' if off else 'Kept private'}: {', '.join(kept)}.")


def _list_private(home: Path, as_json: bool) -> None:
    with opened(home) as app, shown_progress() as progress:
        found = app.withheld(progress)
    if as_json:
        marks = [
            {"kind": kind, "name": name, "entries": number}
            for (kind, name), number in found.marks.items()
        ]
        numbers = {"entries": found.entries, "friend": found.friend, "public": found.public}
        more = {"unmarked": found.unmarked, "partly": found.partly}
        print_json({"marks": marks, **numbers, **more})
        return
    for (kind, name), number in found.marks.items():
        say(f"{kind:6}  {name}: {_entries(number)}")
    if not found.marks:
        say("Nothing is marked as private.")
    say(
        f"Of {_entries(found.entries)} a friend doesn't hear of {found.friend:,}, the public of "
        f"{found.public:,}."
    )
    if found.partly:
        say(f"Of {_entries(found.partly)} more others hear only a part.")


def _entries(number: int) -> str:
    return f"{number:,} {'entry' if number == 1 else 'entries'}"


def _need(ids: tuple[int, ...], everything: bool) -> None:
    if bool(ids) == everything:
        raise click.UsageError("Give the numbers of lines, or --all.")


def _told(what: str, number: int, as_json: bool) -> None:
    if as_json:
        print_json({what: number})
    else:
        say(f"{counted(number, 'line')} {what}.")


def _line_json(kept: KeptLine) -> dict[str, object]:
    return {
        "id": kept.id,
        "section": str(kept.line.section),
        "text": kept.line.text,
        "state": str(kept.state),
        "offered": kept.offered,
        "private": kept.line.private,
        "span": span(kept.line),
        "supports": [
            {"key": each.key, "day": None if each.day is None else each.day.isoformat()}
            for each in kept.line.supports
        ],
    }
