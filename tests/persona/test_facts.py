"""What a sentence can be wrong about is found, rather too often than too seldom."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import Moment, Precision
from clone_app.persona.facts import Day, dates, day_of, figures, names, numbers, without_dates


def days(text: str) -> list[tuple[Day, ...]]:
    return [dated.readings for dated in dates(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 14 September 1666 there", Day(1666, 9, 14)),
        ("September 14th, 1666", Day(1666, 9, 14)),
        ("the 14th of September", Day(None, 9, 14)),
        ("1666-09-14", Day(1666, 9, 14)),
        ("in March 2022", Day(2022, 3)),
        ("on the 22nd", Day(None, None, 22)),
        ("in 1666", Day(1666)),
        ("last May", Day(None, 5)),
        ("on Friday", Day(weekday=4)),
        ("on Sundays", Day(weekday=6)),
        ("am 3. Mai 2020", Day(2020, 5, 3)),
        ("le 3 mai 2020", Day(2020, 5, 3)),
        ("2024年3月5日", Day(2024, 3, 5)),
    ],
)
def test_a_date_is_read_in_its_stated_parts(text: str, expected: Day) -> None:
    assert days(text) == [(expected,)]


def test_a_date_in_figures_has_both_readings() -> None:
    assert days("on 3/4/2024") == [(Day(2024, 4, 3), Day(2024, 3, 4))]
    assert days("on 14/9/2024") == [(Day(2024, 9, 14),)]


@pytest.mark.parametrize(
    "text",
    ["May I come?", "It may rain", "We march home", "He sat in the sun", "99/99/2024", "2:30"],
)
def test_words_that_only_look_like_dates_are_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200 and 3.50 and 1200", {"1200", "3.50"}),
        ("twenty-one of three hundred and five", {"21", "305"}),
        ("two, three", {"2", "3"}),
        ("one hundred and twenty men", {"120"}),
        ("a dozen, twice", {"12", "2"}),
        ("one of them", set()),
        ("at 5:30 for £20 on 14 September 1666", {"5:30", "20"}),
        ("20l. and 3s.", {"20", "3"}),
    ],
)
def test_numbers_have_one_spelling(text: str, expected: set[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I met Robin and Will in New York.", ["Robin", "Will", "New", "York"]),
        ("Robin’s dog ran to NASA.", ["Robin", "NASA"]),
        ("The dog ran.", []),
        ("I’m glad I went.", []),
        ("Sadly, we left.", []),
        ("Parmesan was buried.", ["Parmesan"]),
        ("On Friday 14 September we left.", []),
        ("He said “The dog ran.”", []),
        ("我去了北京。", []),
    ],
)
def test_a_capitalised_word_is_a_name_unless_its_place_explains_it(
    sentence: str, expected: list[str]
) -> None:
    assert names(sentence) == expected


def test_a_moment_says_no_more_than_its_precision() -> None:
    assert day_of(Moment.on(date(2024, 3, 5))) == Day(2024, 3, 5, 1)
    assert day_of(Moment.of(datetime(2022, 3, 1), Precision.MONTH)) == Day(2022, 3)
    assert day_of(Moment.of(datetime(2022, 1, 1), Precision.YEAR)) == Day(2022)
    assert day_of(Moment.unknown()) == Day()


def test_a_stated_part_must_agree_and_an_unstated_one_may() -> None:
    known = Day(1666, 9, 14, 4)
    assert Day(None, 9, 14).agrees(known)
    assert not Day(1667, 9, 14).agrees(known)
    assert not Day(1666, 9, 14).agrees(Day(1666))


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert len(without_dates(text)) == len(text)
    assert all(text[each.start : each.end] for each in dates(text))
    numbers(text)
    names(text)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("three thousand four hundred and ten grams", {"3410"}),
        ("a hundred and five", {"105"}),
        ("twenty-one of two hundred and forty-two", {"21", "242"}),
        ("hundred and fifty and two", {"150", "2"}),
        ("a thousand and one", {"1001"}),
        ("two forty", {"2", "40"}),
        ("one million two hundred thousand", {"1200000"}),
        ("one of us", set()),
    ],
)
def test_number_words_in_a_row_are_one_number(written: str, read: set[str]) -> None:
    assert numbers(written) == read


def test_a_number_knows_its_place() -> None:
    text = "On 3 May I paid 1,200 for two hundred and ten bricks."
    found = [(text[each.start : each.end], each.value) for each in figures(text)]
    assert found == [("1,200", "1200"), ("two hundred and ten", "210")]
