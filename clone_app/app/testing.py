"""“Test me”: questions about the user's own archive, made from its entries or written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from clone_app.app.parts import Parts
from clone_app.entries import clean_text
from clone_app.errors import CloneAppError
from clone_app.evaluation.own_tests import OwnTests
from clone_app.evaluation.suites import Suite
from clone_app.evaluation.suites.own import ME, OwnQuestion, life_of
from clone_app.evaluation.suites.own_making import WRONG, generate
from clone_app.memory.store import ItemFilter, Stored
from clone_app.progress import Progress

LONGEST = 2000


class Testing(Parts):
    """Make, change and delete the questions of the suite `me`."""

    def own_questions(self) -> tuple[OwnQuestion, ...]:
        """Return the questions about the user's own archive."""
        return self._own_tests().all()

    def generate_own(self, number: int, seed: int, progress: Progress) -> tuple[OwnQuestion, ...]:
        """Make up to so many questions from entries that have none yet; return what was made."""
        store = self._writer()
        taken = [each.entry for each in self._own_tests().all() if each.entry]
        made = generate(
            store.items(ItemFilter()),
            number,
            seed=seed,
            now=self._wall_clock(),
            taken=taken,
            me=store.identities(),
            progress=progress,
        )
        if not made:
            raise CloneAppError(
                "No further question can be made: that takes some dozens of dated entries of your own "
                "with words that others don't have. Import more, or write questions yourself."
            )
        numbers = self._own_tests().add(made)
        return tuple(replace(each, id=number) for each, number in zip(made, numbers, strict=True))

    def add_own(
        self, text: str, answer: str, wrong: Sequence[str] = (), *, entry: str = ""
    ) -> OwnQuestion:
        """Keep a question the user wrote; `entry` is the key of the item that answers it.

        Without wrong answers there are no options, and a judge compares what is said.
        """
        self._writer()
        made = OwnQuestion(
            text=_worded(text, "The question"),
            answer=_worded(answer, "The answer"),
            wrong=_wrong(wrong, answer),
            kind="written by you",
            asked_at=self._wall_clock(),
            entry=entry,
            items=(self._entry(entry).id,) if entry else (),
            written=True,
        )
        return replace(made, id=self._own_tests().add([made])[0])

    def edit_own(
        self,
        number: int,
        *,
        text: str | None = None,
        answer: str | None = None,
        wrong: Sequence[str] | None = None,
    ) -> OwnQuestion:
        """Give a question other words; what is None stays."""
        self._writer()
        kept = self._own_tests().one(number)
        said = kept.answer if answer is None else _worded(answer, "The answer")
        changed = replace(
            kept,
            text=kept.text if text is None else _worded(text, "The question"),
            answer=said,
            wrong=_wrong(kept.wrong if wrong is None else wrong, "" if kept.unanswerable else said),
            written=True,
        )
        self._own_tests().change(changed)
        return changed

    def delete_own(self, numbers: Iterable[int]) -> int:
        """Delete questions; return how many there were."""
        store = self._writer()
        gone = self._own_tests().delete(numbers)
        store.base.checkpoint()
        return gone

    def own_entry(self, key: str) -> Stored:
        """Return the item a question rests on; raise where it is no longer there."""
        return self._entry(key)

    def _own_suite(self) -> Suite:
        questions = self._own_tests().all()
        if not questions:
            raise CloneAppError(
                "There are no questions about your own archive yet. Make some with `clone-app tests "
                "generate`, or with “Test me” on the Evaluation page."
            )
        items = tuple(each.item for each in self._store().items(ItemFilter()))
        return Suite(ME, (life_of(items, questions),))

    def _own_tests(self) -> OwnTests:
        return OwnTests(self._store().base)

    def _entry(self, key: str) -> Stored:
        found = self._store().by_key(key)
        if found is None:
            raise CloneAppError(
                f"There is no entry “{key}”. Copy its key from Memories, or leave it out."
            )
        return found

    def _wall_clock(self) -> datetime:
        return self._now().astimezone(self.home_zone()).replace(tzinfo=None, microsecond=0)


def _worded(text: str, what: str) -> str:
    said = " ".join(clean_text(text).split())
    if not said:
        raise CloneAppError(f"{what} needs words. Write some, then save.")
    if len(said) > LONGEST:
        raise CloneAppError(f"{what} has {len(said):,} characters. Shorten it to {LONGEST:,}.")
    return said


def _wrong(wrong: Sequence[str], answer: str) -> tuple[str, ...]:
    said = tuple(
        dict.fromkeys(filter(None, (" ".join(clean_text(each).split()) for each in wrong)))
    )
    if len(said) > WRONG + 1:
        raise CloneAppError(f"At most {WRONG + 1} wrong answers fit. Leave some out.")
    if answer and " ".join(answer.split()).casefold() in {each.casefold() for each in said}:
        raise CloneAppError("The right answer is among the wrong ones. Change one of them.")
    return said
