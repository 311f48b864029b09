"""Chinese numerals are numbers where they count something."""

from __future__ import annotations

import pytest

from clone_app.persona.numerals import numbers, value


@pytest.mark.parametrize(
    ("written", "worth"),
    [
        ("十", 10), ("十七", 17), ("三十八", 38), ("一百零五", 105), ("一百二", 120), ("三千二", 3200),
        ("三千零二", 3002), ("三千两百", 3200), ("一万二", 12_000), ("两万五千六百", 25_600),
        ("一亿", 100_000_000), ("二〇二四", 2024),
    ],
)  # fmt: skip
def test_a_numeral_is_worth_what_it_says(written: str, worth: int) -> None:
    assert value(written) == worth


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我付了三千两百块", {"3200"}),
        ("音量开到三十八", {"38"}),
        ("两个人，3瓶水", {"2", "3"}),
        ("周三一起去了一下", set()),
        ("第十七本，初三，三月十五日", set()),
        ("十分高兴，万一下雨", set()),
    ],
)
def test_numbers_count_and_dates_orders_and_sayings_do_not(text: str, told: set[str]) -> None:
    assert numbers(text) == told
