"""A question is looked up with what was asked before it in its conversation, and kept as it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

from clone_app.asking import Asked, Talks
from clone_app.entries import (
    NO_FILTERS,
    Answer,
    Filters,
    Hit,
    NamedPerson,
    NamedTime,
    Recalled,
)
from clone_app.memory.conversations import Conversations, Turn
from clone_app.progress import Progress
from clone_app.settings import AnswerStyle

NOW = datetime(2024, 6, 1, tzinfo=UTC)


class Kept:
    """Conversations that hold these questions, each unanswered."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.questions = list(questions)

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        return tuple(
            Turn(id=at, question=question, asked_at=NOW, draft="", answer=None)
            for at, question in enumerate(self.questions)
        )

    def ask(self, conversation: int, question: str, **_: Any) -> int:
        self.questions.append(question)
        return len(self.questions)

    def keep_found(self, turn: int, hits: Sequence[Hit]) -> None:
        assert not hits

    def keep_answer(self, turn: int, answer: Answer) -> None:
        assert answer.question == self.questions[-1]


def looked_up(question: str, earlier: Sequence[str]) -> str:
    words: list[str] = []

    def recall(asked: str) -> Recalled:
        words.append(asked)
        return Recalled((), ())

    kept = Kept(earlier)
    asked = Asked(
        question=question, at=None, asked_at=NOW, name="Ann", style=AnswerStyle.QUOTES, chat=None
    )
    list(
        Talks().ask(
            asked,
            recall,
            kept=cast("Conversations", kept),
            conversation=1,
            now=NOW,
            progress=Progress(),
        )
    )
    assert kept.questions[-1] == question
    return words[0]


def test_a_follow_up_is_looked_up_with_whom_it_is_about() -> None:
    assert looked_up("And where does she work?", ["Who is Hazel?"]) == (
        "And where does she work? Hazel"
    )


def test_a_question_of_its_own_is_looked_up_as_it_is() -> None:
    assert looked_up("What did the press cost?", ["Who is Hazel?"]) == "What did the press cost?"


class Answered(Kept):
    """Conversations that keep their answers."""

    def __init__(self) -> None:
        super().__init__([])
        self.answers: list[Answer] = []

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        return tuple(
            Turn(id=at, question=question, asked_at=NOW, draft="", answer=answer)
            for at, (question, answer) in enumerate(zip(self.questions, self.answers, strict=True))
        )

    def keep_answer(self, turn: int, answer: Answer) -> bool:
        self.answers.append(answer)
        return True


def test_a_question_asked_again_otherwise_forgets_what_it_was_answered_before() -> None:
    kept, talks = Answered(), Talks()
    understood = Recalled(
        (),
        (),
        intervals=(NamedTime("2024-03-01", "2024-06-01", "last spring"),),
        people=(NamedPerson("Mum", "Jane"),),
    )

    def ask(question: str, filters: Filters = NO_FILTERS) -> Answer:
        asked = Asked(
            question=question,
            at=None,
            asked_at=NOW,
            name="Ann",
            style=AnswerStyle.QUOTES,
            chat=None,
            filters=filters,
        )
        events = talks.ask(
            asked,
            lambda _: understood,
            kept=cast("Conversations", kept),
            conversation=1,
            now=NOW,
            progress=Progress(),
        )
        answer = list(events)[-1]
        assert isinstance(answer, Answer)
        return answer

    ask("Who is Hazel?")
    first = ask("What did Mum say last spring?")
    assert (first.times, first.people) == (understood.intervals, understood.people)
    assert first.filters == NO_FILTERS
    asked = Asked(
        question="What did Mum say last spring?",
        at=None,
        asked_at=NOW,
        name="Ann",
        style=AnswerStyle.QUOTES,
        chat=None,
        filters=Filters(plain=("last spring",)),
    )
    earlier = talks._but_otherwise(asked, kept.turns(1), 1)
    assert [turn.question for turn in earlier] == ["Who is Hazel?"]
    again = ask("What did Mum say last spring?", Filters(plain=("last spring",)))
    assert again.filters == Filters(plain=("last spring",))
    assert [each.filters for each in kept.answers] == [
        NO_FILTERS,
        NO_FILTERS,
        Filters(plain=("last spring",)),
    ]
