"""What one clause of a sentence joins is joined in the item too."""

from __future__ import annotations

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def carried(sentence: str, text: str) -> bool:
    one = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    return check(sentence, [one]).supported


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("The soup was salty and the bread stale.", "The soup was stale.", "The soup was salty."),
        (
            "I left the keys at work and the phone on the bus.",
            "I left the phone at work.",
            "I left the keys at work.",
        ),
        (
            "The red box holds letters, the blue one holds screws.",
            "The red box holds screws.",
            "The red box holds letters.",
        ),
        ("I trust Ida and fear Ove.", "I fear Ida.", "I trust Ida."),
        (
            "Ola is older than Kim but shorter than Ida.",
            "Ola is shorter than Kim.",
            "Ola is older than Kim.",
        ),
        (
            "Met Ida in Lund, she lives in Oslo now.",
            "I met Ida in Oslo.",
            "I met Ida in Lund.",
        ),
        (
            "The letter for Ola came late; I opened it by mistake.",
            "The letter for me came late.",
            "The letter for Ola came late.",
        ),
        ("Kim got the flu and I got the bill.", "Kim got the bill.", "I got the bill."),
        (
            "At noon Vera rang. She hates the choir.",
            "At noon Vera hates the choir.",
            "At noon Vera rang.",
        ),
    ],
)
def test_two_halves_are_not_crossed(text: str, wrong: str, right: str) -> None:
    assert not carried(wrong, text)
    assert carried(right, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I saw Hazel. She bought a blue horse at the fair.", "Hazel bought a blue horse."),
        ("In autumn, after the long ride, Vera sold the barn.", "Vera sold the barn in autumn."),
        ("I met Vera at the mill, and we fed the goats.", "I fed the goats at the mill."),
    ],
)
def test_a_clause_that_says_nothing_else_may_be_drawn_into_another(
    text: str, sentence: str
) -> None:
    assert carried(sentence, text)


def test_a_name_stands_near_what_is_told_of_it() -> None:
    text = (
        "The dearest thing I bought was the red lamp. It rained. We slept. Then Kim rode to Hull."
    )
    assert carried("The dearest thing I bought was the red lamp.", text)
    assert not carried("The dearest thing I bought with Kim was the red lamp.", text)
    assert carried("Kim rode to Hull.", text)
