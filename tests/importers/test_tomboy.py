"""Tomboy's notes."""

from __future__ import annotations

from collections.abc import Callable

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.tomboy import TOMBOY
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

UUID = "8a97cb92-34fa-427e-ba01-b8dbf4dae71f"


def note(content: str = "List\n\nWords", *, tags: str = "", created: bool = True) -> bytes:
    made = "<create-date>2025-09-04T22:44:24.1881560+02:00</create-date>" if created else ""
    return (
        '\ufeff<?xml version="1.0" encoding="utf-8"?>\n'
        '<note version="0.3" xmlns:link="http://beatniksoftware.com/tomboy/link" '
        'xmlns="http://beatniksoftware.com/tomboy">\n<title>List</title>\n'
        f'<text xml:space="preserve"><note-content version="0.1">{content}</note-content></text>\n'
        f"<last-change-date>2025-09-05T10:00:00.0+02:00</last-change-date>{made}"
        f"<tags>{tags}</tags></note>"
    ).encode()


def read(member_of: MakeMember, data: bytes) -> Found:
    member = member_of(f"{UUID}.note", data)
    claim = TOMBOY.claim([member])
    assert claim is not None
    (found,) = TOMBOY.read([member], Reading())
    return found


def test_a_note_says_all_that_is_known(member_of: MakeMember) -> None:
    content = (
        'List\n\n<bold>One</bold> &amp; <link:internal>two</link:internal>\n<list><list-item dir="ltr">'
        "a\n<list><list-item>b</list-item></list></list-item></list>\n\nEnd &lt;x&gt;"
    )
    tags = "<tag>system:notebook:Home</tag><tag>system:pinned</tag><tag>own</tag>"
    item = read(member_of, note(content, tags=tags))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2025-09-04T22:44:24+02:00"
    assert item == Item(
        key=UUID,
        medium="note",
        moment=item.moment,
        text="One & two\n- a\n- b\n\nEnd <x>",
        mine=True,
        locator=f"{UUID}.note",
        title="List",
        labels=("Home", "own"),
    )


def test_without_a_date_of_making_the_last_change_counts(member_of: MakeMember) -> None:
    item = read(member_of, note(created=False))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2025-09-05T10:00:00+02:00"


def test_templates_are_skipped_and_broken_notes_named(member_of: MakeMember) -> None:
    template = read(member_of, note(tags="<tag>system:template</tag>"))
    assert template == Skipped(f"{UUID}.note", "a template for notes")
    broken = read(member_of, note()[:-20])
    assert isinstance(broken, ImportProblem)
    assert "breaks off" in broken.reason


def test_other_files_are_not_claimed(member_of: MakeMember) -> None:
    for path, data in (("a.note", b"Words"), ("a.xml", note()), ("a.note", b"")):
        assert TOMBOY.claim([member_of(path, data)]) is None
