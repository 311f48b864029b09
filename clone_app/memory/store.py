"""Items and sources in the encrypted base: put in, looked up, listed. `removal.py` takes them out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from clone_app.entries import Cutoff, Item, Moment, Precision, content_hash
from clone_app.memory.chunk import bigrams, passages
from clone_app.memory.database import Base, rows
from clone_app.memory.moments import microseconds
from clone_app.memory.names import Names
from clone_app.memory.timeline import Timeline

_COLUMNS = (
    "id, key, medium, local, precision, offset, author, title, text, context, mine, recipients, "
    "thread, labels, locator"
)
# Items any passage of which fits a match of the word index.
WORDED = (
    "i.id IN (SELECT p.item_id FROM passage_words f JOIN passages p ON p.id = f.rowid "
    "WHERE passage_words MATCH :words)"
)
VISIBLE = "(i.starts_at <= :instant OR (i.starts_at IS NULL AND :undated))"


@dataclass(frozen=True, slots=True)
class Stored:
    """Hold an item with its number in this base."""

    id: int
    item: Item


@dataclass(frozen=True, slots=True)
class SourceRow:
    """Hold one imported source. `items` counts what rests on it, shared items included.

    `gone` counts those of them that are no longer where a watched source lies; `fault` says why it
    could not be read there the last time.
    """

    id: int
    importer: str
    title: str
    path: str
    imported_at: datetime
    finished: bool
    items: int
    problems: int
    watched: bool = False
    gone: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Say which items to list. `since` is inclusive, `until` exclusive; both ISO local days."""

    medium: str | None = None
    since: str | None = None
    until: str | None = None
    words: str | None = None


def visibility(cutoff: Cutoff) -> dict[str, int]:
    """Return the parameters of `VISIBLE`."""
    return {"instant": microseconds(cutoff.instant), "undated": int(cutoff.undated)}


