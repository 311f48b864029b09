"""Messages of Apple's Messages (iMessage, SMS): its database `chat.db`, read where it lies."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import text_of
from clone_app.importers.left_out import left_out
from clone_app.importers.no_source import MESSAGES
from clone_app.importers.sqlitefile import START, SqliteFault, columns, opened
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

_APPLE_EPOCH = 978_307_200  # seconds from 1970 to 2001
_NANOSECONDS = 10**11  # as seconds this were the year 5169
_NEEDED = {"guid", "text", "date", "is_from_me", "handle_id"}
_OPTIONAL = ("attributedBody", "item_type", "associated_message_type", "account")
# In an archived NSAttributedString the letters follow the class and this mark, with their length.
_STRING = re.compile(rb"NS(?:Mutable)?String.{0,40}?\x84\x01\+", re.DOTALL)
_OBJECT = "\ufffc"  # stands where a picture stood
_TOLD = {
    "program": ("reaction or note of the program", "reactions and notes of the program"),
    "wordless": ("picture or sound without words", "pictures and sounds without words"),
}


@dataclass(frozen=True, slots=True)
class IMessage:
    """Read the messages; the database itself says which were sent from here."""

    name: str = "imessage"
    title: str = "Apple Messages (iMessage, SMS)"
    help: str = (
        "On a Mac: quit Messages, then copy chat.db from the folder Library/Messages in your home "
        "(Finder: Go, Go to Folder) and choose the copy."
    )
    endings: tuple[str, ...] = (".db", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim databases called as Apple calls them."""
        return claim_those(
            members, lambda one: MESSAGES.search(one.path) and one.head().startswith(START), 0.95
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, in the order they came, then what had none."""
        for member in members:
            try:
                with opened(member) as db:
                    yield from _messages(member, db, reading)
            except (SqliteFault, ArchiveError) as fault:
                yield ImportProblem(member.locator, str(fault))


IMESSAGE = IMessage()


@dataclass(frozen=True, slots=True)
class _Chat:
    """Hold what the database knows of one chat."""

    guid: str = ""
    title: str = ""
    people: tuple[str, ...] = ()


def _messages(member: Member, db: sqlite3.Connection, reading: Reading) -> Iterator[Found]:
    there = columns(db, "message")
    if not there >= _NEEDED:
        yield ImportProblem(
            member.locator, "is no database of Messages; copy chat.db from Library/Messages again"
        )
        return
    handles = _handles(db)
    chats = _chats(db, handles)
    told: Counter[str] = Counter()
    before: object = None
    count = 0
    for number, chat_number, *fields in db.execute(_query(db, there)):
        if number == before:
            continue
        before = number
        count += 1
        row = dict(zip((*sorted(_NEEDED), *_OPTIONAL), fields, strict=True))
        text = _text(row)
        if row["item_type"] or row["associated_message_type"]:
            told["program"] += 1
        elif not text:
            told["wordless"] += 1
        else:
            chat = chats.get(chat_number, _Chat())
            yield _item(row, text, f"{member.locator}#{number}", chat, handles, reading)
    yield from left_out(member, told, _TOLD)
    if not count:
        yield Skipped(member.locator, "no messages in it")


def _query(db: sqlite3.Connection, there: frozenset[str]) -> str:
    """Return the query for all messages with their chat; columns an older system lacks are null."""
    fields = ", ".join(
        f"m.{name}" if name in there else "NULL" for name in (*sorted(_NEEDED), *_OPTIONAL)
    )
    if columns(db, "chat_message_join") >= {"chat_id", "message_id"}:
        joined = "j.chat_id", "LEFT JOIN chat_message_join j ON j.message_id = m.ROWID"
    else:
        joined = "NULL", ""
    return f"SELECT m.ROWID, {joined[0]}, {fields} FROM message m {joined[1]} ORDER BY m.ROWID"


def _handles(db: sqlite3.Connection) -> dict[object, str]:
    if not columns(db, "handle") >= {"id"}:
        return {}
    return {
        number: clean_text(text_of(name))
        for number, name in db.execute("SELECT ROWID, id FROM handle")
    }


def _chats(db: sqlite3.Connection, handles: dict[object, str]) -> dict[object, _Chat]:
    there = columns(db, "chat")
    if not there >= {"guid", "chat_identifier"}:
        return {}
    people: dict[object, list[str]] = {}
    if columns(db, "chat_handle_join") >= {"chat_id", "handle_id"}:
        for chat, handle in db.execute("SELECT chat_id, handle_id FROM chat_handle_join"):
            people.setdefault(chat, []).append(handles.get(handle, ""))
    shown = "display_name" if "display_name" in there else "NULL"
    found = db.execute(f"SELECT ROWID, guid, {shown}, chat_identifier FROM chat")
    return {
        number: _Chat(
            clean_text(text_of(guid)),
            clean_text(text_of(name) or text_of(identifier)).strip(),
            tuple(name for name in people.get(number, []) if name),
        )
        for number, guid, name, identifier in found
    }


def _item(
    row: dict[str, Any],
    text: str,
    locator: str,
    chat: _Chat,
    handles: dict[object, str],
    reading: Reading,
) -> Item:
    moment = _moment(row["date"])
    sent = row["is_from_me"] == 1
    other = handles.get(row["handle_id"], "")
    account = (
        clean_text(text_of(row["account"])).removeprefix("E:").removeprefix("P:").removeprefix("e:")
    )
    author = account if sent else other
    people = chat.people or ((other,) if other else ())
    guid = clean_text(text_of(row["guid"]))
    return Item(
        key=f"imessage:{guid}"
        if guid
        else made_key("imessage", moment, moment.iso() or "", author, text),
        medium="chat",
        moment=moment,
        text=text,
        mine=sent or reading.is_me(author),
        locator=locator,
        author=author,
        title=chat.title or other,
        recipients=people if sent else tuple(name for name in people if name != author),
        thread=f"imessage:{chat.guid or other}",
    )


def _moment(value: object) -> Moment:
    """Return the moment of Apple's count from 2001: seconds, since 2017 nanoseconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value:
        return Moment.unknown()
    seconds = value / 10**9 if abs(value) >= _NANOSECONDS else value
    return epoch_moment(seconds + _APPLE_EPOCH) or Moment.unknown()


def _text(row: dict[str, Any]) -> str:
    """Return the words of a message: newer systems keep them in the archived form only."""
    text = text_of(row["text"])
    if not text.strip() and isinstance(row["attributedBody"], bytes):
        text = archived_text(row["attributedBody"])
    return clean_text(text.replace(_OBJECT, "")).strip()


def archived_text(data: bytes) -> str:
    """Return the letters of an archived NSAttributedString (Apple's typedstream); none of another.

    Their length is one byte, or behind 0x81 two and behind 0x82 four, least first.
    """
    found = _STRING.search(data)
    if found is None:
        return ""
    at = found.end()
    wide = {0x81: 2, 0x82: 4}.get(data[at], 0) if at < len(data) else 0
    if wide:
        at += 1
    length = int.from_bytes(data[at : at + (wide or 1)], "little")
    at += wide or 1
    return data[at : at + length].decode("utf-8", "replace")
