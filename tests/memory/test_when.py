"""The time a question is asked at, and the times it speaks of."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.errors import CloneAppError
from clone_app.memory.when import Calendar, cutoff_of, find

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = date(2024, 5, 20)


@pytest.mark.parametrize(
    ("at", "instant"),
    [
        ("2024-03-02", "2024-03-02T22:59:59.999999+00:00"),
        ("2024-07-02", "2024-07-02T21:59:59.999999+00:00"),
        ("2024-03-31", "2024-03-31T21:59:59.999999+00:00"),  # the day with 23 hours
        ("2024-03", "2024-03-31T21:59:59.999999+00:00"),
        ("2024-12", "2024-12-31T22:59:59.999999+00:00"),
        ("2024", "2024-12-31T22:59:59.999999+00:00"),
        ("2024-03-02T10:00", "2024-03-02T09:00:00+00:00"),
        ("2024-03-02T10:00:00Z", "2024-03-02T10:00:00+00:00"),
        ("2024-03-02T10:00:00-05:00", "2024-03-02T15:00:00+00:00"),
    ],
)
def test_a_time_is_read_at_its_precision_in_the_home_zone(at: str, instant: str) -> None:
    assert cutoff_of(at, now=NOW, home=BERLIN).instant == datetime.fromisoformat(instant)


def test_now_sees_undated_items_and_the_past_does_not() -> None:
    assert cutoff_of(None, now=NOW, home=BERLIN).undated
    assert not cutoff_of("2024", now=NOW, home=BERLIN).undated
    assert cutoff_of("2026-05-01", now=NOW, home=BERLIN).undated


@pytest.mark.parametrize("at", ["yesterday", "2024-13", "2024-02-30", "02.03.2024", "99999-01-01"])
def test_what_is_no_time_is_said_with_an_example(at: str) -> None:
    with pytest.raises(CloneAppError, match="2024-03-02"):
        cutoff_of(at, now=NOW, home=BERLIN)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did I think last spring?", "2023-03-01", "2023-06-01"),
        ("this spring", "2024-03-01", "2024-05-21"),
        ("two summers ago", "2022-06-01", "2022-09-01"),
        ("last winter", "2023-12-01", "2024-03-01"),
        ("the winter of 2021", "2021-12-01", "2022-03-01"),
        ("around Christmas", "2023-12-20", "2023-12-31"),
        ("in March 2022", "2022-03-01", "2022-04-01"),
        ("in March", "2024-03-01", "2024-04-01"),
        ("back in September", "2023-09-01", "2023-10-01"),
        ("in mid-January", "2024-01-11", "2024-01-21"),
        ("in early May", "2024-05-01", "2024-05-11"),
        ("at the end of January", "2024-01-21", "2024-02-01"),
        ("On January 22nd", "2024-01-22", "2024-01-23"),
        ("from January 6th to 9th", "2024-01-06", "2024-01-10"),
        ("2 September 1666", "1666-09-02", "1666-09-03"),
        ("on 2023-07-04", "2023-07-04", "2023-07-05"),
        ("last week", "2024-05-13", "2024-05-20"),
        ("last month", "2024-04-01", "2024-05-01"),
        ("this year", "2024-01-01", "2024-05-21"),
        ("over the past two months", "2024-03-20", "2024-05-21"),
        ("three weeks ago", "2024-04-26", "2024-05-03"),
        ("two years ago", "2022-01-01", "2023-01-01"),
        ("yesterday", "2024-05-19", "2024-05-20"),
        ("lately", "2024-03-21", "2024-05-21"),
        ("in 2022", "2022-01-01", "2023-01-01"),
        ("去年春天", "2023-03-01", "2023-06-01"),
        ("今年三月", "2024-03-01", "2024-04-01"),
        ("去年十二月", "2023-12-01", "2024-01-01"),
        ("1月中旬", "2024-01-11", "2024-01-21"),
        ("2024年3月5日", "2024-03-05", "2024-03-06"),
        ("1月9日至11日", "2024-01-09", "2024-01-12"),
        ("上个月", "2024-04-01", "2024-05-01"),
        ("两个月前", "2024-03-05", "2024-04-05"),
        ("最近", "2024-03-21", "2024-05-21"),
        ("前年", "2022-01-01", "2023-01-01"),
        ("on Friday", "2024-05-17", "2024-05-18"),
        ("last Monday", "2024-05-13", "2024-05-14"),
        ("last weekend", "2024-05-18", "2024-05-20"),
        ("last night", "2024-05-19", "2024-05-20"),
        ("this evening", "2024-05-20", "2024-05-21"),
        ("the other day", "2024-05-10", "2024-05-20"),
        ("上周三", "2024-05-15", "2024-05-16"),
        ("上周末", "2024-05-18", "2024-05-20"),
        ("上个星期", "2024-05-13", "2024-05-20"),
        ("前几天", "2024-05-10", "2024-05-20"),
    ],
)
def test_a_stretch_of_time_is_understood_relative_to_the_asking(
    text: str, start: str, end: str
) -> None:
    found = find(text, MONDAY)
    assert [(str(each.start), str(each.end)) for each in found] == [(start, end)]
    assert found[0].phrase in text


def test_in_the_south_the_seasons_are_the_other_way_round() -> None:
    (summer,) = find("last summer", MONDAY, Calendar(southern=True))
    assert (str(summer.start), str(summer.end)) == ("2023-12-01", "2024-03-01")


@pytest.mark.parametrize(
    ("starts", "said", "start", "end"),
    [
        (0, "this week", "2024-05-20", "2024-05-22"),
        (6, "this week", "2024-05-19", "2024-05-22"),
        (5, "this week", "2024-05-18", "2024-05-22"),
        (6, "last week", "2024-05-12", "2024-05-19"),
        (6, "本周", "2024-05-19", "2024-05-22"),
    ],
)
def test_a_week_begins_on_the_day_that_is_set(starts: int, said: str, start: str, end: str) -> None:
    (week,) = find(said, date(2024, 5, 21), Calendar(week_start=starts))
    assert (str(week.start), str(week.end)) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["May I ask you something?", "We march on.", "31 November", "in 3024", "the fall of Rome", ""],
)
def test_what_names_no_time_is_none(text: str) -> None:
    assert all(each.start <= MONDAY for each in find(text, MONDAY))
    if text in ("May I ask you something?", "We march on.", "in 3024", ""):
        assert find(text, MONDAY) == ()


@pytest.mark.parametrize(
    "text",
    [
        "in December 2024",
        "on 3 June 2024",
        "Christmas 2025",
        "the summer of 2026",
        "2024年12月",
        "2025年春节",
    ],
)
def test_a_time_still_to_come_is_none_and_not_the_latest_of_its_name(text: str) -> None:
    assert find(text, MONDAY) == ()
    assert [each.phrase for each in find(f"{text}, or last March", MONDAY)] == ["last March"]


@given(st.text(max_size=60), st.dates(min_value=date(3, 1, 1), max_value=date(9990, 1, 1)))
def test_whatever_is_asked_whenever_intervals_are_whole_and_not_in_the_future(
    text: str, asked_at: date
) -> None:
    for each in find(f"in {text} March and 3 weeks ago, last winter", asked_at):
        assert each.start < each.end
        assert each.start <= asked_at
        assert each.end <= asked_at + timedelta(days=1)


@pytest.mark.parametrize("text", ["lately", "over the past two months", "this year", "最近"])
def test_a_long_stretch_up_to_now_is_vague(text: str) -> None:
    assert [each.vague for each in find(text, MONDAY)] == [True]


@pytest.mark.parametrize(
    "text", ["last spring", "this month", "in March", "yesterday", "last year"]
)
def test_a_stretch_with_an_end_or_a_short_one_is_not(text: str) -> None:
    assert [each.vague for each in find(text, MONDAY)] == [False]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did you do at Christmas in 1662?", date(1662, 12, 20), date(1662, 12, 31)),
        ("the summer in 2020", date(2020, 6, 1), date(2020, 9, 1)),
    ],
)
def test_a_feast_or_season_in_a_year_is_one_time(question: str, start: date, end: date) -> None:
    (found,) = find(question, date(2026, 1, 1))
    assert (found.start, found.end) == (start, end)


def test_to_fall_out_is_no_season() -> None:
    assert find("What did you two fall out over?", MONDAY) == ()
    assert find("Where were you in the fall?", MONDAY)