class Store:
    """Read and write items, passages and sources."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self._timeline: tuple[object, Timeline] | None = None
        self._names: tuple[object, Names] | None = None
        self._media: tuple[object, tuple[tuple[str, int], ...]] | None = None
        self._others: tuple[object, NDArray[np.int64]] | None = None

    # --- facts and identities ------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """Return a remembered fact about the base itself."""
        found = rows(self.base.db(), "SELECT value FROM facts WHERE name = ?", [name])
        return str(found[0][0]) if found else None

    def set_fact(self, name: str, value: str) -> None:
        """Remember a fact about the base itself."""
        with self.base.write() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", [name, value])

    def identities(self) -> frozenset[str]:
        """Return the names and addresses known as the user's, casefolded."""
        return frozenset(row[0] for row in rows(self.base.db(), "SELECT name FROM identities"))

    def add_identities(self, names: Iterable[str]) -> None:
        """Remember names and addresses as the user's."""
        folded = {name.strip().casefold() for name in names if name.strip()}
        if folded - self.identities():
            with self.base.write() as db:
                for name in folded:
                    db.execute("INSERT OR IGNORE INTO identities VALUES (?)", [name])

    def answers(self) -> dict[str, str]:
        """Return what was answered to importers' questions, by the questions' names."""
        found = rows(self.base.db(), "SELECT name, value FROM facts WHERE name LIKE 'answer:%'")
        return {str(row[0]).removeprefix("answer:"): str(row[1]) for row in found}

    def remember_answers(self, answers: Mapping[str, str]) -> None:
        """Remember answers to importers' questions for the next import."""
        for name, value in answers.items():
            self.set_fact(f"answer:{name}", value)

    def usual_author(self) -> str:
        """Return the author most of the user's own items name, without an address; empty if none."""
        found = rows(
            self.base.db(),
            "SELECT author FROM items WHERE mine AND author <> '' "
            "GROUP BY author ORDER BY count(*) DESC LIMIT 1",
        )
        return str(found[0][0]).partition("<")[0].strip().strip('"') if found else ""

    # --- sources ---------------------------------------------------------------------------------

    def begin_source(
        self, importer: str, title: str, path: str, now: datetime, *, anew: bool = True
    ) -> int:
        """Return the number of a source, known or new, marked as not finished.

        Its problems are forgotten where it is read `anew`, from its start.
        """
        with self.base.write() as db:
            db.execute(
                "INSERT INTO sources (importer, title, path, imported_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (importer, path) DO UPDATE SET finished = 0, imported_at = ?",
                [importer, title, path, now.isoformat(), now.isoformat()],
            )
            found = rows(
                db, "SELECT id FROM sources WHERE importer = ? AND path = ?", [importer, path]
            )
            if anew:
                db.execute("DELETE FROM problems WHERE source_id = ?", [found[0][0]])
            return int(found[0][0])

    def add_problem(self, source_id: int, locator: str, reason: str) -> None:
        """Keep what could not be read of a source."""
        with self.base.write() as db:
            db.execute("INSERT INTO problems VALUES (?, ?, ?)", [source_id, locator, reason])

    def finish_source(self, source_id: int) -> None:
        """Mark a source as read to its end."""
        with self.base.write() as db:
            db.execute("UPDATE sources SET finished = 1 WHERE id = ?", [source_id])

    def sources(self) -> tuple[SourceRow, ...]:
        """Return all sources, the latest first."""
        found = rows(
            self.base.db(),
            "SELECT id, importer, title, path, imported_at, finished, "
            "(SELECT count(*) FROM item_sources WHERE source_id = s.id), "
            "(SELECT count(*) FROM problems WHERE source_id = s.id), w.source_id IS NOT NULL, "
            "(SELECT count(*) FROM gone_items WHERE source_id = s.id), coalesce(w.fault, '') "
            "FROM sources s LEFT JOIN watched w ON w.source_id = s.id ORDER BY s.id DESC",
        )
        return tuple(
            SourceRow(
                id=row[0],
                importer=row[1],
                title=row[2],
                path=row[3],
                imported_at=datetime.fromisoformat(row[4]),
                finished=bool(row[5]),
                items=row[6],
                problems=row[7],
                watched=bool(row[8]),
                gone=row[9],
                fault=row[10],
            )
            for row in found
        )

    def problems(self, source_id: int) -> tuple[tuple[str, str], ...]:
        """Return what could not be read of a source: (locator, reason)."""
        found = rows(
            self.base.db(), "SELECT locator, reason FROM problems WHERE source_id = ?", [source_id]
        )
        return tuple((str(row[0]), str(row[1])) for row in found)

    # --- items -----------------------------------------------------------------------------------

    def count(self, wanted: ItemFilter) -> int:
        """Return how many items a filter lets through."""
        where, parameters = _where(wanted)
        return int(rows(self.base.db(), f"SELECT count(*) FROM items i {where}", parameters)[0][0])

    def items(
        self,
        wanted: ItemFilter,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        """Return items by their local time; undated ones come last either way."""
        where, parameters = _where(wanted)
        order = "DESC" if newest_first else "ASC"
        found = rows(
            self.base.db(),
            f"SELECT {_COLUMNS} FROM items i {where} "
            f"ORDER BY i.local IS NULL, i.local {order}, i.id {order} LIMIT :limit OFFSET :offset",
            parameters | {"limit": -1 if limit is None else limit, "offset": offset},
        )
        return tuple(_stored(row) for row in found)

    def by_id(self, ids: Sequence[int]) -> dict[int, Stored]:
        """Return the items of these numbers; a number no longer there is left out."""
        # Written out, since parameters are limited to some 30,000.
        marks = ",".join(str(int(number)) for number in ids)
        found = rows(self.base.db(), f"SELECT {_COLUMNS} FROM items WHERE id IN ({marks})")
        return {row[0]: _stored(row) for row in found}

    def by_key(self, key: str) -> Stored | None:
        """Return the item of a key, None where it isn't there."""
        found = rows(self.base.db(), f"SELECT {_COLUMNS} FROM items WHERE key = ?", [key])
        return _stored(found[0]) if found else None

    def timeline(self, *, reach: float) -> Timeline:
        """Return all items on one line of time, read again whenever the base has changed."""
        state, kept = (reach, self._state()), self._timeline
        if kept is None or kept[0] != state:
            kept = (state, Timeline.load(self.base.db(), reach=reach))
            self._timeline = kept
        return kept[1]

    def borne_by(self, bearers: Iterable[tuple[str, str]]) -> list[int]:
        """Return the numbers of the items of these (author, recipients), ascending."""
        found = [
            int(row[0])
            for author, recipients in bearers
            for row in rows(
                self.base.db(),
                "SELECT id FROM items WHERE author = ? AND recipients = ?",
                [author, recipients],
            )
        ]
        return sorted(found)

    def names(self) -> Names:
        """Return all names that items bear, read again whenever the base has changed."""
        state, kept = self._state(), self._names
        if kept is None or kept[0] != state:
            kept = (state, Names.load(self.base.db()))
            self._names = kept
        return kept[1]

    def media(self) -> tuple[tuple[str, int], ...]:
        """Return the media there are with the number of items, most first."""
        state, kept = self._state(), self._media
        if kept is None or kept[0] != state:
            found = rows(
                self.base.db(),
                "SELECT medium, count(*) FROM items GROUP BY 1 ORDER BY 2 DESC, 1",
            )
            kept = (state, tuple((str(row[0]), int(row[1])) for row in found))
            self._media = kept
        return kept[1]

    def others(self) -> NDArray[np.int64]:
        """Return the numbers of the items the user did not write, ascending; read again as above."""
        state, kept = self._state(), self._others
        if kept is None or kept[0] != state:
            found = rows(
                self.base.db(), "SELECT id FROM items INDEXED BY items_names WHERE NOT mine"
            )
            kept = (state, np.sort(np.array([row[0] for row in found], dtype=np.int64)))
            self._others = kept
        return kept[1]

    def _state(self) -> str:
        """Return what changes whenever an item comes, goes or is described anew, or who is who does."""
        return self.fact("changed") or ""

    def rehome(self, home: tzinfo) -> None:
        """Work out again when each item without an offset starts, after the home zone changed.

        The vector index holds these times too: `embedding.restamp` brings it after.
        """
        with self.base.write() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES ('index_times', 'old')")
            for item_id, local, precision in rows(
                db,
                "SELECT id, local, precision FROM items WHERE local IS NOT NULL AND offset IS NULL",
            ):
                moment = Moment(datetime.fromisoformat(local), Precision(precision))
                db.execute(
                    "UPDATE items SET starts_at = ? WHERE id = ?",
                    [_starts_at(moment, home), item_id],
                )


# --- one item in and out of its row ------------------------------------------------------------------


def meta_hash(item: Item) -> str:
    """Return the hash of what may change without the body changing.

    Whose it is and its labels are merged rather than compared: a copy in another folder adds to them.
    """
    return content_hash(
        item.medium,
        item.moment.iso() or "",
        item.author,
        item.title,
        item.thread,
        "\x1e".join(item.recipients),
    )


def insert_item(db: Database, item: Item, *, key: str, home: tzinfo) -> int:
    """Add an item with its passages; return its number."""
    item_id = db.execute(
        "INSERT INTO items (key, source_key, body_hash, medium, local, precision, offset, starts_at, "
        "author, title, text, context, mine, recipients, thread, labels, locator, meta_hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            key,
            item.key,
            item.body_hash(),
            *_described(item, home),
            item.text,
            item.context,
            int(item.mine),
            *_lists(item),
            item.locator,
            meta_hash(item),
        ],
    ).lastrowid
    _insert_passages(db, int(item_id or 0), item)
    return int(item_id or 0)


