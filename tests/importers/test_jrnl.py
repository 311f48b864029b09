"""Journals of jrnl: one file, a folder, its JSON, and those it has encrypted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.jrnl import JRNL
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads one journal of this text."""

    def read_text(text: str, path: str = "journal.txt") -> list[Found]:
        member = member_of(path, text.encode())
        claim = JRNL.claim([member])
        assert claim is not None
        assert claim.confidence > 0.9
        return list(JRNL.read([member], Reading()))

    return read_text


def items(found: list[Found]) -> list[Item]:
    kept = [one for one in found if isinstance(one, Item)]
    assert len(kept) == len(found)
    return kept


def test_each_date_in_brackets_begins_an_entry(read: Read) -> None:
    one, two = items(
        read(
            "[2013-06-09 15:39] My first entry.\nEverything is alright\n\n"
            "[2013-06-10 15:40] Life is good.\nBut I'm better.\n"
        )
    )
    assert one.moment.iso() == "2013-06-09T15:39"
    assert one.key.startswith("jrnl:2013-06-09:")
    assert one == Item(
        key=one.key,
        medium="diary",
        moment=one.moment,
        text="My first entry.\nEverything is alright",
        mine=True,
        locator="journal.txt#1",
        title="My first entry.",
    )
    assert (two.locator, two.moment.iso()) == ("journal.txt#2", "2013-06-10T15:40")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2020-08-29 11:11:00 AM", "2020-08-29T11:11:00"),
        ("2020-08-31 02:32:00 PM", "2020-08-31T14:32:00"),
        ("09.06.2013 15:39", "2013-06-09T15:39"),
        ("2019-07 14:23", "2019-07"),
    ],
)
def test_dates_are_read_as_exactly_as_they_are_written(
    read: Read, written: str, moment: str
) -> None:
    assert items(read(f"[{written}] Words.", "a.journal"))[0].moment.iso() == moment


def test_day_and_month_are_told_apart_over_the_whole_file(read: Read) -> None:
    one, two = items(read("[03/04/2024 10:00] a\n\n[25/04/2024 10:00] b\n", "a.journal"))
    assert (one.moment.iso(), two.moment.iso()) == ("2024-04-03T10:00", "2024-04-25T10:00")
    item, problem = read("[03/04/2024 10:00] a\n", "a.journal")
    assert isinstance(item, Item)
    assert item.moment.iso() == "2024"
    assert isinstance(problem, ImportProblem)
    assert "03/04/2024 10:00" in problem.reason


def test_brackets_that_hold_no_date_belong_to_the_entry(read: Read) -> None:
    (item,) = items(read("[2019-07-08 05:42] Entry subject\n[1] one\n[a long remark] two\n"))
    assert item.text == "Entry subject\n[1] one\n[a long remark] two"


def test_a_journal_without_a_readable_date_is_kept_undated(read: Read) -> None:
    (item,) = items(read("[ashasd7zdskhz7] Subject\nLost track of time.\n", "a.journal"))
    assert item.moment.iso() is None
    assert item.text == "[ashasd7zdskhz7] Subject\nLost track of time."


def test_the_first_version_wrote_no_brackets(read: Read) -> None:
    one, two = items(
        read(
            "2010-06-10 15:00 A life without chocolate.\n\n"
            '2013-06-10 15:40 He said "[this] is it".\nLorem.\n\n[2019-08-03 12:55] Some log\n',
            "old.journal",
        )
    )
    assert (one.moment.iso(), one.text) == ("2010-06-10T15:00", "A life without chocolate.")
    assert two.text == 'He said "[this] is it".\nLorem.\n\n[2019-08-03 12:55] Some log'


def test_tags_and_the_star_are_labels(read: Read) -> None:
    (item,) = items(read("[2013-06-10 15:40] For @OS/2. *\n@C++, @C#. #walk a@b.org # no tag\n"))
    assert item.labels == ("OS/2", "C++", "C#", "walk", "starred")
    assert (item.title, item.text) == (
        "For @OS/2.",
        "For @OS/2.\n@C++, @C#. #walk a@b.org # no tag",
    )


