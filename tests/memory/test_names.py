"""Names that items bear: which of them a question names, and what those wrote or got."""

from __future__ import annotations

from clone_app.memory.addressbook import AddressBook
from clone_app.memory.names import keys_of
from clone_app.memory.store import Store

from .conftest import entry, take_in


def life(store: Store) -> None:
    take_in(
        store,
        [
            entry("1", key="a", mine=False, author="Ida Berg <ida@x.org>"),
            entry("2", key="b", author="Me", recipients=("Ida Berg <ida@x.org>", "周涛")),
            entry("3", key="c", mine=False, author="Will Hay"),
            entry("4", key="d"),
        ],
    )


def bearing(store: Store, question: str) -> int:
    names = store.names()
    return sum(
        each.count for each in names.bearing(keys_of(each.person for each in names.named(question)))
    )


def test_a_name_in_the_question_finds_what_its_bearer_wrote_or_got(store: Store) -> None:
    life(store)
    said = store.names().named("What did Ida Berg say?")
    assert [each.person.name for each in said] == ["Ida Berg"]
    assert bearing(store, "What did Ida Berg say?") == 2
    assert bearing(store, "What did Ida say?") == 2
    assert bearing(store, "write to ida@x.org") == 2


def test_chinese_names_need_no_spaces(store: Store) -> None:
    life(store)
    assert bearing(store, "我跟周涛说了什么？") == 1


def test_a_common_word_is_nobody_and_the_user_is_not_asked_about(store: Store) -> None:
    life(store)
    assert bearing(store, "Where will you go?") == 0
    assert bearing(store, "Me and my day") == 0


def test_names_are_read_again_when_the_base_has_changed(store: Store) -> None:
    life(store)
    first = store.names()
    assert store.names() is first
    take_in(store, [entry("5", key="e", mine=False, author="Nora Quist")])
    assert bearing(store, "What did Nora Quist say?") == 1


def test_an_empty_memory_knows_nobody(store: Store) -> None:
    assert store.names().named("What did Ida say?") == ()


def test_what_the_user_says_of_people_is_heard_at_the_next_question(store: Store) -> None:
    life(store)
    assert bearing(store, "What did Mum say?") == 0
    book = AddressBook(store.base)
    book.call("ida@x.org", "Mum")
    assert bearing(store, "What did Mum say?") == 2
    book.merge("Mum", "Will Hay")
    assert bearing(store, "What did Mum say?") == 3
