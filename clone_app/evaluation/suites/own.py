"""The user's own archive as a benchmark: questions made from its entries, or written by the user."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from clone_app.entries import Item, content_hash
from clone_app.evaluation.suites import UNANSWERABLE, Life, SuiteQuestion
from clone_app.evaluation.suites.language import language_of

ME: Final = "me"
_UNKNOWN: Final = {
    "en": "Cannot be determined from what was written by then",
    "zh": "无法确定",
}
_LETTERS: Final = "ABCDEFGHIJ"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnQuestion:
    """Hold a question about the user's own archive.

    `wrong` are the other options, none where a judge is to compare answers; `entry` is the key of the
    item that answers it, "" for none, and `items` the numbers of all items whose words are in it.
    `written` says that the user wrote it or changed it; `id` is 0 until it is kept.
    """

    text: str
    answer: str
    wrong: tuple[str, ...]
    kind: str
    asked_at: datetime
    entry: str = ""
    evidence: str = ""
    items: tuple[int, ...] = ()
    written: bool = False
    id: int = 0

    @property
    def unanswerable(self) -> bool:
        """Tell whether the right reply is that it can't be known."""
        return self.kind == UNANSWERABLE

    def asked(self) -> SuiteQuestion:
        """Return it as a benchmark's question: options shuffled by its number, "can't be known" last."""
        unknown = _UNKNOWN[language_of([self.text])]
        options = list(dict.fromkeys((*self.wrong, *(() if self.unanswerable else (self.answer,)))))
        random.Random(f"own {self.id}").shuffle(options)  # noqa: S311 - to be repeatable, not secret
        options.append(unknown)
        right = unknown if self.unanswerable else self.answer
        held = bool(self.wrong)
        gold = bool(self.entry) and not self.unanswerable
        return SuiteQuestion(
            id=str(self.id),
            text=self.text,
            asked_at=self.asked_at,
            kind=self.kind,
            dimension="",
            statements=(frozenset({self.entry}),) if gold else (),
            evidence=(self.evidence or self.answer,) if gold else (),
            answer=right,
            choices=tuple(zip(_LETTERS, options, strict=False)) if held else (),
            correct=_LETTERS[options.index(right)] if held else "",
        )


def life_of(items: Sequence[Item], questions: Sequence[OwnQuestion]) -> Life:
    """Return the archive with its questions as a benchmark's life."""
    marks = [f"{item.key} {item.body_hash()}" for item in items]
    asked = tuple(each.asked() for each in questions)
    gone = {each.entry for each in questions if each.entry} - {item.key for item in items}
    return Life(
        suite=ME,
        name="My own archive",
        items=tuple(items),
        questions=tuple(
            replace(each, statements=(), evidence=()) if each.gold & gone else each
            for each in asked
        ),
        id=ME,
        language=language_of(item.text for item in items),
        sha256=content_hash(*sorted(marks), *(repr(each) for each in asked)),
    )
