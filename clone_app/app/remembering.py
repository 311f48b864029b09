"""Looking at what is remembered, entry by entry."""

from __future__ import annotations

from clone_app.app.parts import Parts
from clone_app.errors import CloneAppError
from clone_app.memory.lexical import match
from clone_app.memory.store import ItemFilter, Stored
from clone_app.memory.words import content_words


class Remembering(Parts):
    """List, count and open items."""

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


def _filter(
    *, medium: str | None, since: str | None, until: str | None, text: str | None
) -> ItemFilter:
    words = match(content_words(text)) if text else None
    return ItemFilter(medium=medium, since=since, until=until, words=words)
