"""Day One journals, of today's app and the classic one."""

from __future__ import annotations

import json
import plistlib
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.dayone import DAYONE
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]

ENTRY = {
    "uuid": "5BA8A0499775E5B7AB050CE5A5A32F87",
    "creationDate": "2024-01-16T04:30:00Z",
    "timeZone": "America/New_York",
    "text": "Snow again.",
    "isAllDay": False,
    "tags": ["winter", "home"],
}


def journal(*entries: Any) -> bytes:
    return json.dumps({"metadata": {"version": "1.0"}, "entries": list(entries)}).encode()


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads a journal of one entry with these changes."""

    def read_entry(without: str = "", **changes: Any) -> list[Found]:
        entry = {key: value for key, value in (ENTRY | changes).items() if key != without}
        return list(DAYONE.read([member_of("Journal.json", journal(entry))], Reading()))

    return read_entry


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_half_past_eleven_in_new_york_belongs_to_that_day_there(read: Read) -> None:
    item = only(read())
    assert item.moment.iso() == "2024-01-15T23:30:00-05:00"
    assert str(item.moment.day()) == "2024-01-15"
    assert item == Item(
        key="5BA8A0499775E5B7AB050CE5A5A32F87",
        medium="diary",
        moment=item.moment,
        text="Snow again.",
        mine=True,
        locator="Journal.json#0",
        labels=("winter", "home"),
    )


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Asia/Kolkata", "2024-01-16T10:00:00+05:30"),
        ("Etc\\/GMT", "2024-01-16T04:30:00+00:00"),
        ("GMT-0500", "2024-01-15T23:30:00-05:00"),
        ("GMT", "2024-01-16T04:30:00+00:00"),
        ("Nowhere/Land", "2024-01-16T04:30:00+00:00"),
        ("../../etc/passwd", "2024-01-16T04:30:00+00:00"),
        ("", "2024-01-16T04:30:00+00:00"),
        (5, "2024-01-16T04:30:00+00:00"),
    ],
)
def test_a_zone_nobody_knows_leaves_the_instant_as_it_is(
    read: Read, zone: Any, moment: str
) -> None:
    assert only(read(timeZone=zone)).moment.iso() == moment


def test_an_entry_of_the_whole_day_is_known_to_its_local_day(read: Read) -> None:
    assert only(read(isAllDay=True)).moment.iso() == "2024-01-15"


@pytest.mark.parametrize("created", [None, "", "yesterday", 17, [], "2024-13-45T00:00:00Z"])
def test_an_entry_without_a_date_is_undated(read: Read, created: Any) -> None:
    item = only(read(creationDate=created, modifiedDate="2025-01-01T00:00:00Z", uuid=None))
    assert item.moment.iso() is None
    assert item.key.startswith("dayone:undated:")


def test_pictures_and_backslashes_of_the_program_are_taken_out(read: Read) -> None:
    text = (
        "# A walk\n\n![](dayone-moment://A1B2)\nMilk\\, eggs\\. 3\\-4 \\(or 5\\)\\!\n"
        "![x](dayone-moment:/video/C3) See [that day](dayone://view?entryId=A1)"
    )
    item = only(read(text=text))
    assert item.text == "# A walk\n\nMilk\\, eggs. 3-4 (or 5)!\nSee that day"
    assert item.title == "A walk"


def test_a_rich_text_is_read_where_there_is_no_text(read: Read) -> None:
    rich = {
        "contents": [
            {"text": "Packed ", "attributes": {"line": {"header": 1}}},
            {"text": "at last\n", "attributes": {"bold": True, "line": {"header": 1}}},
            {"text": "Cairns here we come."},
            {"embeddedObjects": [{"type": "photo", "identifier": "7"}]},
            {"text": "hat\n", "attributes": {"line": {"listStyle": "bulleted"}}},
            {"text": "map", "attributes": {"line": {"listStyle": "checkbox", "checked": True}}},
        ]
    }
    item = only(read(without="text", richText=json.dumps(rich)))
    assert item.text == "# Packed at last\nCairns here we come.\n- hat\n- [x] map"
    assert item.title == "Packed at last"
    assert only(read(text="", richText="plain words")).text == "plain words"
    assert read(text="", richText='{"contents": [') == [
        Skipped("Journal.json#0", "nothing written in it")
    ]


def test_a_picture_alone_is_skipped(read: Read) -> None:
    assert read(text="![](dayone-moment://A1B2)") == [
        Skipped("Journal.json#0", "nothing written in it")
    ]


def test_several_entries_of_a_day_and_several_journals_of_a_zip_are_read(tmp_path: Path) -> None:
    one, two = ENTRY | {"uuid": "1"}, ENTRY | {"uuid": "2", "text": "Snow again."}
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("Journal.json", journal(one, two))
        archive.writestr("Work & more.json", journal(ENTRY | {"uuid": "3"}))
        archive.writestr("photos/6e8f.jpeg", b"\xff\xd8\xff")
    with open_tree(tmp_path / "export.zip") as tree:
        recognition = recognise(tree)
        assert [one.importer for one in recognition.recognised] == ["dayone"]
        found = list(read_all(recognition, Reading(), Progress()))
    assert [one.key for one in found if isinstance(one, Item)] == ["1", "2", "3"]
    assert [one.locator for one in found if isinstance(one, Item)][2] == (
        "export.zip!Work & more.json#0"
    )


def test_what_is_no_entry_is_named_and_the_rest_is_read(member_of: MakeMember) -> None:
    data = journal(5, ENTRY)[:-2] + b", "
    problem, item, end = DAYONE.read([member_of("Journal.json", data)], Reading())
    assert problem == ImportProblem("Journal.json#0", "is no entry")
    assert isinstance(item, Item)
    assert isinstance(end, ImportProblem)
    assert (end.locator, "breaks off" in end.reason) == ("Journal.json#2", True)


def test_a_journal_without_entries_is_skipped(member_of: MakeMember) -> None:
    assert list(DAYONE.read([member_of("Journal.json", journal())], Reading())) == [
        Skipped("Journal.json", "no entries in it")
    ]


def test_a_journal_is_known_by_how_it_begins(member_of: MakeMember) -> None:
    entries_first = json.dumps({"entries": [ENTRY], "metadata": {"version": "1.0"}}).encode()
    for data in (journal(), journal(ENTRY), entries_first, b"\xef\xbb\xbf" + journal(ENTRY)):
        claim = DAYONE.claim([member_of("My life.json", data)])
        assert claim is not None
        assert claim.confidence > 0.9


@pytest.mark.parametrize(
    "data",
    [
        b'{"tags": {}, "entries": [{"title": "a", "body": "b", "date": "2020-01-01"}]}',
        b'{"metadata": {"application": "Mini Diary"}, "entries": {}}',
        b'{"metadata": {"version": "1.0"}, "entries": {}}',
        b'{"entries": [{"name": "x"}]}',
        b"[]",
        b"",
    ],
)
def test_other_json_is_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert DAYONE.claim([member_of("Journal.json", data)]) is None


def classic(**changes: Any) -> bytes:
    entry = {
        "Creation Date": datetime(2013, 10, 27, 2, 27, 27, tzinfo=UTC).replace(tzinfo=None),
        "Entry Text": "Some text.",
        "Time Zone": "Europe/Stockholm",
        "UUID": "B40EE704E15846DE8D45C44118A4D511",
        "Tags": ["work", "PLaY"],
    } | changes
    return plistlib.dumps({key: value for key, value in entry.items() if value is not None})


@pytest.mark.parametrize("form", ["xml", "binary"])
def test_a_classic_entry_is_read(member_of: MakeMember, form: str) -> None:
    data = classic()
    if form == "binary":
        data = plistlib.dumps(plistlib.loads(data), fmt=plistlib.FMT_BINARY)
    item = only(list(DAYONE.read([member_of("a.dayone/entries/B40E.doentry", data)], Reading())))
    assert item.moment.iso() == "2013-10-27T03:27:27+01:00"
    assert (item.key, item.text, item.labels, item.medium) == (
        "B40EE704E15846DE8D45C44118A4D511", "Some text.", ("work", "PLaY"), "diary",
    )  # fmt: skip


def test_a_classic_entry_without_zone_or_date_or_words(member_of: MakeMember) -> None:
    def entry(**changes: Any) -> Found:
        (found,) = DAYONE.read([member_of("B.doentry", classic(**changes))], Reading())
        return found

    zoneless, undated = entry(**{"Time Zone": None}), entry(**{"Creation Date": None})
    assert isinstance(zoneless, Item)
    assert zoneless.moment.iso() == "2013-10-27T02:27:27+00:00"
    assert isinstance(undated, Item)
    assert undated.moment.iso() is None
    assert entry(**{"Entry Text": ""}) == Skipped("B.doentry", "nothing written in it")


@pytest.mark.parametrize("data", [b"", b"<dict></dict></plist>", b"bplist00" + b"\xff" * 40])
def test_a_broken_classic_entry_is_named(member_of: MakeMember, data: bytes) -> None:
    (found,) = DAYONE.read([member_of("B.doentry", data)], Reading())
    assert isinstance(found, ImportProblem)
    assert "export it" in found.reason
