"""Measure what a model can do with notes: how often its answer is carried by them.

A model that invents freely costs seconds and is then replaced by quotations: whoever measured that once
need not ask it again. The notes are invented and the same for every model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from clone_app.entries import Hit, Item, Mode, Moment, Recalled, Term
from clone_app.errors import ModelError
from clone_app.memory.words import content_words
from clone_app.persona.clone import Finished, answer
from clone_app.persona.prompts import Dialogue
from clone_app.progress import Progress
from clone_app.protocols import ChatModel
from clone_app.settings import AnswerStyle

_ASKED: Final = datetime(2020, 6, 1)  # noqa: DTZ001 (an invented life's own wall clock)
_LIFE: Final = (
    (
        date(2019, 3, 2),
        "We have moved. The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
    ),
    (date(2019, 5, 11), "I bought a second-hand cello for 300 pounds. My brother carried it home."),
    (date(2019, 9, 20), "Ana left the choir because the rehearsals are too late for her."),
    (
        date(2020, 1, 7),
        "I gave up sugar in my coffee. The first week was dreadful and then it was easy.",
    ),
)
_QUESTIONS: Final = (
    "What is the flat at Harrow Lane like?",
    "How much did the cello cost, and who carried it home?",
    "Why did Ana leave the choir?",
    "How was it to give up sugar in your coffee?",
)
_SAID: Final = re.compile(r"reads (\d+) of (\d+) test notes right")
# Another test or another way to ask, another number: what was measured before counts no longer.
TEST: Final = 1


@dataclass(frozen=True, slots=True)
class Ability:
    """Hold how many of the questions of the test a model answered from the notes."""

    answered: int
    asked: int

    @classmethod
    def read(cls, said: str) -> Ability | None:
        """Return what `str` wrote, None where it is nothing of the kind."""
        match = _SAID.fullmatch(said)
        return cls(int(match[1]), int(match[2])) if match else None

    def __str__(self) -> str:
        """Return it as a person reads it."""
        return f"reads {self.answered} of {self.asked} test notes right"

    @property
    def style(self) -> AnswerStyle:
        """Return the style that suits: its own words checked, or quotations only."""
        return AnswerStyle.CHECKED if 2 * self.answered >= self.asked else AnswerStyle.QUOTES


def measure(chat: ChatModel, *, clock: Callable[[], float], progress: Progress) -> Ability:
    """Let a model answer four questions over four notes; raise `Cancelled` when asked to stop.

    Counted is what the grounding lets stand. Raises `ModelError` where the model doesn't run: that says
    nothing about how it reads.
    """
    hits = tuple(_hit(number, day, text) for number, (day, text) in enumerate(_LIFE))
    stood = 0
    for number, question in enumerate(_QUESTIONS):
        progress.report(number, len(_QUESTIONS), "Trying the language model")
        terms = tuple(Term(word, (word,), 4.0) for word in dict.fromkeys(content_words(question)))
        for event in answer(
            question,
            Recalled(hits, terms, seen=len(hits)),
            dialogue=Dialogue(),
            chat=chat,
            style=AnswerStyle.CHECKED,
            name="",
            asked_at=_ASKED,
            clock=clock,
            fence="ability",
            progress=progress,
        ):
            if isinstance(event, Finished):
                if event.note:
                    raise ModelError(event.note)
                stood += event.answer.mode is Mode.GROUNDED
    return Ability(stood, len(_QUESTIONS))


def _hit(number: int, day: date, text: str) -> Hit:
    item = Item(
        key=str(number), medium="diary", moment=Moment.on(day), text=text, mine=True, locator=""
    )
    return Hit(
        item_id=number,
        item=item,
        passage=text,
        start=0,
        own=True,
        score=1.0,
        cosine=0.5,
        coverage=1.0,
        found_by=("words",),
    )
