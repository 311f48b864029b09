"""What the base knows of people: names and addresses seen in items, and what the user decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from clone_app.errors import CloneAppError
from clone_app.memory.database import Base, rows
from clone_app.memory.likeness import Proposal, propose
from clone_app.memory.people import Bond, Handle, Person, folded, gather, group, joined


class AddressBook:
    """Read people out of the items, and keep the user's decisions about them.

    People are not stored: they are what the items hold at the time, so that nothing of a removed
    source stays. Reading them again waits until items or decisions have changed.
    """

    def __init__(self, base: Base) -> None:
        self.base = base
        self._kept: tuple[object, tuple[Person, ...]] | None = None

    def people(self) -> tuple[Person, ...]:
        """Return everybody, those met most often first."""
        state = self._state()
        kept = self._kept
        if kept is None or kept[0] != state:
            called: dict[str, list[str]] = defaultdict(list)
            for handle, name in self._called():
                called[handle].append(name)
            kept = (state, group(self._handles(), self._bonds(), called=called))
            self._kept = kept
        return kept[1]

    def find(self, text: str) -> Person:
        """Return the person of a name or address; raise where nobody or several fit."""
        key = folded(text)
        people = self.people()
        exact = [each for each in people if any(handle.key == key for handle in each.handles)]
        fitting = exact or [
            each for each in people if key in {folded(name) for name in each.names()}
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            several = ", ".join(each.key for each in fitting[:5])
            raise CloneAppError(f"Several people go by “{text}”: {several}. Name one of these.")
        raise CloneAppError(
            f"Nobody goes by “{text}” here. `people` lists everybody with names and addresses."
        )

    def proposals(self) -> tuple[Proposal, ...]:
        """Return which people may be one, the surest first."""
        return propose(self.people(), self._bonds())

    def merge(self, one: str, other: str) -> Person:
        """Make two people one; names, addresses or handles' keys say who."""
        first, second = self.find(one), self.find(other)
        if first.key == second.key:
            return first
        with self.base.write() as db:
            for left in first.handles:
                for right in second.handles:
                    db.execute(
                        "DELETE FROM bonds WHERE one = ? AND other = ?",
                        sorted((left.key, right.key)),
                    )
            db.execute("INSERT INTO bonds VALUES (?, ?, 1)", sorted((first.key, second.key)))
        return self.find(first.key)

    def part(self, one: str, other: str) -> None:
        """Remember that two people are not one, so that it is not proposed again."""
        first, second = self.find(one), self.find(other)
        with self.base.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO bonds VALUES (?, ?, 0)", sorted((first.key, second.key))
            )

    def split(self, handle: str) -> None:
        """Take one name or address out of the person it was merged into."""
        person, key = self.find(handle), folded(handle)
        rest = [each.key for each in person.handles if each.key != key]
        if len(rest) == len(person.handles):
            raise CloneAppError(
                f"“{handle}” comes with an address; split off the address instead: "
                f"{', '.join(each.key for each in person.handles)}."
            )
        if not rest:
            raise CloneAppError(f"“{handle}” stands alone already. There is nothing to split.")
        if next(each for each in person.handles if each.key == key).mine:
            raise CloneAppError(
                f"“{handle}” is yours: it stands in your own mails or among the names you gave. "
                "Split off the name or address that isn't."
            )
        with self.base.write() as db:
            # What it was said not to be stays said.
            db.execute("DELETE FROM bonds WHERE (one = ? OR other = ?) AND same", [key, key])
            for left, right in pairwise(rest):
                db.execute("INSERT OR REPLACE INTO bonds VALUES (?, ?, 1)", sorted((left, right)))
            for other in rest:
                db.execute("INSERT OR REPLACE INTO bonds VALUES (?, ?, 0)", sorted((key, other)))

    def call(self, who: str, name: str) -> Person:
        """Remember what the user calls somebody ("Mum"), first of all names; empty takes it back."""
        person, name = self.find(who), " ".join(name.split())
        with self.base.write() as db:
            for handle in person.handles:
                db.execute("DELETE FROM called WHERE handle = ?", [handle.key])
            if name:
                db.execute("INSERT INTO called VALUES (?, ?)", [person.key, name])
        return self.find(person.key)

    def prune(self) -> None:
        """Forget decisions about names and addresses that no item bears any more."""
        bonds = self._bonds()
        if not bonds and not self._called():
            return
        known = {handle.key for handle in self._handles()}
        gone = {key for bond in bonds for key in (bond.one, bond.other)} - known
        gone |= {handle for handle, _ in self._called()} - known
        if not gone:
            return
        with self.base.write() as db:
            for some in joined(bonds):
                # Who was one person by way of a name that is gone still is.
                if gone & some:
                    for left, right in pairwise(sorted(some - gone)):
                        db.execute("INSERT OR REPLACE INTO bonds VALUES (?, ?, 1)", [left, right])
            for key in gone:
                db.execute("DELETE FROM bonds WHERE one = ? OR other = ?", [key, key])
                db.execute("DELETE FROM called WHERE handle = ?", [key])

    def _handles(self) -> tuple[Handle, ...]:
        db = self.base.db()
        seen: list[tuple[str, int, int, bool, str, str]] = [
            (row[0], row[1], 0, bool(row[2]), row[3] or "", row[4] or "")
            for row in rows(
                db,
                "SELECT author, count(*), max(mine), min(substr(local, 1, 10)), "
                "max(substr(local, 1, 10)) FROM items WHERE author <> '' GROUP BY author",
            )
        ]
        seen += [
            (str(row[0]), 0, row[1], False, row[2] or "", row[3] or "")
            for row in rows(
                db,
                "SELECT r.value, count(*), min(substr(i.local, 1, 10)), max(substr(i.local, 1, 10)) "
                "FROM items i, json_each(i.recipients) r GROUP BY r.value",
            )
        ]
        mine = frozenset(folded(row[0]) for row in rows(db, "SELECT name FROM identities"))
        return gather(seen, mine)

    def _bonds(self) -> tuple[Bond, ...]:
        found = rows(self.base.db(), "SELECT one, other, same FROM bonds ORDER BY one, other")
        return tuple(Bond(row[0], row[1], bool(row[2])) for row in found)

    def _called(self) -> Sequence[tuple[str, str]]:
        return [
            (str(row[0]), str(row[1]))
            for row in rows(self.base.db(), "SELECT handle, name FROM called ORDER BY handle")
        ]

    def _state(self) -> object:
        return rows(self.base.db(), "SELECT value FROM facts WHERE name = 'changed'")
