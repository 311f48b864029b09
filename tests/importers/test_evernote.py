"""Evernote's .enex files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.evernote import EVERNOTE
from clone_app.importers.recognise import recognise
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n'
    '<en-export export-date="20240112T072747Z" application="Evernote" version="10.70.2">'
)
ENML = (
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    '<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">'
)


def note(
    body: str,
    *,
    title: str = "Encryption",
    created: str = "<created>20240112T072527Z</created>",
    more: str = "",
) -> str:
    return (
        f"<note><title>{title}</title>{created}<updated>20240113T072741Z</updated>{more}"
        f"<content>\n<![CDATA[{ENML}<en-note>{body}</en-note>]]></content></note>"
    )


def export(*notes: str) -> bytes:
    return f"{HEAD}{''.join(notes)}</en-export>".encode()


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads an export of these notes."""

    def read_notes(*notes: str) -> list[Found]:
        member = member_of("notes.enex", export(*notes))
        assert EVERNOTE.claim([member]) is not None
        return list(EVERNOTE.read([member], Reading()))

    return read_notes


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_a_note_says_all_that_is_known(read: Read) -> None:
    more = (
        "<tag>home</tag><tag>a/b</tag><note-attributes><author>Robin &amp; W.</author>"
        "<source>desktop.mac</source></note-attributes>"
    )
    item = only(
        read(note("<div>One</div><div>Two &amp; three</div>", title=" A\n day ", more=more))
    )
    assert item.moment.iso() == "2024-01-12T07:25:27+00:00"
    assert item.key.startswith("evernote:2024-01-12:")
    assert item == Item(
        key=item.key,
        medium="note",
        moment=item.moment,
        text="One\nTwo & three",
        mine=True,
        locator="notes.enex#0",
        author="Robin & W.",
        title="A day",
        labels=("home", "a/b"),
    )


def test_a_note_without_a_date_of_making_has_that_of_its_last_change(read: Read) -> None:
    assert only(read(note("x", created=""))).moment.iso() == "2024-01-13T07:27:41+00:00"
    undated = note("x", created="").replace("<updated>20240113T072741Z</updated>", "")
    assert only(read(undated)).moment.iso() is None


def test_boxes_to_tick_are_kept_and_pictures_go(read: Read) -> None:
    body = (
        '<div><en-todo checked="true"/>Milk</div><div><en-todo/>Tea</div>'
        '<en-media hash="ee76" type="image/png"/>'
        '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>Bread</div></li>'
        '<li style="--en-checked:false;">Salt</li></ul>'
    )
    assert only(read(note(body))).text == "[x] Milk\n[ ] Tea\n* [x] Bread\n* [ ] Salt"


def test_tasks_stand_in_the_note_in_place_of_the_text_for_old_programs(read: Read) -> None:
    group = (
        '<div style="--en-task-group:true; --en-id:1;"><div style="x">Content not supported</div>'
        '<div style="y">This block is a placeholder</div></div><div>After</div>'
    )
    tasks = (
        "<task><title>Call Ann</title><taskStatus>open</taskStatus></task>"
        "<task><title>Pay</title><taskStatus>completed</taskStatus>"
        "<reminder><created>20220520T221603Z</created></reminder></task>"
    )
    item = only(read(note(group).replace("</note>", f"{tasks}</note>")))
    assert item.text == "After\n\n- [ ] Call Ann\n- [x] Pay"
    assert item.title == "Encryption"


def test_an_encrypted_part_is_named_and_the_rest_is_read(read: Read) -> None:
    body = '<div>Open</div><en-crypt hint="h" cipher="AES">RU5DMCR2SQ/8==</en-crypt><div>End</div>'
    item, problem = read(note(body))
    assert isinstance(item, Item)
    assert item.text == "Open\nEnd"
    assert isinstance(problem, ImportProblem)
    assert problem.locator == item.locator
    assert "decrypt it in Evernote" in problem.reason


def test_a_clipped_page_is_others_words(read: Read) -> None:
    more = (
        "<note-attributes><source>web.clip7</source>"
        "<source-url>https://example.org/</source-url></note-attributes>"
    )
    item = only(read(note("<div>A page</div>", more=more)))
    assert (item.mine, item.text, item.context) == (False, "", "A page")
    assert item.author == "https://example.org/"


def test_a_title_alone_is_the_note_and_an_untitled_empty_one_is_skipped(read: Read) -> None:
    item, skipped = read(
        note("", title="Call Ann"), note("<div><br/></div>", title="Untitled Note")
    )
    assert isinstance(item, Item)
    assert (item.text, item.locator) == ("Call Ann", "notes.enex#0")
    assert skipped == Skipped("notes.enex#1", "nothing written in it")


def test_attachments_are_passed_over(read: Read) -> None:
    attached = (
        '<resource><data encoding="base64">' + "iVBORw0K" * 100_000 + "</data>"
        "<resource-attributes><file-name>a.png</file-name></resource-attributes></resource>"
    )
    item = only(read(note("<div>Words</div>").replace("</note>", f"{attached}</note>")))
    assert item.text == "Words"


def test_a_file_that_breaks_off_keeps_what_came_before(member_of: MakeMember) -> None:
    whole = export(note("one"), note("two"))
    item, problem = EVERNOTE.read([member_of("n.enex", whole[:-40])], Reading())
    assert isinstance(item, Item)
    assert item.text == "one"
    assert isinstance(problem, ImportProblem)
    assert (problem.locator, "breaks off" in problem.reason) == ("n.enex#1", True)
    broken = whole.replace(b"<note><title>", b"<note><<title>", 1)
    (named,) = EVERNOTE.read([member_of("n.enex", broken)], Reading())
    assert isinstance(named, ImportProblem)
    assert "is no XML from line 3 on" in named.reason


def test_control_characters_that_xml_forbids_do_no_harm(read: Read) -> None:
    assert only(read(note("<div>a\x0bb</div>"))).text == "ab"


def test_shorthands_made_to_grow_are_refused(member_of: MakeMember) -> None:
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY a "aaaaaaaaaa">'
        b'<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><en-export><note><title>&b;</title></note>'
        b"</en-export>"
    )
    (problem,) = EVERNOTE.read([member_of("n.enex", bomb)], Reading())
    assert isinstance(problem, ImportProblem)
    assert "grow without end" in problem.reason


def test_an_export_is_known_by_how_it_begins(tmp_path: Path, member_of: MakeMember) -> None:
    (tmp_path / "My notes.enex").write_bytes(export(note("x")))
    with open_tree(tmp_path / "My notes.enex") as tree:
        assert [one.importer for one in recognise(tree).recognised] == ["evernote"]
    for path, data in (("a.enex", b"<html>"), ("a.xml", b"<note/>"), ("a.txt", export())):
        assert EVERNOTE.claim([member_of(path, data)]) is None
    empty = list(EVERNOTE.read([member_of("a.enex", export())], Reading()))
    assert empty == [Skipped("a.enex", "no notes in it")]
