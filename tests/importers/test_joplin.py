"""Joplin's archive and its folder of items."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.joplin import JOPLIN
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

NOTE, TAG, TAGGED, BOOK = (letter * 32 for letter in "abcd")


def fields(own: str, kind: int, **more: str) -> str:
    lines = {"id": own, **more, "type_": str(kind)}
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


def note(body: str = "Words", *, title: str = "A walk", **more: str) -> str:
    stamps = {
        "created_time": "2024-01-16T04:30:00.123Z",
        "user_created_time": "2024-01-15T04:30:00.123Z",
        "encryption_applied": "0",
        "author": "",
        "source_url": "",
        "markup_language": "1",
        "deleted_time": "0",
    } | more
    gap = "\n\n" if body else ""
    return f"{title}{gap}{body}\n\n{fields(NOTE, 1, **stamps)}"


ITEMS = {
    f"{NOTE}.md": note(),
    f"{TAG}.md": f"home\n\n{fields(TAG, 5)}",
    f"{TAGGED}.md": fields(TAGGED, 6, note_id=NOTE, tag_id=TAG),
    f"{BOOK}.md": f"Diary\n\n{fields(BOOK, 2, parent_id='')}",
}


def archived(items: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in {**items, "resources/x.png": "\x00" * 100}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return data.getvalue()


@pytest.fixture
def read(member_of: MakeMember) -> Callable[[str], Found]:
    """Return a function that reads one note as it lies in a folder."""

    def read_note(text: str) -> Found:
        (found,) = JOPLIN.read([member_of(f"{NOTE}.md", text.encode())], Reading())
        return found

    return read_note


def test_an_archive_and_a_folder_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    for name, text in ITEMS.items():
        (tmp_path / "raw" / name).write_text(text)
    (tmp_path / "notes.jex").write_bytes(archived(ITEMS))
    seen = []
    for place in (tmp_path / "raw", tmp_path / "notes.jex"):
        with open_tree(place) as tree:
            recognition = recognise(tree)
            assert [one.importer for one in recognition.recognised] == ["joplin"]
            found = list(read_all(recognition, Reading(), Progress()))
        (item,) = (one for one in found if isinstance(one, Item))
        assert {one.reason for one in found if isinstance(one, Skipped)} - {"a picture"} == {
            "a notebook's name", "a label", "says where a label is",
        }  # fmt: skip
        seen.append(item)
    raw, packed = seen
    assert raw.moment.iso() == "2024-01-15T04:30:00+00:00"
    assert raw == Item(
        key=NOTE,
        medium="note",
        moment=raw.moment,
        text="Words",
        mine=True,
        locator=f"{NOTE}.md",
        title="A walk",
        labels=("home",),
    )
    assert packed.locator == f"notes.jex!{NOTE}.md"
    assert (packed.key, packed.text, packed.labels) == (raw.key, raw.text, raw.labels)


def test_links_to_other_items_read_as_their_names(read: Callable[[str], Found]) -> None:
    item = read(note(f"![a](:/{TAG}) See [that](:/{BOOK}#part) and [web](https://example.org)"))
    assert isinstance(item, Item)
    assert item.text == "See that and [web](https://example.org)"


def test_a_body_may_hold_lines_like_fields_and_empty_lines(read: Callable[[str], Found]) -> None:
    item = read(note("type_: 2\n\nid: x\n\nEnd"))
    assert isinstance(item, Item)
    assert item.text == "type_: 2\n\nid: x\n\nEnd"
    bare = read(note("", title="Call Ann"))
    assert isinstance(bare, Item)
    assert bare.text == "Call Ann"


def test_html_clipped_trashed_and_undated_notes(read: Callable[[str], Found]) -> None:
    html = read(note("<p>One</p><p>Two</p>", markup_language="2"))
    assert isinstance(html, Item)
    assert html.text == "One\n\nTwo"
    clipped = read(note("A page", source_url="https://example.org/"))
    assert isinstance(clipped, Item)
    assert (clipped.mine, clipped.text, clipped.context) == (False, "", "A page")
    trashed = read(note(deleted_time="1705379400123"))
    assert isinstance(trashed, Item)
    assert trashed.labels == ("trashed",)
    undated = read(note(created_time="", user_created_time="soon"))
    assert isinstance(undated, Item)
    assert undated.moment.iso() is None


def test_encrypted_and_broken_items_are_named(read: Callable[[str], Found]) -> None:
    locked, broken = read(note("JED01", encryption_applied="1")), read("Only words")
    assert isinstance(locked, ImportProblem)
    assert "encryption off" in locked.reason
    assert isinstance(broken, ImportProblem)
    assert "no fields" in broken.reason


def test_an_archive_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    whole = archived({f"{NOTE}.md": note(), f"{TAG}.md": "x" * 50_000})
    (tmp_path / "n.jex").write_bytes(whole[:10_000])
    with open_tree(tmp_path / "n.jex") as tree:
        problem, item = read_all(recognise(tree), Reading(), Progress())
    assert isinstance(item, Item)
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "n.jex"
    assert "damaged or incomplete" in problem.reason


def test_other_files_are_not_claimed(member_of: MakeMember) -> None:
    for path, data in (
        (f"{NOTE}.md", b"# Words"),
        ("a.jex", b"PK\x03\x04"),
    ):
        assert JOPLIN.claim([member_of(path, data)]) is None
