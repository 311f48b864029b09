"""A yes or a no is shown only with the sentence that carries it: a liar's "Yes, I do." is a quotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

import pytest

from clone_app.entries import Answer, Hit, Item, Mode, Moment, Recalled, Term
from clone_app.memory.words import content_words
from clone_app.persona.clone import Finished, answer
from clone_app.persona.prompts import Dialogue
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling
from clone_app.settings import AnswerStyle

from .scripted import CHEESE, HALF_TRUE, Scripted, finished, recalled
from .scripted import hit as pit


class Says:
    """A chat model that says one thing."""

    name = "says"
    context = 2048

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0

    def load(self, progress: Progress) -> None:
        progress.check()

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        self.asked += 1
        yield self.text


def hit(number: int, day: date, text: str) -> Hit:
    item = Item(
        key=str(number), medium="diary", moment=Moment.on(day), text=text, mine=True, locator="a"
    )
    return Hit(
        item_id=number, item=item, passage=text, start=0, own=True, score=1.0, cosine=0.5,
        coverage=1.0, found_by=("words",),
    )  # fmt: skip


RUN = (
    hit(1, date(2022, 3, 6), "I ran with Tom along the canal on Sunday and we talked of boats."),
    hit(2, date(2024, 4, 2), "Out early along the canal. I run alone, Tom has a bad knee."),
)
OLIVES = (
    hit(3, date(2023, 7, 9), "I can't stand olives, not even the green ones from the market."),
)


def answered(
    question: str, hits: Sequence[Hit], chat: Says, style: AnswerStyle = AnswerStyle.CHECKED
) -> Answer:
    terms = tuple(Term(word, (word,), 4.0) for word in dict.fromkeys(content_words(question)))
    for event in answer(
        question, Recalled(tuple(hits), terms, seen=len(hits)), dialogue=Dialogue(), chat=chat,
        style=style, name="Ola", asked_at=datetime(2025, 1, 1),
        clock=lambda: 0.0, fence="f", progress=Progress(),
    ):  # fmt: skip
        last = event
    assert isinstance(last, Finished)
    return last.answer


@pytest.mark.parametrize(
    "lie",
    [
        "Yes, I do.", "Yes.", "I do.", "Yes, I still do!", "Yes, I still run with Tom.",
        "Yes, I run with Tom.", "I still run with Tom along the canal.",
        "Yes, I run with Tom along the canal on Sundays.", "Of course I do.",
        "No, not any more.", "No.", "Not any more.", "No, I never ran with Tom.",
        "Yes, I do. Tom and I run along the canal.",
    ],
)  # fmt: skip
def test_no_lie_about_running_with_tom_is_shown(lie: str) -> None:
    chat = Says(lie)
    found = answered("Do you still run with Tom?", RUN, chat)
    assert found.mode is Mode.QUOTE
    assert all("“" in sentence.text for sentence in found.sentences)


@pytest.mark.parametrize(
    "lie",
    ["Yes, I do.", "Yes, I like olives.", "I like the green ones.", "Yes, I love green olives."],
)
def test_no_lie_about_olives_is_shown(lie: str) -> None:
    chat = Says(lie)
    found = answered("Do you like olives?", OLIVES, chat)
    assert chat.asked == 1
    assert found.mode is Mode.QUOTE


def test_what_carries_the_no_is_shown_with_its_entry_and_without_the_no() -> None:
    truth = "No, I can't stand olives, not even the green ones from the market."
    found = answered("Do you like olives?", OLIVES, Says(truth))
    assert found.mode is Mode.GROUNDED
    assert (
        found.sentences[0].text == "I can't stand olives, not even the green ones from the market."
    )
    assert found.sentences[0].citations == ("3",)


def test_a_bare_yes_beside_what_is_true_is_not_shown_as_supported() -> None:
    said = "Yes, I do. I can't stand olives, not even the green ones."
    found = answered("Do you like olives?", OLIVES, Says(said))
    assert not any(each.text.startswith("Yes") and each.supported for each in found.sentences)
    assert found.mode is Mode.QUOTE


CARRIED = "No, I can't stand olives, not even the green ones from the market."


def test_free_keeps_a_models_no_word_for_word() -> None:
    found = answered("Do you like olives?", OLIVES, Says(CARRIED), style=AnswerStyle.FREE)
    assert found.mode is Mode.FREE
    assert found.text == CARRIED


def test_what_nothing_carries_keeps_its_no() -> None:
    said = HALF_TRUE.replace("Then I flew to Mars.", "No, I flew to Mars.")
    done = finished(recalled(pit(CHEESE)), Scripted(said))
    assert done.answer.mode is Mode.GROUNDED
    assert [(each.text, each.supported) for each in done.answer.sentences][-1] == (
        "No, I flew to Mars.",
        False,
    )
