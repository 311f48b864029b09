"""Apple's Messages: both counts of time, archived letters, and who sent what."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.imessage import IMESSAGE, archived_text
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]
SCHEMA = """
CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, attributedBody BLOB, date INTEGER,
  is_from_me INTEGER, handle_id INTEGER, item_type INTEGER DEFAULT 0,
  associated_message_type INTEGER DEFAULT 0, account TEXT);
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT);
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT, chat_identifier TEXT, display_name TEXT);
CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);
CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
INSERT INTO handle VALUES (1, 'zoe@example.org'), (2, '+15550100');
INSERT INTO chat VALUES (1, 'iMessage;-;zoe@example.org', 'zoe@example.org', ''),
  (2, 'iMessage;+;chat9', 'chat9', 'Trip');
INSERT INTO chat_handle_join VALUES (1, 1), (2, 1), (2, 2);
"""
WHEN = 600_986_940  # 2020-01-17T20:49:00Z in seconds after 2001


def archived(text: str) -> bytes:
    """Return a text in the form in which newer systems keep it."""
    data = text.encode()
    if len(data) < 0x80:
        length = bytes([len(data)])
    elif len(data) < 0x10000:
        length = b"\x81" + len(data).to_bytes(2, "little")
    else:
        length = b"\x82" + len(data).to_bytes(4, "little")
    start = b"\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@\x84\x84\x84\x12NSAttributedString\x00\x84\x84\x08"
    return (
        start
        + b"NSObject\x00\x85\x92\x84\x84\x84\x08NSString\x01\x94\x84\x01+"
        + length
        + data
        + b"\x86\x84\x02iI"
    )


def database(*messages: dict[str, Any], schema: str = SCHEMA) -> bytes:
    """Return a database that holds these messages, each in chat 1 unless it names another."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema)
        for number, message in enumerate(messages, start=1):
            row = {
                "ROWID": number, "guid": f"G{number}", "text": "Hello", "date": WHEN * 10**9,
                "is_from_me": 0, "handle_id": 1, **message,
            }  # fmt: skip
            chats = row.pop("chats", (1,))
            marks = ", ".join("?" * len(row))
            db.execute(
                f"INSERT INTO message ({', '.join(row)}) VALUES ({marks})", list(row.values())
            )
            db.executemany(
                "INSERT INTO chat_message_join VALUES (?, ?)", [(one, number) for one in chats]
            )
        db.commit()
        return db.serialize()


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that claims and reads one database."""

    def read_database(data: bytes, *me: str) -> list[Found]:
        member = member_of("Messages/chat.db", data)
        assert IMESSAGE.claim([member]) is not None
        return list(IMESSAGE.read([member], Reading(frozenset(me))))

    return read_database


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def test_a_message_says_all_that_is_known(read: Read) -> None:
    got, sent = items(read(database({}, {"is_from_me": 1, "account": "E:robin@example.org"})))
    assert got == Item(
        key="imessage:G1", medium="chat", moment=got.moment, text="Hello", mine=False,
        locator="Messages/chat.db#1", author="zoe@example.org", title="zoe@example.org",
        thread="imessage:iMessage;-;zoe@example.org",
    )  # fmt: skip
    assert got.moment.iso() == "2020-01-17T20:49:00+00:00"
    assert (sent.mine, sent.author, sent.recipients) == (
        True,
        "robin@example.org",
        ("zoe@example.org",),
    )


def test_older_systems_count_in_seconds(read: Read) -> None:
    found = items(read(database({"date": WHEN}, {"date": 0}, {"date": 10**30 * 1.0})))
    assert [one.moment.iso() for one in found] == ["2020-01-17T20:49:00+00:00", None, None]


@pytest.mark.parametrize("text", ["Hi", "Grüße 😀", "a" * 127, "b" * 128, "c" * 300, "d" * 70_000])
def test_letters_are_taken_from_the_archived_form(read: Read, text: str) -> None:
    assert archived_text(archived(text)) == text
    (item,) = items(read(database({"text": None, "attributedBody": archived(text)})))
    assert item.text == text


def test_a_group_is_named_and_has_recipients(read: Read) -> None:
    (item,) = items(read(database({"chats": (2,), "handle_id": 2})))
    assert (item.title, item.author, item.recipients) == ("Trip", "+15550100", ("zoe@example.org",))


def test_a_message_in_two_chats_is_one(read: Read) -> None:
    assert len(items(read(database({"chats": (1, 2)})))) == 1


def test_what_has_no_words_is_counted(read: Read) -> None:
    found = read(
        database(
            {"text": "Liked “Hello”", "associated_message_type": 2001},
            {"text": None, "item_type": 2},
            {"text": "\ufffc"},
            {"text": None, "attributedBody": b"nonsense"},
            {"text": "\ufffcLook"},
        )
    )
    assert [one.text for one in items(found)] == ["Look"]
    assert found[1:] == [
        Skipped("Messages/chat.db#program", "2 reactions and notes of the program"),
        Skipped("Messages/chat.db#wordless", "2 pictures and sounds without words"),
    ]


def test_a_system_without_the_newer_columns_is_read(read: Read) -> None:
    old = (
        "CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, date INTEGER, "
        "is_from_me INTEGER, handle_id INTEGER);"
        "CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);"
    )
    (item,) = items(read(database({"date": WHEN}, schema=old)))
    assert (item.text, item.author, item.thread) == ("Hello", "", "imessage:")


def test_another_database_and_a_damaged_one_are_named(read: Read) -> None:
    assert read(database(schema="CREATE TABLE x (y);")) == [
        ImportProblem(
            "Messages/chat.db",
            "is no database of Messages; copy chat.db from Library/Messages again",
        )
    ]
    (problem,) = read(database({})[:3000])
    assert isinstance(problem, ImportProblem)
    assert problem.reason.endswith("copy it again")
    assert read(database()) == [Skipped("Messages/chat.db", "no messages in it")]


@pytest.mark.parametrize("name", ["other.db", "mychat.db", "chat.db.txt"])
def test_other_databases_are_not_claimed(member_of: MakeMember, name: str) -> None:
    assert IMESSAGE.claim([member_of(name, database({}))]) is None


@given(st.binary(max_size=80))
def test_any_bytes_have_letters_or_none(data: bytes) -> None:
    archived_text(data)
    archived_text(b"NSString\x01\x94\x84\x01+" + data)


ODD = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.binary(max_size=5)
)


@settings(max_examples=100)
@given(st.dictionaries(
    st.sampled_from(
        ["guid", "text", "date", "is_from_me", "handle_id", "attributedBody", "item_type", "account"]
    ),
    ODD.filter(lambda value: not isinstance(value, str) or value.isprintable()),
))  # fmt: skip
def test_any_values_give_items_or_problems(read: Read, row: dict[str, Any]) -> None:
    for one in read(database(row)):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.author + one.key).encode()
            assert one.text


@settings(max_examples=60)
@given(st.integers(100, 8000), st.integers(0, 255))
def test_a_damaged_byte_never_stops_the_import(read: Read, place: int, value: int) -> None:
    data = bytearray(database({}, {"text": "x" * 200}))
    data[place % len(data)] = value
    if data.startswith(b"SQLite format 3\x00"):
        assert all(isinstance(one, Item | ImportProblem | Skipped) for one in read(bytes(data)))
