"""TextBundles: Bear's backups and other programs' exports."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.bear import BEAR
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., Found]

BUNDLE = "Backup.bear2bk/A walk.textbundle"
OWN = {
    "uniqueIdentifier": "A15C57B8-C6F1-4B96-AE52-4A4D127BF37E",
    "creationDate": "2023-10-11T08:07:06Z",
    "modificationDate": "2024-01-01T00:00:00Z",
    "trashed": 0,
}


def info(**changes: Any) -> bytes:
    about = {"version": 2, "creatorIdentifier": "net.shinyfrog.bear"}
    return json.dumps(about | {"net.shinyfrog.bear": OWN | changes}).encode()


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads one note of this text and these properties."""

    def read_note(text: str, *, bundle: str = BUNDLE, about: bytes | None = None) -> Found:
        members = [
            member_of(f"{bundle}/info.json", info() if about is None else about),
            member_of(f"{bundle}/text.md", text.encode()),
        ]
        claim = BEAR.claim(members)
        assert claim is not None
        assert claim.paths == {one.path for one in members}
        first, found = BEAR.read(members, Reading())
        assert first == Skipped(f"{bundle}/info.json", "says when the note beside it was written")
        return found

    return read_note


def test_a_note_of_bear_says_all_that_is_known(read: Read) -> None:
    item = read('# A walk\n\nOut we went.\n![](assets/a.jpeg)<!-- {"width":300} -->\n#home/garden')
    assert isinstance(item, Item)
    assert item.moment.iso() == "2023-10-11T08:07:06+00:00"
    assert item == Item(
        key="A15C57B8-C6F1-4B96-AE52-4A4D127BF37E",
        medium="note",
        moment=item.moment,
        text="# A walk\n\nOut we went.\n\n#home/garden",
        mine=True,
        locator=f"{BUNDLE}/text.md",
        title="A walk",
        labels=("home/garden",),
    )


def test_tags_are_read_as_bear_writes_them(read: Read) -> None:
    item = read("# Title\n\n#two words# #项目 计划# #中文 #标签/子标签. a#b ## x (#no) #yes!\n#1")
    assert isinstance(item, Item)
    assert item.labels == ("two words", "项目 计划", "中文", "标签/子标签", "yes", "1")


def test_what_was_thrown_away_or_archived_is_labelled(read: Read) -> None:
    item = read("x", about=info(trashed=1, archived=True, pinned=0))
    assert isinstance(item, Item)
    assert item.labels == ("trashed", "archived")


def test_an_encrypted_note_is_named(read: Read) -> None:
    found = read("", about=info(encrypted=1))
    assert isinstance(found, ImportProblem)
    assert "take the lock off" in found.reason


@pytest.mark.parametrize(
    ("bundle", "moment"),
    [("Note.textbundle", None), ("2023-10-11T081102Z.textbundle", "2023-10-11T08:11:02+00:00")],
)
def test_without_a_date_inside_the_name_counts_and_else_nothing(
    read: Read, bundle: str, moment: str | None
) -> None:
    about = b'{"version": 1, "creatorIdentifier": "com.example.editor", "transient": true}'
    item = read("# T\n\nSee [the map](assets/map.pdf) #tag", bundle=bundle, about=about)
    assert isinstance(item, Item)
    assert (item.moment.iso(), item.labels) == (moment, ())
    assert item.text == "# T\n\nSee the map #tag"


def test_broken_properties_are_named_and_the_note_is_read(member_of: MakeMember) -> None:
    members = [
        member_of("a.textbundle/info.json", b'{"version": 2, "type":'),
        member_of("a.textbundle/text.markdown", b"Words"),
    ]
    _, problem, item = BEAR.read(members, Reading())
    assert isinstance(problem, ImportProblem)
    assert isinstance(item, Item)
    assert (item.text, item.title, item.moment.iso()) == ("Words", "a", None)


@pytest.mark.parametrize("ending", [".bear2bk", ".textpack", ".zip"])
def test_packed_bundles_are_read_alone_and_in_a_folder(tmp_path: Path, ending: str) -> None:
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / f"notes{ending}", "w") as archive:
        archive.writestr("A.textbundle/text.md", "# A\n\nWords #tag")
        archive.writestr("A.textbundle/info.json", info())
        archive.writestr("tags.json", '{"tags": []}')
    for place in (tmp_path / "in", tmp_path / "in" / f"notes{ending}"):
        with open_tree(place) as tree:
            recognition = recognise(tree)
            assert [one.importer for one in recognition.recognised] == ["bear"]
            found = list(read_all(recognition, Reading(), Progress()))
        (item,) = (one for one in found if isinstance(one, Item))
        assert item.locator == f"notes{ending}!A.textbundle/text.md"
        assert "a list of labels" in {one.reason for one in found if isinstance(one, Skipped)}


@pytest.mark.parametrize(
    "files",
    [
        {"a/text.md": b"x"},
        {"a/text.md": b"x", "a/info.json": b'{"name": "x"}'},
        {"a/notes.md": b"x", "a/info.json": b'{"version": 2, "transient": true}'},
    ],
)
def test_other_folders_are_not_claimed(member_of: MakeMember, files: dict[str, bytes]) -> None:
    assert BEAR.claim([member_of(path, data) for path, data in files.items()]) is None
