"""The persona document of a profile: built, read, accepted, edited, locked, deleted, forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date

from clone_app.app.marking import Marking
from clone_app.entries import Cutoff, Item
from clone_app.memory.database import rows
from clone_app.memory.lines import KeptLine, LineState, Proposed
from clone_app.memory.store import ItemFilter, Store
from clone_app.persona.document import (
    Audience,
    Document,
    Marks,
    as_text,
    checked_text,
    digest,
    known_before,
    visible,
)
from clone_app.persona.portrait import Portrait, asked_for, liking, portrayed, supports_of
from clone_app.persona.privacy.audience import may_hear, speaks_of
from clone_app.persona.privacy.unsaid import Unsaid, part_of
from clone_app.persona.style.manner import Sound, manners, packed, sound, unpacked
from clone_app.persona.style.nearness import HeldOut, told_apart
from clone_app.persona.traits.build import build
from clone_app.persona.voice import cards_of
from clone_app.progress import Progress

_PAGE = 2000
# Lines in the words of the building, which the user has not worded or locked as they are today.
_UNTOUCHED = (LineState.PROPOSED, LineState.ACCEPTED)
_BUILT = "persona built from"
_VOICE = "voice"
_APART = "voice told apart"


class Persona(Marking):
    """Keep the readable memory of who the user is, built from their own entries alone."""

    def persona_lines(self) -> tuple[KeptLine, ...]:
        """Return every line with its state and supports, proposals included."""
        return self._kept_lines().all()

    def build_persona(self, progress: Progress) -> Proposed:
        """Read all entries and put what they say of the user into the inbox; never what a clone said.

        How the user sounds is measured with it, for the front of prompts, and how well that is known
        from how the others in the archive do.
        """
        store = self._writer()
        numbers: dict[str, int] = {}
        items = list(_streamed(store, numbers))
        cards = cards_of(items, store.identities())
        progress.check()
        built = build(
            items,
            cards=cards,
            me=store.identities(),
            forgotten=self._kept_lines().forgotten(),
            progress=progress,
        )
        progress.check()
        sounds = packed(manners(cards, items, numbers, me=store.identities()))
        progress.check()
        apart = told_apart(items, store.identities())
        progress.check()
        proposed = self._kept_lines().propose(built.lines, numbers)
        store.set_fact(_VOICE, sounds)
        store.set_fact(_APART, apart.packed() if apart is not None else "")
        store.set_fact(_BUILT, self._items_now())
        return proposed

    def voice_told_apart(self) -> HeldOut | None:
        """Return how well held-out text was told as the user's or others', None where nobody measured."""
        return HeldOut.unpacked(self._store().fact(_APART))

    def persona_outdated(self) -> bool:
        """Tell whether entries came or went since the document was last built, or no voice was measured."""
        store = self._store()
        return self.writing and (
            store.fact(_BUILT) != self._items_now() or store.fact(_VOICE) is None
        )

    def _items_now(self) -> str:
        found = rows(self._store().base.db(), "SELECT count(*), coalesce(max(id), 0) FROM items")
        return f"{found[0][0]} {found[0][1]}"

    def persona_document(self, audience: Audience = Audience.PRIVATE) -> Document:
        """Return what the user let stand, as an audience may hear it: no proposals."""
        kept = [each for each in self._kept_lines().all() if each.state is not LineState.PROPOSED]
        return Document(visible((each.line for each in kept), audience, self.private_marks()))

    def persona_text(self, audience: Audience = Audience.PRIVATE) -> str:
        """Return the document as text, dates included."""
        return as_text(self.persona_document(audience))

    def persona_digest(
        self,
        count: Callable[[str], int],
        *,
        audience: Audience = Audience.PRIVATE,
        marks: Marks | None = None,
        before: date | None = None,
    ) -> str:
        """Return what stands in front of every conversation: at most 300 tokens by `count`.

        `marks` are the private ones where they are read already. The clone of an earlier time knows what
        was known `before` a day began; what the user worded themselves was worded today.
        """
        kept = [each for each in self._kept_lines().all() if each.state is not LineState.PROPOSED]
        if before is not None:
            kept = [
                each
                for each in kept
                if each.state is LineState.ACCEPTED and known_before(each.line, before)
            ]
        marks = self.private_marks() if marks is None else marks
        unsaid = self.unsaid(audience)
        lines = visible((each.line for each in kept), audience, marks)
        return digest(
            Document(tuple(line for line in lines if not unsaid.speaks(line.text))), count
        )

    def portrait(
        self, question: str, audience: Audience, marks: Marks, unsaid: Unsaid, before: date | None
    ) -> Portrait | None:
        """Return what answers a question about the user, or somebody, as a whole; None for any other.

        To the user alone from proposals too, which rest on entries like the rest. The clone of an earlier
        time tells what was known `before` a day began, in the words of entries alone.
        """
        kept = [
            each
            for each in self._kept_lines().all()
            if (audience is Audience.PRIVATE or each.state is not LineState.PROPOSED)
            and (before is None or (each.state in _UNTOUCHED and known_before(each.line, before)))
        ]
        lines = visible((each.line for each in kept), audience, marks)
        if liking(question) and self._store().fact(_BUILT) != self._items_now():
            return None  # what came since may say otherwise
        asked = asked_for(question, (line for line in lines if not unsaid.speaks(line.text)))
        numbers = {each.item for line in asked for each in supports_of(line)}
        items: dict[str, tuple[int, Item]] = {}
        for number, stored in self._store().by_id(sorted(numbers)).items():
            left = part_of(stored.item, unsaid) if may_hear(stored.item, audience, marks) else None
            if left is not None:
                items[left.key] = number, left
        return portrayed(question, asked, items, counted=audience is Audience.PRIVATE)

    def voice(self, audience: Audience, marks: Marks, cutoff: Cutoff) -> Sound:
        """Return how the user sounds, as an audience may hear it and as was written by the cutoff.

        Measured with the persona document; nothing before that. No exemplar is from an entry that speaks
        of what the user wants left out.
        """
        unsaid = self.unsaid(audience)
        store = self._store()
        found = unpacked(store.fact(_VOICE))
        forgotten = self._kept_lines().forgotten()

        def may_use(item: Item) -> bool:
            written = item.moment.start(self.home_zone())
            known = cutoff.undated if written is None else written <= cutoff.instant
            return known and may_hear(item, audience, marks) and not speaks_of(item, forgotten)

        ids = [number for each in found for number, _ in each.exemplars]
        items = {number: kept.item for number, kept in store.by_id(ids).items()}
        return sound(found, items, me=store.identities(), may_use=may_use, unsaid=unsaid)

    def accept_lines(self, ids: Iterable[int] | None = None) -> int:
        """Take proposals into the document, all that wait without `ids`; return how many."""
        self._writer()
        return self._kept_lines().accept(self._waiting() if ids is None else ids)

    def reject_lines(self, ids: Iterable[int] | None = None) -> int:
        """Refuse proposals for good, all that wait without `ids`; return how many."""
        self._writer()
        return self._kept_lines().reject(self._waiting() if ids is None else ids)

    def edit_line(self, line_id: int, text: str) -> None:
        """Give a line the user's own words; raise where they can't be one."""
        self._writer()
        others = [each.line.text for each in self._kept_lines().all() if each.id != line_id]
        self._kept_lines().edit(line_id, checked_text(text, others))

    def lock_line(self, line_id: int, *, locked: bool = True) -> None:
        """Keep a line as it is, or let it go on with later entries."""
        self._writer()
        self._kept_lines().lock(line_id, locked=locked)

    def delete_line(self, line_id: int) -> None:
        """Take a line out; it never comes back."""
        store = self._writer()
        self._kept_lines().delete(line_id)
        store.base.checkpoint()

    def keep_line_private(self, line_id: int, *, private: bool) -> None:
        """Keep a line from friends and the public, or let them hear it."""
        self._writer()
        self._kept_lines().keep_private(line_id, private=private)

    def _waiting(self) -> Sequence[int]:
        return [each.id for each in self._kept_lines().all() if each.waiting]


def _streamed(store: Store, numbers: dict[str, int]) -> Iterator[Item]:
    """Yield all items in order, noting their numbers by their keys."""
    at = 0
    while page := store.items(ItemFilter(), limit=_PAGE, offset=at):
        for each in page:
            numbers[each.item.key] = each.id
            yield each.item
        at += len(page)
