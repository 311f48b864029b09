"""Dates are read as people write them, and never more exactly than they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers.days import Order, order_of, read_day, read_period, read_time


def iso(text: str, **known: int) -> str | None:
    dated = read_day(text, year=known.get("year"))
    return dated.moment.iso() if dated else None


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1666-09-14", "1666-09-14"),
        ("2024_03_02", "2024-03-02"),
        ("2024/3/2(土)", "2024-03-02"),
        ("2020 12 15", "2020-12-15"),
        ("20240302", "2024-03-02"),
        ("14 September 1666", "1666-09-14"),
        ("14th of Sept., 1666", "1666-09-14"),
        ("Jan. 1st 1660", "1660-01-01"),
        ("March 2, 2024", "2024-03-02"),
        ("April 3rd  2020", "2020-04-03"),
        ("Saturday, March 2, 2024", "2024-03-02"),
        ("Sat 2 Mar 2024", "2024-03-02"),
        ("2-Mar-2024", "2024-03-02"),
        ("2024 March 2", "2024-03-02"),
        ("Samstag, 2. März 2024", "2024-03-02"),
        ("2. Jänner 2024", "2024-01-02"),
        ("le 2 août 2024", "2024-08-02"),
        ("2 de marzo de 2024", "2024-03-02"),
        ("2.3.2024", "2024-03-02"),
        ("2024年3月2日", "2024-03-02"),
        ("2024年3月2日 星期六", "2024-03-02"),
        ("2024年3月2日（土）", "2024-03-02"),
        ("2024년 3월 2일 토요일", "2024-03-02"),
        ("2024-03-02 08:10", "2024-03-02T08:10"),
        ("2024-03-02T08:10:05", "2024-03-02T08:10:05"),
        ("2024-01-15T23:30:00-05:00", "2024-01-15T23:30:00-05:00"),
        ("2023-10-11T081102Z", "2023-10-11T08:11:02+00:00"),
        ("202403020810", "2024-03-02T08:10"),
        ("March 2, 2024 at 8:10 PM", "2024-03-02T20:10"),
        ("2. März 2024, 9 Uhr", "2024-03-02T09:00"),
        ("2024-03-02, Sat., 下午3:20", "2024-03-02T15:20"),
        ("2024-03-02 08:10-09:30", "2024-03-02T08:10"),
    ],
)
def test_a_date_is_read_in_many_forms(text: str, right: str) -> None:
    dated = read_day(text)
    assert dated is not None
    assert (dated.moment.iso(), dated.pure, dated.rest) == (right, True, "")


@pytest.mark.parametrize(
    "text",
    [
        "", "Ideas", "2024", "10 2024", "5 apples 2024", "12345678", "2024-13-40", "0001-01-01",
        "version 1.2.2024.5", "12301115", "September 14", "Sunday lunch 5", "2024-03-021",
        "99/99/2024",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_day(text) is None


def test_a_day_the_month_does_not_have_is_known_to_the_month() -> None:
    dated = read_day("1917-11-31")
    assert dated is not None
    assert (dated.moment.iso(), dated.label) == ("1917-11", "1917-11-31")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2024-03-02 A walk", "A walk"),
        ("2024-03-02 – A walk", "A walk"),
        ("2024-03-02: A walk", "A walk"),
        ("2024-03-02 So what", "So what"),
        ("2024-03-02 Sunday lunch", "Sunday lunch"),
        ("Saturday, March 2, 2024 - A walk", "A walk"),
        ("2024-03-02 08:10 A walk", "A walk"),
        ("2024-03-02 (Sat) 8 pm: dinner", "dinner"),
    ],
)
def test_what_follows_a_date_is_its_title(text: str, title: str) -> None:
    dated = read_day(text)
    assert dated is not None
    assert (dated.rest, dated.pure, dated.moment.iso()[:10]) == (title, False, "2024-03-02")  # type: ignore[index]


@pytest.mark.parametrize("text", ["September 14", "14 Sept.", "14th September", "9月14日"])
def test_a_date_without_a_year_is_read_where_the_year_is_known(text: str) -> None:
    assert iso(text) is None
    assert iso(text, year=1666) == "1666-09-14"


def test_day_and_month_in_numbers_are_not_guessed() -> None:
    unsure = read_day("03/04/2024")
    assert unsure is not None
    assert unsure.unsure
    assert unsure.moment.iso() == "2024"
    assert iso("13/04/2024") == "2024-04-13"
    assert iso("04/13/2024") == "2024-04-13"
    assert iso("04/04/2024") == "2024-04-04"
    for order, right in ((Order.DAY_FIRST, "2024-04-03"), (Order.MONTH_FIRST, "2024-03-04")):
        dated = read_day("03/04/2024", order=order)
        assert dated is not None
        assert (dated.moment.iso(), dated.unsure) == (right, False)


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (["03/04/2024", "13/04/2024"], Order.DAY_FIRST),
        (["03/04/2024", "Sat 03/13/2024"], Order.MONTH_FIRST),
        (["03/04/2024", "05/06/2024"], None),
        (["13/04/2024", "04/13/2024"], None),
        (["13.04.2024", "99/98/2024"], None),
        ([], None),
    ],
)
def test_the_order_is_decided_over_all_dates_together(
    texts: list[str], right: Order | None
) -> None:
    assert order_of(texts) is right


@pytest.mark.parametrize(
    ("text", "right", "rest"),
    [
        ("08:10", (8, 10), ""),
        ("8:10 PM Breakfast", (20, 10), "Breakfast"),
        ("12:05 a.m.", (0, 5), ""),
        ("9h05", (9, 5), ""),
        ("下午3:20", (15, 20), ""),
        ("8 pm: dinner", (20, 0), "dinner"),
        ("08:10–09:30 gym", (8, 10), "gym"),
        ("10:30: meeting", (10, 30), "meeting"),
    ],
)
def test_a_time_of_day_is_read_with_what_follows(
    text: str, right: tuple[int, int], rest: str
) -> None:
    clock = read_time(text)
    assert clock is not None
    assert ((clock.hour, clock.minute), clock.rest) == (right, rest)


@pytest.mark.parametrize(
    "text", ["16:9 ratio", "25:00", "08:61", "1.10 Introduction", "3h walk", ""]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert read_time(text) is None


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2024", "2024"),
        ("2024-03", "2024-03"),
        ("March 2024", "2024-03"),
        ("2024年3月", "2024-03"),
        ("2024-W10", "2024-03"),
        ("2024-W09", "2024"),
        ("Chapter 2024", None),
        ("September", None),
        ("2024-13", None),
    ],
)
def test_a_period_is_known_to_its_month_or_year(text: str, right: str | None) -> None:
    period = read_period(text)
    assert (period.iso() if period else None) == right


@given(st.text(max_size=60) | st.from_regex(r"[0-9 ./:年月日a-zA-Z,-]{0,40}", fullmatch=True))
def test_no_text_makes_reading_dates_fail(text: str) -> None:
    for found in (read_day(text), read_day(text, year=2024)):
        assert found is None or found.moment.local is not None
    read_time(text)
    read_period(text, year=2024)
    order_of([text])
