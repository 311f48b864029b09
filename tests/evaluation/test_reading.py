"""What a reader is told fits its budget, keeps the order of time and says what was cut."""

from __future__ import annotations

from datetime import datetime

from clone_app.entries import Item, Moment
from clone_app.evaluation.arms import Given
from clone_app.evaluation.reading import fit


def item(key: str, day: int, words: int) -> Item:
    return Item(
        key=key,
        medium="diary",
        moment=Moment.of(datetime(2024, 1, day, 8)),
        text=" ".join(f"{key}{number}" for number in range(words)),
        mine=True,
        locator="x",
    )


ITEMS = {"a": item("a", 1, 10), "b": item("b", 2, 300), "c": item("c", 3, 300)}


def count(text: str) -> int:
    return len(text.split())


def test_short_traces_stay_whole_and_long_ones_share_the_room() -> None:
    notes = fit(Given(("c", "b", "a")), ITEMS, k=3, tokens=213, count=count)
    assert notes.read == ("c", "b", "a")
    assert notes.cut == ("c", "b")
    assert count(notes.text) <= 213
    first, second, third = notes.text.split("\n\n")
    assert first == f"[2024-01-01 08:00, diary]\n{ITEMS['a'].text}"
    assert second.startswith("[2024-01-02 08:00, diary]\nb0 b1 ")
    assert second.endswith(" […]")
    assert abs(count(second) - count(third)) <= 2  # equal parts of what the short one left
    assert count(second) > 80


def test_all_stay_whole_where_there_is_room() -> None:
    notes = fit(Given(("c", "b", "a")), ITEMS, k=2, tokens=700, count=count)
    assert (notes.read, notes.cut) == (("c", "b"), ())
    assert ITEMS["c"].text in notes.text


def test_a_cut_trace_keeps_what_matched() -> None:
    text = ITEMS["b"].text
    start = text.index("b250")
    notes = fit(
        Given(("b",), (("b", start, text[start : start + 9]),)), ITEMS, k=1, tokens=60, count=count
    )
    assert "b250" in notes.text
    assert "b0 " not in notes.text


def test_the_last_traces_go_where_parts_would_say_nothing() -> None:
    notes = fit(Given(("c", "b", "a")), ITEMS, k=3, tokens=70, count=count)
    assert notes.read == ("c", "b")
    assert count(notes.text) <= 70


def test_everything_is_given_whole_or_not_at_all() -> None:
    given = Given(("a", "b", "c"), whole=True)
    assert fit(given, ITEMS, k=1, tokens=1000, count=count).read == ("a", "b", "c")
    notes = fit(given, ITEMS, k=1, tokens=200, count=count)
    assert (notes.fits, notes.read, notes.text) == (False, (), "")


def test_a_document_is_cut_at_its_end() -> None:
    given = Given(document="word " * 100)
    assert fit(given, ITEMS, k=1, tokens=200, count=count).cut == ()
    notes = fit(given, ITEMS, k=1, tokens=50, count=count)
    assert notes.cut == ("document",)
    assert count(notes.text) <= 50
