"""People as they appear in an archive: one person under several names and addresses.

Pure: what was seen (`Handle`) and what the user decided (`Bond`) give people; nothing is guessed here.
Guesses are proposals (`likeness.py`), and only the user makes them bonds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clone_app.memory.stopwords import STOP_WORDS

UNSPACED_NAME: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff\uac00-\ud7af]{2,}")
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """Hold one name or address as it was seen: `key` is its folded form and names it for good.

    `names` are the display names an address came with, the most used first. `wrote` counts the items
    it is the author of, `got` those it is a recipient of; `first` and `last` are ISO local days.
    """

    key: str
    shown: str
    names: tuple[str, ...] = ()
    wrote: int = 0
    got: int = 0
    mine: bool = False
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Bond:
    """Hold a decision of the user: two handles are one person, or are not."""

    one: str
    other: str
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Hold one person: the handles, the most used first, and what the user calls them (`called`)."""

    name: str
    handles: tuple[Handle, ...]
    called: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return the key of the most used handle."""
        return self.handles[0].key

    @property
    def mine(self) -> bool:
        """Tell whether this is the user."""
        return any(handle.mine for handle in self.handles)

    @property
    def wrote(self) -> int:
        """Return how many items this person is the author of."""
        return sum(handle.wrote for handle in self.handles)

    @property
    def got(self) -> int:
        """Return how many items this person is a recipient of, each handle counted."""
        return sum(handle.got for handle in self.handles)

    @property
    def first(self) -> str:
        """Return the local day of the first item, ISO, empty where none is dated."""
        return min((handle.first for handle in self.handles if handle.first), default="")

    @property
    def last(self) -> str:
        """Return the local day of the last item, ISO, empty where none is dated."""
        return max((handle.last for handle in self.handles if handle.last), default="")

    def names(self) -> tuple[str, ...]:
        """Return every name and address this person goes by, what the user says first."""
        seen = [*self.called, self.name]
        for handle in self.handles:
            seen += [*handle.names, handle.shown]
        return tuple(dict.fromkeys(name for name in seen if name))


def folded(name: str) -> str:
    """Return a name or address as it is compared: case and spaces don't count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def split_handle(text: str) -> tuple[str, str]:
    """Return (name, address) of `Name <address>`, of an address, or of a name alone."""
    text = " ".join(text.split())
    if text.endswith(">") and "<" in text:
        name, _, address = text[:-1].rpartition("<")
        return name.strip().strip("\"'").strip(), address.strip()
    if "@" in text and " " not in text:
        return "", text
    return text.strip("\"'").strip(), ""


