"""Items listed by whose they are, what one person wrote or got, by kind, period and words."""

from __future__ import annotations

import pytest

from clone_app.memory import listing
from clone_app.memory.recipes import Scope
from clone_app.memory.store import Store

from .conftest import entry, take_in

IDA = "ida@x.org"
LIFE = [
    entry("I mended the sail.", "2024-03-01", key="mine"),
    entry("The sail is torn.", "2024-03-02", key="ida", mine=False, author=f"Ida <{IDA}>"),
    entry("Ask about the sail.", "2024-03-03", key="to", recipients=("Bob", f"Ida <{IDA}>")),
    entry("A sale.", "2024-03-04", key="shop", mine=False, author="Shop", medium="mail"),
    entry("No date.", None, key="undated", mine=False, author=f'"Ida" <{IDA}>'),
]
ABOUT_IDA = Scope(about=frozenset({IDA}), only=True)


@pytest.mark.parametrize(
    ("scope", "words", "keys"),
    [
        (Scope(), None, ["mine", "ida", "to", "shop", "undated"]),
        (Scope(whose="mine"), None, ["mine", "to"]),
        (Scope(whose="others"), None, ["ida", "shop", "undated"]),
        (ABOUT_IDA, None, ["ida", "to", "undated"]),
        (Scope(whose="mine", about=frozenset({IDA}), only=True), None, ["to"]),
        (Scope(whose="others", since="2024-03-03"), None, ["shop"]),
        (Scope(whose="others", medium="diary", until="2024-03-03"), None, ["ida"]),
        (ABOUT_IDA, '"sail"', ["ida", "to"]),
        (Scope(), '"sail"', ["mine", "ida", "to"]),
        (Scope(about=frozenset({"nobody"}), only=True), None, []),
    ],
)
def test_a_scope_lists_and_counts_the_same(
    store: Store, scope: Scope, words: str | None, keys: list[str]
) -> None:
    take_in(store, [*LIFE])
    found = listing.page(store, scope, words)
    assert [each.item.key for each in found] == keys
    assert listing.count(store, scope, words) == len(keys)


def test_pages_follow_one_another_newest_first(store: Store) -> None:
    take_in(store, [*LIFE])
    pages = [
        listing.page(store, Scope(whose="others"), limit=2, offset=at, newest_first=True)
        for at in (0, 2)
    ]
    assert [[each.item.key for each in page] for page in pages] == [["shop", "ida"], ["undated"]]
