"""Connections to the encrypted base: one a thread, one writer at a time, faults said in words."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2 as sqlcipher
from sqlite_utils import Database

from clone_app.errors import DamagedError, ProfileError
from clone_app.keys import ProfileKey
from clone_app.memory.migrations import MIGRATIONS, NAMES

BUSY_SECONDS = 20
SMALLEST = 4096
# SQLite needs this much to open a base at all: the index of its write-ahead log.
ROOM = 64 * 1024


class Base:
    """Open the SQLCipher base and give each thread a connection of its own.

    WAL lets readers go on while one thread writes, so a question never waits for an import.
    """

    def __init__(self, path: Path, key: ProfileKey, *, create: bool = False) -> None:
        self._path = path
        self._key = key
        self._here = threading.local()
        self._opened: list[Database] = []
        self._listing = threading.Lock()
        self._writing = threading.RLock()
        with said_in_words(path):
            if create:
                path.touch(mode=0o600)
                self.db().execute("PRAGMA journal_mode = WAL")
                return
            # SQLite takes an empty or missing file for a new base: that would hide the lost one.
            if not path.exists() or path.stat().st_size < SMALLEST:
                raise DamagedError(
                    f"The profile's database {path} is missing or empty though its key is there. "
                    "Put it back from a backup of the profile folder."
                )
            self._verify()

    def migrate(self) -> None:
        """Bring an older schema up to date."""
        with self.write() as db:
            MIGRATIONS.apply(db)

    def db(self) -> Database:
        """Return this thread's connection."""
        found: Database | None = getattr(self._here, "db", None)
        if found is None:
            found = self._connect()
            self._here.db = found
            with self._listing:
                self._opened.append(found)
        return found

    @contextmanager
    def write(self) -> Iterator[Database]:
        """Run a block as one transaction, alone among the writers of this process."""
        with self._writing, said_in_words(self._path):
            db = self.db()
            nested = bool(db.conn.in_transaction)
            if not nested:
                db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                if not nested:
                    db.conn.rollback()
                raise
            if not nested:
                try:
                    db.conn.commit()
                except BaseException:
                    db.conn.rollback()
                    raise

    def quick_check(self) -> str:
        """Return SQLite's own verdict: `ok`, or the first fault it found."""
        with said_in_words(self._path):
            return str(next(iter(self.db().execute("PRAGMA quick_check(1)")))[0])

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the base, so that what was deleted is in neither."""
        with self._writing, said_in_words(self._path):
            self.db().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._listing:
            for db in self._opened:
                db.conn.close()
            self._opened.clear()
        self._here = threading.local()

    def _connect(self) -> Database:
        # Closing happens in one thread at the end; each connection is used by its own thread alone.
        connection = sqlcipher.connect(
            str(self._path), timeout=BUSY_SECONDS, check_same_thread=False
        )
        connection.execute("PRAGMA cipher_log_level = NONE")
        connection.execute(f"PRAGMA key = \"x'{self._key.database()}'\"")
        for pragma in (
            "foreign_keys = ON",
            "secure_delete = ON",
            "synchronous = NORMAL",
            "temp_store = MEMORY",  # a spilled sort would be plain text on disk
            "cache_size = -32000",
        ):
            connection.execute(f"PRAGMA {pragma}")
        made = Connection(connection, recursive_triggers=False, execute_plugins=False)
        made.path = self._path
        return made

    def _verify(self) -> None:
        db = self.db()
        db.execute("SELECT count(*) FROM sqlite_master").fetchall()
        if {migration.name for migration in MIGRATIONS.applied(db)} - NAMES:
            raise ProfileError(
                "This profile was written by a newer version of the program. "
                "Update the program to open it; nothing was changed."
            )


@contextmanager
def said_in_words(path: Path) -> Iterator[None]:
    """Turn what the database and the disk say into a sentence with a next step."""
    try:
        yield
    except sqlcipher.DatabaseError as fault:
        said = str(fault)
        if "readonly" in said or "unable to open" in said:
            raise ProfileError(
                f"The profile folder {path.parent} can't be written. "
                "Make it writable or choose another folder."
            ) from fault
        if "full" in said or ("disk I/O" in said and _no_room(path.parent)):
            raise ProfileError(
                f"The disk that holds {path.parent} is full. Free some space and try again; "
                "what was there before is untouched."
            ) from fault
        if "locked" in said:
            raise ProfileError(
                "Another program is writing to this profile. Wait until it is done and try again."
            ) from fault
        if "not a database" in said or "malformed" in said or "disk I/O" in said:
            raise DamagedError(
                f"The profile's database {path} is damaged. Restore the last backup of the profile "
                "folder; the damaged file is left as it is."
            ) from fault
        raise
    except OSError as fault:
        raise ProfileError(
            f"The profile folder {path.parent} can't be used ({fault.strerror}). "
            "Make it writable, free some space, or choose another folder."
        ) from fault


def _no_room(folder: Path) -> bool:
    """Tell whether a disk is so full that SQLite can't even open a base there."""
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


class Connection(Database):
    """Be one thread's connection that knows its file, so that a fault can name it."""

    path: Path


def encodable(text: str) -> str:
    """Return a text as UTF-8 can hold it: a shell and a file name may hand over any bytes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def rows(db: Database, sql: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
    """Return all rows of a query as tuples."""
    if not isinstance(db, Connection):
        return list(db.execute(sql, parameters).fetchall())
    with said_in_words(db.path):
        return list(db.execute(sql, parameters).fetchall())
