"""Who may hear what: entries an audience must not learn of are taken out before anything is written.

Applied to what recall found, before the prompt and before any quotation, so that the model can't let
slip what it never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from clone_app.entries import Item, NamedPerson, Recalled
from clone_app.memory.people import Person, folded
from clone_app.memory.words import stems
from clone_app.persona.document import Audience, Marks
from clone_app.persona.privacy.sensitive import matter
from clone_app.persona.privacy.unsaid import NOTHING, Unsaid, without

# What was written for everybody; the rest was written for somebody, or for nobody.
PUBLIC_MEDIA: Final = frozenset({"post", "blog", "article"})
# Where much is kept back, so many times the wanted hits are looked through.
SPARE: Final = 4


def heard(
    recalled: Recalled,
    audience: Audience,
    marks: Marks,
    k: int,
    *,
    unsaid: Unsaid = NOTHING,
    asked: str = "",
) -> Recalled:
    """Return what was found as an audience may hear of it, the first `k` hits of that.

    Nobody, the user included, hears the sentences that are `unsaid`. Who may not hear of what is `asked`
    hears nothing, as of what was never written: what stands near to it in meaning would tell of it too.

    The user alone hears all else. A friend hears no entry of a private medium, none that a private person
    wrote, got or is named in, none on a private topic, none on a sensitive matter. The public
    hears, of the rest, what was posted. Neither is shown what entries that are kept back may have told:
    when something happened, which Christmas is meant and how far from it the next was written, what else
    somebody is called.
    """
    if audience is Audience.PRIVATE:
        if not unsaid:
            return recalled
        return replace(recalled, hits=tuple(islice(without(recalled.hits, unsaid), k)))
    offered = () if unsaid.is_asked(asked) else recalled.hits
    hearable = (hit for hit in offered if may_hear(hit.item, audience, marks))
    named = dict.fromkeys(each.phrase for each in recalled.people)
    return replace(
        recalled,
        hits=tuple(islice(without(hearable, unsaid), k)),
        people=tuple(NamedPerson(phrase, phrase) for phrase in named),
        days_told=False,
    )


def may_hear(item: Item, audience: Audience, marks: Marks) -> bool:
    """Tell whether an audience may hear of an entry; the whole of it counts, not the passage alone."""
    if audience is Audience.PRIVATE:
        return True
    if audience is Audience.PUBLIC and not is_posted(item):
        return False
    if item.medium in marks.media:
        return False
    if is_sensitive(item):
        return False
    return not speaks_of(item, (*marks.people, *marks.topics))


def speaks_of(item: Item, names: Iterable[str]) -> bool:
    """Tell whether an entry is by, to or about any of these people or topics: all its words are there."""
    told = met(item)
    held = stems(told)
    return any(_stands_in(name.strip(), told, held) for name in names)


def is_posted(item: Item) -> bool:
    """Tell whether the user wrote an entry for everybody."""
    return item.medium in PUBLIC_MEDIA and item.mine


def is_sensitive(item: Item) -> bool:
    """Tell whether an entry touches a matter that a person tells nobody unasked."""
    return matter("\n".join((item.title, item.text, item.context))) is not None


def met(item: Item) -> str:
    """Return all of an entry in which somebody is met or something spoken of."""
    return "\n".join((item.author, *item.recipients, item.title, item.text, item.context))


def known_as(name: str, people: Sequence[Person]) -> tuple[str, ...]:
    """Return a name and what else those who go by it are called: other names, addresses, first names.

    A first name counts where nobody else bears it, and no name that is a word without content: "Will"
    would stand in most entries.
    """
    wanted = folded(name)
    same = [
        person
        for person in people
        if not person.mine and wanted in {folded(each) for each in person.names()}
    ]
    others = {
        folded(each).split()[0]
        for person in people
        if person not in same
        for each in person.names()
        if each.split()
    }
    found = [name, *(each for person in same for each in person.names())]
    found += [
        each.split()[0]
        for each in found[1:]
        if len(each.split()) > 1 and folded(each).split()[0] not in others
    ]
    kept: dict[str, str] = {}
    for each in found:
        if each == name or stems(each):
            kept.setdefault(folded(each), each)
    return tuple(kept.values())


def _stands_in(name: str, text: str, held: frozenset[str]) -> bool:
    wanted = stems(name)
    return wanted <= held if wanted else bool(name) and name.casefold() in text.casefold()
