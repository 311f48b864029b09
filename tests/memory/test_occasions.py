"""Times told by what happened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import Cutoff
from clone_app.memory.events import days_of
from clone_app.memory.index import VectorIndex
from clone_app.memory.occasions import Days, occasions
from clone_app.memory.recall import recall
from clone_app.memory.store import Store
from clone_app.memory.when import Calendar, find, without_times

from .conftest import NOW, entry, take_in

TODAY = date(2024, 5, 20)
MOVE = Days(date(2023, 9, 1), date(2023, 9, 2), sure=True)
LEEDS = Days(date(2019, 3, 1), date(2021, 8, 1), sure=True)


class Told:
    """Find what is asked for, and note the words it was asked by."""

    def __init__(self, *days: Days) -> None:
        self.days = days
        self.asked: list[tuple[str, bool]] = []

    def __call__(self, what: str, *, lasting: bool) -> Sequence[Days]:
        self.asked.append((what, lasting))
        return self.days


@pytest.mark.parametrize(
    ("text", "what", "start", "end"),
    [
        ("Where did I live before the move?", "move", "2023-06-03", "2023-09-01"),
        ("How did I sleep after the move?", "move", "2023-09-02", "2023-12-01"),
        ("What has changed since the move?", "move", "2023-09-01", "2024-05-21"),
        ("around the time of the move", "move", "2023-08-25", "2023-09-09"),
        ("After my knee operation, did I run?", "knee operation", "2023-09-02", "2023-12-01"),
        ("before we moved to Wrackham", "moved to Wrackham", "2023-06-03", "2023-09-01"),
        ("after his father was discharged", "father was discharged", "2023-09-02", "2023-12-01"),
        ("搬家之前我住在哪里？", "搬家", "2023-06-03", "2023-09-01"),
        ("手术以后感觉怎么样", "手术", "2023-09-02", "2023-12-01"),
    ],
)
def test_before_and_after_are_the_months_beside_the_event(
    text: str, what: str, start: str, end: str
) -> None:
    told = Told(MOVE)
    (found,) = occasions(text, TODAY, (), told)
    assert told.asked == [(what, False)]
    assert (str(found.start), str(found.end)) == (start, end)
    assert found.phrase in text
    assert found.event


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("What did I eat when I was at Cambridge?", "Cambridge"),
        ("when I lived in Leeds", "Leeds"),
        ("Whom did I see while we were living in the red house?", "red house"),
        ("when I worked for the harbour office", "harbour office"),
        ("住在利兹的时候", "利兹"),
    ],
)
def test_what_lasted_is_asked_for_as_such_and_taken_whole(text: str, what: str) -> None:
    told = Told(LEEDS)
    (found,) = occasions(text, TODAY, (), told)
    assert told.asked == [(what, True)]
    assert (found.start, found.end, found.vague) == (LEEDS.start, LEEDS.end, False)


def test_several_events_that_may_be_meant_make_it_vague_and_so_does_doubt() -> None:
    other = Days(date(2020, 1, 5), date(2020, 1, 6))
    assert [each.vague for each in occasions("before the move", TODAY, (), Told(MOVE))] == [False]
    both = occasions("before the move", TODAY, (), Told(MOVE, other))
    assert [each.vague for each in both] == [True, True]
    assert [each.vague for each in occasions("before the move", TODAY, (), Told(other))] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "What did I do after the first time?", "before I was", "around the house", "after 5",
        "until the 25th", "How did I feel when I heard it?", "", "之前", "before the", "since",
    ],
)  # fmt: skip
def test_what_tells_no_event_asks_for_none(text: str) -> None:
    assert occasions(text, TODAY, (), Told(MOVE)) == ()


def test_what_the_calendar_tells_is_left_to_it() -> None:
    text = "Where did I live before the summer of 2022?"
    told = Told(MOVE)
    assert occasions(text, TODAY, find(text, TODAY), told) == ()
    assert told.asked == []


def test_nothing_after_the_day_of_asking_is_told() -> None:
    late = Days(date(2024, 5, 18), date(2024, 5, 19))
    (found,) = occasions("after the move", TODAY, (), Told(late))
    assert str(found.end) == "2024-05-21"
    assert occasions("after the move", date(2024, 5, 18), (), Told(late)) == ()


def test_the_words_of_an_event_are_looked_up_too() -> None:
    text = "What did I eat before the move?"
    assert without_times(text, occasions(text, TODAY, (), Told(MOVE))) == text


@given(st.text(max_size=80))
def test_whatever_is_asked_ends_by_the_day_of_asking(text: str) -> None:
    for each in occasions(f"before the {text} when I was at {text}", TODAY, (), Told(MOVE, LEEDS)):
        assert each.start < each.end
        assert str(each.end) <= "2024-05-21"


LIFE = [
    *(entry(f"An ordinary day, number {number}.", f"2022-{1 + number // 28:02}-{1 + number % 28:02}")
      for number in range(330)),
    entry("Packing for the move. Boxes.", "2023-09-01"),
    entry("The move, the move. Everything aches, the van broke down.", "2023-09-02"),
    entry("Slept on the floor after the move.", "2023-09-03"),
    entry("Old flat: the ceiling leaks into the soup.", "2023-07-15"),
    entry("The new flat is cold and smells of paint.", "2023-10-20"),
    *(entry(f"Meeting at work, the {number}th.", f"2023-{number:02}-11") for number in range(1, 13)),
    *(entry(f"Leeds again: rain on the {word}.", f"2019-{month:02}-05")
      for month, word in enumerate(["canal", "market", "roof", "hill"], 3)),
]  # fmt: skip


def found_days(store: Store, what: str, *, lasting: bool = False, at: Cutoff = NOW) -> list[str]:
    return [
        f"{each.start}..{each.end}" for each in days_of(store.base.db(), at, what, lasting=lasting)
    ]


def test_an_event_is_the_day_that_tells_most_of_it(store: Store) -> None:
    take_in(store, LIFE)
    assert found_days(store, "move") == ["2023-09-02..2023-09-03"]


def test_what_lasted_spans_its_mentions(store: Store) -> None:
    take_in(store, LIFE)
    assert found_days(store, "Leeds", lasting=True) == ["2019-03-05..2019-06-06"]


def test_what_comes_again_and_again_is_no_event(store: Store) -> None:
    take_in(store, LIFE)
    assert found_days(store, "meeting at work") == []


def test_two_of_a_kind_are_both_told(store: Store) -> None:
    again = [
        entry("Another move, the move of all.", "2025-02-02"),
        entry("Boxes, the second move.", "2025-02-03"),
    ]
    take_in(store, [*LIFE, *again])
    assert found_days(store, "move") == ["2023-09-02..2023-09-03", "2025-02-02..2025-02-03"]


def test_what_nobody_wrote_of_and_what_was_written_later_is_not_known(store: Store) -> None:
    take_in(store, LIFE)
    assert found_days(store, "divorce") == []
    before = Cutoff(datetime(2023, 8, 1, tzinfo=UTC), undated=False)
    assert found_days(store, "move", at=before) == []


class Synonyms:
    """An embedder for which an operation is a surgery."""

    name, dimensions = "synonyms", 8

    def embed(self, texts: Sequence[str], *, progress: object = None) -> object:
        import numpy as np

        found = np.zeros((len(texts), 8), np.float32)
        for row, text in zip(found, texts, strict=True):
            row[0 if "surgery" in text or "operation" in text else 1 + len(text) % 7] = 1.0
        return found

    ask = embed


def test_an_event_told_in_other_words_is_found_by_meaning(store: Store, tmp_path: object) -> None:
    from pathlib import Path

    from clone_app.memory.embedding import embed_pending
    from clone_app.progress import Progress

    embedder = Synonyms()
    index = VectorIndex(Path(str(tmp_path)) / "index", rotation_seed=1, dimensions=8)
    take_in(store, [*LIFE, entry("Woke up from surgery, all well.", "2022-12-28")])
    embed_pending(store, index, embedder, progress=Progress())  # type: ignore[arg-type]
    found = days_of(
        store.base.db(),
        NOW,
        "operation",
        lasting=False,
        index=index,
        embedder=embedder,  # type: ignore[arg-type]
    )
    assert [str(each.start) for each in found] == ["2022-12-28"]


def asked(
    store: Store, question: str, **more: object
) -> tuple[list[str], list[tuple[str, str, str]]]:
    found = recall(store, question, NOW, index=None, embedder=None, home=UTC, **more)  # type: ignore[arg-type]
    times = [(each.start, each.end, each.phrase) for each in found.intervals]
    return [hit.item.text for hit in found.hits], times


def test_recall_raises_what_was_written_before_or_after_an_event_and_says_so(store: Store) -> None:
    take_in(store, LIFE)
    texts, times = asked(store, "What was the flat like before the move?")
    assert times == [("2023-06-04", "2023-09-02", "before the move")]
    old = next(at for at, text in enumerate(texts) if text.startswith("Old flat"))
    new = next((at for at, text in enumerate(texts) if text.startswith("The new flat")), 99)
    assert old < new
    texts, times = asked(store, "What was the flat like after the move?")
    assert times == [("2023-09-03", "2023-12-02", "after the move")]
    old = next((at for at, text in enumerate(texts) if text.startswith("Old flat")), 99)
    new = next(at for at, text in enumerate(texts) if text.startswith("The new flat"))
    assert new < old


def test_recall_says_how_it_understood_seasons_of_the_south(store: Store) -> None:
    take_in(store, LIFE)
    _, north = asked(store, "last summer")
    _, south = asked(store, "last summer", calendar=Calendar(southern=True))
    assert north == [("2025-06-01", "2025-09-01", "last summer")]
    assert south == [("2024-12-01", "2025-03-01", "last summer")]


def test_what_was_written_the_day_after_is_still_of_the_day_that_is_asked_for(
    store: Store,
) -> None:
    late = entry("Yesterday the kiln cracked from top to bottom.", "2024-03-10")
    other = entry("The kiln is warm. The kiln cracked a little smile from me.", "2024-08-01")
    take_in(store, [*LIFE, late, other])
    texts, _ = asked(store, "What cracked on 9 March 2024?")
    assert texts[0] == late.text
