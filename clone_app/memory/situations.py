"""Situations as the base keeps them: which item belongs to which, brought up to date, listed by page.

Only membership is stored. A situation's title, span and people are read from its items when it is
looked at, so that nothing of a removed item stays in them.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from clone_app.entries import Precision
from clone_app.memory.database import Base, rows
from clone_app.memory.grouping import BEFORE, LATEST, OPEN_DAYS, Dated, Grouping
from clone_app.memory.people import Person, folded, split_handle
from clone_app.memory.titles import Said, Titles
from clone_app.memory.words import content_words, stem
from clone_app.progress import Progress
from clone_app.protocols import Vectors

BATCH = 2048
SMALLEST = 2
# A title is made from so many of a situation's items, spread evenly: enough to know what is common.
READ_AT_MOST = 24
PEOPLE_AT_MOST = 4
OPENING = 400
WORD_DIMENSIONS = 256
BY_WORDS = "words"

_DAY = 86_400_000_000
_EVER = 1 << 62

Takes: TypeAlias = Callable[[Sequence[int]], Vectors]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Hold a group of items that belong together.

    `first` and `last` are ISO local days, `opening` is how its first item begins.
    """

    id: int
    title: str
    first: str
    last: str
    people: tuple[str, ...]
    items: int
    opening: str


