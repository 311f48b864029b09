"""What I went to, got, took, made and have is what the text says I did."""

from __future__ import annotations

from datetime import date

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def supported(sentence: str, *texts: str) -> bool:
    moment = Moment.on(date(2021, 4, 2))
    items = [
        Evidence(key=str(at), text=text, moment=moment, mine=True) for at, text in enumerate(texts)
    ]
    return check(sentence, items).supported


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("I went to the wedding in Bergen.", "I missed the wedding in Bergen."),
        ("I went to the wedding in Bergen.", "I got ill and missed the wedding in Bergen."),
        ("I got the post in Bergen.", "I applied for the post in Bergen."),
        ("I took the drops from the shelf.", "I threw away the drops from the shelf."),
        ("I made the soup for Vera's feast.", "I burnt the soup for Vera's feast."),
        ("I have a rifle in the shed.", "Found a rifle in the shed at Piet's farm."),
        ("I have a rifle in the shed.", "Piet has a rifle in the shed."),
        ("I had a quarrel with Piet.", "Vera had a quarrel with Piet."),
        ("I go to choir every Tuesday.", "Skipped choir every Tuesday."),
        ("I have a new bed from the carpenter.", "Ordered a new bed from the carpenter."),
        ("I have two sons and a daughter.", "Met a woman with two sons and a daughter."),
    ],
)
def test_another_verb_for_the_same_object_does_not_carry_it(sentence: str, text: str) -> None:
    assert not supported(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("I went to the wedding in Bergen.", "Went to the wedding in Bergen, rain."),
        ("I went to the wedding in Bergen.", "Travelled to the wedding in Bergen with Vera."),
        ("I went to the wedding in Bergen.", "Wedding in Bergen. Rain."),
        ("I got the post in Bergen.", "They gave me the post in Bergen."),
        ("I took the drops from the shelf.", "Swallowed the drops from the shelf."),
        ("I made a soup for Vera's feast.", "Cooked a soup for Vera's feast."),
        ("I have a sister in Bergen.", "I visited my sister in Bergen."),
        ("I had dinner with Piet at the quay.", "Dinner with Piet at the quay."),
        ("I had dinner with Piet at the quay.", "Ate dinner with Piet at the quay."),
        ("I had a quarrel with Piet.", "Had a quarrel with Piet."),
        ("I have walked to the lighthouse.", "Walked to the lighthouse. Piet has a cold."),
    ],
)
def test_a_verb_of_that_sense_or_none_carries_it(sentence: str, text: str) -> None:
    assert supported(sentence, text)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (
            "The post at the harbour went to Piet in the end.",
            "I got the post at the harbour.",
            "Piet got the post at the harbour.",
        ),
        (
            "The flat on the quay was taken by a dentist.",
            "I took the flat on the quay.",
            "A dentist took the flat on the quay.",
        ),
        ("The hut was left to my aunt.", "The hut was left to me.", "The hut was left to my aunt."),
        ("The soup at Vera's feast was cold.", "I made the soup at Vera's feast.", "The soup was cold."),
        ("Mum gave the ring to Kari, not to me.", "Mum gave the ring to me.", "Mum gave the ring to Kari."),
    ],
)  # fmt: skip
def test_what_went_to_another_or_is_only_told_of_is_not_mine(
    text: str, wrong: str, right: str
) -> None:
    assert not supported(wrong, text)
    assert supported(right, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("I want to sell the barn.", "I wanted to sell the barn in 2009."),
        ("I like the blue kettle.", "I liked the blue kettle until it leaked."),
        ("I go to choir in Bergen.", "I went to choir in Bergen with Vera once."),
    ],
)
def test_what_was_wanted_is_not_what_is_wanted_now(sentence: str, text: str) -> None:
    assert not supported(sentence, text)
    assert supported(sentence, sentence)


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("I lost my ring and bought a yacht in Hull.",
         ("I lost my ring at the mill.", "Piet bought a yacht in Hull.")),
        ("My brother lost his ring and bought a yacht in Hull.",
         ("My brother lost his ring at the mill.", "I bought a yacht in Hull.")),
        ("I work at the mill and play drums in a band.",
         ("I work at the mill.", "Piet plays drums in a band.")),
        ("I work at the mill and play drums in a band.",
         ("I work at the mill. Piet plays drums in a band.",)),
        ("I lost my ring at the mill and started drinking gin.",
         ("I lost my ring at the mill. Piet started drinking gin.",)),
    ],
)  # fmt: skip
def test_what_goes_on_is_done_by_the_same_person(sentence: str, texts: tuple[str, ...]) -> None:
    assert not supported(sentence, *texts)


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("I lost my ring and bought a yacht in Hull.",
         ("I lost my ring at the mill.", "Bought a yacht in Hull.")),
        ("My brother lost his ring and bought a yacht in Hull.",
         ("My brother lost his ring at the mill.", "My brother bought a yacht in Hull.")),
        ("I work at the mill and play drums in a band.",
         ("I work at the mill.", "I play drums in a band.")),
        ("I work at the mill and play drums in a band.",
         ("I work at the mill. I play drums in a band.",)),
    ],
)  # fmt: skip
def test_two_deeds_of_one_person_may_be_joined(sentence: str, texts: tuple[str, ...]) -> None:
    assert supported(sentence, *texts)
