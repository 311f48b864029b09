"""A model that writes what it was told to, and what a clone answers with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from clone_app.entries import (
    Hit,
    Item,
    Moment,
    Recalled,
    Term,
)
from clone_app.persona.clone import (
    CloneEvent,
    Finished,
    answer,
)
from clone_app.persona.prompts import Dialogue
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Message, Sampling
from clone_app.settings import AnswerStyle

CHEESE = (
    "Up betimes. In the evening Penn and I did dig another pit, and put our wine in it; and I my "
    "Parmazan cheese, as well as 3 bottles. So to bed."
)
HALF_TRUE = (
    "I put my Parmazan cheese in the pit with 3 bottles. We put our wine in the pit. "
    "Then I flew to Mars."
)
QUOTED = (
    "On 14 September 1666 I wrote: “In the evening Penn and I did dig another pit, and put our "
    "wine in it; and I my Parmazan cheese, as well as 3 bottles.”"
)
FRESH = Dialogue()


class Scripted:
    """A chat model that writes what it was told to, a few letters at a time."""

    name = "scripted"
    context = 2048

    def __init__(self, text: str = "", *, fault: Exception | None = None) -> None:
        self.text = text
        self.fault = fault
        self.sent: list[Sequence[Message]] = []
        self.pieces = 0
        self.closed = False

    def load(self, progress: Progress) -> None:
        if self.fault is not None:
            raise self.fault

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        self.sent.append(tuple(messages))
        try:
            for at in range(0, len(self.text), 5):
                self.pieces += 1
                yield self.text[at : at + 5]
            if self.fault:
                raise self.fault
        finally:
            self.closed = True

    def count(self, text: str) -> int:
        return len(text) // 4 + 1


def hit(text: str, key: str = "k", *, number: int = 1, **more: object) -> Hit:
    of: dict[str, object] = {
        "medium": "diary", "moment": Moment.on(date(1666, 9, 14)), "mine": True, "locator": "a",
    }  # fmt: skip
    found = {"cosine": None, "coverage": 1.0, "own": True}
    for name, value in more.items():
        (found if name in found else of)[name] = value
    item = Item(key=key, text=text, **of)  # type: ignore[arg-type]
    return Hit(
        item_id=number, item=item, passage=text, start=0, score=1.0, found_by=("words",), **found  # type: ignore[arg-type]
    )  # fmt: skip


def recalled(*hits: Hit, terms: Sequence[str] = ("cheese", "pit")) -> Recalled:
    return Recalled(hits, tuple(Term(word, (word,), 3.0) for word in terms))


def events(
    found: Recalled,
    chat: ChatModel | None,
    *,
    style: AnswerStyle = AnswerStyle.CHECKED,
    dialogue: Dialogue = FRESH,
    progress: Progress | None = None,
    embedder: Embedder | None = None,
    question: str = "Where is the cheese?",
) -> list[CloneEvent]:
    ticks = iter(range(1000))
    return list(
        answer(
            question,
            found,
            dialogue=dialogue,
            chat=chat,
            style=style,
            name="Samuel",
            asked_at=datetime(1669, 6, 1),
            clock=lambda: float(next(ticks)),
            fence="k3v9q1",
            progress=progress or Progress(),
            embedder=embedder,
        )
    )


def finished(found: Recalled, chat: ChatModel | None, **more: object) -> Finished:
    last = events(found, chat, **more)[-1]  # type: ignore[arg-type]
    assert isinstance(last, Finished)
    return last
