"""How much of a memory is in other languages than English."""

from __future__ import annotations

import pytest

from clone_app.memory.languages import not_english
from clone_app.memory.store import Store

from .conftest import entry, take_in

ENGLISH = "I went to the harbour with Ida and we were late for the boat."


@pytest.mark.parametrize(
    ("other", "share"),
    [
        ("去年春天我们去了海边，风很大。", 0.5),
        ("Ich bin heute mit dem Rad zum Markt gefahren und habe nicht viel gekauft.", 0.5),
        ("Сегодня мы поехали к морю.", 0.5),
        ("Today I had ramen (ラーメン) with Ken, and it was good.", 0.0),
        ("12:30 — ok!", 0.0),
    ],
)
def test_the_share_of_other_languages_is_known(store: Store, other: str, share: float) -> None:
    take_in(store, [entry(f"{ENGLISH} {at}", key=f"e{at}") for at in range(6)])
    take_in(store, [entry(f"{other} {at}", key=f"o{at}") for at in range(6)], path="/other")
    assert not_english(store.base.db()) == pytest.approx(share)


def test_an_empty_memory_is_in_no_language(store: Store) -> None:
    assert not_english(store.base.db()) == 0.0
