"""What a question was understood to name is told, and words that are to be plain name nothing."""

from __future__ import annotations

from datetime import UTC, date

import pytest

from clone_app.entries import NamedPerson, NamedTime, Recalled
from clone_app.memory.asked import Asked, understood
from clone_app.memory.people import Person, folded, named_in
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT, Scope
from clone_app.memory.store import Store

from .conftest import NOW, entry, take_in

IDA = "ida@x.org"
LIFE = [
    entry("The heron stood in the reeds.", "2025-04-02", key="spring"),
    entry("Nothing at all.", "2025-01-02", key="nothing"),
    entry("The sail is torn.", "2025-04-03", key="ida", mine=False, author=f"Ida Berg <{IDA}>"),
    entry("Moved house: the van was late.", "2025-10-04", key="move"),
]
QUESTION = "What did Ida say about the heron last spring?"


def read(store: Store, question: str, *plain: str) -> Asked:
    return understood(
        store,
        question,
        NOW,
        index=None,
        embedder=None,
        home=UTC,
        recipe=DEFAULT,
        scope=Scope(plain=frozenset(map(folded, plain))),
    )


def shown(store: Store, question: str, *plain: str) -> Recalled:
    scope = Scope(plain=frozenset(map(folded, plain)))
    return recall(store, question, NOW, index=None, embedder=None, home=UTC, scope=scope)


def test_a_time_that_is_plain_is_looked_for_as_words(store: Store) -> None:
    take_in(store, [*LIFE])
    before, after = read(store, QUESTION), read(store, QUESTION, "Last  Spring")
    assert [each.phrase for each in before.times] == ["last spring"]
    assert after.times == after.intervals == ()
    dated = "the heron in March 2025"
    assert [term.word for term in read(store, dated).terms] == ["heron"]
    left = read(store, dated, "March 2025")
    assert [term.word for term in left.terms] == ["heron", "march", "2025"]


def test_a_person_who_is_plain_is_nobody(store: Store) -> None:
    take_in(store, [*LIFE])
    assert read(store, QUESTION).people == ("Ida Berg",)
    left = read(store, QUESTION, "ida")
    assert left.people == ()
    assert left.bearers == ()
    assert [each.phrase for each in left.times] == ["last spring"]


def test_an_event_that_is_plain_tells_no_time(store: Store) -> None:
    take_in(store, [*LIFE])
    question = "What was there before the move?"
    assert [each.phrase for each in read(store, question).times] == ["before the move"]
    assert read(store, question, "before the move").times == ()


def test_a_time_within_plain_words_is_not_read_out_of_what_is_left(store: Store) -> None:
    take_in(store, [*LIFE])
    assert read(store, "Was it before last summer?", "last summer").times == ()


def test_what_was_understood_is_shown_with_who_it_is(store: Store) -> None:
    take_in(store, [*LIFE])
    found = shown(store, QUESTION)
    assert found.intervals == (NamedTime("2025-03-01", "2025-06-01", "last spring"),)
    assert found.people == (NamedPerson("Ida", "Ida Berg"),)
    left = shown(store, QUESTION, "last spring", "Ida")
    assert (left.intervals, left.people) == ((), ())
    assert left.plain == {"last spring", "ida"}


def test_a_time_that_was_widened_says_how_far_and_not_beyond_today(store: Store) -> None:
    take_in(store, [*LIFE])
    (time,) = shown(store, "the heron in July 2025").intervals
    assert (time.start, time.end) == ("2025-07-01", "2025-08-01")
    assert time.searched is not None
    start, end = map(date.fromisoformat, time.searched)
    assert start <= date(2025, 4, 3)  # where the nearest entry stands, or beyond
    assert end <= date(2026, 1, 2)
    (full,) = shown(store, "the heron in April 2025").intervals
    assert full.searched is None


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("What did Ida Berg's brother say?", ["Ida Berg"]),
        ("Did Ida write? Ida Berg, I mean.", ["Ida"]),
        (f"Anything from {IDA.upper()}?", [IDA.upper()]),
    ],
)
def test_a_person_is_named_by_these_very_words(
    store: Store, question: str, phrases: list[str]
) -> None:
    take_in(store, [*LIFE])
    assert [each.phrase for each in store.names().named(question)] == phrases


def test_part_of_a_plain_name_names_nobody_either(store: Store) -> None:
    take_in(store, [*LIFE])
    named = store.names().named("What did Ida Berg say?", plain=frozenset({"ida berg"}))
    assert named == ()
    again = store.names().named("What did Ida Berg say? Ida?", plain=frozenset({"ida berg"}))
    assert [(each.place, each.phrase) for each in again] == [(23, "Ida")]


def test_nobody_is_named_by_nothing() -> None:
    people: list[Person] = []
    assert named_in("What did Ida say?", people) == ()
