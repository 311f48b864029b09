"""What the user keeps private or wants left out of the document, and how much that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clone_app.app.parts import Parts
from clone_app.errors import CloneAppError
from clone_app.memory.database import Base, rows
from clone_app.memory.lines import Forgotten, KeptLine, Lines
from clone_app.memory.store import ItemFilter, Store
from clone_app.persona.document import Audience, Marks, checked_text, names
from clone_app.persona.privacy.audience import known_as, met
from clone_app.persona.privacy.unsaid import Unsaid, private
from clone_app.persona.privacy.withheld import Mark, Withheld, Withholding
from clone_app.progress import Progress

MARK_KINDS = ("medium", "person", "topic")
_BATCH = 200


class Marking(Parts):
    """Keep the user's marks, apply them, and count what they keep from whom."""

    _withheld: tuple[Base, Withholding] | None = None

    def forgotten_topics(self) -> tuple[str, ...]:
        """Return what the user doesn't want to be reminded of."""
        return self._kept_lines().forgotten()

    def forget_topic(self, topic: str) -> Forgotten:
        """Never use a topic again, in the document or an answer; return the lines that went.

        Those are for `bring_back`. What was said of it in running conversations is not told a model again.
        """
        store = self._writer()
        wanted = checked_text(topic)
        gone = self._kept_lines().forget(wanted, [each.id for each in self._lines_on(wanted)])
        self._talks.forget()
        store.base.checkpoint()
        return gone

    def bring_back(self, gone: Forgotten) -> None:
        """Undo `forget_topic`: the topic may be used again, its lines are as they were."""
        self._writer()
        self._kept_lines().bring_back(gone)
        self._talks.forget()

    def count_topic(self, topic: str, progress: Progress) -> tuple[int, int]:
        """Return how many lines of the document and how many entries speak of a topic."""
        lines = len(self._lines_on(topic))
        return lines, len(self._withholding(progress).speaking_of([topic]))

    def _lines_on(self, topic: str) -> list[KeptLine]:
        return [each for each in self._kept_lines().all() if names(each.line, topic)]

    def allow_topic(self, topic: str) -> None:
        """Let a forgotten topic be used again, by answers at once; the next building may propose it."""
        self._writer()
        self._kept_lines().allow(topic)
        self._talks.forget()

    def unsaid(self, audience: Audience) -> Unsaid:
        """Return what an answer to an audience passes over, sentence by sentence.

        From the user themselves only what they want left out; a line that waits in the inbox counts for
        others as one that is let stand.
        """
        topics = self.forgotten_topics()
        if audience is Audience.PRIVATE:
            return Unsaid(topics=frozenset(topics))
        return private((each.line for each in self._kept_lines().all()), topics)

    def private_marks(self) -> Marks:
        """Return the media, people and topics the user marked as private.

        People come with all that they are known as: who marks Tom means his address too.
        """
        return self._meant(self._covered())

    def mark_private(self, kind: str, name: str, *, private: bool = True) -> None:
        """Mark a medium, a person or a topic as private, or take the mark away."""
        self._writer()
        if kind not in MARK_KINDS:
            raise CloneAppError(f"“{kind}” can't be private. Choose medium, person or topic.")
        self._kept_lines().mark(kind, checked_text(name), private=private)

    def marked(self) -> tuple[Mark, ...]:
        """Return the marks as they were made: (“medium”, “person” or “topic”, its name)."""
        return self._kept_lines().marked()

    def withheld(self, progress: Progress) -> Withheld:
        """Count the entries that a friend and the public don't hear of, and what each mark covers."""
        covered, unsaid = self._covered(), self.unsaid(Audience.FRIEND)
        held, store = self._withholding(progress), self._store()
        asked = held.unjudged(unsaid)
        for at in range(0, len(asked), _BATCH):
            progress.report(at, len(asked), "Counting what is private")
            progress.check()
            for number, kept in store.by_id(asked[at : at + _BATCH]).items():
                held.judge(number, kept.item, unsaid)
        return held.count(self._meant(covered), covered)

    def _covered(self) -> dict[Mark, tuple[str, ...]]:
        """Return the marks with the names that each means."""
        found = self._kept_lines().marked()
        people = self._addressbook().people() if any(kind == "person" for kind, _ in found) else ()
        return {
            (kind, name): known_as(name, people) if kind == "person" else (name,)
            for kind, name in found
        }

    def _meant(self, covered: Mapping[Mark, tuple[str, ...]]) -> Marks:
        def meant(wanted: str) -> frozenset[str]:
            return frozenset(
                name for (kind, _), names in covered.items() if kind == wanted for name in names
            )

        return Marks(media=meant("medium"), people=meant("person"), topics=meant("topic"))

    def _withholding(self, progress: Progress) -> Withholding:
        """Return what decides who hears of each entry, read of those that are new since the last time."""
        store = self._store()
        if self._withheld is None or self._withheld[0] is not store.base:
            self._withheld = (store.base, Withholding(lambda: _told(store)))
        held = self._withheld[1]
        stamps = {
            int(number): f"{body} {meta} {mine}"
            for number, body, meta, mine in rows(
                store.base.db(), "SELECT id, body_hash, meta_hash, mine FROM items"
            )
        }
        lacking = held.lacking(stamps)
        for at in range(0, len(lacking), _BATCH):
            progress.report(at, len(lacking), "Counting what is private")
            progress.check()
            for number, kept in store.by_id(lacking[at : at + _BATCH]).items():
                held.add(number, kept.item, stamps[number])
        return held

    def _kept_lines(self) -> Lines:
        return Lines(self._store().base)


def _told(store: Store) -> Iterator[tuple[int, str]]:
    at = 0
    while page := store.items(ItemFilter(), limit=_BATCH, offset=at):
        yield from ((each.id, met(each.item)) for each in page)
        at += len(page)
