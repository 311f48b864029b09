"""Take out a source, a person, a period, or where these meet, with everything that came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlite_utils import Database

from clone_app.errors import CloneAppError
from clone_app.memory.database import Base, rows
from clone_app.memory.people import folded, split_handle
from clone_app.memory.store import drop_passages, narrowing, secure_delete


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Say what is to go: all items that fit everything given.

    `source` is a source's number; an item that rests on another source too stays, and only forgets
    this one. `who` holds handles' keys (names and addresses, folded): what they wrote, and what was
    written to them. `since` is inclusive, `until` exclusive, ISO local days; undated items are in no
    period.
    """

    source: int | None = None
    who: frozenset[str] = frozenset()
    since: str | None = None
    until: str | None = None
    medium: str | None = None

    @property
    def empty(self) -> bool:
        """Tell whether nothing is given, which would be everything."""
        return self == Removal()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalCount:
    """Say what would go: items, of them the user's own, and answers that rested on them.

    `shared` counts items that stay because another source holds them too; `watched` the watched sources
    that would bring items back at the next change of their files.
    """

    items: int
    mine: int
    answers: int
    shared: int
    first: str
    last: str
    watched: int = 0


def count_removal(base: Base, removal: Removal) -> RemovalCount:
    """Return what would go, for the user to see before it does."""
    db = base.db()
    doomed, shared = _doomed(db, removal)
    keys = {key for _, key in doomed}
    marks = ",".join(str(number) for number, _ in doomed)
    mine, first, last = rows(
        db,
        "SELECT coalesce(sum(mine), 0), min(substr(local, 1, 10)), max(substr(local, 1, 10)) "
        f"FROM items WHERE id IN ({marks})",
    )[0]
    answers = rows(
        db,
        "SELECT t.id, json_extract(s.value, '$.key') FROM turns t, "
        "json_each(t.answer, '$.sources') s WHERE t.answer IS NOT NULL",
    )
    whole = removal.source if removal == Removal(source=removal.source) else None
    watched = rows(
        db,
        "SELECT count(DISTINCT w.source_id) FROM watched w JOIN item_sources s USING (source_id) "
        f"WHERE w.source_id IS NOT ? AND s.item_id IN ({marks})",
        [whole],
    )[0][0]
    return RemovalCount(
        watched=int(watched),
        items=len(doomed),
        mine=int(mine),
        answers=len({turn for turn, key in answers if key in keys}),
        shared=len(shared),
        first=first or "",
        last=last or "",
    )


def remove(base: Base, removal: Removal) -> frozenset[str]:
    """Take it out of the base; return the keys that went.

    The caller clears the vector index and the answers that rested on them, then folds the
    write-ahead log with `Base.checkpoint`.
    """
    with base.write() as db:
        doomed, shared = _doomed(db, removal)
        # Word by word FTS5's secure delete takes 3 ms an item; dropping them plainly and merging
        # the index afterwards leaves as little and takes a tenth of it.
        secure_delete(db, on=False)
        for number, _ in doomed:
            drop_passages(db, number)
            db.execute("DELETE FROM items WHERE id = ?", [number])
        if removal.source is not None:
            for number in shared:
                db.execute(
                    "DELETE FROM item_sources WHERE item_id = ? AND source_id = ?",
                    [number, removal.source],
                )
            if removal == Removal(source=removal.source):
                db.execute("DELETE FROM sources WHERE id = ?", [removal.source])
        db.execute("INSERT INTO passage_words(passage_words) VALUES ('optimize')")
        secure_delete(db, on=True)
    return frozenset(key for _, key in doomed)


def _doomed(db: Database, removal: Removal) -> tuple[list[tuple[int, str]], list[int]]:
    """Return (number, key) of what goes, and the numbers of what stays for another source's sake."""
    if removal.empty:
        raise CloneAppError("Say what is to be removed: a source, a person, or a period.")
    clauses, parameters = narrowing(medium=removal.medium, since=removal.since, until=removal.until)
    if removal.source is not None:
        if not rows(db, "SELECT 1 FROM sources WHERE id = ?", [removal.source]):
            raise CloneAppError(
                f"There is no source {removal.source}. `sources` lists those there are with their "
                "numbers."
            )
        clauses.append("i.id IN (SELECT item_id FROM item_sources WHERE source_id = :source)")
        parameters["source"] = removal.source
    found = rows(
        db,
        "SELECT i.id, i.key, "
        "(SELECT count(*) FROM item_sources s WHERE s.item_id = i.id) "
        f"FROM items i WHERE {' AND '.join(clauses or ['1'])} ORDER BY i.id",
        parameters,
    )
    wanted = _met(db, removal.who) if removal.who else None
    doomed, shared = [], []
    for number, key, sources in found:
        if wanted is not None and number not in wanted:
            continue
        if removal.source is not None and sources > 1:
            shared.append(int(number))
        else:
            doomed.append((int(number), str(key)))
    return doomed, shared


def _met(db: Database, who: frozenset[str]) -> set[int]:
    """Return the numbers of the items that these people wrote or got."""
    authors = _texts(who, (row[0] for row in rows(db, "SELECT DISTINCT author FROM items")))
    got = _texts(
        who,
        (
            row[0]
            for row in rows(db, "SELECT DISTINCT r.value FROM items i, json_each(i.recipients) r")
        ),
    )
    found = {
        int(row[0])
        for text in authors
        for row in rows(db, "SELECT id FROM items WHERE author = ?", [text])
    }
    if got:
        found |= {
            int(row[0])
            for row in rows(db, "SELECT i.id, r.value FROM items i, json_each(i.recipients) r")
            if row[1] in got
        }
    return found


def _texts(who: frozenset[str], texts: Iterable[str]) -> set[str]:
    found = set()
    for text in texts:
        name, address = split_handle(str(text))
        if folded(address or name) in who:
            found.add(str(text))
    return found