def update_item(db: Database, item_id: int, item: Item, home: tzinfo) -> None:
    """Write over what an item says besides its body, and index it under its new title."""
    db.execute(
        "UPDATE items SET medium = ?, local = ?, precision = ?, offset = ?, starts_at = ?, author = ?, "
        "title = ?, mine = ?, recipients = ?, thread = ?, labels = ?, locator = ?, meta_hash = ? "
        "WHERE id = ?",
        [
            *_described(item, home),
            int(item.mine),
            *_lists(item),
            item.locator,
            meta_hash(item),
            item_id,
        ],
    )
    drop_passages(db, item_id)
    _insert_passages(db, item_id, item)


def _described(item: Item, home: tzinfo) -> list[object]:
    moment = item.moment
    return [
        item.medium,
        None if moment.local is None else moment.local.isoformat(),
        str(moment.precision),
        None if moment.offset is None else int(moment.offset.total_seconds()),
        _starts_at(moment, home),
        item.author,
        item.title,
    ]


def _lists(item: Item) -> list[str]:
    return [
        json.dumps(item.recipients, ensure_ascii=False),
        item.thread,
        json.dumps(sorted(item.labels), ensure_ascii=False),
    ]


def _starts_at(moment: Moment, home: tzinfo) -> int | None:
    start = moment.start(home)
    return None if start is None else microseconds(start)


