"""A person, a period, a kind of entry, a source's share of them: taken out, and counted before."""

from __future__ import annotations

import pytest

from clone_app.errors import CloneAppError
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.people import Bond
from clone_app.memory.removal import Removal, count_removal, remove
from clone_app.memory.store import ItemFilter, Store
from clone_app.memory.watched import Watched

from .conftest import entry, take_in

TOM = "Tom King <tom@example.org>"


@pytest.fixture
def life(store: Store) -> Store:
    found = [
        entry("Alone.", "2024-01-01"),
        entry("To Tom.", "2024-02-01", medium="mail", recipients=(TOM, "ann@example.org")),
        entry("From Tom.", "2024-03-01", medium="mail", author=TOM, mine=False),
        entry("From Ann.", "2024-03-02", medium="mail", author="Ann <ann@example.org>", mine=False),
        entry("Undated.", None),
    ]
    take_in(store, found)
    return store


def left(store: Store) -> list[str]:
    return [each.item.text for each in store.items(ItemFilter())]


def test_a_person_goes_with_what_they_wrote_and_what_was_written_to_them(life: Store) -> None:
    removal = Removal(who=frozenset({"tom@example.org"}))
    count = count_removal(life.base, removal)
    assert (count.items, count.mine, count.first, count.last) == (2, 1, "2024-02-01", "2024-03-01")
    remove(life.base, removal)
    assert left(life) == ["Alone.", "From Ann.", "Undated."]


def test_a_period_is_half_open_and_holds_nothing_undated(life: Store) -> None:
    remove(life.base, Removal(since="2024-02-01", until="2024-03-02"))
    assert left(life) == ["Alone.", "From Ann.", "Undated."]


def test_everything_given_must_fit(life: Store) -> None:
    removal = Removal(who=frozenset({"ann@example.org"}), medium="mail", since="2024-03-01")
    assert count_removal(life.base, removal).items == 1
    remove(life.base, removal)
    assert left(life) == ["Alone.", "To Tom.", "From Tom.", "Undated."]


def test_a_source_gives_up_only_its_share_of_a_period(life: Store) -> None:
    take_in(life, [entry("Alone.", "2024-01-01"), entry("Own.", "2024-01-02")], path="/other")
    other = next(each for each in life.sources() if each.path == "/other")
    removal = Removal(source=other.id, until="2024-02-01")
    count = count_removal(life.base, removal)
    assert (count.items, count.shared) == (1, 1)
    remove(life.base, removal)
    assert "Alone." in left(life)
    assert "Own." not in left(life)
    assert [each.path for each in life.sources()] == ["/other", "/diary"]


def test_nothing_given_removes_nothing(life: Store) -> None:
    with pytest.raises(CloneAppError, match="Say what is to be removed"):
        remove(life.base, Removal())
    assert len(left(life)) == 5


def test_decisions_about_people_go_with_the_last_item_that_bears_them(life: Store) -> None:
    book = AddressBook(life.base)
    book.call("tom@example.org", "Tommy")
    book.merge("Tommy", "ann@example.org")
    remove(life.base, Removal(who=frozenset({"tom@example.org"})))
    book.prune()
    assert [person.key for person in book.people()] == ["ann@example.org"]
    assert book._bonds() == ()
    assert book._called() == []


def test_merging_splitting_and_denying_are_kept(life: Store) -> None:
    book = AddressBook(life.base)
    assert [person.key for person in book.people()] == ["ann@example.org", "tom@example.org"]
    merged = book.merge("Tom King", "ann@example.org")
    assert {handle.key for handle in merged.handles} == {"ann@example.org", "tom@example.org"}
    book.split("ann@example.org")
    assert [len(person.handles) for person in book.people()] == [1, 1]
    assert book._bonds() == (Bond("ann@example.org", "tom@example.org", False),)
    assert AddressBook(life.base).find("tom king").key == "tom@example.org"


def test_a_name_nobody_or_several_bear_is_a_sentence(life: Store) -> None:
    book = AddressBook(life.base)
    with pytest.raises(CloneAppError, match="Nobody goes by"):
        book.find("Zoe")
    take_in(life, [entry("x", author="Tom King <tk@work.example>", mine=False)], path="/more")
    with pytest.raises(CloneAppError, match=r"tk@work\.example"):
        book.find("Tom King")


def test_people_who_are_one_by_way_of_a_name_that_is_gone_stay_one(life: Store) -> None:
    take_in(life, [entry("z", author="Zoe <zoe@example.org>", mine=False)], path="/more")
    book = AddressBook(life.base)
    book.merge("tom@example.org", "ann@example.org")
    book.merge("tom@example.org", "zoe@example.org")
    remove(life.base, Removal(who=frozenset({"tom@example.org"})))
    book.prune()
    (person,) = book.people()
    assert {handle.key for handle in person.handles} == {"ann@example.org", "zoe@example.org"}


def test_what_was_made_the_users_by_mistake_is_split_off_again(life: Store) -> None:
    life.add_identities(["tom@example.org"])
    book = AddressBook(life.base)
    book.merge("tom@example.org", "ann@example.org")
    book.split("ann@example.org")
    assert [person.mine for person in book.people()] == [False, True]
    book.merge("tom@example.org", "ann@example.org")
    with pytest.raises(CloneAppError, match="Split off the name or address that isn't"):
        book.split("tom@example.org")


def test_splitting_forgets_no_other_denial(life: Store) -> None:
    take_in(life, [entry("z", author="Zoe <zoe@example.org>", mine=False)], path="/more")
    book = AddressBook(life.base)
    book.part("ann@example.org", "zoe@example.org")
    book.merge("tom@example.org", "ann@example.org")
    book.split("ann@example.org")
    assert Bond("ann@example.org", "zoe@example.org", False) in book._bonds()


def test_people_are_read_again_when_an_entry_is_described_anew(life: Store) -> None:
    book = AddressBook(life.base)
    assert {person.name for person in book.people()} == {"Tom King", "Ann"}
    take_in(life, [entry("From Ann.", "2024-03-02", medium="mail", author="Eve", mine=False)])
    assert {person.name for person in book.people()} == {"Tom King", "ann@example.org", "Eve"}


def test_more_entries_than_a_query_has_parameters_are_looked_up(life: Store) -> None:
    assert len(life.by_id(range(300_000))) == 5


def test_sources_that_would_bring_it_back_are_counted(life: Store) -> None:
    (source,) = life.sources()
    assert count_removal(life.base, Removal(since="2024-03-01")).watched == 0
    Watched(life.base).add(source.id)
    assert count_removal(life.base, Removal(since="2024-03-01")).watched == 1
    assert count_removal(life.base, Removal(source=source.id)).watched == 0
