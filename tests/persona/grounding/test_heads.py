"""A noun before another only says which: what is told of a cello stand isn't told of a cello."""

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
        (
            "The cello stand cost 300 pounds.",
            "The cello cost 300 pounds.",
            "The cello stand cost 300 pounds.",
        ),
        (
            "Bought a piano stool for 45 euros from Ines.",
            "I bought a piano for 45 euros from Ines.",
            "I bought a stool for 45 euros from Ines.",
        ),
        ("Sold the boat hooks to Kim.", "I sold the boat to Kim.", "I sold the boat hooks to Kim."),
        (
            "We painted the garden shed green.",
            "We painted the garden green.",
            "We painted the shed green.",
        ),
        (
            "I got the job interview in Oslo.",
            "I got the job in Oslo.",
            "I got the interview in Oslo.",
        ),
    ],
)
def test_what_is_told_of_a_thing_is_not_told_of_what_says_which(
    text: str, wrong: str, right: str
) -> None:
    assert not carried(wrong, text)
    assert carried(right, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I painted the garden green in May.", "I painted the garden in May."),
        ("The boat leaks near the old bridge.", "The boat leaks near the bridge."),
        ("The cello cost 300 pounds, its stand 40.", "The cello cost 300 pounds."),
        ("Saw the dentist yesterday in Lund, no pain.", "I saw the dentist in Lund."),
    ],
)
def test_what_stands_behind_a_thing_may_be_no_thing(text: str, sentence: str) -> None:
    assert carried(sentence, text)


def test_a_thing_that_stands_nowhere_in_the_item_is_not_carried_along() -> None:
    text = "Told Kim about the party, and the boat ride to Lund with Ove was cold and long."
    true = "I told Kim about the party, and the boat ride to Lund with Ove was cold and long."
    assert carried(true, text)
    assert not carried(true.replace("party", "wedding"), text)
    assert not carried("The answer to the boat ride with Ove was cold and long.", text)
