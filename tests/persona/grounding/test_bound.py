"""A number, a time, a direction, an owner goes with the word it goes with in the item."""

from __future__ import annotations

from datetime import date

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def carried(sentence: str, text: str) -> bool:
    one = Evidence(key="k", text=text, moment=Moment.on(date(2023, 5, 20)), mine=True)
    return check(sentence, [one]).supported


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("Bought 6 eggs and 12 lemons.", "I bought 12 eggs.", "I bought 6 eggs."),
        ("Bought 6 eggs and 12 lemons.", "I bought 6 lemons.", "I bought 12 lemons."),
        (
            "The rent is 700 euros and the deposit 1,400.",
            "The rent is 1,400 euros.",
            "The rent is 700 euros.",
        ),
        ("Lou is 34 and Ben is 29.", "Lou is 29.", "Lou is 34 and Ben is 29."),
        ("I ran 8 km in 45 minutes.", "I ran 45 km.", "I ran 8 km."),
        (
            "Two sons and three daughters came to the wedding.",
            "Three sons came to the wedding.",
            "Two sons came to the wedding.",
        ),
        (
            "Paid half of the 600 for the roof.",
            "I paid 600 for the roof.",
            "I paid half of the 600 for the roof.",
        ),
        ("Ran 5 of the 10 miles.", "I ran 10 miles.", "I ran 5 of the 10 miles."),
        (
            "The boat cost three thousand four hundred and ten crowns and the oars 90.",
            "The boat cost 90 crowns.",
            "The boat cost 3,410 crowns.",
        ),
    ],
)
def test_a_number_counts_what_it_counts_there(text: str, wrong: str, right: str) -> None:
    assert carried(right, text)
    assert not carried(wrong, text)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (
            "On Monday I went to the dentist, and on Friday to the opera.",
            "On Friday I went to the dentist.",
            "On Monday I went to the dentist.",
        ),
        ("We met in 2015 and married in 2019.", "We met in 2019.", "We married in 2019."),
        (
            "In the morning I swam, in the evening I baked bread.",
            "In the evening I swam.",
            "In the morning I swam.",
        ),
        (
            "Before lunch we walked to the mill.",
            "After lunch we walked to the mill.",
            "Before lunch we walked to the mill.",
        ),
        (
            "On 3 March I fetched the piano from Lund.",
            "On 20 May 2023 I fetched the piano from Lund.",
            "On 3 March 2023 I fetched the piano from Lund.",
        ),
        (
            "Yesterday Karl broke the vase.",
            "On 20 May 2023 Karl broke the vase.",
            "On 20 May 2023 I wrote that Karl broke the vase.",
        ),
    ],
)
def test_a_time_belongs_to_what_it_belongs_to_there(text: str, wrong: str, right: str) -> None:
    assert carried(right, text)
    assert not carried(wrong, text)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("I moved from Lyon to Nice.", "I moved from Nice to Lyon.", "I moved to Nice."),
        (
            "Bought the lamp for Ruth.",
            "I bought the lamp from Ruth.",
            "I bought the lamp for Ruth.",
        ),
        (
            "Without sugar the cake tasted of cardboard.",
            "With sugar the cake tasted of cardboard.",
            "Without sugar the cake tasted of cardboard.",
        ),
    ],
)
def test_a_direction_is_not_turned_round(text: str, wrong: str, right: str) -> None:
    assert carried(right, text)
    assert not carried(wrong, text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Tore met Sven at the station. His suitcase was stolen.", "Her suitcase was stolen."),
        ("My brother works at the harbour.", "She works at the harbour."),
        ("Anna paid for her lunch.", "Anna paid for his lunch."),
        ("The neighbour's cat bit the postman.", "I bit the postman."),
        ("I gave Piet the keys and he lost them.", "I gave Piet the keys and lost them."),
        ("I got a letter from Ines.", "Ines got a letter from me."),
        ("Robin: He was very clear about the rent.", "Robin was very clear about the rent."),
        ("Knut's mother is a midwife in Bergen.", "Knut is a midwife in Bergen."),
        ("Sold the van to Piet's cousin for 900.", "I sold the van to Piet for 900."),
        ("Vera and Tom broke up in the car park.", "Vera and I broke up in the car park."),
        ("Vera and Tom broke up in the car park.", "Vera broke up with me in the car park."),
        ("Took my coat to the mender.", "Ines took my coat to the mender."),
        ("Bought the blue kettle at the fair.", "He bought the blue kettle at the fair."),
        ("You could see the harbour from there.", "She could see the harbour from there."),
        (
            "There's a flat above a Mrs Falk, she knows her from work, and you could see the mill.",
            "She knew her from work, and could see the mill.",
        ),
        (
            "There's a flat above a Mrs Falk, she knows her from work, six hundred a month, and you "
            "could see the mill and the harbour.",
            "She knew her from work, six hundred a month, and could see the mill and the harbour.",
        ),
        ("Joel was paid for the sofa.", "Joel paid Joel for the sofa."),
        ("This was to be the day of the race.", "She was to be the day of the race."),
        (
            "The neighbour's tank has moved in with me.",
            "The neighbour's tank has moved in with him.",
        ),
        ("Vera beat them at chess in Lund.", "Vera beat me at chess in Lund."),
    ],
)
def test_who_does_or_owns_a_thing_is_who_does_there(text: str, wrong: str) -> None:
    assert not carried(wrong, text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Tore met Sven at the station. His suitcase was stolen.", "His suitcase was stolen."),
        ("My brother works at the harbour.", "He works at the harbour."),
        ("Mrs Falk has a mangle in the cellar.", "She has a mangle in the cellar."),
        ("I gave Piet the keys and he lost them.", "I gave Piet the keys."),
        ("Took my coat to the mender.", "I took my coat to the mender."),
        ("He wanted £320, half of the £640 we gave.", "He wanted £320, half of the £640 we gave."),
    ],
)
def test_the_one_who_does_it_there_may_be_a_pronoun_here(text: str, right: str) -> None:
    assert carried(right, text)


@pytest.mark.parametrize(
    "text",
    [
        "Vera got the boat and Piet the farm.",
        "Vera got the boat and Piet got the farm.",
        "The farm went to Piet and the boat to Vera.",
        "Piet got the farm, Vera the boat.",
    ],
)
def test_of_two_people_each_keeps_their_part(text: str) -> None:
    assert not carried("Vera got the farm and Piet the boat.", text)


def test_two_people_may_be_told_of_in_other_words() -> None:
    text = "Vera got the big farm, and Piet got the boat. Vera likes the boat."
    assert carried("Vera got the farm and Piet the boat.", text)
    assert not carried(
        "My sister got the farm and my brother the boat.",
        "My sister got the boat and my brother the farm.",
    )
    assert carried(
        "I met Vera at the mill and Piet at the quay.",
        "I met Piet at the quay, and Vera at the mill.",
    )
    assert not carried(
        "I met Vera at the mill and Piet at the quay.",
        "I met Vera at the quay and Piet at the mill.",
    )
