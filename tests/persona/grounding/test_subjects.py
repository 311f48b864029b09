"""What goes with a subject in a sentence goes with that one in the item."""

from __future__ import annotations

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def carried(sentence: str, *texts: str) -> bool:
    items = [
        Evidence(key=str(at), text=text, moment=Moment.unknown(), mine=True)
        for at, text in enumerate(texts)
    ]
    return check(sentence, items).supported


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (
            "I have two sons. Ines has a daughter.",
            "I have two sons and a daughter.",
            "I have two sons.",
        ),
        (
            "Vera has two sons and a daughter.",
            "I have two sons and a daughter.",
            "Vera has two sons and a daughter.",
        ),
        (
            "I ate the pie and Ulla the fish.",
            "I ate the pie and the fish.",
            "I ate the pie and Ulla the fish.",
        ),
        (
            "Hazel has offered her a stool. I've offered her offcuts.",
            "Hazel has offered her offcuts.",
            "Hazel has offered her a stool.",
        ),
        (
            "I cleaned the oven, and Piet burnt the curtains.",
            "I cleaned the oven and the curtains.",
            "Piet burnt the curtains.",
        ),
    ],
)
def test_the_last_of_a_list_goes_with_the_same_subject(text: str, wrong: str, right: str) -> None:
    assert not carried(wrong, text)
    assert carried(right, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Vera gave me the boat and the oars.", "I got the boat and the oars."),
        ("I met Vera at the mill, and we fed the goats.", "I fed the goats at the mill."),
        ("Vera and I sold the barn and the goats.", "I sold the barn and the goats."),
    ],
)
def test_who_takes_part_may_be_the_subject(text: str, sentence: str) -> None:
    assert carried(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("I earn 3000 at the mill.", ("I earn too little at the mill.", "Piet earns 3000.")),
        ("I got my first pay and earn 3000.", ("Got my first pay at the mill.", "Piet earns 3000.")),
        ("I have two sons and a daughter.", ("I have two sons.", "Ines has a daughter.")),
    ],
)  # fmt: skip
def test_two_items_about_two_people_are_not_joined_into_one(
    sentence: str, texts: tuple[str, ...]
) -> None:
    assert not carried(sentence, *texts)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (
            "Mum has shown the card to the nurse, who asked for a copy for the ward.",
            "Mum asked for a copy for the ward.",
            "The nurse asked for a copy for the ward.",
        ),
        (
            "My aunt visited the baker's wife, who has a parrot.",
            "My aunt has a parrot.",
            "My aunt visited the baker's wife.",
        ),
        (
            "Dr Varney, who is younger than me, listened for hours.",
            "I listened for hours.",
            "Dr Varney listened for hours.",
        ),
        ("Somebody else sold the boat.", "I sold the boat.", "Somebody else sold the boat."),
        (
            "The flat is gone, a couple from Kiel got it.",
            "I got the flat.",
            "A couple from Kiel got it.",
        ),
    ],
)
def test_who_it_was_may_be_told_by_a_pronoun_or_further_off(
    text: str, wrong: str, right: str
) -> None:
    assert not carried(wrong, text)
    assert carried(right, text)
