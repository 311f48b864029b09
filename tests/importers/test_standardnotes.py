"""Standard Notes' backups."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.standardnotes import STANDARDNOTES
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

UUID = "5b1f1f0e-0a0a-4c4c-8d8d-000000000001"
BACKUP = "Standard Notes Backup and Import File.txt"


def note(text: Any = "Words", **content: Any) -> dict[str, Any]:
    about = {"title": "A walk", "text": text, "references": []} | content
    stamp = "2024-01-16T04:30:00.123Z"
    return {"uuid": UUID, "content_type": "Note", "content": about, "created_at": stamp}


def tag(name: str) -> dict[str, Any]:
    references = [{"uuid": UUID, "content_type": "Note"}]
    content = {"title": name, "references": references}
    return {"uuid": "2", "content_type": "Tag", "content": content, "created_at": "x"}


def backup(*items: Any) -> bytes:
    return json.dumps({"version": "004", "items": list(items)}).encode()


@pytest.fixture
def read(member_of: MakeMember) -> Callable[..., list[Found]]:
    def read_items(*items: Any) -> list[Found]:
        member = member_of(BACKUP, backup(*items))
        assert STANDARDNOTES.claim([member]) is not None
        return list(STANDARDNOTES.read([member], Reading()))

    return read_items


def test_a_note_says_all_that_is_known(read: Callable[..., list[Found]]) -> None:
    own = {"org.standardnotes.sn": {"archived": True}}
    (item,) = read(note(trashed=True, appData=own), tag("home"))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2024-01-16T04:30:00+00:00"
    assert item == Item(
        key=UUID,
        medium="note",
        moment=item.moment,
        text="Words",
        mine=True,
        locator=f"{BACKUP}#0",
        title="A walk",
        labels=("home", "trashed", "archived"),
    )


def test_the_old_editors_html_and_the_new_ones_tree_are_read(
    read: Callable[..., list[Found]],
) -> None:
    def paragraph(*texts: str, kind: str = "paragraph") -> dict[str, Any]:
        return {"type": kind, "children": [{"type": "text", "text": text} for text in texts]}

    lines = [paragraph("One ", "two"), paragraph(kind="paragraph"), paragraph("3", kind="heading")]
    tree = json.dumps({"root": {"type": "root", "children": lines}}, separators=(",", ":"))
    new, old, broken = read(note(tree), note("<p>One</p><p>Two</p>"), note('{"root":'))
    assert isinstance(new, Item)
    assert new.text == "One two\n\n3"
    assert isinstance(old, Item)
    assert old.text == "One\n\nTwo"
    assert isinstance(broken, Item)
    assert broken.text == '{"root":'


def test_encrypted_notes_are_counted(read: Callable[..., list[Found]]) -> None:
    locked = note() | {"content": "004:abc"}
    item, problem = read(
        note(), locked, locked, {"content_type": "SN|Theme", "content": "004:x"}, 5
    )
    assert isinstance(item, Item)
    assert isinstance(problem, ImportProblem)
    assert "holds 2 encrypted notes" in problem.reason


def test_a_backup_that_breaks_off_keeps_what_came_before(member_of: MakeMember) -> None:
    item, problem = STANDARDNOTES.read([member_of(BACKUP, backup(note(), note())[:-30])], Reading())
    assert isinstance(item, Item)
    assert isinstance(problem, ImportProblem)
    assert "breaks off" in problem.reason
    empty = list(STANDARDNOTES.read([member_of(BACKUP, backup(tag("x")))], Reading()))
    assert empty == [Skipped(BACKUP, "no notes in it")]


def test_the_copies_beside_a_backup_are_skipped(member_of: MakeMember) -> None:
    members = [
        member_of(f"export/{BACKUP}", backup(note())),
        member_of("export/Items/Note/A walk-5b1f.txt", b"Words"),
        member_of("other/Items/Note/B.txt", b"Words"),
    ]
    claim = STANDARDNOTES.claim(members)
    assert claim is not None
    assert claim.paths == {one.path for one in members[:2]}
    assert list(STANDARDNOTES.read(members[:2], Reading()))[1:] == [
        Skipped("export/Items/Note/A walk-5b1f.txt", "a copy of what the backup holds")
    ]


@pytest.mark.parametrize("data", [b'{"version": "1", "items": []}', b'{"items": "x"}', b"[]", b""])
def test_other_files_are_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert STANDARDNOTES.claim([member_of("a.json", data)]) is None
