"""Guess which names and addresses are one person; only the user turns a guess into a fact."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from nicknames import NickNamer

from clone_app.memory.people import Bond, Person, folded

# An address that came with this many names is a list's or a robot's, nobody's own.
SHARED_NAMES: Final = 4
_ROBOT_WORDS = """
noreply no-reply donotreply notifications notification info support news newsletter mailer
mailer-daemon postmaster admin list lists team hello contact
"""
_ROBOTS: Final = frozenset(_ROBOT_WORDS.split())
SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Proposal:
    """Say that two people may be one, why, and how sure that is (0 to 1)."""

    one: Person
    other: Person
    reason: str
    sure: float


def propose(people: Sequence[Person], bonds: Iterable[Bond]) -> tuple[Proposal, ...]:
    """Return guesses, the surest and most useful first; what the user denied never returns.

    Same full name; a name that an address spells (`tom.king@`, `tking@`); a first name, nickname or
    initial where only one person fits.
    """
    denied = {frozenset((bond.one, bond.other)) for bond in bonds if not bond.same}
    real = [person for person in people if not _shared(person)]
    best: dict[frozenset[str], Proposal] = {}
    for found in (*_same_names(real), *_spelled(real), *_short_names(real)):
        pair = frozenset((found.one.key, found.other.key))
        between = (
            frozenset((one.key, other.key))
            for one in found.one.handles
            for other in found.other.handles
        )
        if len(pair) < 2 or any(each in denied for each in between):
            continue
        if pair not in best or best[pair].sure < found.sure:
            best[pair] = found

    def useful(each: Proposal) -> tuple[float, int, str]:
        met = min(each.one.wrote + each.one.got, each.other.wrote + each.other.got)
        return (-each.sure, -met, each.one.key + each.other.key)

    return tuple(sorted(best.values(), key=useful)[:SHOWN])


def _same_names(people: Sequence[Person]) -> Iterator[Proposal]:
    bearers: dict[tuple[str, ...], list[Person]] = defaultdict(list)
    for person in people:
        for words in {tuple(sorted(words)) for words in _full_names(person)}:
            bearers[words].append(person)
    for some in bearers.values():
        for other in some[1:]:
            yield Proposal(some[0], other, "the same name", 0.95)


def _spelled(people: Sequence[Person]) -> Iterator[Proposal]:
    by_local: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        for handle in person.handles:
            local = _local_part(handle.key)
            if len(local) > 2:
                by_local[local].append(person)
    for person in people:
        for words in _full_names(person):
            first, last = words[0], words[-1]
            ways = {first + last, last + first, first[0] + last, first + last[0], last + first[0]}
            for way in ways:
                for other in by_local.get(way, ()):
                    sure = 0.85 if way in (first + last, last + first) else 0.75
                    yield Proposal(person, other, "the address spells the name", sure)


def _short_names(people: Sequence[Person]) -> Iterator[Proposal]:
    by_first: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        for words in _full_names(person):
            for first in {words[0], *_longer(words[0])}:
                if person not in by_first[first]:
                    by_first[first].append(person)
    for person in people:
        if any(True for _ in _full_names(person)):
            continue
        for name in _names(person):
            words = _words(name)
            if len(words) == 1:
                keys = {words[0], *_longer(words[0])}
                fitting = _unlike(person, [each for key in keys for each in by_first.get(key, ())])
                if len(fitting) == 1:
                    yield Proposal(fitting[0], person, "a first name that only one bears", 0.6)
            elif len(words) == 2 and len(words[1]) == 1:
                fitting = [
                    each
                    for key in {words[0], *_longer(words[0])}
                    for each in by_first.get(key, ())
                    if any(full[-1].startswith(words[1]) for full in _full_names(each))
                ]
                fitting = _unlike(person, fitting)
                if len(fitting) == 1:
                    yield Proposal(fitting[0], person, "a first name with an initial", 0.75)


def _unlike(person: Person, others: Sequence[Person]) -> list[Person]:
    return list({each.key: each for each in others if each.key != person.key}.values())


def _names(person: Person) -> Iterator[str]:
    for handle in person.handles:
        yield from handle.names
        if "@" not in handle.shown:
            yield handle.shown
    yield from person.called


def _full_names(person: Person) -> Iterator[tuple[str, ...]]:
    """Yield names of two words and more as they are spoken: `King, Tom` is Tom King."""
    for name in _names(person):
        last, comma, first = name.partition(",")
        words = _words(f"{first} {last}" if comma else name)
        if len(words) > 1 and all(len(word) > 1 for word in (words[0], words[-1])):
            yield words


def _words(name: str) -> tuple[str, ...]:
    bare = unicodedata.normalize("NFD", folded(name))
    letters = "".join(each if each.isalpha() else " " for each in bare if not _mark(each))
    return tuple(letters.split())


def _mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _local_part(key: str) -> str:
    local, at, _ = key.partition("@")
    return "".join(each for each in local.partition("+")[0] if each.isalpha()) if at else ""


def _shared(person: Person) -> bool:
    return any(
        len(handle.names) >= SHARED_NAMES
        or ("@" in handle.key and handle.key.partition("@")[0].split("+")[0] in _ROBOTS)
        for handle in person.handles
    )


@cache
def _longer(first: str) -> frozenset[str]:
    """Return the names a nickname may stand for (tom → thomas), and the name's own nicknames' roots."""
    return frozenset(_nicknamer().canonicals_of(first))


@cache
def _nicknamer() -> NickNamer:
    return NickNamer()
