"""Sources that are watched: what an entry that was edited becomes, and what is no longer there.

An entry that was edited in its file takes the place of what it was before, under the same number and
key, so that whatever points at it still does. An entry whose file or place is gone is only noted:
memory loses nothing until the user says so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo

from sqlite_utils import Database

from clone_app.memory.database import Base, rows
from clone_app.memory.store import Store, drop_passages, secure_delete, update_item

# A key made of the content: `diary:2024-03-02:` and 16 hex digits.
_MADE = re.compile(r":[0-9a-f]{16}$")


@dataclass(frozen=True, slots=True)
class WatchedRow:
    """Hold a watched source and the signature its files had when they were read last."""

    source_id: int
    importer: str
    path: str
    signature: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Say where an item stands: enough to tell which one it was before an edit."""

    id: int
    key: str
    locator: str
    day: str
    title: str

    @property
    def made(self) -> bool:
        """Tell whether the key was made of the words, since the source has no ids."""
        return bool(_MADE.search(self.key))

    @property
    def file(self) -> str:
        return self.locator.partition("#")[0]


class Watched:
    """Keep which sources are watched and what is gone from them."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def add(self, source_id: int) -> None:
        """Watch a source from now on; its files are read at the next look."""
        with self._base.write() as db:
            db.execute("INSERT OR IGNORE INTO watched (source_id) VALUES (?)", [source_id])

    def drop(self, source_id: int) -> None:
        """Stop watching a source; what came of it stays."""
        with self._base.write() as db:
            db.execute("DELETE FROM watched WHERE source_id = ?", [source_id])

    def list(self) -> tuple[WatchedRow, ...]:
        """Return the watched sources, the oldest first."""
        found = rows(
            self._base.db(),
            "SELECT w.source_id, s.importer, s.path, w.signature FROM watched w "
            "JOIN sources s ON s.id = w.source_id ORDER BY w.source_id",
        )
        return tuple(WatchedRow(*row) for row in found)

    def looked(self, source_id: int, signature: str, *, fault: str = "") -> None:
        """Remember what a source's files looked like when they were read, or why they couldn't be."""
        with self._base.write() as db:
            db.execute(
                "UPDATE watched SET signature = ?, fault = ? WHERE source_id = ?",
                [signature, fault, source_id],
            )

    def gone(self, source_id: int) -> tuple[int, ...]:
        """Return the numbers of the items that are no longer where their source lies."""
        return tuple(int(row[0]) for row in rows(self._base.db(), _GONE, [source_id]))

    def remove_gone(self, source_id: int) -> frozenset[str]:
        """Take out what is gone from a source; return the keys of the items that went.

        An item that another source holds stays. The caller clears what rested on the others.
        """
        went: set[str] = set()
        with self._base.write() as db:
            secure_delete(db, on=False)
            for number in self.gone(source_id):
                db.execute(
                    "DELETE FROM item_sources WHERE item_id = ? AND source_id = ?",
                    [number, source_id],
                )
                db.execute(
                    "DELETE FROM gone_items WHERE item_id = ? AND source_id = ?",
                    [number, source_id],
                )
                if not rows(db, "SELECT 1 FROM item_sources WHERE item_id = ?", [number]):
                    went |= {row[0] for row in rows(db, _KEY, [number])}
                    drop_passages(db, number)
                    db.execute("DELETE FROM items WHERE id = ?", [number])
            db.execute("INSERT INTO passage_words(passage_words) VALUES ('optimize')")
            secure_delete(db, on=True)
        return frozenset(went)


_KEY = "SELECT key FROM items WHERE id = ?"
_GONE = "SELECT item_id FROM gone_items WHERE source_id = ? ORDER BY item_id"


@dataclass(frozen=True, slots=True)
class Settled:
    """Say how many entries took the place of what they were before, and how many are gone now.

    `newly` counts those of the gone that were still there the last time.
    """

    replaced: int
    gone: int
    newly: int


def settle(
    store: Store,
    source_id: int,
    *,
    met: frozenset[int],
    added: frozenset[int],
    unread: Iterable[str],
    home: tzinfo,
) -> Settled:
    """Compare what a whole reading of a source met with what memory holds of it.

    `unread` are locators that could not be read this time: what came from them, from archives in them
    too, is not called gone.
    """
    not_read = {locator.partition("#")[0] for locator in unread}
    with store.base.write() as db:
        places = _places(db, source_id)
        old = [place for place in places if place.id not in met]
        new = [place for place in places if place.id in added]
        pairs = _pairs(old, new)
        for before, now in pairs:
            _take_over(store, db, before, now, source_id=source_id, home=home)
        edited = {before for before, _ in pairs}
        gone = [
            place.id
            for place in old
            if place.id not in edited and not_read.isdisjoint(_within(place.file))
        ]
        known = {row[0] for row in rows(db, _GONE, [source_id])}
        db.execute("DELETE FROM gone_items WHERE source_id = ?", [source_id])
        for number in gone:
            db.execute("INSERT INTO gone_items VALUES (?, ?)", [source_id, number])
    return Settled(len(pairs), len(gone), len(set(gone) - known))


def _within(file: str) -> list[str]:
    """Return a file and what it lies in: folders, and archives (`a.zip!b/c.md` lies in `a.zip`)."""
    return [file, *(file[: part.start()] for part in re.finditer(r"[/!]", file))]


def _places(db: Database, source_id: int) -> list[_Place]:
    found = rows(
        db,
        "SELECT i.id, i.source_key, i.locator, coalesce(substr(i.local, 1, 10), ''), i.title "
        "FROM items i JOIN item_sources s ON s.item_id = i.id WHERE s.source_id = ? ORDER BY i.id",
        [source_id],
    )
    return [_Place(*row) for row in found]


def _pairs(old: list[_Place], new: list[_Place]) -> list[tuple[int, int]]:
    """Return which new item is which old one, edited: the surest signs first, each item once.

    Where a source gives its things ids (a Message-ID), the id alone decides. Where the key was made
    of the words, the place and the day do, or the place where a file is one entry.
    """
    signs: tuple[Callable[[_Place], object], ...] = (
        lambda place: place.key,
        lambda place: place.made and (place.locator, place.day),
        lambda place: place.made and (place.file, place.day, place.title),
        lambda place: place.made and "#" not in place.locator and place.locator,
    )
    pairs: list[tuple[int, int]] = []
    for sign in signs:
        waiting: dict[object, list[_Place]] = defaultdict(list)
        for place in old:
            waiting[sign(place)].append(place)
        for place in list(new):
            known = sign(place)
            if known and (before := waiting.get(known)):
                first = before.pop(0)
                pairs.append((first.id, place.id))
                old.remove(first)
                new.remove(place)
    return pairs


def _take_over(
    store: Store, db: Database, before: int, now: int, *, source_id: int, home: tzinfo
) -> None:
    """Put a new item in the place of the old one; where another source holds the old, keep both."""
    others = rows(
        db,
        "SELECT 1 FROM item_sources WHERE item_id = ? AND source_id <> ?",
        [before, source_id],
    )
    if others:
        db.execute(
            "DELETE FROM item_sources WHERE item_id = ? AND source_id = ?", [before, source_id]
        )
        return
    item = store.by_id([now])[now].item
    key, body = rows(db, "SELECT source_key, body_hash FROM items WHERE id = ?", [now])[0]
    drop_passages(db, now)
    db.execute("DELETE FROM items WHERE id = ?", [now])
    db.execute(
        "UPDATE items SET source_key = ?, body_hash = ?, text = ?, context = ? WHERE id = ?",
        [key, body, item.text, item.context, before],
    )
    update_item(db, before, replace(item, key=key), home)