class Situations:
    """Keep which items belong together."""

    def __init__(self, base: Base) -> None:
        self.base = base

    # --- made -------------------------------------------------------------------------------------

    def waiting(self, made_by: str) -> bool:
        """Tell whether items have come or gone since situations were last made by these vectors."""
        return self._start(made_by) is not None

    def update(self, takes: Takes, *, dimensions: int, made_by: str, progress: Progress) -> int:
        """Place every dated item from the first change on; return how many were placed.

        `takes` gives unit vectors of items by their numbers, `made_by` names them: other vectors,
        other situations. Each batch is kept, so that work that was stopped goes on where it was.
        """
        start = self._start(made_by)
        if start is None:
            return 0
        db = self.base.db()
        found = rows(
            db,
            "SELECT id, starts_at FROM items WHERE starts_at IS NOT NULL ORDER BY starts_at, id",
        )
        ids = np.array([row[0] for row in found], dtype=np.int64)
        starts = np.array([row[1] for row in found], dtype=np.int64)
        del found
        begin = int(np.searchsorted(starts, start))
        if begin < BEFORE:  # the first ones are placed by what is usual among themselves
            begin = 0
        with self.base.write() as writing:
            if begin == 0:
                writing.execute("DELETE FROM situation_items")
            elif begin < len(starts):
                since = int(starts[begin])
                writing.execute("DELETE FROM situation_items WHERE starts_at >= ?", [since])
            writing.execute("DELETE FROM situation_state")
            writing.execute("INSERT INTO situation_state VALUES (?, ?)", [made_by, _EVER])
        grouping = Grouping(dimensions)
        known: list[int] = []
        if begin:
            self._resume(grouping, takes, ids, starts, begin)
        else:
            first, vectors = self._read(takes, ids[:BEFORE], starts[:BEFORE])
            grouping.know(vectors, [item.day for item in first])
            known = (np.cumsum(vectors.any(axis=1)) - 1).tolist()
        for at in range(begin, len(ids), BATCH):
            progress.report(at - begin, len(ids) - begin, "Finding what belongs together")
            part = slice(at, at + BATCH)
            items, vectors = self._read(takes, ids[part], starts[part])
            placed = [
                (
                    grouping.place(
                        item, vector, known=known[place] if place < len(known) else None
                    ),
                    item.id,
                )
                for place, (item, vector) in enumerate(zip(items, vectors, strict=True), at)
            ]
            with self.base.write() as writing:
                for situation, number in placed:
                    writing.execute(
                        "INSERT OR REPLACE INTO situation_items "
                        "SELECT id, ?, starts_at FROM items WHERE id = ?",
                        [situation, number],
                    )
        return len(ids) - begin

    def _start(self, made_by: str) -> int | None:
        """Return the time of the first item that is not where it belongs, None where all are."""
        db = self.base.db()
        state = rows(db, "SELECT made_by, until FROM situation_state")
        lone = rows(
            db,
            "SELECT min(i.starts_at) FROM items i WHERE i.starts_at IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM situation_items s WHERE s.item_id = i.id)",
        )[0][0]
        if not state or state[0][0] != made_by:
            return -_EVER if lone is not None or state else None
        until = int(state[0][1])
        times = [lone] if lone is not None else []
        if until < _EVER:
            times.append(until)
        return min(times, default=None)

    def _resume(
        self,
        grouping: Grouping,
        takes: Takes,
        ids: NDArray[np.int64],
        starts: NDArray[np.int64],
        begin: int,
    ) -> None:
        """Bring a grouping to where it was before the item at `begin`."""
        before = slice(max(0, begin - 4 * BEFORE), begin)
        usual, vectors = self._read(takes, ids[before], starts[before])
        grouping.know(vectors, [item.day for item in usual])
        now = int(starts[begin])
        members = rows(
            self.base.db(),
            "SELECT s.situation, s.item_id, s.starts_at, i.thread, i.precision "
            "FROM situation_items s JOIN items i ON i.id = s.item_id WHERE s.situation IN ("
            "SELECT situation FROM situation_items WHERE starts_at >= ? AND starts_at < ?) "
            "ORDER BY s.starts_at, s.item_id",
            [now - int(OPEN_DAYS * _DAY), now],
        )
        latest: dict[int, list[Dated]] = {}
        for situation, number, starts_at, thread, precision in members:
            if precision in _VAGUE:
                continue
            known = latest.pop(situation, [])  # put back last: the order of joining
            latest[situation] = [*known, Dated(number, starts_at / _DAY, thread)][-LATEST:]
        for situation, items in latest.items():
            found = takes([item.id for item in items])
            grouping.resume(
                situation,
                [(item, vector) for item, vector in zip(items, found, strict=True) if vector.any()],
            )

    def _read(
        self, takes: Takes, ids: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> tuple[list[Dated], Vectors]:
        """Return where items stand, and their vectors: none for those of which no day is known.

        An item of which only the month is known stands at no time near others.
        """
        marks = ",".join(map(str, ids.tolist()))
        told = {
            row[0]: (str(row[1]), row[2] not in _VAGUE)
            for row in rows(
                self.base.db(), f"SELECT id, thread, precision FROM items WHERE id IN ({marks})"
            )
        }
        gone = ("", False)
        items = [
            Dated(number, at / _DAY, told.get(number, gone)[0])
            for number, at in zip(ids.tolist(), starts.tolist(), strict=True)
        ]
        exact = np.array([told.get(item.id, gone)[1] for item in items], dtype=bool)
        vectors = takes([item.id for item in items])
        return items, np.where(exact[:, None], vectors, np.float32(0.0)).astype(np.float32)

    # --- looked at --------------------------------------------------------------------------------

    def count(self) -> int:
        """Return how many situations of two items and more there are."""
        found = rows(
            self.base.db(),
            "SELECT count(*) FROM (SELECT 1 FROM situation_items GROUP BY situation "
            "HAVING count(*) >= ?)",
            [SMALLEST],
        )
        return int(found[0][0])

    def page(
        self, *, limit: int, offset: int = 0, people: Sequence[Person] = ()
    ) -> tuple[Situation, ...]:
        """Return situations of two items and more, those that lasted to the latest day first.

        `people` says what to call whom, and who the user is.
        """
        found = rows(
            self.base.db(),
            "SELECT situation, count(*) FROM situation_items GROUP BY situation "
            "HAVING count(*) >= ? ORDER BY max(starts_at) DESC, situation DESC LIMIT ? OFFSET ?",
            [SMALLEST, limit, offset],
        )
        titles = Titles(self.base.db())
        called = _called(people)
        return tuple(
            self._described(int(number), int(items), titles, called) for number, items in found
        )

    def beside(self, items: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return (situation, how many items it has) of those of these items that don't stand alone."""
        marks = ",".join(str(int(number)) for number in items)
        found = rows(
            self.base.db(),
            "SELECT one.item_id, one.situation, (SELECT count(*) FROM situation_items every "
            "WHERE every.situation = one.situation) FROM situation_items one "
            f"WHERE one.item_id IN ({marks})",
        )
        return {int(row[0]): (int(row[1]), int(row[2])) for row in found if row[2] >= SMALLEST}

    def of_item(self, item: int, *, people: Sequence[Person] = ()) -> Situation | None:
        """Return the situation an item stands in with others, None where it stands alone."""
        found = self.beside([item]).get(item)
        if found is None:
            return None
        titles = Titles(self.base.db())
        return self._described(found[0], found[1], titles, _called(people))

    def items(self, number: int) -> tuple[int, ...]:
        """Return the numbers of a situation's items, the earliest first."""
        found = rows(
            self.base.db(),
            "SELECT item_id FROM situation_items WHERE situation = ? ORDER BY starts_at, item_id",
            [number],
        )
        return tuple(int(row[0]) for row in found)

    def of_keys(self) -> dict[str, int]:
        """Return the situation of every item that is in one, by the items' keys."""
        found = rows(
            self.base.db(),
            "SELECT i.key, s.situation FROM situation_items s JOIN items i ON i.id = s.item_id",
        )
        return {str(row[0]): int(row[1]) for row in found}

    def _described(
        self, number: int, items: int, titles: Titles, called: Mapping[str, str]
    ) -> Situation:
        members = self.items(number)
        step = max(1, -(-len(members) // READ_AT_MOST))
        marks = ",".join(map(str, members[::step]))
        found = rows(
            self.base.db(),
            "SELECT title, text, context, author, mine, recipients FROM items "
            f"WHERE id IN ({marks}) ORDER BY starts_at, id",
        )
        ends = rows(
            self.base.db(),
            "SELECT min(substr(local, 1, 10)), max(substr(local, 1, 10)) FROM items "
            "WHERE id IN (SELECT item_id FROM situation_items WHERE situation = ?)",
            [number],
        )[0]
        met: Counter[str] = Counter()
        own: set[str] = set()
        for _, _, _, author, mine, recipients in found:
            for handle in (author, *_listed(recipients)):
                name, address = split_handle(handle)
                shown = called.get(folded(address or name), name or address)
                if not shown or (mine and handle == author):
                    own.add(name or address)
                else:
                    met[shown] += 1
        people = [name for name, _ in met.most_common() if name not in own]
        said = [Said(row[0], row[1] or row[2]) for row in found]
        return Situation(
            id=number,
            title=titles.title(said, beside=[*people, *own]),
            first=ends[0] or "",
            last=ends[1] or "",
            people=tuple(people[:PEOPLE_AT_MOST]),
            items=items,
            opening=(said[0].text or said[0].title)[:OPENING] if said else "",
        )


_VAGUE = (str(Precision.YEAR), str(Precision.MONTH))


def word_vectors(db: Database) -> Takes:
    """Return what gives vectors of items' words, for a memory that no embedder has read.

    Stems are hashed to signed places (Weinberger et al. 2009, "Feature hashing", ICML).
    """

    def takes(ids: Sequence[int]) -> Vectors:
        marks = ",".join(map(str, ids))
        texts = {
            row[0]: f"{row[1]}\n{row[2]}"
            for row in rows(db, f"SELECT id, title, text FROM items WHERE id IN ({marks})")
        }
        found = np.zeros((len(ids), WORD_DIMENSIONS), np.float32)
        for row, number in zip(found, ids, strict=True):
            for word in set(map(stem, content_words(texts.get(number, "")))):
                mark = zlib.crc32(word.encode("utf-8", "replace"))
                row[(mark >> 1) % WORD_DIMENSIONS] += 1.0 if mark & 1 else -1.0
            row /= float(np.linalg.norm(row)) or 1.0
        return found

    return takes


def _called(people: Sequence[Person]) -> dict[str, str]:
    """Return what to call whom, by handles' keys; the user is called nothing."""
    return {
        handle.key: "" if person.mine else person.name
        for person in people
        for handle in person.handles
    }


def _listed(text: str) -> list[str]:
    return [str(each) for each in json.loads(text)]
