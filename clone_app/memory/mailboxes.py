"""Mail accounts that are sources, and how far each of their folders was read. No passwords."""

from __future__ import annotations

from dataclasses import dataclass

from clone_app.memory.database import Base, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRow:
    """Hold one account. `marks` gives (UIDVALIDITY, highest UID read) by the folder's name."""

    source_id: int
    host: str
    port: int
    user: str
    security: str
    marks: dict[str, tuple[int, int]]


class Mailboxes:
    """Keep accounts and marks. A mark is kept in the transaction of the messages it stands for."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def keep(self, source_id: int, *, host: str, port: int, user: str, security: str) -> None:
        """Remember the account of a source; its marks stay."""
        with self._base.write() as db:
            db.execute(
                "INSERT INTO mailboxes (source_id, host, port, user, security) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (source_id) DO UPDATE SET security = excluded.security",
                [source_id, host, port, user, security],
            )

    def find(self, source_id: int) -> MailboxRow | None:
        """Return a source's account, None where the source is none."""
        found = rows(
            self._base.db(),
            "SELECT source_id, host, port, user, security FROM mailboxes WHERE source_id = ?",
            [source_id],
        )
        if not found:
            return None
        marks = rows(
            self._base.db(),
            "SELECT name, validity, uid FROM mailbox_folders WHERE source_id = ?",
            [source_id],
        )
        number, host, port, user, security = found[0]
        return MailboxRow(
            source_id=number,
            host=host,
            port=port,
            user=user,
            security=security,
            marks={name: (int(validity), int(uid)) for name, validity, uid in marks},
        )

    def forget_problems(self, source_id: int, place: str) -> None:
        """Forget what could not be read of a folder that is read from its start.

        `place` is what the locators in it begin with.
        """
        with self._base.write() as db:
            db.execute(
                "DELETE FROM problems WHERE source_id = ? AND substr(locator, 1, ?) = ?",
                [source_id, len(place), place],
            )

    def mark(self, source_id: int, folder: str, *, validity: int, uid: int) -> None:
        """Remember how far a folder was read."""
        with self._base.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO mailbox_folders VALUES (?, ?, ?, ?)",
                [source_id, folder, validity, uid],
            )
