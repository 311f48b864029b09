"""Looking at what is remembered, entry by entry."""

from __future__ import annotations

from clone_app.app.parts import Parts
from clone_app.errors import CloneAppError
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.lexical import match
from clone_app.memory.situations import Situation, Situations
from clone_app.memory.store import ItemFilter, Stored
from clone_app.memory.words import content_words


class Remembering(Parts):
    """List, count and open items."""

    _names: AddressBook | None = None

    def items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        """Return items by their local time; `since` inclusive, `until` exclusive, ISO local days."""
        wanted = _filter(medium=medium, since=since, until=until, text=text)
        return self._store().items(wanted, limit=limit, offset=offset, newest_first=newest_first)

    def count_items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
    ) -> int:
        """Return how many items `items` would return without a limit."""
        return self._store().count(_filter(medium=medium, since=since, until=until, text=text))

    def media(self) -> tuple[tuple[str, int], ...]:
        """Return the media there are with the number of items, most first."""
        return self._store().media()

    def item(self, item_id: int) -> Stored:
        """Return one item; raise if it is no longer there."""
        found = self._store().by_id([item_id]).get(item_id)
        if found is None:
            raise CloneAppError("That entry has been removed. Search again to see what is there.")
        return found

    def count_situations(self) -> int:
        """Return how many groups of items that belong together there are."""
        return Situations(self._store().base).count()

    def situations(self, *, limit: int, offset: int = 0) -> tuple[Situation, ...]:
        """Return groups of items that belong together, the latest first."""
        base = self._store().base
        if self._names is None or self._names.base is not base:
            self._names = AddressBook(base)
        people = self._names.people()
        return Situations(base).page(limit=limit, offset=offset, people=people)

    def count_situation_items(self, situation: int) -> int:
        """Return how many items such a group has; none where it is no longer there."""
        return len(Situations(self._store().base).items(situation))

    def situation_items(
        self, situation: int, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Stored, ...]:
        """Return the items of such a group, the earliest first."""
        store = self._store()
        numbers = Situations(store.base).items(situation)
        numbers = numbers[offset : None if limit is None else offset + limit]
        found = store.by_id(numbers)
        return tuple(found[number] for number in numbers if number in found)

    def situations_waiting(self) -> bool:
        """Tell whether what belongs together must be found anew; `finish_vectors` does it."""
        return Situations(self._store().base).waiting(self._models().embedder_name())


def _filter(
    *, medium: str | None, since: str | None, until: str | None, text: str | None
) -> ItemFilter:
    words = match(content_words(text)) if text else None
    return ItemFilter(medium=medium, since=since, until=until, words=words)
