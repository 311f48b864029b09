"""Who is in the memory, under which names, and taking out what is no longer wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clone_app.app.parts import Parts
from clone_app.memory.conversations import Conversations
from clone_app.memory.embedding import passage_ids
from clone_app.memory.index import DamagedIndexError
from clone_app.memory.likeness import Proposal
from clone_app.memory.people import Person, folded
from clone_app.memory.removal import Removal, RemovalCount, count_removal, remove
from clone_app.progress import Progress


class People(Parts):
    """List people, merge and split them; remove a source, a person or a period."""

    def people(self) -> tuple[Person, ...]:
        """Return everybody who wrote or got something, those met most often first."""
        return self._addressbook().people()

    def person(self, who: str) -> Person:
        """Return the person of a name or address; raise where nobody or several fit."""
        return self._addressbook().find(who)

    def proposals(self) -> tuple[Proposal, ...]:
        """Return which people may be one, the surest first."""
        return self._addressbook().proposals()

    def merge_people(self, one: str, other: str) -> Person:
        """Make two people one."""
        self._writer()
        return self._addressbook().merge(one, other)

    def part_people(self, one: str, other: str) -> None:
        """Remember that two people are not one."""
        self._writer()
        self._addressbook().part(one, other)

    def split_person(self, handle: str) -> None:
        """Take one name or address out of the person it was merged into."""
        self._writer()
        self._addressbook().split(handle)

    def call_person(self, who: str, name: str) -> Person:
        """Remember what the user calls somebody; empty takes it back."""
        self._writer()
        return self._addressbook().call(who, name)

    def removal(
        self,
        *,
        source: int | None = None,
        who: Sequence[str] = (),
        handles: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        medium: str | None = None,
    ) -> Removal:
        """Return what such a removal means: people by any of their names stand for all of them.

        An address stands for itself alone, so that one account of several can go; so does each of
        the `handles`, which are keys of names and addresses.
        """
        keys = set(handles)
        for name in who:
            known = {each.key for each in self.person(name).handles}
            alone = known & {folded(name)} if "@" in name else set()
            keys |= alone or known
        return Removal(source=source, who=frozenset(keys), since=since, until=until, medium=medium)

    def count_removal(self, removal: Removal) -> RemovalCount:
        """Return what would go."""
        return count_removal(self._store().base, removal)

    def remove(self, removal: Removal, progress: Progress) -> int:
        """Take it out with all that came of it; return how many items went."""
        store = self._writer()
        progress.report(0, 0, "Removing")
        return len(self._taken_out(lambda: remove(store.base, removal)))

    def _taken_out(self, take: Callable[[], frozenset[str]]) -> frozenset[str]:
        """Take items out, and with them what rested on them: answers, people, vectors, old pages.

        `take` returns the keys that went. What the base holds of them goes in one transaction: a
        program that is killed leaves all of it or nothing.
        """
        store = self._writer()
        with store.base.write():
            keys = take()
            Conversations(store.base).forget(keys)
            self._addressbook().prune()
        self._talks.forget()
        store.base.checkpoint()
        try:
            self._vectors().keep_only(passage_ids(store))
        except DamagedIndexError:
            self._rebuild_index()
        return keys
