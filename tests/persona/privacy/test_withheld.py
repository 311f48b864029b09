"""What marks keep from whom, counted: the same entries that an audience would not hear of one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import Item, Moment
from clone_app.persona.document import Audience, Marks
from clone_app.persona.privacy.audience import may_hear, met
from clone_app.persona.privacy.withheld import Mark, Withheld, Withholding


def item(text: str, *, medium: str = "diary", author: str = "", mine: bool = True) -> Item:
    return Item(
        key=text,
        medium=medium,
        moment=Moment.unknown(),
        text=text,
        mine=mine,
        author=author,
        locator="x",
    )


LIFE = (
    item("Walked to the harbour with Tom."),
    item("The cardiologist called about my heart."),
    item("Sailing again, in the rain.", medium="post"),
    item("Nice boats!", medium="post", mine=False, author="Tom King <tom@example.org>"),
    item("We heard The Who.", medium="mail"),
)


def held(items: Sequence[Item]) -> Withholding:
    made = Withholding(lambda: ((number, met(each)) for number, each in enumerate(items)))
    for number in made.lacking(dict.fromkeys(range(len(items)), "")):
        made.add(number, items[number], "")
    return made


def counted(items: Sequence[Item], **marks: Sequence[str]) -> Withheld:
    kinds = {"media": "medium", "people": "person", "topics": "topic"}
    names: dict[Mark, tuple[str, ...]] = {
        (kinds[kind], name): (name,) for kind, found in marks.items() for name in found
    }
    return held(items).count(
        Marks(**{kind: frozenset(found) for kind, found in marks.items()}), names
    )


def test_without_marks_a_friend_hears_all_but_the_sensitive_and_the_public_the_posts() -> None:
    found = counted(LIFE)
    assert (found.entries, found.friend, found.public, found.unmarked) == (5, 1, 4, 1)
    assert found.marks == {}


def test_each_mark_has_its_own_number_and_together_they_are_counted_once() -> None:
    found = counted(LIFE, people=["Tom", "Tom King"], media=["post"], topics=["sail", "Bridie"])
    assert found.marks == {
        ("person", "Tom"): 2,
        ("person", "Tom King"): 1,
        ("medium", "post"): 2,
        ("topic", "sail"): 1,
        ("topic", "Bridie"): 0,
    }
    assert (found.friend, found.public, found.unmarked) == (4, 5, 1)


def test_a_name_of_words_without_content_is_looked_for_by_its_letters() -> None:
    assert counted(LIFE, topics=["The Who"]).marks == {("topic", "The Who"): 1}


def test_what_changed_or_went_is_counted_anew() -> None:
    made = held(LIFE)
    assert made.lacking(dict.fromkeys(range(5), "")) == []
    assert made.lacking(dict.fromkeys(range(7), "")) == [5, 6]
    assert made.lacking({0: "other", 1: ""}) == [0, 1]
    made.add(0, replace(LIFE[0], text="Alone at the harbour."), "other")
    assert made.speaking_of(["Tom"]) == frozenset()
    assert made.speaking_of(["harbour"]) == {0}


WORDS = ("Tom", "harbour", "cancer", "Will", "boats", "boat", "will", "rain", "日本")


@given(
    st.lists(
        st.builds(
            item,
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            medium=st.sampled_from(["diary", "post", "mail"]),
            author=st.sampled_from(["", "Tom King", "Will"]),
            mine=st.booleans(),
        ),
        max_size=6,
    ),
    st.lists(st.sampled_from([*WORDS, "Tom King"]), max_size=2),
    st.lists(st.sampled_from(WORDS), max_size=2),
    st.lists(st.sampled_from(["diary", "post"]), max_size=1),
)
def test_the_count_is_of_what_may_not_be_heard(
    items: list[Item], people: list[str], topics: list[str], media: list[str]
) -> None:
    found = counted(items, people=people, topics=topics, media=media)
    marks = Marks(media=frozenset(media), people=frozenset(people), topics=frozenset(topics))
    for audience, number in ((Audience.FRIEND, found.friend), (Audience.PUBLIC, found.public)):
        assert number == sum(not may_hear(each, audience, marks) for each in items)
