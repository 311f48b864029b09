"""Guess which names and addresses are one person; only the user turns a guess into a fact."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from nicknames import NickNamer

from clone_app.memory.people import UNSPACED_NAME, Bond, Person, folded

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


@dataclass(frozen=True, slots=True)
class _Named:
    """Hold a person's names in words: of two and more, of one or with an initial, without spaces."""

    person: Person
    full: tuple[tuple[str, ...], ...]
    short: tuple[tuple[str, ...], ...]
    unspaced: frozenset[tuple[str, ...]]


def propose(people: Sequence[Person], bonds: Iterable[Bond]) -> tuple[Proposal, ...]:
    """Return guesses, the surest and most useful first; what the user denied never returns.

    Same full name, a Chinese, Japanese or Korean one too; a name that an address spells
    (`tom.king@`, `tking@`); a first name, nickname or initial where only one person fits; a lone
    name that two alone go by.
    """
    denied = {frozenset((bond.one, bond.other)) for bond in bonds if not bond.same}
    real = [_named(person) for person in people if not _shared(person)]
    best: dict[frozenset[str], Proposal] = {}
    for found in (*_same_names(real), *_spelled(real), *_short_names(real), *_lone_names(real)):
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


def _same_names(people: Sequence[_Named]) -> Iterator[Proposal]:
    bearers: dict[tuple[str, ...], list[Person]] = defaultdict(list)
    for each in people:
        for words in {tuple(sorted(words)) for words in (*each.full, *each.unspaced)}:
            bearers[words].append(each.person)
    for some in bearers.values():
        for other in some[1:]:
            yield Proposal(some[0], other, "the same name", 0.95)


def _spelled(people: Sequence[_Named]) -> Iterator[Proposal]:
    by_local: dict[str, dict[str, Person]] = defaultdict(dict)
    for each in people:
        for handle in each.person.handles:
            local = _local_part(handle.key)
            if len(local) > 2:
                by_local[local][each.person.key] = each.person
    for each in people:
        for words in each.full:
            first, last = words[0], words[-1]
            ways = {first + last, last + first, first[0] + last, first + last[0], last + first[0]}
            for way in ways:
                others = by_local.get(way, {})
                if len(others) > SHARED_NAMES:  # an address that so many have spells nobody's name
                    continue
                for other in others.values():
                    sure = 0.85 if way in (first + last, last + first) else 0.75
                    yield Proposal(each.person, other, "the address spells the name", sure)


def _short_names(people: Sequence[_Named]) -> Iterator[Proposal]:
    by_first: dict[str, dict[str, _Named]] = defaultdict(dict)
    by_initial: dict[tuple[str, str], dict[str, _Named]] = defaultdict(dict)
    for each in people:
        for words in each.full:
            for first in {words[0], *_longer(words[0])}:
                by_first[first][each.person.key] = each
                by_initial[first, words[-1][0]][each.person.key] = each
    for each in people:
        if each.full:
            continue
        for words in each.short:
            keys = {words[0], *_longer(words[0])}
            if len(words) == 1:
                bearers = [by_first.get(key, {}) for key in keys]
                reason, sure = "a first name that only one bears", 0.6
            elif len(words) == 2 and len(words[1]) == 1:
                bearers = [by_initial.get((key, words[1]), {}) for key in keys]
                reason, sure = "a first name with an initial", 0.75
            else:
                continue
            if (only := _only_one(bearers)) is not None:
                yield Proposal(only.person, each.person, reason, sure)


def _lone_names(people: Sequence[_Named]) -> Iterator[Proposal]:
    """Propose Tom and tom@example.org where these two alone go by that name, and by no fuller one."""
    by_name: dict[str, dict[str, _Named]] = defaultdict(dict)
    for each in people:
        for word in {words[0] for words in each.short if len(words) == 1}:
            by_name[word][each.person.key] = each
        for handle in each.person.handles:
            by_name[_local_part(handle.key)][each.person.key] = each
        for words in each.full:
            by_name[words[0]][each.person.key] = each
    for word, some in by_name.items():
        if len(word) > 2 and len(some) == 2 and not any(each.full for each in some.values()):
            one, other = (each.person for each in some.values())
            yield Proposal(one, other, "a name that nobody else goes by", 0.5)


def _only_one(bearers: Iterable[dict[str, _Named]]) -> _Named | None:
    """Return the one who stands in these, None where nobody or several do."""
    found: dict[str, _Named] = {}
    for some in bearers:
        if len(some) > 1:
            return None
        found |= some
    return next(iter(found.values())) if len(found) == 1 else None


def _names(person: Person) -> Iterator[str]:
    for handle in person.handles:
        yield from handle.names
        if "@" not in handle.shown:
            yield handle.shown
    yield from person.called


def _named(person: Person) -> _Named:
    """Return a person's names taken apart, as they are spoken: `King, Tom` is Tom King."""
    full, short, unspaced = list[tuple[str, ...]](), list[tuple[str, ...]](), set[tuple[str, ...]]()
    for name in _names(person):
        last, comma, first = name.partition(",")
        words = _words(f"{first} {last}" if comma else name)
        # Surname and first name in one: 王小明; with a space between them it is the same name.
        if len(whole := "".join(words)) > 1 and UNSPACED_NAME.fullmatch("".join(name.split())):
            unspaced.add((whole,))
        elif len(words) > 1 and all(len(word) > 1 for word in (words[0], words[-1])):
            full.append(words)
        elif words:
            short.append(words)
    return _Named(person, tuple(full), tuple(short), frozenset(unspaced))


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
