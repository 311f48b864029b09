"""Google Keep's notes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.keep import KEEP
from clone_app.importers.recognise import recognise
from clone_app.protocols import Member, Reading

MakeMember = Callable[[str, bytes], Member]
ReadNote = Callable[..., Item]

NOTE = {
    "color": "DEFAULT",
    "isTrashed": False,
    "isPinned": False,
    "isArchived": False,
    "textContent": "Water the ferns.",
    "title": "Home",
    "userEditedTimestampUsec": 1690597779005000,
    "createdTimestampUsec": 1690426307496000,
}
FOLDER = "Takeout/Keep/"


@pytest.fixture
def read(member_of: MakeMember) -> ReadNote:
    """Return a function that reads a note with these changes; None takes a field away."""

    def read_note(*, me: str = "", **changes: Any) -> Item:
        note = {key: value for key, value in (NOTE | changes).items() if value is not None}
        member = member_of(f"{FOLDER}Home.json", json.dumps(note).encode())
        assert KEEP.claim([member]) is not None
        (item,) = KEEP.read([member], Reading(frozenset({me} if me else ())))
        assert isinstance(item, Item)
        return item

    return read_note


def test_a_note_says_all_that_is_known(read: ReadNote) -> None:
    item = read(labels=[{"name": "garden"}, {"name": "with spaces"}])
    assert item.moment.iso() == "2023-07-27T02:51:47+00:00"
    assert item.key.startswith("keep:2023-07-27:")
    assert item == Item(
        key=item.key,
        medium="note",
        moment=item.moment,
        text="Water the ferns.",
        mine=True,
        locator="Takeout/Keep/Home.json",
        title="Home",
        labels=("garden", "with spaces"),
    )


def test_a_checklist_keeps_what_is_ticked(read: ReadNote) -> None:
    entries = [
        {"text": "Milk", "isChecked": True},
        {"text": "", "isChecked": False},
        {"text": "Tea"},
    ]
    assert read(textContent=None, listContent=entries).text == "- [x] Milk\n- [ ] Tea"


@pytest.mark.parametrize(
    ("flag", "label"),
    [("isTrashed", "trashed"), ("isArchived", "archived"), ("isPinned", "pinned")],
)
def test_what_was_thrown_away_archived_or_pinned_is_labelled(
    read: ReadNote, flag: str, label: str
) -> None:
    assert read(**{flag: True}).labels == (label,)


@pytest.mark.parametrize(
    ("created", "edited", "moment"),
    [
        ("1690426307496000", None, "2023-07-27T02:51:47+00:00"),
        (None, 1690597779005000, "2023-07-29T02:29:39+00:00"),
        (0, 1690597779005000, "2023-07-29T02:29:39+00:00"),
        (None, None, None),
        ("soon", True, None),
        (10**30, None, None),
    ],
)
def test_the_moment_is_when_it_was_made_else_edited_else_nothing(
    read: ReadNote, created: Any, edited: Any, moment: str | None
) -> None:
    item = read(createdTimestampUsec=created, userEditedTimestampUsec=edited)
    assert item.moment.iso() == moment


def test_two_notes_of_a_day_with_the_same_words_stay_two(read: ReadNote) -> None:
    assert read(title="One").key != read(title="Two").key
    assert read(title="One").key == read(title="One", userEditedTimestampUsec=1).key


def test_a_title_alone_is_what_the_note_says(read: ReadNote) -> None:
    assert read(textContent="", title="Call Ann").text == "Call Ann"


def test_text_that_comes_as_html_alone_is_read(read: ReadNote) -> None:
    item = read(textContent=None, textContentHtml="<p>One</p><p>Two &amp; three</p>")
    assert item.text == "One\n\nTwo & three"


def test_titles_of_linked_pages_are_others_words(read: ReadNote) -> None:
    link = {"title": "Ferns", "description": "", "url": "https://example.org/ferns"}
    assert read(annotations=[link]).context == "Ferns – https://example.org/ferns"


def test_a_note_shared_with_me_is_its_owners(read: ReadNote) -> None:
    sharees = [
        {"isOwner": True, "email": "ann@example.org"},
        {"isOwner": False, "email": "Robin@example.org"},
    ]
    theirs = read(sharees=sharees, me="robin@example.org")
    assert (theirs.mine, theirs.author, theirs.recipients) == (False, "ann@example.org", ())
    own = read(sharees=sharees, me="ann@example.org")
    assert (own.mine, own.author, own.recipients) == (True, "", ("Robin@example.org",))
    assert read(sharees=sharees).mine


def test_the_copies_as_html_and_the_list_of_labels_are_skipped(member_of: MakeMember) -> None:
    data = json.dumps(NOTE).encode()
    members = [
        member_of(f"{FOLDER}Home.json", data),
        member_of(f"{FOLDER}Home.html", b"<html>"),
        member_of(f"{FOLDER}Labels.txt", b"garden"),
        member_of("Takeout/Mail/Labels.txt", b"x"),
        member_of("Takeout/other.html", b"<html>"),
    ]
    claim = KEEP.claim(members)
    assert claim is not None
    assert claim.paths == {f"{FOLDER}Home.json", f"{FOLDER}Home.html", f"{FOLDER}Labels.txt"}
    found = list(KEEP.read(members[:3], Reading()))
    assert found[1:] == [
        Skipped(f"{FOLDER}Home.html", "the same note as HTML"),
        Skipped(f"{FOLDER}Labels.txt", "a list of labels"),
    ]


def test_a_picture_without_words_is_skipped_and_a_broken_note_named(member_of: MakeMember) -> None:
    empty = json.dumps(NOTE | {"textContent": "", "title": ""}).encode()
    members = [member_of("a.json", empty), member_of("b.json", json.dumps(NOTE).encode()[:-9])]
    skipped, problem = KEEP.read(members, Reading())
    assert skipped == Skipped("a.json", "nothing written in it")
    assert isinstance(problem, ImportProblem)
    assert "breaks off" in problem.reason


@pytest.mark.parametrize("title", ["Changes", "License", "README", "Notice"])
def test_a_note_called_like_a_projects_paper_is_a_note(tmp_path: Path, title: str) -> None:
    (tmp_path / f"{title}.json").write_text(json.dumps(NOTE | {"title": title}))
    with open_tree(tmp_path) as tree:
        assert [one.importer for one in recognise(tree).recognised] == ["keep"]


def test_a_long_note_is_known_by_what_stands_before_its_text(member_of: MakeMember) -> None:
    data = json.dumps(NOTE | {"textContent": "x" * 9000}).encode()
    assert KEEP.claim([member_of("a.json", data)]) is not None


@pytest.mark.parametrize("data", [b"{}", b'{"color": "RED", "title": "x"}', b"[]", b""])
def test_other_json_is_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert KEEP.claim([member_of("a.json", data)]) is None
