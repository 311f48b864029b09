"""Who may hear what: taken out of what was found before anything is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clone_app.entries import Hit, Item, Moment, NamedPerson, NamedTime, Recalled
from clone_app.memory.people import Handle, Person
from clone_app.persona.document import Audience, Marks
from clone_app.persona.privacy.audience import heard, known_as, may_hear
from clone_app.persona.privacy.unsaid import Unsaid


def hit(text: str, *, medium: str = "diary", mine: bool = True, **more: object) -> Hit:
    item = Item(
        key=text[:8],
        medium=medium,
        moment=Moment.unknown(),
        text=text,
        mine=mine,
        locator="x",
        **more,
    )  # type: ignore[arg-type]
    return Hit(
        item_id=1, item=item, passage=text, start=0, own=True, score=1.0, cosine=None, coverage=1.0,
        found_by=(),
    )  # fmt: skip


WALK = hit("Walked to the harbour.")
ILL = hit("The cardiologist looked at my heart again.")
POST = hit("A new boat in the harbour!", medium="post")
REPLY = hit("Nice boat!", medium="post", mine=False, author="Tom King")
LETTER = hit("See you on Sunday.", medium="mail", recipients=("Jane Poe <jane@example.org>",))
MARKS = Marks(
    media=frozenset({"mail"}), people=frozenset({"Tom King"}), topics=frozenset({"the boat"})
)


@pytest.mark.parametrize(
    ("audience", "marks", "told"),
    [
        (Audience.PRIVATE, MARKS, [WALK, ILL, POST, REPLY, LETTER]),
        (Audience.FRIEND, Marks(), [WALK, POST, REPLY, LETTER]),
        (Audience.FRIEND, MARKS, [WALK]),
        (Audience.FRIEND, Marks(people=frozenset({"Jane Poe"})), [WALK, POST, REPLY]),
        (Audience.PUBLIC, Marks(), [POST]),
        (Audience.PUBLIC, MARKS, []),
    ],
)
def test_each_audience_hears_its_share(audience: Audience, marks: Marks, told: list[Hit]) -> None:
    found = Recalled((WALK, ILL, POST, REPLY, LETTER), ())
    assert list(heard(found, audience, marks, 8).hits) == told


def test_who_may_not_hear_of_what_is_asked_gets_nothing_near_it_either() -> None:
    found, boat = Recalled((WALK, POST), ()), Unsaid(topics=frozenset({"boat"}))
    asked = "Do you have a boat?"
    assert heard(found, Audience.FRIEND, Marks(), 8, unsaid=boat, asked=asked).hits == ()
    assert heard(found, Audience.FRIEND, Marks(), 8, unsaid=boat, asked="A walk?").hits == (WALK,)
    # The user is told that it is left out before anything is looked up.
    assert heard(found, Audience.PRIVATE, Marks(), 8, unsaid=boat, asked=asked).hits == (WALK,)


def test_no_more_hits_come_than_were_wanted() -> None:
    assert len(heard(Recalled((WALK,) * 9, ()), Audience.FRIEND, Marks(), 3).hits) == 3


def test_what_the_passage_leaves_out_counts_too() -> None:
    long = hit("Walked to the harbour. In the evening the therapist called.")
    assert not may_hear(long.item, Audience.FRIEND, Marks())


def person(name: str, *handles: str, mine: bool = False) -> Person:
    return Person(
        name=name, handles=tuple(Handle(key=each, shown=each, mine=mine) for each in handles)
    )


TOM = person("Tom King", "tom@example.org")


@pytest.mark.parametrize(
    ("name", "people", "known"),
    [
        ("Tom King", [TOM], {"Tom King", "tom@example.org", "Tom"}),
        ("tom king", [TOM], {"tom king", "tom@example.org", "Tom"}),
        ("tom@example.org", [TOM], {"Tom King", "tom@example.org", "Tom"}),
        # Another Tom's entries are not this one's.
        ("Tom King", [TOM, person("Tom Lee", "lee@example.org")], {"Tom King", "tom@example.org"}),
        ("Bridie", [TOM], {"Bridie"}),
        # "Will" stands in most entries and means nobody there.
        ("Will Poe", [person("Will Poe", "w@example.org")], {"Will Poe", "w@example.org"}),
        ("Ada", [person("Ada", "ada@example.org", mine=True)], {"Ada"}),
    ],
)
def test_a_person_is_meant_under_every_name(
    name: str, people: list[Person], known: set[str]
) -> None:
    assert set(known_as(name, people)) == known


WHEN = NamedTime("2024-03-02", "2024-05-31", "after the chemotherapy began", event=True)
SPRING = NamedTime("2024-03-01", "2024-06-01", "last spring")
NAMED = (
    NamedPerson("Mum", "Jane Poe"), NamedPerson("Mum", "jane@example.org"), NamedPerson("Tom", "Tom")
)  # fmt: skip


@pytest.mark.parametrize("audience", [Audience.FRIEND, Audience.PUBLIC])
def test_others_learn_neither_when_something_happened_nor_what_else_somebody_is_called(
    audience: Audience,
) -> None:
    widened = replace(
        SPRING, searched=("2024-01-01", "2024-08-01")
    )  # so the next was near its ends
    found = heard(Recalled((), (), intervals=(WHEN, widened), people=NAMED), audience, Marks(), 8)
    # Nor in which year they were written about: the words of the question are theirs already.
    assert found.times == (NamedTime("", "", "last spring"),)
    assert found.intervals == (WHEN, widened)  # what was found is still judged by them
    assert found.people == (NamedPerson("Mum", "Mum"), NamedPerson("Tom", "Tom"))


def test_the_user_is_shown_all_that_was_understood() -> None:
    found = Recalled((), (), intervals=(WHEN, SPRING), people=NAMED)
    assert heard(found, Audience.PRIVATE, MARKS, 8) is found
    assert found.times == (WHEN, SPRING)
