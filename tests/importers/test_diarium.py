"""Diarium's and Mini Diary's JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.diarium import DIARIUM, MINIDIARY
from clone_app.protocols import Found, Importer, Member, Reading

MakeMember = Callable[[str, bytes], Member]

ENTRY = {
    "date": "2022-04-13T21:30:15.0000000",
    "heading": "A <b>walk</b>",
    "html": "<p>Out &amp; about</p><p>Home</p>",
    "rating": 5,
    "tags": ["home"],
    "people": ["Ann"],
}


def read(importer: Importer, member: Member) -> list[Found]:
    claim = importer.claim([member])
    assert claim is not None
    assert claim.confidence > 0.9
    return list(importer.read([member], Reading()))


def test_an_entry_of_diarium_says_all_that_is_known(member_of: MakeMember) -> None:
    (item,) = read(DIARIUM, member_of("Diarium.json", json.dumps([ENTRY]).encode()))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2022-04-13T21:30:15"
    assert item.key.startswith("diarium:2022-04-13:")
    assert item == Item(
        key=item.key,
        medium="diary",
        moment=item.moment,
        text="Out & about\n\nHome",
        mine=True,
        locator="Diarium.json#0",
        title="A walk",
        labels=("home",),
    )


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2022-04-13T00:00:00", "2022-04-13"),
        ("2022-04-13", "2022-04-13"),
        ("2022-04-13T21:30:00+02:00", "2022-04-13T21:30:00+02:00"),
        ("soon", None),
        (None, None),
        (5, None),
    ],
)
def test_midnight_is_the_whole_day_and_no_date_is_made_up(
    member_of: MakeMember, date: Any, moment: str | None
) -> None:
    (item,) = read(DIARIUM, member_of("d.json", json.dumps([ENTRY | {"date": date}]).encode()))
    assert isinstance(item, Item)
    assert item.moment.iso() == moment


def test_broken_and_empty_entries_are_named(member_of: MakeMember) -> None:
    whole = json.dumps([ENTRY, 5, ENTRY | {"html": "", "heading": ""}])
    item, problem, empty, end = read(DIARIUM, member_of("d.json", whole[:-1].encode()))
    assert isinstance(item, Item)
    assert problem == ImportProblem("d.json#1", "is no entry")
    assert empty == Skipped("d.json#2", "nothing written in it")
    assert isinstance(end, ImportProblem)
    assert "breaks off" in end.reason
    assert list(DIARIUM.read([member_of("d.json", b"[]")], Reading())) == [
        Skipped("d.json", "no entries in it")
    ]


def test_mini_diary_has_an_entry_a_day(member_of: MakeMember) -> None:
    data = {
        "metadata": {"application": "Mini Diary", "version": "3.3.0"},
        "entries": {
            "2018-01-01": {"dateUpdated": "2020-01-01T10:00:00Z", "title": "New", "text": "Hello."},
            "2018-01-02": {"title": "", "text": "2 < 3 & *so*"},
            "2018-01-03": {"title": "", "text": ""},
        },
    }
    one, two, empty = read(MINIDIARY, member_of("m.json", json.dumps(data).encode()))
    assert isinstance(one, Item)
    assert (one.moment.iso(), one.title, one.text) == ("2018-01-01", "New", "Hello.")
    assert isinstance(two, Item)
    assert (two.key.split(":")[:2], two.text) == (["minidiary", "2018-01-02"], "2 < 3 & *so*")
    assert empty == Skipped("m.json#2", "nothing written in it")


def test_mini_diarium_has_a_list_of_entries(member_of: MakeMember) -> None:
    data = {
        "metadata": {"application": "Mini Diarium", "version": "0.4"},
        "entries": [{"id": 1, "date": "2018-01-01", "title": "A", "text": "<p>x</p><p>y</p>"}, 5],
    }
    item, odd = read(MINIDIARY, member_of("m.json", json.dumps(data).encode()))
    assert isinstance(item, Item)
    assert (item.moment.iso(), item.text) == ("2018-01-01", "x\n\ny")
    assert odd == Skipped("m.json#1", "nothing written in it")


@pytest.mark.parametrize(
    "data",
    [
        b'[{"date": "x", "text": "y"}]',
        b'{"metadata": {"version": "1.0"}, "entries": []}',
        b"[]",
        b"",
    ],
)
def test_other_json_is_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert DIARIUM.claim([member_of("d.json", data)]) is None
    assert MINIDIARY.claim([member_of("d.json", data)]) is None
