"""The names that items bear, and which of them a question names; read once and kept.

Who is who is the address book's business (`addressbook.py`): this is what recall needs of it at every
question, fast at a million items.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from clone_app.memory.database import rows
from clone_app.memory.people import (
    Bond,
    Naming,
    Person,
    folded,
    gather,
    group,
    named_in,
    split_handle,
)

_WORD = re.compile(r"[^\W_]+")
_SPACED = re.compile(r"[\u0000-\u2fff]")


@dataclass(frozen=True, slots=True)
class Bearers:
    """Hold who wrote and who got the same items: their handles' keys, and how many items there are."""

    author: str
    recipients: str
    keys: frozenset[str]
    count: int


@dataclass(frozen=True, slots=True)
class Names:
    """Hold all names of a base.

    `bearers` are by (author, recipients) as the rows have them; `by_word` finds the people in whose
    names a word stands, `unspaced` are those whose names have no words apart.
    """

    bearers: Mapping[tuple[str, str], Bearers]
    by_word: Mapping[str, tuple[Person, ...]]
    unspaced: tuple[tuple[str, Person], ...]

    @classmethod
    def load(cls, db: Database) -> Names:
        """Read the names of a base: from an index alone, without the items' texts."""
        bearers: dict[tuple[str, str], Bearers] = {}
        seen: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for author, recipients, mine, count in rows(
            db,
            "SELECT author, recipients, max(mine), count(*) FROM items GROUP BY author, recipients",
        ):
            got = [str(name) for name in json.loads(recipients)]
            keys = frozenset(key for name in (author, *got) if (key := key_of(name)))
            if not keys:
                continue
            bearers[author, recipients] = Bearers(author, recipients, keys, int(count))
            if author:
                seen[author][0] += count
                seen[author][2] |= int(mine)
            for name in got:
                seen[name][1] += count
        mine_too = frozenset(folded(row[0]) for row in rows(db, "SELECT name FROM identities"))
        handles = gather(
            ((text, n[0], n[1], bool(n[2]), "", "") for text, n in seen.items()), mine_too
        )
        bonds = [
            Bond(row[0], row[1], bool(row[2]))
            for row in rows(db, "SELECT one, other, same FROM bonds ORDER BY one, other")
        ]
        called: dict[str, list[str]] = defaultdict(list)
        for handle, name in rows(db, "SELECT handle, name FROM called ORDER BY handle"):
            called[handle].append(name)
        people = [person for person in group(handles, bonds, called=called) if not person.mine]
        by_word: dict[str, dict[str, Person]] = defaultdict(dict)
        unspaced: list[tuple[str, Person]] = []
        for person in people:
            for name in person.names():
                for word in _WORD.findall(folded(name)):
                    by_word[word][person.key] = person
                if len(name) > 1 and not _SPACED.search(name):
                    unspaced.append((name, person))
        return cls(
            bearers,
            {word: tuple(some.values()) for word, some in by_word.items()},
            tuple(unspaced),
        )

    def named(self, question: str, *, plain: frozenset[str] = frozenset()) -> tuple[Naming, ...]:
        """Return where a question names people, in the order of their naming; see `named_in`."""
        likely: dict[str, Person] = {}
        for word in _WORD.findall(folded(question)):
            likely |= {person.key: person for person in self.by_word.get(word, ())}
        likely |= {person.key: person for name, person in self.unspaced if name in question}
        return named_in(question, list(likely.values()), plain=plain)

    def bearing(self, keys: frozenset[str]) -> tuple[Bearers, ...]:
        """Return who among the bearers has any of these keys."""
        return tuple(each for each in self.bearers.values() if each.keys & keys)


def key_of(text: str) -> str:
    """Return the key of a name or address as an item bears it, empty for none."""
    name, address = split_handle(text)
    return folded(address or name)


def keys_of(people: Iterable[Person]) -> frozenset[str]:
    """Return the keys of all handles of these people."""
    return frozenset(handle.key for person in people for handle in person.handles)
