"""SQLite files of other programs, read where they lie: nothing is copied to disk or written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from clone_app.protocols import Member

START = b"SQLite format 3\x00"
# The file is held in memory while it is read, so that no plain copy of it touches the disk.
_SIZE_LIMIT = 400_000_000
_STEPS, _STEP = 4_000, 1_000_000  # a query of four milliard steps was made to take forever


class SqliteFault(Exception):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say why a database can't be read, or can't be read on."""


@contextmanager
def opened(member: Member) -> Iterator[sqlite3.Connection]:
    """Open a database for reading; raise `SqliteFault` for a damaged one, `ArchiveError` as members do.

    Errors of queries within the block become `SqliteFault` too. What the program had not yet
    written from its journal (`-wal`) into the file is not seen.
    """
    if member.size > _SIZE_LIMIT:
        raise SqliteFault(
            "is larger than 400 MB, the most that is read; delete what is old and copy it again"
        )
    with member.open() as stream:
        data = bytearray(stream.read(_SIZE_LIMIT + 1))
    if not data.startswith(START) or len(data) < 100:
        raise SqliteFault("is no database, whatever its name says; copy it again")
    # In memory there is no journal to look into, and SQLite refuses a file that names one.
    data[18:20] = b"\x01\x01"
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return steps > _STEPS

    try:
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(bytes(data))
            del data
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA query_only = ON")
            db.execute("PRAGMA cell_size_check = ON")
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            db.set_progress_handler(count, _STEP)
            yield db
    except (sqlite3.Error, OverflowError, MemoryError, UnicodeDecodeError) as fault:
        raise SqliteFault(
            "is damaged or in use; close the program that writes it and copy it again"
        ) from fault


def columns(db: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the columns of a real table; none where there is no such table, or only a view."""
    found = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table])
    if not found.fetchone():
        return frozenset()
    rows = db.execute("SELECT name FROM pragma_table_info(?)", [table])
    return frozenset(str(name) for (name,) in rows)
