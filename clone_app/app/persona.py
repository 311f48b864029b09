"""The persona document of a profile: built, read, accepted, edited, locked, deleted, forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from clone_app.app.parts import Parts
from clone_app.entries import Item
from clone_app.errors import CloneAppError
from clone_app.memory.database import rows
from clone_app.memory.lines import KeptLine, Lines, LineState, Proposed
from clone_app.memory.store import ItemFilter, Store
from clone_app.persona.build import build
from clone_app.persona.document import (
    Audience,
    Document,
    Marks,
    as_text,
    checked_text,
    digest,
    names,
    visible,
)
from clone_app.persona.exemplars import Exemplar, exemplars
from clone_app.persona.voice import Register
from clone_app.progress import Progress

_PAGE = 2000
_BUILT = "persona built from"
MARK_KINDS = ("medium", "person", "topic")


class Persona(Parts):
    """Keep the readable memory of who the user is, built from their own entries alone."""

    def persona_lines(self) -> tuple[KeptLine, ...]:
        """Return every line with its state and supports, proposals included."""
        return self._kept_lines().all()

    def build_persona(self, progress: Progress) -> Proposed:
        """Read all entries and put what they say of the user into the inbox; never what a clone said."""
        store = self._writer()
        numbers: dict[str, int] = {}
        built = build(
            _streamed(store, numbers),
            me=store.identities(),
            forgotten=self._kept_lines().forgotten(),
            progress=progress,
        )
        progress.check()
        proposed = self._kept_lines().propose(built.lines, numbers)
        store.set_fact(_BUILT, self._items_now())
        return proposed

    def persona_outdated(self) -> bool:
        """Tell whether entries came or went since the document was last built."""
        return self.writing and self._store().fact(_BUILT) != self._items_now()

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
        self, count: Callable[[str], int], *, audience: Audience = Audience.PRIVATE
    ) -> str:
        """Return what stands in front of every conversation: at most 300 tokens by `count`."""
        return digest(self.persona_document(audience), count)

    def voice_exemplars(
        self, register: Register, *, like: str = "", number: int = 3
    ) -> tuple[Exemplar, ...]:
        """Return stretches of the user's own writing in a register, as examples of their voice."""
        store = self._store()
        return exemplars(
            _streamed(store, {}), register, me=store.identities(), like=like, number=number
        )

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

    def forgotten_topics(self) -> tuple[str, ...]:
        """Return what the user doesn't want to be reminded of."""
        return self._kept_lines().forgotten()

    def forget_topic(self, topic: str) -> int:
        """Never use a topic again in the document; return how many lines went."""
        store = self._writer()
        wanted = checked_text(topic)
        gone = [each.id for each in self._kept_lines().all() if names(each.line, wanted)]
        self._kept_lines().forget(wanted, gone)
        store.base.checkpoint()
        return len(gone)

    def allow_topic(self, topic: str) -> None:
        """Let a forgotten topic be used again; the next building may propose it."""
        self._writer()
        self._kept_lines().allow(topic)

    def private_marks(self) -> Marks:
        """Return the media, people and topics the user marked as private."""
        found = self._kept_lines().marked()
        return Marks(
            media=frozenset(name for kind, name in found if kind == "medium"),
            people=frozenset(name for kind, name in found if kind == "person"),
            topics=frozenset(name for kind, name in found if kind == "topic"),
        )

    def mark_private(self, kind: str, name: str, *, private: bool = True) -> None:
        """Mark a medium, a person or a topic as private, or take the mark away."""
        self._writer()
        if kind not in MARK_KINDS:
            raise CloneAppError(f"“{kind}” can't be private. Choose medium, person or topic.")
        self._kept_lines().mark(kind, checked_text(name), private=private)

    def _kept_lines(self) -> Lines:
        return Lines(self._store().base)

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
