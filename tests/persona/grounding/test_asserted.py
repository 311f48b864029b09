"""What an item wishes, asks, denies half or passes on is not told as a fact of the user's."""

from __future__ import annotations

from datetime import date

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def carried(sentence: str, text: str) -> bool:
    one = Evidence(key="k", text=text, moment=Moment.on(date(2023, 5, 20)), mine=True)
    return check(sentence, [one]).supported


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I might sell the boat in autumn.", "I sold the boat in autumn."),
        ("I might sell the boat in autumn.", "I will sell the boat in autumn."),
        ("I would love to learn Welsh.", "I learned Welsh."),
        ("I want to learn Welsh before summer.", "I learned Welsh before summer."),
        ("I plan to repaint the kitchen yellow.", "I repainted the kitchen yellow."),
        ("Maybe we should adopt the greyhound.", "We adopted the greyhound."),
        ("I could have taken the job in Oslo.", "I took the job in Oslo."),
        ("I dreamt that I married the baker.", "I married the baker."),
        ("I hope Britt passes her exam.", "Britt passed her exam."),
        ("I'd move to Delft at once.", "I moved to Delft at once."),
        ("If the roof leaks again I shall move to Delft.", "I shall move to Delft."),
        ("Next week I'll visit the lighthouse.", "I visited the lighthouse."),
        ("I am going to sell the farm.", "I sold the farm."),
        ("I decided to sell the piano.", "I sold the piano."),
        ("Too tired to bake the bread.", "I baked the bread."),
        ("Had I married Ove I would be a farmer's wife.", "I married Ove."),
        ("Let's buy the lighthouse.", "We bought the lighthouse."),
        ("To do: paint the shed, call the plumber.", "I called the plumber."),
        ("Remember to feed the hens.", "I fed the hens."),
    ],
)
def test_what_may_be_or_is_still_to_come_is_no_fact(text: str, sentence: str) -> None:
    assert not carried(sentence, text)


@pytest.mark.parametrize(
    "text",
    [
        "I might sell the boat in autumn.",
        "I would love to learn Welsh.",
        "I'd left the bicycle behind the mill.",
        "If the roof leaks again I might move to Delft.",
        "I hope Britt passes her exam.",
        "I nearly fell off the ladder in the barn.",
        "Dad says I drive too fast.",
        "I used to play the trombone in a band.",
        "I'd rather walk than take the tram.",
        "I had to return the violin to Liv.",
        "I was told that the ferry sank.",
        "In May we went to the fair in Lund.",
    ],
)
def test_an_items_own_way_to_tell_a_thing_may_be_kept(text: str) -> None:
    assert carried(text, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I almost bought the green boat.", "I bought the green boat."),
        ("I nearly fell off the ladder in the barn.", "I fell off the ladder in the barn."),
        ("I failed to finish the marathon in Ghent.", "I finished the marathon in Ghent."),
        ("I forgot to water the tomatoes.", "I watered the tomatoes."),
        ("The dentist refused to pull the tooth.", "The dentist pulled the tooth."),
        ("The soup was anything but good and warm.", "The soup was good and warm."),
        ("I stopped going to the pottery class.", "I go to the pottery class."),
        ("I'd rather walk than take the tram.", "I'd rather take the tram than walk."),
        ("It was too cold to swim in the lake.", "It was cold to swim in the lake."),
        ("I thought I had measles, but it was a rash.", "I had measles."),
        ("Nobody came to the fair except Ola.", "Nobody came to the fair."),
    ],
)
def test_what_was_nearly_or_no_longer_done_was_not_done(text: str, sentence: str) -> None:
    assert not carried(sentence, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Did I lock the shed?", "I locked the shed."),
        ("What if Jan sold the farm?", "Jan sold the farm."),
        ("Have I ever eaten snails? Not once.", "I have eaten snails."),
    ],
)
def test_what_an_item_asks_it_does_not_say(text: str, sentence: str) -> None:
    assert not carried(sentence, text)


@pytest.mark.parametrize(
    ("text", "sentence", "stands"),
    [
        ("Mum thinks the wallpaper is ugly.", "The wallpaper is ugly.", False),
        ("Mum thinks the wallpaper is ugly.", "I think the wallpaper is ugly.", False),
        ("Mum thinks the wallpaper is ugly.", "Mum says the wallpaper is ugly.", True),
        ("I think the wallpaper is ugly.", "I think the wallpaper is ugly.", True),
        ("I think the wallpaper is ugly.", "The wallpaper is ugly.", True),
        ("Told Sam that the ferry sank.", "The ferry sank.", True),
        ("I was told that the ferry sank.", "The ferry sank.", False),
        ('Omar said: "I have sold my house in Split."', "I have sold my house in Split.", False),
        ('I said: "I have sold my house in Split."', "I have sold my house in Split.", True),
        ("They asked 500 for the desk, I gave Ola 350.", "I gave Ola 350.", True),
        ("Rumour has it that Per left his wife.", "Per left his wife.", False),
        ("In the film the girl marries the thief.", "The girl married the thief.", False),
        ("The ferry sank.", "Mum says the ferry sank.", False),
        ("Ola accused Kim of stealing the purse.", "Kim stole the purse.", False),
    ],
)
def test_what_another_says_is_told_as_theirs(text: str, sentence: str, stands: bool) -> None:
    assert carried(sentence, text) is stands


@pytest.mark.parametrize(
    ("text", "sentence", "stands"),
    [
        ("I used to play the trombone in a band.", "I play the trombone in a band.", False),
        ("I used to play the trombone in a band.", "I played the trombone in a band.", True),
        ("We lived in Turku when I was small.", "We live in Turku.", False),
        ("The mill was damp and full of owls.", "The mill is damp and full of owls.", False),
        ("The mill is damp and full of owls.", "The mill was damp and full of owls.", True),
        ("Our aunt had baked a plum cake.", "Our aunt is baking a plum cake.", False),
    ],
)
def test_what_was_is_not_told_as_what_is(text: str, sentence: str, stands: bool) -> None:
    assert carried(sentence, text) is stands


def test_a_reason_stands_in_the_item() -> None:
    apart = "I left the choir in spring. The rehearsals were loud and late."
    assert not carried("I left the choir because the rehearsals were loud and late.", apart)
    given = "I left the choir because the rehearsals were loud."
    assert carried("I left the choir because the rehearsals were loud.", given)
    turned = "I left the firm because of the noise."
    assert not carried("I left the noise because of the firm.", turned)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Some of the guests left the party early.", "All of the guests left the party early."),
        ("I swim in the lake with Ida.", "I still swim in the lake with Ida."),
        ("I swim in the lake with Ida.", "I always swim in the lake with Ida."),
        ("Ida and Kim liked the film.", "Only Kim liked the film."),
    ],
)
def test_still_all_always_and_only_stand_in_the_item(text: str, sentence: str) -> None:
    assert not carried(sentence, text)
    assert carried(sentence, sentence)
