"""Put what an importer finds into the base: in batches, once each, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import islice

from sqlite_utils import Database

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.memory.database import rows
from clone_app.memory.store import Store, insert_item, meta_hash, update_item
from clone_app.protocols import Found

BATCH = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """Say what became of each thing a source holds.

    seen = added + updated + unchanged + duplicates + problems, in items; what is no source at all is
    in `skipped` and counts nowhere.
    """

    files: int = 0
    seen: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    duplicates: int = 0
    undated: int = 0
    mine: int = 0
    problems: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    vectors_pending: int = 0

    def __add__(self, other: ImportReport) -> ImportReport:
        """Return the report of both together."""
        return ImportReport(
            files=self.files + other.files,
            seen=self.seen + other.seen,
            added=self.added + other.added,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
            duplicates=self.duplicates + other.duplicates,
            undated=self.undated + other.undated,
            mine=self.mine + other.mine,
            problems=self.problems + other.problems,
            skipped=self.skipped + other.skipped,
            vectors_pending=max(self.vectors_pending, other.vectors_pending),
        )


class Ingest:
    """Take in one source. An object, since what was met in this run decides what is a duplicate.

    Each batch is one transaction and every item is looked up by its source's id and body, so an import
    that was killed is finished by running it again, and a second import adds nothing.
    """

    def __init__(self, store: Store, source_id: int, home: tzinfo) -> None:
        self._store = store
        self._source_id = source_id
        self._home = home
        self._met: set[int] = set()
        self._gone = bool(
            rows(
                store.base.db(), "SELECT 1 FROM gone_items WHERE source_id = ? LIMIT 1", [source_id]
            )
        )
        # Numbers are never used twice, so those above the last one are this run's.
        self._before = int(rows(store.base.db(), "SELECT coalesce(max(id), 0) FROM items")[0][0])
        self._counts = dict.fromkeys(
            ("seen", "added", "updated", "unchanged", "duplicates", "undated", "mine"), 0
        )
        self._problems: list[tuple[str, str]] = []
        self._skipped: list[tuple[str, str]] = []

    def run(self, found: Iterable[Found]) -> ImportReport:
        """Take in everything found; return the report, kept with the source too.

        Whoever yields the things reports the progress: it knows how far it has read.
        """
        for batch in batches(found):
            self.take(batch)
        return self.finish()

    def take(self, batch: Iterable[Found]) -> None:
        """Take in a batch as one transaction, or as part of the one that is open.

        What could not be read is kept with it: a source may never be read from its start again.
        """
        with self._store.base.write() as db:
            for thing in batch:
                self._take(db, thing)

    def finish(self) -> ImportReport:
        """Mark the source as read to its end; return the report of all batches."""
        self._store.finish_source(self._source_id)
        return ImportReport(
            **self._counts, problems=tuple(self._problems), skipped=tuple(self._skipped)
        )

    @property
    def met(self) -> frozenset[int]:
        """Return the numbers of the items that the source was seen to hold."""
        return frozenset(self._met)

    @property
    def added(self) -> frozenset[int]:
        """Return the numbers of those that are new."""
        return frozenset(number for number in self._met if number > self._before)

    def _take(self, db: Database, thing: Found) -> None:
        if isinstance(thing, Skipped):
            self._skipped.append((thing.locator, thing.reason))
            return
        self._counts["seen"] += 1
        if isinstance(thing, ImportProblem):
            self._problems.append((thing.locator, thing.reason))
            self._store.add_problem(self._source_id, thing.locator, thing.reason)
            return
        outcome = self._put(db, thing)
        self._counts[outcome] += 1
        if outcome != "duplicates":
            self._counts["undated"] += thing.moment.local is None
            self._counts["mine"] += thing.mine

    def _put(self, db: Database, item: Item) -> str:
        known = rows(
            db,
            "SELECT id, meta_hash, mine, labels FROM items WHERE source_key = ? AND body_hash = ?",
            [item.key, item.body_hash()],
        )
        if not known:
            number = insert_item(db, item, key=_free_key(db, item), home=self._home)
            self._link(db, number)
            return "added"
        number, meta, mine, labels = known[0]
        first_time = number not in self._met
        self._link(db, number)
        merged = _merged(item, mine=bool(mine), labels=labels)
        more = merged.mine != bool(mine) or len(merged.labels) != len(_list(labels))
        if (first_time and meta != meta_hash(item)) or more:
            if not first_time:  # a copy in another folder only adds whose it is and its labels
                stored = self._store.by_id([number])[number].item
                merged = replace(stored, mine=merged.mine, labels=merged.labels)
            update_item(db, number, merged, self._home)
            return "updated" if first_time else "duplicates"
        return "unchanged" if first_time else "duplicates"

    def _link(self, db: Database, number: int) -> None:
        self._met.add(number)
        db.execute("INSERT OR IGNORE INTO item_sources VALUES (?, ?)", [number, self._source_id])
        if self._gone:  # it was, and is there again
            db.execute(
                "DELETE FROM gone_items WHERE source_id = ? AND item_id = ?",
                [self._source_id, number],
            )


def _free_key(db: Database, item: Item) -> str:
    """Return the source's own id, or, where another body already bears it, the id with a mark."""
    if not rows(db, "SELECT 1 FROM items WHERE key = ?", [item.key]):
        return item.key
    return f"{item.key}#{item.body_hash()[:8]}"


def _merged(item: Item, *, mine: bool, labels: str) -> Item:
    together = tuple(sorted({*item.labels, *_list(labels)}))
    return replace(item, mine=item.mine or mine, labels=together)


def _list(text: str) -> list[str]:
    return [str(label) for label in json.loads(text)]


def batches(found: Iterable[Found]) -> Iterator[list[Found]]:
    """Yield what is found a few hundred at a time: each batch becomes one transaction."""
    iterator = iter(found)
    while batch := list(islice(iterator, BATCH)):
        yield batch
