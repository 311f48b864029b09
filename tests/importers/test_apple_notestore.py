"""Notes in Apple's own database: their words, lists, folders and moments, and locked ones by name."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.apple_notestore import NOTESTORE
from clone_app.importers.no_source import no_source
from clone_app.importers.protobuf import WireFault, fields
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
# 2 March 2024, 08:10 UTC, in seconds since 2001.
MADE = 731_059_800.5


def varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def stretch(length: int, style: int | None = None, *, done: bool | None = None) -> bytes:
    inside = b"" if style is None else field(1, style)
    if done is not None:
        inside += field(5, field(1, b"id") + field(2, int(done)))
    return field(5, field(1, length) + (field(2, inside) if inside else b""))


def note(text: str, *stretches: bytes) -> bytes:
    inside = field(2, text.encode()) + b"".join(stretches)
    return gzip.compress(field(2, field(2, 1) + field(3, inside)))


def database(*notes: dict[str, Any]) -> bytes:
    """Return a NoteStore with two folders and these notes; `data` is what is packed in each."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, ZNOTE INTEGER, ZDATA BLOB)")
    db.execute(
        "CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, ZNOTEDATA INTEGER, ZFOLDER, "
        "ZIDENTIFIER, ZTITLE1, ZTITLE2, ZFOLDERTYPE, ZISPASSWORDPROTECTED, ZMARKEDFORDELETION, "
        "ZISPINNED, ZCREATIONDATE1, ZCREATIONDATE3, ZMODIFICATIONDATE1)"
    )
    for number, title, kind in ((1, "Garden", 0), (2, "Recently Deleted", 1)):
        db.execute(
            "INSERT INTO ZICCLOUDSYNCINGOBJECT (Z_PK, ZTITLE2, ZFOLDERTYPE) VALUES (?, ?, ?)",
            [number, title, kind],
        )
    for number, one in enumerate(notes, start=10):
        row = {"Z_PK": number, "ZNOTEDATA": number, "ZFOLDER": 1, "ZCREATIONDATE1": MADE, **one}
        data = row.pop("data", None)
        db.execute("INSERT INTO ZICNOTEDATA VALUES (?, ?, ?)", [number, number, data])
        db.execute(
            f"INSERT INTO ZICCLOUDSYNCINGOBJECT ({', '.join(row)}) "
            f"VALUES ({', '.join('?' * len(row))})",
            [*row.values()],
        )
    db.commit()
    return db.serialize()


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Callable[..., list[Found]]:
    """Return a function that reads a database of these notes."""

    def read_notes(*notes: dict[str, Any]) -> list[Found]:
        member = member_of("NoteStore.sqlite", database(*notes))
        assert NOTESTORE.claim([member]) is not None
        assert no_source(member) == ""
        return list(NOTESTORE.read([member], Reading()))

    return read_notes


Read = Callable[..., list[Found]]


def test_a_note_says_all_that_is_known(read: Read) -> None:
    (item,) = read(
        {"data": note("Beans\nSow in May. 🌱\n"), "ZIDENTIFIER": "A-1", "ZTITLE1": "Beans"}
    )
    assert isinstance(item, Item)
    assert item == Item(
        key="A-1",
        medium="note",
        moment=item.moment,
        text="Beans\nSow in May. 🌱",
        mine=True,
        locator="NoteStore.sqlite#10",
        title="Beans",
        labels=("Garden",),
    )
    assert item.moment.iso() == "2024-03-02T08:10:00+00:00"


def test_the_newer_column_of_the_date_counts_and_without_any_it_is_undated(read: Read) -> None:
    both, none = read(
        {"data": note("a"), "ZCREATIONDATE3": MADE + 86_400},
        {"data": note("b"), "ZCREATIONDATE1": None},
    )
    assert isinstance(both, Item)
    assert isinstance(none, Item)
    assert both.moment.iso() == "2024-03-03T08:10:00+00:00"
    assert none.moment.iso() is None


def test_lists_are_marked_and_counted_in_utf16_as_apple_counts(read: Read) -> None:
    text = "🌱 List\nbread\ntea\none\nplain"
    data = note(
        text, stretch(8, 0), stretch(6, 103, done=True), stretch(4, 103, done=False),
        stretch(4, 102), stretch(5),
    )  # fmt: skip
    (item,) = read({"data": data})
    assert isinstance(item, Item)
    assert item.text == "🌱 List\n- [x] bread\n- [ ] tea\n1. one\nplain"


def test_a_picture_leaves_no_sign_and_a_note_of_pictures_alone_is_skipped(read: Read) -> None:
    words, alone = read({"data": note("Sea \ufffc view")}, {"data": note("\ufffc\n")})
    assert isinstance(words, Item)
    assert words.text == "Sea  view"
    assert isinstance(alone, Skipped)


def test_what_was_thrown_away_or_pinned_is_labelled(read: Read) -> None:
    found = read(
        {"data": note("a"), "ZFOLDER": 2}, {"data": note("b"), "ZMARKEDFORDELETION": 1},
        {"data": note("c"), "ZISPINNED": 1},
    )  # fmt: skip
    assert [one.labels for one in found if isinstance(one, Item)] == [
        ("trashed",), ("trashed",), ("Garden", "pinned"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "what_to_do"),
    [
        ({"data": b"sealed", "ZISPASSWORDPROTECTED": 1}, "take the lock off"),
        ({"data": None}, "so that iCloud loads it"),
        ({"data": b"\x1f\x8bxx"}, "copy the database again"),
        ({"data": gzip.compress(b"\xff" * 40)}, "copy the database again"),
        ({"data": gzip.compress(field(2, field(3, field(2, b"a") + b"\x2a\x7f")))}, "copy the"),
        ({"data": gzip.compress(bytes(40_000_000))}, "copy the database again"),
        ({"data": gzip.compress(b"\x08\x01" * 8_000_000)}, "copy the database again"),
        ({"data": "words"}, "copy the database again"),
    ],
)
def test_a_locked_missing_or_damaged_note_is_named_and_the_next_is_read(
    read: Read, one: dict[str, Any], what_to_do: str
) -> None:
    problem, item = read(one, {"data": note("kept")})
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "NoteStore.sqlite#10"
    assert what_to_do in problem.reason
    assert isinstance(item, Item)


def test_another_database_is_named_and_other_files_are_not_claimed(member_of: MakeMember) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE a (b)")
    (found,) = NOTESTORE.read([member_of("NoteStore.sqlite", db.serialize())], Reading())
    assert isinstance(found, ImportProblem)
    assert "with Notes closed" in found.reason
    assert NOTESTORE.claim([member_of("other.sqlite", db.serialize())]) is None
    assert NOTESTORE.claim([member_of("NoteStore.sqlite", b"no database")]) is None


@settings(max_examples=60)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_give_items_or_problems(read: Read, data: bytes, packed: bool) -> None:
    found = read({"data": zlib.compress(data) if packed else data})
    assert all(isinstance(one, Item | ImportProblem | Skipped) for one in found)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 2**64 - 1) | st.binary(max_size=40))))
def test_any_message_is_read_field_by_field(parts: list[tuple[int, int | bytes]]) -> None:
    data = b"".join(field(number, value) for number, value in parts)
    assert list(fields(data)) == parts
    for end in range(len(data)):
        with suppress(WireFault):
            assert len(list(fields(data[:end]))) <= len(parts)