def heading(item: Item) -> str:
    """Return what is searched with every passage of an item: its title and who else it is about."""
    others = item.recipients if item.mine else (item.author, *item.recipients)
    return "\n".join(part for part in (item.title, *others) if part)


def _insert_passages(db: Database, item_id: int, item: Item) -> None:
    above = heading(item)
    for passage in passages(item):
        passage_id = db.execute(
            'INSERT INTO passages (item_id, number, start, "end", own) VALUES (?, ?, ?, ?, ?)',
            [item_id, passage.number, passage.start, passage.end, int(passage.own)],
        ).lastrowid
        db.execute(
            "INSERT INTO passage_words (rowid, text, cjk, title) VALUES (?, ?, ?, ?)",
            [passage_id, passage.text, bigrams(passage.text + "\n" + above), above],
        )


def secure_delete(db: Database, *, on: bool) -> None:
    """Switch whether each deletion from the word index overwrites what was there."""
    db.execute(
        "INSERT INTO passage_words(passage_words, rank) VALUES ('secure-delete', ?)", [int(on)]
    )


def drop_passages(db: Database, item_id: int) -> None:
    """Take an item's passages out of the base and of the word index."""
    db.execute(
        "DELETE FROM passage_words WHERE rowid IN (SELECT id FROM passages WHERE item_id = ?)",
        [item_id],
    )
    db.execute("DELETE FROM passages WHERE item_id = ?", [item_id])


def _stored(row: tuple[Any, ...]) -> Stored:
    (number, key, medium, local, precision, offset, author, title, text, context, mine, *rest) = row
    recipients, thread, labels, locator = rest
    moment = Moment(
        None if local is None else datetime.fromisoformat(local),
        Precision(precision),
        None if offset is None else timedelta(seconds=offset),
    )
    item = Item(
        key=key,
        medium=medium,
        moment=moment,
        text=text,
        mine=bool(mine),
        locator=locator,
        author=author,
        title=title,
        recipients=tuple(json.loads(recipients)),
        thread=thread,
        context=context,
        labels=tuple(json.loads(labels)),
    )
    return Stored(number, item)


def narrowing(
    *, medium: str | None, since: str | None, until: str | None
) -> tuple[list[str], dict[str, Any]]:
    """Return the clauses over `items i`, and their parameters, of a medium and a period."""
    clauses: list[str] = []
    parameters: dict[str, Any] = {}
    if medium is not None:
        clauses.append("i.medium = :medium")
        parameters["medium"] = medium
    if since is not None:
        clauses.append("i.local >= :since")
        parameters["since"] = since
    if until is not None:
        clauses.append("i.local < :until")
        parameters["until"] = until
    return clauses, parameters


def _where(wanted: ItemFilter) -> tuple[str, dict[str, Any]]:
    clauses, parameters = narrowing(medium=wanted.medium, since=wanted.since, until=wanted.until)
    if wanted.words:
        clauses.append(WORDED)
        parameters["words"] = wanted.words
    return ("WHERE " + " AND ".join(clauses) if clauses else "", parameters)
