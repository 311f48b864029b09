"""One person under several names and addresses: seen, guessed, decided, resolved."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from clone_app.memory.likeness import propose
from clone_app.memory.people import Bond, Person, gather, group, named_in, split_handle

Seen = tuple[str, int, int, bool, str, str]


def seen(text: str, wrote: int = 1, got: int = 0, *, mine: bool = False) -> Seen:
    return (text, wrote, got, mine, "2024-01-02", "2024-03-04")


def people(
    *found: Seen, bonds: Sequence[Bond] = (), called: dict[str, list[str]] | None = None
) -> tuple[Person, ...]:
    return group(gather(found, frozenset()), bonds, called=called or {})


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        ("Tom King <tom@example.org>", "Tom King", "tom@example.org"),
        ('"King, Tom" <tom@example.org>', "King, Tom", "tom@example.org"),
        ("tom@example.org", "", "tom@example.org"),
        ("Tom", "Tom", ""),
        ("田中", "田中", ""),
        ("", "", ""),
    ],
)
def test_a_handle_is_a_name_an_address_or_both(text: str, name: str, address: str) -> None:
    assert split_handle(text) == (name, address)


def test_an_address_is_one_handle_whatever_names_and_case_it_came_with() -> None:
    (person,) = people(
        seen("Tom King <Tom@Example.org>", 2),
        seen("T. King <tom@example.org>"),
        seen("tom@example.org", 0, 3),
    )
    assert person.key == "tom@example.org"
    assert person.name == "Tom King"
    assert (person.wrote, person.got) == (3, 3)
    assert person.handles[0].names == ("Tom King", "T. King")
    assert (person.first, person.last) == ("2024-01-02", "2024-03-04")


def test_everything_the_user_wrote_under_is_the_user() -> None:
    found = people(seen("Ada <ada@example.org>", 5, mine=True), seen("ada_l", 2, mine=True))
    assert [(person.mine, person.wrote) for person in found] == [(True, 7)]


def test_nothing_is_merged_unless_the_user_says_so() -> None:
    found = [seen("Tom King <tom@example.org>"), seen("Tom King <tom@work.example>")]
    assert len(people(*found)) == 2
    (one,) = people(*found, bonds=[Bond("tom@example.org", "tom@work.example", True)])
    assert one.wrote == 2


def test_a_bond_to_somebody_who_is_gone_holds_nobody_up() -> None:
    (left,) = people(seen("Tom"), bonds=[Bond("nobody@example.org", "tom", True)])
    assert left.key == "tom"


def reasons(*found: Seen, bonds: Sequence[Bond] = ()) -> dict[frozenset[str], str]:
    return {
        frozenset((each.one.key, each.other.key)): each.reason
        for each in propose(people(*found), bonds)
    }


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Tom King <tom@example.org>", "Tom King", "the same name"),
        ('"King, Tom" <tk@example.org>', "Tom King", "the same name"),
        ("Zoë Brandt <z@example.org>", "Zoe Brandt", "the same name"),
        ("王小明 <wxm@qq.example>", "王小明", "the same name"),
        ("王 小明 <wxm@qq.example>", "王小明", "the same name"),
        ("김철수 <kim@example.org>", "김철수", "the same name"),
        ("محمد علي <m@example.org>", "محمد علي", "the same name"),
        ("Tom King", "tom.king@example.org", "the address spells the name"),
        ("Tom King", "tking+news@example.org", "the address spells the name"),
        ("Thomas King <t@example.org>", "Tom", "a first name that only one bears"),
        ("Thomas King <t@example.org>", "Thomas K.", "a first name with an initial"),
        ("tom@example.org", "Tom", "a name that nobody else goes by"),
        ("Tom <tk@example.org>", "Tom", "a name that nobody else goes by"),
    ],
)
def test_likely_pairs_are_proposed_with_their_reason(one: str, other: str, reason: str) -> None:
    assert list(reasons(seen(one), seen(other)).values()) == [reason]


def test_a_first_name_that_two_bear_is_nobodys() -> None:
    assert reasons(seen("Tom King <a@x.org>"), seen("Tom Reed <b@x.org>"), seen("Tom")) == {}


def test_strangers_are_not_proposed() -> None:
    assert reasons(seen("王明 <a@x.org>"), seen("李明 <b@x.org>"), seen("明")) == {}
    assert reasons(seen("Tom King <a@x.org>"), seen("Mia Reed <b@x.org>"), seen("Otto")) == {}


def test_a_lists_address_is_nobody() -> None:
    many = [
        seen(f"{name} <list@example.org>") for name in ("Tom King", "Ann Poe", "Li Na", "Bo Ek")
    ]
    assert reasons(*many, seen("Tom King <tom@example.org>")) == {}


def test_thousands_who_share_a_first_name_are_gone_through_once() -> None:
    folk = people(*(seen(f"John Smith {n} <reply+{n}@mail.example>") for n in range(4000)))
    bearers = [each.one.key for each in propose(folk, [])]
    assert len(bearers) == 50


def test_what_the_user_denied_is_not_proposed_again() -> None:
    pair = [seen("Tom King <tom@example.org>"), seen("Tom King")]
    assert reasons(*pair, bonds=[Bond("tom king", "tom@example.org", False)]) == {}


LIFE = people(
    seen("Ada Poe <ada@example.org>", 9, mine=True),
    seen("Thomas King <tom@example.org>"),
    seen("Jane Poe <jane@example.org>"),
    seen("Will Reed"),
    seen("Ann Reed"),
    seen("Ann Ek"),
    seen("王小明"),
    called={"jane@example.org": ["Mum"]},
)


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What did Mum say about the move?", ["jane@example.org"]),
        ("what did mum say?", ["jane@example.org"]),
        ("What was in Mum's letter?", ["jane@example.org"]),
        ("Did thomas king write?", ["tom@example.org"]),
        ("Did Thomas write?", ["tom@example.org"]),
        ("did thomas write?", []),
        ("Will it rain on Sunday?", []),
        ("What did Will think?", ["will reed"]),
        ("When will it rain?", []),
        ("What did Ann think?", []),  # two bear it
        ("What did Ann Ek think of Thomas?", ["ann ek", "tom@example.org"]),
        ("小明和王小明说了什么？", ["王小明"]),
        ("Anything from tom@example.org?", ["tom@example.org"]),
        ("What did Ada write?", []),  # the user
        ("", []),
    ],
)
def test_a_question_names_people_by_all_they_go_by(question: str, keys: list[str]) -> None:
    assert [each.person.key for each in named_in(question, LIFE)] == keys
