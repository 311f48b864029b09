"""Daygram's text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import Item, Skipped
from clone_app.importers.daygram import DAYGRAM
from clone_app.protocols import Member, Reading

MakeMember = Callable[[str, bytes], Member]

TEXT = (
    "March 23 Monday 2020 / A fine day / indeed.\n\nSecond line.\n\n\n"
    "March 24 Tuesday 2020 / Busy.\nMarch 25 was not mentioned / here.\n"
)


def test_each_entry_stands_behind_its_day(member_of: MakeMember) -> None:
    member = member_of("daygram.txt", TEXT.encode())
    claim = DAYGRAM.claim([member])
    assert claim is not None
    assert claim.confidence > 0.9
    one, two = DAYGRAM.read([member], Reading())
    assert isinstance(one, Item)
    assert one.moment.iso() == "2020-03-23"
    assert one.key.startswith("daygram:2020-03-23:")
    assert one == Item(
        key=one.key,
        medium="diary",
        moment=one.moment,
        text="A fine day / indeed.\n\nSecond line.",
        mine=True,
        locator="daygram.txt#1",
    )
    assert isinstance(two, Item)
    assert (two.moment.iso(), two.text) == (
        "2020-03-24", "Busy.\nMarch 25 was not mentioned / here.",
    )  # fmt: skip


def test_an_empty_day_is_skipped_and_what_stands_above_is_kept_undated(
    member_of: MakeMember,
) -> None:
    text = "My days\n\nMarch 23 Monday 2020 / \nMarch 24 Tuesday 2020 / Busy.\n"
    above, empty, busy = DAYGRAM.read([member_of("d.txt", text.encode())], Reading())
    assert isinstance(above, Item)
    assert (above.text, above.moment.iso()) == ("My days", None)
    assert empty == Skipped("d.txt#1", "nothing written in it")
    assert isinstance(busy, Item)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("d.md", TEXT),
        ("d.txt", "Smarch 23 Monday 2020 / Words"),
        ("d.txt", "March 23, 2020\n\nWords"),
        ("d.txt", ""),
    ],
)
def test_other_texts_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert DAYGRAM.claim([member_of(path, text.encode())]) is None
