"""No importer of notes falls or hangs, whatever the bytes; it yields items, problems or skips."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.apple_journal import APPLE_JOURNAL
from clone_app.importers.apple_notes import APPLE_NOTES
from clone_app.importers.bear import BEAR
from clone_app.importers.daygram import DAYGRAM
from clone_app.importers.dayone import DAYONE
from clone_app.importers.diarium import DIARIUM, MINIDIARY
from clone_app.importers.evernote import EVERNOTE
from clone_app.importers.joplin import JOPLIN
from clone_app.importers.journey import JOURNEY
from clone_app.importers.jrnl import JRNL
from clone_app.importers.keep import KEEP
from clone_app.importers.notion import NOTION
from clone_app.importers.roam import ROAM
from clone_app.importers.standardnotes import STANDARDNOTES
from clone_app.importers.tomboy import TOMBOY
from clone_app.protocols import Importer, Reading

from .conftest import MemoryMember

OURS: tuple[Importer, ...] = (
    DAYONE,
    JRNL,
    KEEP,
    EVERNOTE,
    NOTION,
    APPLE_JOURNAL,
    JOURNEY,
    BEAR,
    APPLE_NOTES,
    JOPLIN,
    DAYGRAM,
    DIARIUM,
    MINIDIARY,
    STANDARDNOTES,
    ROAM,
    TOMBOY,
)
ID = "152bb52ee2b58053ad50ffb72303b147"
NAMES = (
    "Journal.json",
    "B.doentry",
    "a.journal",
    "a.txt",
    "Home.json",
    "n.enex",
    f"A {ID}.md",
    f"A {ID}.html",
    f"A {ID}.csv",
    "entry.html",
    "a.textbundle/info.json",
    "a.textbundle/text.md",
    "Notes Details.csv",
    "Notes/a/a.txt",
    f"{ID}.md",
    "n.jex",
    "a.note",
    "graph.json",
    "1705379400123-3fd2a7ed4dc51ea6.json",
)


def check(members: list[MemoryMember]) -> None:
    """Read the members with every importer, claimed or not, and look at what comes."""
    paths = {member.path for member in members}
    for importer in OURS:
        claim = importer.claim(members)
        assert claim is None or claim.paths <= paths
        for found in importer.read(members, Reading()):
            assert isinstance(found, Item | ImportProblem | Skipped)
            assert found.locator.split("#")[0].split("!")[0] in paths
            if isinstance(found, Item):
                for text in (found.key, found.text, found.title, found.author, found.context):
                    text.encode("utf-8")
                    assert "\x00" not in text
                "".join(found.labels).encode("utf-8")
                assert found.key
                assert found.text or found.context
                assert found.medium in {"note", "diary"}


ENEX = b"<en-export><note><content><![CDATA[<en-note>%s</en-note>]]></content></note></en-export>"
KEYS = st.sampled_from(
    [
        "metadata", "version", "entries", "uuid", "creationDate", "timeZone", "text", "richText",
        "isAllDay", "tags", "contents", "attributes", "line", "header", "embeddedObjects", "listStyle",
        "net.shinyfrog.bear", "creationDate", "encrypted", "uniqueIdentifier", "trashed",
        "content_type", "content", "items", "references", "root", "children", "string", "html",
        "heading", "create-time", "uid", "date_journal", "dateOfJournal", "timezone", "type", "id",
        "body", "date", "time", "starred", "textContent", "listContent",
        "isChecked", "createdTimestampUsec", "labels", "name", "annotations", "sharees", "email",
        "isOwner", "title",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "2024-01-16T04:30:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "America/New_York",
        "GMT-0500", '{"contents": [{"text": "a"}]}', "[[[", "# x", "\ud800\x00", "a" * 300, "bulleted",
        "<p>x</p>", "![](dayone-moment://a)", "@tag #tag",
    ]
)  # fmt: skip
ODD = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)
WRAPPED = (
    "[%s]",
    '{"version": "004", "items": [%s]}',
    '{"version": "004", "items": [{"content_type": "Note", "content": %s}]}',
    '{"metadata": {"application": "Mini Diary"}, "entries": {"2018-01-01": %s}}',
    "%s",
    '{"metadata": {"version": "1.0"}, "entries": [%s]}',
    '{"tags": {}, "entries": [%s]}',
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.binary()), max_size=3))
def test_any_bytes_under_any_name_are_read(files: list[tuple[str, bytes]]) -> None:
    check([MemoryMember(path, data) for path, data in dict(files).items()])


PIECES = st.sampled_from(
    [
        "<en-export>", "</en-export>", "<note>", "</note>", "<title>", "</title>", "<content>",
        "</content>", "<![CDATA[<en-note>", "</en-note>]]>", "<created>20240112T072527Z</created>",
        "<task>", "</task>", "<en-crypt>", "<en-todo/>", "<en-media/>", "&amp;", "&a;", "x", "<tag>a</tag>",
    ]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=40))
def test_any_markup_is_read(pieces: list[str]) -> None:
    text = "<en-export><note>" + "".join(pieces)
    check([MemoryMember("n.enex", text.encode("utf-8", "surrogatepass"))])


@settings(max_examples=150, deadline=None)
@given(VALUES, st.sampled_from(NAMES), st.sampled_from(WRAPPED))
def test_any_json_in_any_place_is_read(value: Any, name: str, form: str) -> None:
    check([MemoryMember(name, (form % json.dumps(value)).encode())])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Journal.json", b'{"metadata":{"version":"1.0"},"entries":' + b"[" * 1_000_000),
        ("Journal.json", b'{"entries":[{"uuid":"1","text":"' + b"![](" * 300_000 + b'"}]}'),
        ("Journal.json", b'{"entries":[{"uuid":"1","text":"' + b"[" * 300_000 + b'"}]}'),
        ("Journal.json", b'{"entries":[{"uuid":"1","richText":"' + b"[" * 100_000 + b'"}]}'),
        ("a.journal", b"[2024-03-02 08:10] x\n" * 10_000),
        ("a.journal", b"[" * 500_000),
        ("a.journal", b"[2024-03-02 08:10] " + b"@a " * 300_000),
        ("a.journal", b"[03/04/2024 08:10] " + b" " * 1_000_000 + b"x"),
        ("n.enex", b"<en-export>" + b"<note>" * 100_000),
        ("n.enex", b"<en-export>" + b"<note><title>x</title></note>" * 5_000 + b"</en-export>"),
        ("n.enex", ENEX % (b"<en-crypt>" * 100_000)),
        ("n.enex", ENEX % (b'<div style="--en-task-group:true">' + b"<div>a</div>" * 40_000)),
        ("n.enex", ENEX % (b'<div style="--en-task-group:true">' * 60_000)),
        ("n.enex", ENEX % (b"<li --en-checked:" * 200_000)),
        (f"A {ID}.md", b"# x\n\n" + b"![](" * 200_000),
        (f"A {ID}.md", b"# x\n\n" + b"[a](b" * 200_000),
        (f"A {ID}.md", b"# x\n\n" + b"a: b\n" * 50_000),
        (f"A {ID}.md", b"[" * 500_000),
        (f"A {ID}.html", b"<div>" * 50_000),
        (f"A {ID}.html", b"<h1>" * 50_000),
        (f"A {ID}.csv", b"a,b\n" * 20_000),
        ("entry.html", b'<div class="pageContainer"><div class="pageHeader">' * 10_000),
        ("a.textbundle/text.md", b"#a " * 200_000),
        ("a.textbundle/text.md", b"#" * 300_000),
        ("a.textbundle/text.md", b"#a" * 300_000),
        ("Notes/a/a.txt", b"\t" * 500_000),
        (f"{ID}.md", b"a: b\n" * 100_000),
        (f"{ID}.md", b"![](:/" * 300_000 + b"\n\ntype_: 1"),
        ("a.txt", b"March 23 Monday 2020 / x\n" * 10_000),
        (
            "graph.json",
            b'[{"title": "a", "uid": "b", "edit-time": 1, "children": ' + b'[{"children":' * 90_000,
        ),
        ("graph.json", b'[{"date": "x", "heading": "", "html": "' + b"<p " * 300_000 + b'"}]'),
        ("a.note", b"<note><text><note-content>" + b"<bold>" * 100_000),
        ("entry.html", b'<div class="title">' * 5_000 + b"x" * 1_000_000),
        ("1705379400123-3fd2a7ed4dc51ea6.json", b'{"text":"' + b"<p " * 300_000 + b'"}'),
        ("B.doentry", b'<?xml version="1.0"?><plist><dict>' + b"<array>" * 300_000),
    ],
    ids=lambda value: value[:30].decode("latin-1") if isinstance(value, bytes) else value,
)
def test_input_made_to_hurt_costs_little_time(name: str, data: bytes) -> None:
    began = time.process_time()
    check([MemoryMember(name, data)])
    assert time.process_time() - began < 10
