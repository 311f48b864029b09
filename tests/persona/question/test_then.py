"""Of a question that names a time, its time chooses the hits and the rest chooses among them."""

from __future__ import annotations

from clone_app.entries import NamedTime, Recalled, Term
from clone_app.persona.question.then import timeless, without_times

EVE = NamedTime("2023-12-26", "2024-01-06", "New Year's Eve 2023")


def left(question: str, *words: str, intervals: tuple[NamedTime, ...] = (EVE,)) -> list[str]:
    terms = tuple(Term(word, (word,), 4.0) for word in words)
    return [term.word for term in timeless(question, Recalled((), terms, intervals=intervals))]


def test_the_words_of_a_time_are_taken_out() -> None:
    assert without_times("Who sang on New Year's Eve 2023?", [EVE]).split() == [
        "Who",
        "sang",
        "on",
        "?",
    ]
    assert left("Who sang on New Year's Eve 2023?", "sang", "new", "year", "eve") == ["sang"]


def test_nothing_is_left_of_how_a_time_was_spent() -> None:
    assert left("How did you spend New Year's Eve 2023?", "spend", "new", "year", "eve") == []


def test_what_was_spent_is_asked_where_no_time_is_named() -> None:
    assert left("How much did you spend?", "spend", intervals=()) == ["spend"]
