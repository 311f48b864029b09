"""Dates, numbers and times left as a person reads them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from clone_app.entries import Moment, Precision
from clone_app.progress import Step
from clone_app.ui import words


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (Moment.on(date(1666, 9, 14)), "14 September 1666"),
        (Moment(datetime(2022, 3, 1), Precision.MONTH), "March 2022"),
        (Moment(datetime(2022, 1, 1), Precision.YEAR), "2022"),
        (
            Moment(datetime(2024, 1, 15, 23, 30), Precision.SECOND, timedelta(hours=-5)),
            "15 January 2024, 23:30",
        ),
        (Moment(datetime(2024, 1, 15, 7, 5), Precision.MINUTE), "15 January 2024, 07:05"),
        (Moment.unknown(), "undated"),
    ],
)
def test_a_moment_is_said_as_exactly_as_it_is_known(moment: Moment, said: str) -> None:
    assert words.when(moment) == said


@pytest.mark.parametrize(
    ("iso", "said"),
    [
        ("1660-01-01", "1 January 1660"),
        ("2022-03", "March 2022"),
        ("2022", "2022"),
        (None, "undated"),
    ],
)
def test_an_iso_day_is_said_in_words(iso: str | None, said: str) -> None:
    assert words.iso_day(iso) == said


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (None, ""),
        (Step(5, 0, "", None), "5 so far"),
        (Step(5, 3413, "", None), "5 of 3,413"),
        (Step(5, 10, "", 4.0), "a few seconds left"),
        (Step(5, 10, "", 43.0), "about 40 s left"),
        (Step(5, 10, "", 310.0), "about 5 min left"),
        (Step(5, 10, "", 7200.0), "about 2 h left"),
    ],
)
def test_time_left_is_said_roughly(step: Step | None, said: str) -> None:
    assert words.left(step) == said


def test_numbers_take_the_right_noun() -> None:
    assert words.entries(1) == "1 entry"
    assert words.entries(3413) == "3,413 entries"
    assert words.count(2, "source") == "2 sources"


def test_a_snippet_is_one_line_that_ends_with_a_sign_where_it_was_cut() -> None:
    assert words.snippet("one\n\n two") == "one two"
    assert words.snippet("word " * 100, 20) == "word word word word…"


def test_a_sources_own_word_for_a_medium_is_kept() -> None:
    assert words.medium("todo") == "To-do"
    assert words.medium("voice_memo") == "Voice memo"


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2024-05-03", "2024-05-03", "3 May 2024"),
        ("2024-05-03", "2024-05-09", "3–9 May 2024"),
        ("2024-05-28", "2024-06-02", "28 May – 2 June 2024"),
        ("2023-12-30", "2024-01-02", "30 December 2023 – 2 January 2024"),
        ("", "", "undated"),
    ],
)
def test_a_span_of_days_says_no_more_than_it_must(first: str, last: str, said: str) -> None:
    assert words.span(first, last) == said
