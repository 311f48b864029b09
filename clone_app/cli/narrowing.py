"""The options that narrow `search`, `ask` and `why`, and what a question was understood to say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from clone_app.cli.commands import local_day, say
from clone_app.entries import Filters, NamedPerson, NamedTime

_OPTIONS = (
    click.option("--whose", type=click.Choice(["me", "others"]), help="Written by you, or not."),
    click.option("--who", metavar="NAME", help="Written by or to this person or address."),
    click.option("--medium", help="Only this medium: diary, mail, post, …"),
    click.option("--since", callback=local_day, metavar="DAY", help="From this local day on."),
    click.option("--until", callback=local_day, metavar="DAY", help="Before this local day."),
)
_PLAIN = click.option(
    "--plain",
    multiple=True,
    metavar="PHRASE",
    help="Take these words as they stand, not as a time or a person: --plain “last spring”.",
)


def narrowed(function: Callable[..., None], *, plain: bool = False) -> Callable[..., None]:
    """Give a command these options; it gets `filters` in their place."""

    @functools.wraps(function)
    def run(*given: Any, **parameters: Any) -> None:
        whose = parameters.pop("whose")
        said = {name: parameters.pop(name) or "" for name in ("who", "medium", "since", "until")}
        filters = Filters(
            whose="mine" if whose == "me" else whose or "",
            plain=tuple(parameters.pop("plain", ())),
            **said,
        )
        function(*given, filters=filters, **parameters)

    wrapped: Callable[..., None] = run
    for option in reversed((*_OPTIONS, _PLAIN) if plain else _OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def asked_narrowed(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes a question these options, and the one for plain words."""
    return narrowed(function, plain=True)


def say_understood(times: Sequence[NamedTime], people: Sequence[NamedPerson]) -> None:
    """Say on stderr what was understood, and how to have it taken as plain words."""
    for time in times:
        about = "about " if time.vague else ""
        wide = (
            f", widened to {time.searched[0]} – {time.searched[1]} since nothing was written then"
            if time.searched
            else ""
        )
        _say(time.phrase, f"{about}{time.start} – {time.end}{wide}" if time.start else "a time")
    for phrase in dict.fromkeys(person.phrase for person in people):
        _say(phrase, " or ".join(each.name for each in people if each.phrase == phrase))


def _say(phrase: str, meant: str) -> None:
    say(f'Understood: “{phrase}” = {meant}. Not meant? --plain "{phrase}"', err=True)
