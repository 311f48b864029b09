"""Journey's entries, a JSON file each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.journey import JOURNEY
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., Found]

ENTRY = {
    "text": '<p dir="auto">One &amp; two</p><p>Three</p>',
    "date_modified": 1705400000000,
    "date_journal": 1705379400123,
    "id": "1705379400123-3fd2a7ed4dc51ea6",
    "preview_text": "One",
    "mood": 0,
    "timezone": "America/New_York",
    "type": "html",
    "favourite": False,
    "tags": ["home"],
}
PATH = "1705379400123-3fd2a7ed4dc51ea6.json"


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads an entry with these changes; None takes a field away."""

    def read_entry(**changes: Any) -> Found:
        entry = {key: value for key, value in (ENTRY | changes).items() if value is not None}
        member = member_of(PATH, json.dumps(entry).encode())
        assert JOURNEY.claim([member]) is not None
        (found,) = JOURNEY.read([member], Reading())
        return found

    return read_entry


def test_an_entry_belongs_to_the_day_where_it_was_written(read: Read) -> None:
    item = read()
    assert isinstance(item, Item)
    assert item.moment.iso() == "2024-01-15T23:30:00-05:00"
    assert item == Item(
        key="1705379400123-3fd2a7ed4dc51ea6",
        medium="diary",
        moment=item.moment,
        text="One & two\n\nThree",
        mine=True,
        locator=PATH,
        labels=("home",),
    )


@pytest.mark.parametrize(
    ("changes", "moment"),
    [
        ({"timezone": None}, "2024-01-16T04:30:00+00:00"),
        ({"timezone": "Nowhere"}, "2024-01-16T04:30:00+00:00"),
        ({"date_journal": "1705379400123"}, "2024-01-15T23:30:00-05:00"),
        (
            {"date_journal": None, "dateOfJournal": "2024-01-16T04:30:00.000Z"},
            "2024-01-15T23:30:00-05:00",
        ),
        ({"date_journal": 0}, None),
        ({"date_journal": True}, None),
        ({"date_journal": []}, None),
        ({"date_journal": None}, None),
        ({"date_journal": 10**400}, None),
    ],
)
def test_the_moment_is_the_journals_and_never_that_of_a_change(
    read: Read, changes: dict[str, Any], moment: str | None
) -> None:
    item = read(**changes)
    assert isinstance(item, Item)
    assert item.moment.iso() == moment


def test_plain_text_stays_as_it_was_written(read: Read) -> None:
    item = read(type="", text="# Today\n\n2 < 3 & so on")
    assert isinstance(item, Item)
    assert (item.text, item.title) == ("# Today\n\n2 < 3 & so on", "Today")
    old = read(type="", text="<p>As page</p>")
    assert isinstance(old, Item)
    assert old.text == "As page"


def test_a_picture_alone_is_skipped_and_a_broken_entry_named(
    read: Read, member_of: MakeMember
) -> None:
    assert read(text="") == Skipped(PATH, "nothing written in it")
    (found,) = JOURNEY.read([member_of(PATH, json.dumps(ENTRY).encode()[:-5])], Reading())
    assert isinstance(found, ImportProblem)
    assert "breaks off" in found.reason


def test_a_long_entry_is_known_by_its_name(member_of: MakeMember) -> None:
    data = json.dumps(ENTRY | {"text": "x" * 9000}).encode()
    assert JOURNEY.claim([member_of(f"journey/{PATH}", data)]) is not None
    assert JOURNEY.claim([member_of("a.json", data)]) is None


@pytest.mark.parametrize("data", [b'{"date_journal": 1}', b'{"text": "x", "id": 1}', b"[]", b""])
def test_other_json_is_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert JOURNEY.claim([member_of("a.json", data)]) is None
