"""Apple Notes as the program itself keeps them: NoteStore.sqlite, each note a packed message.

The fields are those of the note's message as iOS and macOS write it since 2015: a document (2) holds a
note (3) of text (2) and stretches (5), each with a length in UTF-16 units (1) and a paragraph's style
(2). Moments are seconds since 2001.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem, Moment, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import text_of
from clone_app.importers.no_source import NOTES
from clone_app.importers.notes import noted
from clone_app.importers.protobuf import WireFault, fields, first
from clone_app.importers.sqlitefile import START, SqliteFault, columns, opened
from clone_app.importers.stamps import epoch_moment
from clone_app.protocols import Claim, Found, Member, Reading

_APPLE_EPOCH = 978_307_200  # seconds from 1970 to 2001
_NEEDED = {"Z_PK", "ZNOTEDATA"}
_MADE = ("ZCREATIONDATE3", "ZCREATIONDATE1", "ZCREATIONDATE2", "ZCREATIONDATE")
_OTHER = (
    "ZIDENTIFIER", "ZTITLE1", "ZFOLDER", "ZISPASSWORDPROTECTED", "ZMARKEDFORDELETION", "ZISPINNED",
    "ZTITLE2", "ZFOLDERTYPE",
)  # fmt: skip
_LIMIT = 16_000_000
_TRASH = 1
_DOTTED, _DASHED, _NUMBERED, _BOX = 100, 101, 102, 103
_OBJECT = "\ufffc"  # stands where a picture or a table stood


@dataclass(frozen=True, slots=True)
class NoteStore:
    """Read the notes on this machine, those locked with a password by name alone."""

    name: str = "notestore"
    title: str = "Apple Notes (NoteStore.sqlite)"
    help: str = (
        "On a Mac: quit Notes, then copy NoteStore.sqlite from the folder Library/Group "
        "Containers/group.com.apple.notes in your home (Finder: Go, Go to Folder) and choose the copy."
    )
    endings: tuple[str, ...] = (".sqlite", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim databases called as Apple calls it."""
        return claim_those(
            members, lambda one: NOTES.search(one.path) and one.head().startswith(START), 0.95
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note with words."""
        for member in members:
            try:
                with opened(member) as db:
                    yield from _notes(member, db)
            except (SqliteFault, ArchiveError) as fault:
                yield ImportProblem(member.locator, str(fault))


NOTESTORE = NoteStore()


def _notes(member: Member, db: sqlite3.Connection) -> Iterator[Found]:
    there = columns(db, "ZICCLOUDSYNCINGOBJECT")
    if not (there >= _NEEDED and columns(db, "ZICNOTEDATA") >= {"Z_PK", "ZDATA"}):
        yield ImportProblem(
            member.locator,
            "is no database of Apple Notes; copy NoteStore.sqlite again, with Notes closed",
        )
        return
    known = [name for name in (*_MADE, *_OTHER) if name in there]
    chosen = ", ".join(["o.Z_PK", *(f"o.{name}" for name in known)])
    folders = {
        row["Z_PK"]: row
        for row in _rows(
            db, f"SELECT {chosen} FROM ZICCLOUDSYNCINGOBJECT o WHERE o.ZNOTEDATA IS NULL"
        )
    }
    query = (
        f"SELECT {chosen}, length(d.ZDATA) AS size, d.ZDATA AS data FROM ZICCLOUDSYNCINGOBJECT o "
        "JOIN ZICNOTEDATA d ON d.Z_PK = o.ZNOTEDATA ORDER BY o.Z_PK"
    )
    for row in _rows(db, query):
        yield _note(row, folders.get(row.get("ZFOLDER"), {}), f"{member.locator}#{row['Z_PK']}")


def _rows(db: sqlite3.Connection, query: str) -> Iterator[dict[str, Any]]:
    found = db.execute(query)
    names = [column[0] for column in found.description]
    for row in found:
        yield dict(zip(names, row, strict=True))


def _note(row: dict[str, Any], folder: dict[str, Any], locator: str) -> Found:
    if row.get("ZISPASSWORDPROTECTED") == 1:
        return ImportProblem(
            locator, "is locked with a password; take the lock off it in Notes and copy again"
        )
    if not row["size"]:
        return ImportProblem(
            locator,
            "is not on this machine; open it in Notes, so that iCloud loads it, and copy again",
        )
    try:
        text = _text(row["data"])
    except (zlib.error, WireFault, TypeError):
        return ImportProblem(locator, "is damaged; open it in Notes and copy the database again")
    name = text_of(folder.get("ZTITLE2"))
    thrown = row.get("ZMARKEDFORDELETION") == 1 or folder.get("ZFOLDERTYPE") == _TRASH
    labels = [name] if name and not thrown else []
    labels += ["trashed"] if thrown else []
    labels += ["pinned"] if row.get("ZISPINNED") == 1 else []
    return noted(
        "notestore",
        text=text,
        moment=next((when for key in _MADE if (when := _moment(row.get(key)))), None),
        locator=locator,
        own_key=text_of(row.get("ZIDENTIFIER")),
        title=text_of(row.get("ZTITLE1")) or text.strip().partition("\n")[0],
        labels=labels,
    )


def _moment(value: object) -> Moment | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value:
        return None
    return epoch_moment(value + _APPLE_EPOCH)


def _text(packed: bytes) -> str:
    """Return a note's words, lines of lists marked as in Markdown; raise for what is no note."""
    unpacker = zlib.decompressobj(wbits=47)  # gzip or zlib, whichever it says it is
    document = first(unpacker.decompress(packed, _LIMIT), 2, 3)
    if unpacker.unconsumed_tail or not document:
        raise WireFault("no note, or one larger than any")
    # Lengths count the letters as they are kept, so they are cleaned last.
    letters = first(document, 2).decode("utf-8", "replace")
    marks = dict(_marks(document))
    at, lines = 0, []
    for line in letters.split("\n"):
        mark = marks.get(at, "") if line.strip() else ""
        lines.append(mark + line)
        at += len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1
    return clean_text("\n".join(lines).replace(_OBJECT, ""))


def _marks(document: bytes) -> Iterator[tuple[int, str]]:
    """Yield the place where each stretch begins, in UTF-16 units, with the mark of its list."""
    at = 0
    for number, stretch in fields(document):
        if number != 5 or not isinstance(stretch, bytes):
            continue
        length, mark = 0, ""
        for part, value in fields(stretch):
            if part == 1 and isinstance(value, int):
                length = value
            elif part == 2 and isinstance(value, bytes):
                mark = _mark(value)
        yield at, mark
        at += length


def _mark(style: bytes) -> str:
    kind: object = None
    done = False
    for number, value in fields(style):
        if number == 1:
            kind = value
        elif number == 5 and isinstance(value, bytes):
            done = any(part == 2 and value == 1 for part, value in fields(value))
    if kind == _BOX:
        return "- [x] " if done else "- [ ] "
    return (
        {_DOTTED: "- ", _DASHED: "- ", _NUMBERED: "1. "}.get(kind, "")
        if isinstance(kind, int)
        else ""
    )
