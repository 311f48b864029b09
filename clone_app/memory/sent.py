"""The list of what left the machine: kept where the user can look, never what was in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clone_app.memory.database import Base, rows

SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Say that something left: when, to which host, what for, how many bytes.

    `failed` tells that no connection came about, so that nothing was sent after all.
    """

    at: datetime
    host: str
    purpose: str
    bytes: int
    failed: bool = False


class Sent:
    """Read and add to the list."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def note(self, at: datetime, host: str, purpose: str, size: int) -> int:
        """Add a line, before anything is sent; return its number."""
        with self._base.write() as db:
            return int(
                rows(
                    db,
                    "INSERT INTO sent (at, host, purpose, bytes) VALUES (?, ?, ?, ?) RETURNING id",
                    [at.isoformat(), host, purpose, size],
                )[0][0]
            )

    def failed(self, number: int) -> None:
        """Note that nothing was sent: the line stays, since it was tried."""
        with self._base.write() as db:
            db.execute("UPDATE sent SET failed = 1 WHERE id = ?", [number])

    def list(self) -> tuple[Departure, ...]:
        """Return the latest lines, the latest first."""
        found = rows(
            self._base.db(),
            "SELECT at, host, purpose, bytes, failed FROM sent ORDER BY id DESC LIMIT ?",
            [SHOWN],
        )
        return tuple(
            Departure(
                at=datetime.fromisoformat(row[0]),
                host=row[1],
                purpose=row[2],
                bytes=row[3],
                failed=bool(row[4]),
            )
            for row in found
        )
