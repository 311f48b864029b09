"""Measure what a model can do with notes, and what each stop of the memory dial makes of it.

A model that invents freely costs seconds and is then replaced by quotations: whoever measured that once
need not ask it again. The notes are invented and the same for every model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Final

from clone_app.entries import (
    Answer,
    Checked,
    Dial,
    Hit,
    Item,
    Mode,
    Moment,
    Recalled,
    Sentence,
    Term,
)
from clone_app.errors import ModelError
from clone_app.memory.words import content_words
from clone_app.persona.clone import Finished, answer
from clone_app.persona.fresh import alone
from clone_app.persona.prompts import Dialogue
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Message, Sampling
from clone_app.settings import AnswerStyle

_ASKED: Final = datetime(2020, 6, 1)  # noqa: DTZ001 (an invented life's own wall clock)
# Notes as long as a diary's, so that what is asked for stands among other things; one is no longer so.
_LIFE: Final = (
    (
        date(2019, 3, 2),
        "We have moved. The flat at Harrow Lane has four rooms, a lemon tree on the stairs and a window "
        "over the tram depot. The first night I heard every tram and lay counting them.",
    ),
    (
        date(2019, 5, 11),
        "Rain until noon. I bought a second-hand cello for 300 pounds from a retired postman in Mill "
        "Street. My brother carried it home on his back and would not take a penny for it.",
    ),
    (
        date(2019, 9, 20),
        "Choir again. Ana left because the rehearsals are too late for her, she has to be at the bakery "
        "at four. I sat beside Jonas, who sings flat and smells of oranges.",
    ),
    (
        date(2020, 1, 7),
        "I gave up sugar in my coffee on the first of the month. The first week was dreadful and then it "
        "was easy. My sister takes three spoons and laughs at me.",
    ),
    (
        date(2020, 2, 16),
        "To the reservoir with my brother and his boys. He can't swim and stayed on the bank with the "
        "coats. I went in up to the knees and came out blue.",
    ),
    (
        date(2020, 4, 30),
        "The cello is gone. A girl from the music school came for it and paid 340 pounds without a word. "
        "I keep the bow above the stove.",
    ),
)
# Each with the note that tells it: plain, an amount and who, why, how it was, yes or no, what changed.
_QUESTIONS: Final = (
    "What is the flat at Harrow Lane like?",
    "How much did you pay for the cello, and who carried it home?",
    "Why did Ana leave the choir?",
    "How was the first week without sugar in your coffee?",
    "Did your brother swim in the reservoir, and where was he?",
    "What did the girl from the music school pay for the cello?",
)
_SAID: Final = re.compile(r"reads (\d+) of (\d+) test notes right")
# Another test or another way to ask, another number: what was measured before counts no longer.
TEST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Hold what a stop of the memory dial made of the test: answers right, sentences carried, seconds.

    `right` of `asked` answers say what the note asked about says; of the `sentences` that were shown
    the notes carry `carried`; `seconds` is the mean of an answer.
    """

    dial: Dial
    right: int
    asked: int
    carried: int
    sentences: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Ability:
    """Hold how many of the questions of the test a model answered from the notes.

    `effects` are those of the dial's stops that were measured.
    """

    answered: int
    asked: int
    effects: tuple[Effect, ...] = ()

    @classmethod
    def read(cls, kept: str) -> Ability | None:
        """Return what `kept` or an earlier version's `str` wrote, None where it is nothing of the kind."""
        if match := _SAID.fullmatch(kept):
            return cls(int(match[1]), int(match[2]))
        try:
            found = json.loads(kept)
            effects = tuple(
                Effect(**(each | {"dial": Dial(each["dial"])})) for each in found["effects"]
            )
            return cls(int(found["answered"]), int(found["asked"]), effects)
        except (ValueError, KeyError, TypeError):
            return None

    def kept(self) -> str:
        """Return all of it as `read` reads it."""
        return json.dumps(asdict(self))

    def __str__(self) -> str:
        """Return it as a person reads it."""
        return f"reads {self.answered} of {self.asked} test notes right"

    @property
    def style(self) -> AnswerStyle:
        """Return the style that suits: its own words checked, or quotations only."""
        return AnswerStyle.CHECKED if 2 * self.answered >= self.asked else AnswerStyle.QUOTES

    def effect(self, dial: Dial) -> Effect | None:
        """Return what was measured at a stop of the dial, None where nothing was.

        At "checked" a model that failed is left to quotations, and so are what they did and how long
        they took.
        """
        left = dial is Dial.CHECKED and self.style is AnswerStyle.QUOTES
        wanted = Dial.QUOTES if left else dial
        found = next((each for each in self.effects if each.dial is wanted), None)
        return found if found is None else replace(found, dial=dial)