def test_a_folder_has_a_file_a_day_and_passes_over_others(member_of: MakeMember) -> None:
    entry = b"[2020-08-29 11:11:00 AM] Entry the first.\n"
    paths = ("j/2020/08/29.txt", "j/2020/08/odd.txt", "j/2020/odd.txt", "j/odd.txt", "k/odd.txt")
    found = list(JRNL.read([member_of(path, entry) for path in paths], Reading()))
    assert [one.locator for one in found if isinstance(one, Item)] == [
        "j/2020/08/29.txt#1", "k/odd.txt#1",
    ]  # fmt: skip
    assert found[1:4] == [
        Skipped(path, "lies in a jrnl folder but is no day of it") for path in paths[1:4]
    ]


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.journal", b"gAAAAABfb4gQBMqqGn_W8v_s7qCi14bX7inuCOKbsBqIUf7_ch14", "--decrypt"),
        ("a.txt", b"gAAAAABfb4gQBMqqGn_W8v_s7qCi14bX7inuCOKbsBqIUf7_ch14", "--decrypt"),
        ("a.journal", b"JRNLv3\x000eyJzYWx0IjoiQldrLUU0YWZv0=gAAAAABqXVz", "--decrypt"),
        ("a.journal", bytes(range(256)), "--decrypt"),
    ],
)
def test_an_encrypted_journal_is_named(
    member_of: MakeMember, path: str, data: bytes, reason: str
) -> None:
    member = member_of(path, data)
    assert JRNL.claim([member]) is not None
    (found,) = JRNL.read([member], Reading())
    assert isinstance(found, ImportProblem)
    assert reason in found.reason


def exported(**changes: Any) -> dict[str, Any]:
    return {
        "title": "My first entry.",
        "body": "Everything is alright",
        "date": "2013-06-09",
        "time": "15:39",
        "tags": ["@home"],
        "starred": True,
    } | changes


def test_the_json_export_says_the_same_as_the_text(read: Read) -> None:
    (text,) = items(read("[2013-06-09 15:39] My first entry. *\nEverything is alright\n"))
    whole = json.dumps({"tags": {"@home": 1}, "entries": [exported()]})
    (told,) = items(read(whole, "export.json"))
    assert (told.key, told.text, told.moment) == (text.key, text.text, text.moment)
    assert told.labels == ("home", "starred")
    (single,) = items(read(json.dumps(exported(body="")), "2013-06-09_my-first-entry.json"))
    assert (single.text, single.title) == ("My first entry.", "My first entry.")


def test_what_is_broken_in_an_export_is_named(read: Read, member_of: MakeMember) -> None:
    whole = json.dumps({"tags": {}, "entries": [7, exported(date="soon")]})
    problem, undated, end = read(whole[:-1], "export.json")
    assert problem == ImportProblem("export.json#0", "is no entry")
    assert isinstance(undated, Item)
    assert undated.moment.iso() is None
    assert isinstance(end, ImportProblem)
    assert list(JRNL.read([member_of("x.json", b'{"tags": {}}')], Reading())) == [
        Skipped("x.json", "no entries in it")
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("chat.txt", "[2024-03-02 08:10] Ann: Hi\n[2024-03-02 08:11] Bob: Hi\n"),
        ("chat.txt", "[29/08/20, 11:11:00] Ann: Hi\n"),
        ("log.txt", "[2024-03-02] Something\n"),
        ("notes.txt", "2010-06-10 15:00 A life without chocolate.\n"),
        ("notes.txt", "[1] a footnote\n"),
        ("notes.md", "[2013-06-09 15:39] My first entry.\n"),
        ("day.json", '{"entries": [], "metadata": {}}'),
        ("a.journal", ""),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert JRNL.claim([member_of(path, text.encode())]) is None
