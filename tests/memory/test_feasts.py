"""Feasts that move: with the moon, with Easter, with the weekday, with the country."""

from __future__ import annotations

import subprocess
import sys
from datetime import date

import pytest

from clone_app.memory.when import Calendar, find, without_times

MONDAY = date(2024, 5, 20)


def times(text: str, asked_at: date = MONDAY, country: str = "") -> list[tuple[str, str]]:
    found = find(text, asked_at, Calendar(country=country))
    return [(str(each.start), str(each.end)) for each in found]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("around Easter 2023", "2023-04-04", "2023-04-15"),
        ("What did we eat at Easter?", "2024-03-26", "2024-04-06"),
        ("Easter of last year", "2023-04-04", "2023-04-15"),
        ("on Good Friday", "2024-03-24", "2024-04-04"),
        ("last Thanksgiving", "2023-11-18", "2023-11-29"),
        ("Thanksgiving in 2021", "2021-11-20", "2021-12-01"),
        ("last year's Thanksgiving", "2023-11-18", "2023-11-29"),
        ("two Thanksgivings ago", "2022-11-19", "2022-11-30"),
        ("two Christmases ago", "2022-12-20", "2022-12-31"),
        ("what I gave her for Mother's Day", "2024-05-07", "2024-05-18"),
        ("Mothers’ Day 2022", "2022-05-03", "2022-05-14"),
        ("on Father's Day", "2023-06-13", "2023-06-24"),
        ("on Mothering Sunday", "2024-03-05", "2024-03-16"),
        ("at Christmas 2020", "2020-12-20", "2020-12-31"),
        ("on New Year's Eve", "2023-12-26", "2024-01-06"),
        ("on St. Patrick's Day", "2024-03-12", "2024-03-23"),
        ("Chinese New Year", "2024-02-05", "2024-02-21"),
        ("the Lunar New Year of 2022", "2022-01-27", "2022-02-12"),
        ("the Mid-Autumn Festival", "2023-09-24", "2023-10-05"),
        ("during Ramadan", "2024-03-10", "2024-04-11"),
        ("at Eid last year", "2023-04-16", "2023-04-27"),
        ("Eid al-Adha 2022", "2022-07-04", "2022-07-15"),
        ("last Diwali", "2023-11-07", "2023-11-18"),
        ("Deepavali 2021", "2021-10-30", "2021-11-10"),
        ("during Hanukkah", "2023-12-05", "2023-12-18"),
        ("Passover 2022", "2022-04-13", "2022-04-26"),
        ("at Rosh Hashanah", "2023-09-11", "2023-09-22"),
        ("去年中秋", "2023-09-24", "2023-10-05"),
        ("前年的中秋节我们去了哪里？", "2022-09-05", "2022-09-16"),
        ("今年春节", "2024-02-05", "2024-02-21"),
        ("2021年春节", "2021-02-07", "2021-02-23"),
        ("过年回家了吗", "2024-02-05", "2024-02-21"),
        ("2023年除夕", "2023-01-16", "2023-01-27"),
        ("端午节", "2023-06-17", "2023-06-28"),
        ("清明", "2024-03-30", "2024-04-10"),
        ("元宵节那天", "2024-02-19", "2024-03-01"),
        ("去年国庆节", "2023-09-26", "2023-10-07"),
        ("母亲节", "2024-05-07", "2024-05-18"),
        ("去年感恩节", "2023-11-18", "2023-11-29"),
        ("2022年复活节", "2022-04-12", "2022-04-23"),
        ("斋月", "2024-03-10", "2024-04-11"),
    ],
)
def test_a_feast_is_the_days_around_it(text: str, start: str, end: str) -> None:
    assert times(text) == [(start, end)]