@dataclass(frozen=True, slots=True)
class _Tried:
    """Hold one question's outcome: the answer as it was given, and all that the model had drafted."""

    key: str
    answer: Answer
    drafted: tuple[Sentence, ...]

    @property
    def stood(self) -> bool:
        """Tell whether the draft was the answer and what carries it is the note that was asked about."""
        return self.answer.mode is Mode.GROUNDED and self._cited

    @property
    def _cited(self) -> bool:
        told = (each for each in self.answer.sentences if each.supported)
        return any(self.key in each.citations for each in told)

    @property
    def right(self) -> bool:
        """Tell whether it says what its note says: the draft stood, or the note is quoted."""
        return self.stood or (self.answer.mode is Mode.QUOTE and self._cited)


class _Alone:
    """Be a model that is never told the notes: what it says of itself is judged by the same judge."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.question = ""

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def context(self) -> int:
        return self._chat.context

    def load(self, progress: Progress) -> None:
        self._chat.load(progress)

    def count(self, text: str) -> int:
        return self._chat.count(text)

    def stream(self, _: Sequence[Message], sampling: Sampling, progress: Progress) -> Iterator[str]:
        room = self._chat.context - sampling.max_tokens
        sent = alone(Dialogue(), self.question, _ASKED, count=self._chat.count, room=room)
        return self._chat.stream(sent.messages, sampling, progress)


def measure(
    chat: ChatModel,
    *,
    clock: Callable[[], float],
    progress: Progress,
    fresh: bool = False,
) -> Ability:
    """Let a model answer six questions over six notes; raise `Cancelled` when asked to stop.

    Counted is what the grounding lets stand and rests on the note that was asked about. One run tells of
    the stops "free" and "checked", which differ only in what is shown; "only my words" takes no model,
    and what the model says without any notes is asked where `fresh` wants it. Raises `ModelError` where
    the model doesn't run: that says nothing about how it reads.
    """
    chat.load(progress)
    steps = len(_QUESTIONS) * (2 if fresh else 1)
    quoted = [_try(at, None, clock, progress) for at in range(len(_QUESTIONS))]
    told: list[_Tried] = []
    for at in range(len(_QUESTIONS)):
        progress.report(at, steps, "Trying the language model")
        told.append(_try(at, chat, clock, progress))
    stood = sum(each.stood for each in told)
    effects = [
        _effect(Dial.FREE, stood, told, [each.drafted for each in told]),
        _effect(
            Dial.CHECKED,
            sum(each.right for each in told),
            told,
            [each.answer.sentences for each in told],
        ),
        _effect(
            Dial.QUOTES,
            sum(each.right for each in quoted),
            quoted,
            [each.answer.sentences for each in quoted],
        ),
    ]
    if fresh:
        bare: list[_Tried] = []
        for at in range(len(_QUESTIONS)):
            progress.report(len(_QUESTIONS) + at, steps, "Trying it without notes")
            bare.append(_try(at, _Alone(chat), clock, progress))
        right = sum(each.stood for each in bare)
        effects.insert(0, _effect(Dial.FRESH, right, bare, [each.drafted for each in bare]))
    return Ability(stood, len(_QUESTIONS), tuple(effects))


def _try(at: int, chat: ChatModel | None, clock: Callable[[], float], progress: Progress) -> _Tried:
    """Ask one question of the test over all its notes, the user's own words alone without a model."""
    question = _QUESTIONS[at]
    if isinstance(chat, _Alone):
        chat.question = question
    hits = tuple(_hit(number, day, text) for number, (day, text) in enumerate(_LIFE))
    terms = tuple(Term(word, (word,), 4.0) for word in dict.fromkeys(content_words(question)))
    drafted: list[Sentence] = []
    for event in answer(
        question,
        Recalled(hits, terms, seen=len(hits)),
        dialogue=Dialogue(),
        chat=chat,
        style=AnswerStyle.QUOTES if chat is None else AnswerStyle.CHECKED,
        name="",
        asked_at=_ASKED,
        clock=clock,
        fence="ability",
        progress=progress,
    ):
        if isinstance(event, Checked):
            drafted.append(event.sentence)
        elif isinstance(event, Finished):
            if event.note:
                raise ModelError(event.note)
            found = event.answer
    return _Tried(str(at), found, tuple(drafted))


def _effect(
    dial: Dial, right: int, tried: Sequence[_Tried], shown: Sequence[Sequence[Sentence]]
) -> Effect:
    sentences = [sentence for said in shown for sentence in said]
    return Effect(
        dial=dial,
        right=right,
        asked=len(tried),
        carried=sum(sentence.supported for sentence in sentences),
        sentences=len(sentences),
        seconds=round(sum(each.answer.seconds for each in tried) / len(tried), 3),
    )


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
