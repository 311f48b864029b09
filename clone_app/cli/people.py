"""Commands about people, and about forgetting: a person, a period, a kind of entry."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from clone_app.cli.commands import (
    command,
    counted,
    listing,
    local_day,
    opened,
    print_json,
    say,
    shown_progress,
)
from clone_app.memory.people import Person


@listing
def people(home: Path, as_json: bool) -> None:
    """List who is in your memory; `people merge` and `people split` say who is one person."""
    with opened(home) as app:
        found = app.people()
    if as_json:
        print_json([_person_json(each) for each in found])
        return
    for each in found:
        you = "  (you)" if each.mine else ""
        say(f"{each.wrote:7} wrote {each.got:7} got  {each.name}{you}")
        for name in each.names():
            if name != each.name:
                say(f"{'':28}{name}")


@command(people, name="proposals")
def proposals(home: Path, as_json: bool) -> None:
    """List which of them may be one person, the surest first, and why."""
    with opened(home) as app:
        found = app.proposals()
    if as_json:
        print_json(
            [
                {
                    "one": each.one.key,
                    "other": each.other.key,
                    "why": each.reason,
                    "sure": each.sure,
                }
                for each in found
            ]
        )
        return
    for each in found:
        say(f"{each.one.key}  =?  {each.other.key}   ({each.reason})")


@command(people, name="merge")
@click.argument("one")
@click.argument("other")
def merge(home: Path, one: str, other: str, as_json: bool) -> None:
    """Make two names or addresses one person."""
    with opened(home, writing=True) as app:
        _told(app.merge_people(one, other), as_json)


@command(people, name="split")
@click.argument("handle", metavar="NAME_OR_ADDRESS")
def split(home: Path, handle: str, as_json: bool) -> None:
    """Take a name or address out of the person it was merged into."""
    with opened(home, writing=True) as app:
        app.split_person(handle)
        _told(app.person(handle), as_json)


@command(people, name="call")
@click.argument("who")
@click.argument("name")
def call(home: Path, who: str, name: str, as_json: bool) -> None:
    """Say what you call somebody: `people call jane@example.org Mum`; "" takes it back."""
    with opened(home, writing=True) as app:
        _told(app.call_person(who, name), as_json)


@command()
@click.option("--source", type=int, metavar="ID", help="Of this source.")
@click.option(
    "--who", multiple=True, metavar="NAME", help="Written by or to this person or address."
)
@click.option("--since", callback=local_day, metavar="DAY", help="From this local day on.")
@click.option("--until", callback=local_day, metavar="DAY", help="Before this local day.")
@click.option("--medium", help="Of this medium: diary, mail, post, …")
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def forget(
    home: Path,
    source: int | None,
    who: tuple[str, ...],
    since: str | None,
    until: str | None,
    medium: str | None,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Remove what fits all that is given, with every answer that rested on it."""
    with opened(home, writing=not dry_run) as app:
        removal = app.removal(source=source, who=who, since=since, until=until, medium=medium)
        count = app.count_removal(removal)
        sentence = (
            f"{counted(count.items, 'item')} ({count.mine} yours), {count.first or 'undated'} to "
            f"{count.last or 'undated'}, and {counted(count.answers, 'answer')} that rested on "
            f"{'it' if count.items == 1 else 'them'}"
        )
        if not dry_run and count.items + count.shared:
            if sys.stdin.isatty() and not (yes or as_json):
                click.confirm(f"Remove {sentence}?", abort=True)
            with shown_progress() as progress:
                app.remove(removal, progress)
    if as_json:
        print_json(
            {
                "items": count.items,
                "mine": count.mine,
                "answers": count.answers,
                "shared": count.shared,
                "watched": count.watched,
                "first": count.first,
                "last": count.last,
                "removed": not dry_run,
            }
        )
        return
    if count.items:
        say(f"{'Would remove' if dry_run else 'Removed'} {sentence}.")
    else:
        say("Nothing to remove: no item fits all that was given, or none rests on it alone.")
    if count.shared == 1:
        say("1 item stays, because another source holds it too.")
    elif count.shared:
        say(f"{count.shared} items stay, because another source holds them too.")
    if count.watched:
        say(
            f"{counted(count.watched, 'watched source')} would bring it back when a file there changes: "
            "`sources unwatch ID` first."
        )


def _told(person: Person, as_json: bool) -> None:
    if as_json:
        print_json(_person_json(person))
    else:
        say(f"{person.name}: {', '.join(person.names())}")


def _person_json(person: Person) -> dict[str, object]:
    return {
        "name": person.name,
        "handles": [each.key for each in person.handles],
        "names": list(person.names()),
        "wrote": person.wrote,
        "got": person.got,
        "mine": person.mine,
        "first": person.first,
        "last": person.last,
    }