@pytest.mark.parametrize(
    ("year", "easter", "spring", "autumn", "diwali", "hanukkah", "ramadan"),
    [
        (2015, "04-05", "02-19", "09-27", "11-11", "12-07", "06-18"),
        (2019, "04-21", "02-05", "09-13", "10-27", "12-23", "05-06"),
        (2020, "04-12", "01-25", "10-01", "11-14", "12-11", "04-24"),
        (2025, "04-20", "01-29", "10-06", "10-20", "12-15", "03-01"),
    ],
)
def test_the_days_are_those_of_the_year(
    year: int, easter: str, spring: str, autumn: str, diwali: str, hanukkah: str, ramadan: str
) -> None:
    named = {
        f"Easter {year}": easter, f"{year}年春节": spring, f"{year}年中秋节": autumn,
        f"Diwali {year}": diwali, f"Hanukkah {year}": hanukkah, f"Ramadan {year}": ramadan,
    }  # fmt: skip
    for text, day in named.items():
        (found,) = find(text, date(2026, 6, 1))
        assert found.holds(date.fromisoformat(f"{year}-{day}")), text
        assert (found.end - found.start).days <= 32


@pytest.mark.parametrize(
    ("text", "country", "start", "end"),
    [
        ("Thanksgiving 2023", "US", "2023-11-18", "2023-11-29"),
        ("Thanksgiving 2023", "CA", "2023-10-04", "2023-10-15"),
        ("Mother's Day 2023", "DE", "2023-05-09", "2023-05-20"),
        ("Mother's Day 2023", "GB", "2023-03-14", "2023-03-25"),
    ],
)
def test_some_are_on_another_day_in_another_country(
    text: str, country: str, start: str, end: str
) -> None:
    assert times(text, country=country) == [(start, end)]


def test_last_skips_a_feast_that_is_being_held_and_this_one_may_be_to_come() -> None:
    third_day = date(2024, 12, 27)
    assert times("at Christmas", third_day) == [("2024-12-20", "2024-12-28")]
    assert times("last Christmas", third_day) == [("2023-12-20", "2023-12-31")]
    assert times("two Christmases ago", third_day) == [("2022-12-20", "2022-12-31")]
    assert times("this Christmas", third_day) == [("2024-12-20", "2024-12-28")]
    assert times("this Christmas", date(2024, 11, 3)) == []
    assert times("Christmas 2024", date(2024, 11, 3)) == []


def test_a_feast_held_twice_in_a_year_is_the_last_that_has_begun() -> None:
    assert times("Ramadan 2030", date(2030, 6, 1)) == [("2030-01-04", "2030-02-05")]
    assert times("Ramadan 2030", date(2031, 6, 1)) == [("2030-12-25", "2031-01-26")]


@pytest.mark.parametrize(
    "text",
    [
        "在家度过年假",
        "他已经超过年龄了",
        "the holiday",
        "Lesterday",
        "Diwali 1950",
        "2200年春节",
    ],
)
def test_what_only_looks_like_one_or_lies_beyond_the_tables_is_none(text: str) -> None:
    assert times(text) == []


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("What did we eat last Thanksgiving?", "What did we eat Thanksgiving ?"),
        ("What was lit for Hanukkah 2023?", "What was lit for Hanukkah ?"),
        ("去年中秋去了哪里", "中秋 去了哪里"),
        ("Who came at Christmas?", "Who came at Christmas?"),
    ],
)
def test_its_name_is_a_word_to_look_for_and_its_year_is_not(text: str, bare: str) -> None:
    assert " ".join(without_times(text, find(text, MONDAY)).split()) == bare


def test_the_tables_of_the_moon_are_read_at_the_first_question_that_needs_them() -> None:
    code = (
        "import sys; from datetime import date; from clone_app.memory.when import find\n"
        "day = date(2024, 5, 20)\n"
        "assert find('last Thanksgiving', day) and find('in March', day)\n"
        "assert not any(name.startswith('holidays') for name in sys.modules)\n"
        "assert find('春节', day) and 'holidays' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
