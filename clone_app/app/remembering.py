"""Looking at what is remembered, entry by entry."""

from __future__ import annotations

from collections.abc import Sequence

from clone_app.app.parts import Parts
from clone_app.app.scoping import scope_of
from clone_app.entries import Filters
from clone_app.errors import CloneAppError
from clone_app.memory import listing
from clone_app.memory.languages import not_english
from clone_app.memory.lexical import match
from clone_app.memory.recipes import Scope
from clone_app.memory.situations import Situation, Situations
from clone_app.memory.store import Stored
from clone_app.memory.words import content_words

ADVISED_FROM = 0.2
ADVICE = (
    "About {share:.0%} of your entries aren't in English, and the starter embedder reads English alone: "
    "such entries are found by their words and hardly by their meaning. Download a multilingual one "
    "(such as multilingual-e5-small or bge-m3) and choose its folder in Preferences › Models, Embedder "
    "folder."
)


class Remembering(Parts):
    """List, count and open items."""

    def items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
        whose: str = "",
        who: str = "",
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        """Return items by their local time; `since` inclusive, `until` exclusive, ISO local days.

        `whose` and `who` are as `Filters` have them.
        """
        return listing.page(
            self._store(),
            self._scope(medium=medium, since=since, until=until, whose=whose, who=who),
            _match(text),
            limit=limit,
            offset=offset,
            newest_first=newest_first,
        )

    def count_items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
        whose: str = "",
        who: str = "",
    ) -> int:
        """Return how many items `items` would return without a limit."""
        scope = self._scope(medium=medium, since=since, until=until, whose=whose, who=who)
        return listing.count(self._store(), scope, _match(text))

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
        people = self._addressbook().people()
        return Situations(self._store().base).page(limit=limit, offset=offset, people=people)

    def situation_of(self, item_id: int) -> Situation | None:
        """Return the group that an item belongs to, None where it stands alone."""
        people = self._addressbook().people()
        return Situations(self._store().base).of_item(item_id, people=people)

    def beside(self, item_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return (its group, how many items that has) of each item that doesn't stand alone."""
        return Situations(self._store().base).beside(item_ids)

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
        """Tell whether `finish_vectors` has something to find or to read anew besides new passages."""
        if self.settings.embedder_folder != self._models().embedder_folder():
            return True
        return Situations(self._store().base).waiting(self._models().embedder_name())

    def _scope(
        self, *, medium: str | None, since: str | None, until: str | None, whose: str, who: str
    ) -> Scope:
        wanted = Filters(
            medium=medium or "", since=since or "", until=until or "", whose=whose, who=who
        )
        return scope_of(wanted, self._addressbook())

    def embedder_advice(self) -> str:
        """Return what to do where the embedder can't read the memory's languages, empty for nothing."""
        if self.settings.embedder_folder:
            return ""
        share = not_english(self._store().base.db())
        return ADVICE.format(share=share) if share >= ADVISED_FROM else ""

    def advise_once(self) -> str:
        """Return that advice the first time it applies, empty ever after."""
        said = self.embedder_advice() if self.writing else ""
        if not said or self._store().fact("embedder advised") is not None:
            return ""
        self._writer().set_fact("embedder advised", "yes")
        return said


def _match(text: str | None) -> str | None:
    return match(content_words(text)) if text else None