def gather(
    seen: Iterable[tuple[str, int, int, bool, str, str]], mine: frozenset[str]
) -> tuple[Handle, ...]:
    """Return the handles of (text, wrote, got, mine, first, last) as they stand in items.

    An address is the handle and its display names belong to it; a name without one is a handle of
    its own. `mine` are the user's names and addresses, casefolded.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    shown: dict[str, str] = {}
    names: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    own: set[str] = set()
    days: dict[str, list[str]] = defaultdict(list)
    for text, wrote, got, is_mine, first, last in seen:
        name, address = split_handle(text)
        key = folded(address or name)
        if not key:
            continue
        shown.setdefault(key, address or name)
        counts[key][0] += wrote
        counts[key][1] += got
        if address and name and folded(name) != key:
            names[key][name] += wrote + got
        if is_mine or key in mine:
            own.add(key)
        days[key] += [day for day in (first, last) if day]
    return tuple(
        Handle(
            key=key,
            shown=shown[key],
            names=tuple(sorted(names[key], key=lambda name: (-names[key][name], name))),
            wrote=counts[key][0],
            got=counts[key][1],
            mine=key in own,
            first=min(days[key], default=""),
            last=max(days[key], default=""),
        )
        for key in sorted(shown)
    )


def joined(bonds: Iterable[Bond]) -> tuple[frozenset[str], ...]:
    """Return the keys of each person who is made one of several by bonds."""
    leader: dict[str, str] = {}

    def lead(key: str) -> str:
        leader.setdefault(key, key)
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for bond in bonds:
        if bond.same:
            leader[lead(bond.other)] = lead(bond.one)
    together: dict[str, set[str]] = defaultdict(set)
    for key in list(leader):
        together[lead(key)].add(key)
    return tuple(frozenset(some) for some in together.values())


def group(
    handles: Sequence[Handle],
    bonds: Iterable[Bond],
    *,
    called: Mapping[str, Sequence[str]],
) -> tuple[Person, ...]:
    """Return the people, those met most often first; the user's own handles are one person.

    `called` holds what the user calls somebody, by a handle's key.
    """
    known = {handle.key: handle for handle in handles}
    own = [handle.key for handle in handles if handle.mine]
    merged = [Bond(own[0], key, same=True) for key in own[1:]]
    merged += [bond for bond in bonds if bond.one in known and bond.other in known]
    together = [[known[key] for key in some] for some in joined(merged)]
    alone = known.keys() - {handle.key for some in together for handle in some}
    together += [[known[key]] for key in alone]
    people = []
    for some in together:
        some.sort(key=lambda handle: (-(handle.wrote + handle.got), handle.key))
        says = tuple(name for handle in some for name in called.get(handle.key, ()))
        people.append(Person(name=_best_name(some, says), handles=tuple(some), called=says))
    return tuple(
        sorted(people, key=lambda person: (-(person.wrote + person.got), person.key)),
    )


def _best_name(handles: Sequence[Handle], called: Sequence[str]) -> str:
    """Return what to show: what the user says, else the fullest name, else the address."""
    if called:
        return called[0]
    names = [name for handle in handles for name in handle.names]
    names += [handle.shown for handle in handles if "@" not in handle.shown]
    full = [name for name in names if " " in name and "@" not in name]
    return (full or names or [handles[0].shown])[0]


@dataclass(frozen=True, slots=True)
class Naming:
    """Hold one place of a text that names somebody: where its words begin, the words, whom they name."""

    place: int
    phrase: str
    person: Person

    def meets(self, other: Naming) -> bool:
        """Tell whether two namings share letters."""
        return self.place < other.place + len(other.phrase) and other.place < self.place + len(
            self.phrase
        )


def named_in(
    question: str, people: Sequence[Person], *, plain: frozenset[str] = frozenset()
) -> tuple[Naming, ...]:
    """Return the first naming of each person a question names, in their order; never the user.

    Names the user gave, and whole names, count in any case; a first name alone only with its
    capital, and only where one person bears it: "will" is mostly no William. Phrases that are `plain`
    (folded) name nobody, nor does a part of them.
    """
    found = _namings(question, people)
    but = [each for each in found if folded(each.phrase) in plain]
    first: dict[str, Naming] = {}
    for each in sorted(found, key=lambda one: (one.place, -len(one.phrase))):
        if not any(each.meets(other) for other in but):
            first.setdefault(each.person.key, each)
    return tuple(first.values())


def _namings(question: str, people: Sequence[Person]) -> list[Naming]:
    others = [person for person in people if not person.mine]
    firsts: dict[str, dict[str, Person]] = defaultdict(dict)
    wholes: dict[tuple[str, ...], Person] = {}
    for person in others:
        for name in person.names():
            if "@" in name:
                if folded(name) in question.casefold():
                    wholes.setdefault((folded(name),), person)
                continue
            words = tuple(folded(word) for word in _WORD.findall(name))
            if not words:
                continue
            lone = len(words) == 1 and words[0] in STOP_WORDS
            if name in person.called or len(words) > 1 or not lone:
                wholes.setdefault(words, person)
            if len(words) > 1:
                firsts[words[0]][person.key] = person
    found: list[Naming] = []

    def note(place: int, length: int, person: Person) -> None:
        found.append(Naming(place, question[place : place + length], person))

    spoken = [(match.start(), _bare(match[0])) for match in _WORD.finditer(question)]
    said = [folded(word) for _, word in spoken]
    for words, person in wholes.items():
        if len(words) == 1 and "@" in words[0]:
            if said_so := re.search(re.escape(words[0]), question, re.IGNORECASE):
                note(said_so.start(), len(said_so[0]), person)
            continue
        if len(words) == 1 and UNSPACED_NAME.fullmatch(words[0]) and words[0] in question:
            note(question.find(words[0]), len(words[0]), person)
        for start in range(len(said) - len(words) + 1):
            if tuple(said[start : start + len(words)]) == words:
                last, word = spoken[start + len(words) - 1]
                note(spoken[start][0], last + len(word) - spoken[start][0], person)
    for (place, word), bare in zip(spoken, said, strict=True):
        bearers = tuple(firsts.get(bare, {}).values())
        opens = place == 0 and bare in STOP_WORDS  # "Will it rain?"
        if len(bearers) == 1 and word[0].isupper() and not opens:
            note(place, len(word), bearers[0])
    return found


def _bare(word: str) -> str:
    """Return a word without the ending of a possessive."""
    return word[:-2] if word.casefold().endswith(("'s", "’s")) else word
