"""Give every passage its vector, in the background, the newest entries first."""

from __future__ import annotations

import numpy as np

from clone_app.memory.database import rows
from clone_app.memory.index import DamagedIndexError, Row, VectorIndex
from clone_app.memory.store import Store
from clone_app.progress import Progress
from clone_app.protocols import Embedder

BATCH = 256


def pending(store: Store) -> int:
    """Return how many passages have no vector yet."""
    return int(rows(store.base.db(), "SELECT count(*) FROM passages WHERE embedded = 0")[0][0])


def passage_ids(store: Store) -> set[int]:
    """Return the passages that have a vector, as the base has it."""
    return {row[0] for row in rows(store.base.db(), "SELECT id FROM passages WHERE embedded = 1")}


def embed_pending(
    store: Store,
    index: VectorIndex,
    embedder: Embedder,
    *,
    progress: Progress,
) -> int:
    """Embed what has no vector; return how many passages got one.

    A passage is marked only after its vector is on disk; a kill in between is mended by `reconcile`.
    """
    total = pending(store)
    done = 0
    waiting: list[tuple[Row, str]] = []
    while True:
        progress.report(done, total, "Reading for meaning")
        if not waiting:
            waiting = _next(store)
        if not waiting:
            break
        batch, waiting = waiting[:BATCH], waiting[BATCH:]
        vectors = embedder.embed([text for _, text in batch])
        with store.base.write() as db:
            # An item removed meanwhile takes its passages along: they must not enter the index.
            marks = ",".join("?" * len(batch))
            alive = {
                row[0]
                for row in rows(
                    db,
                    f"SELECT id FROM passages WHERE id IN ({marks})",
                    [row.passage_id for row, _ in batch],
                )
            }
            keep = [place for place, (row, _) in enumerate(batch) if row.passage_id in alive]
            if keep:
                index.add([batch[place][0] for place in keep], vectors[keep])
            for place in keep:
                db.execute(
                    "UPDATE passages SET embedded = 1 WHERE id = ?", [batch[place][0].passage_id]
                )
        done += len(batch)
    if done:
        index.compact()
    progress.report(done, done, "Reading for meaning")
    return done


def _next(store: Store) -> list[tuple[Row, str]]:
    # Texts of a like length are embedded together by the embedder itself; here only time counts.
    found = rows(
        store.base.db(),
        "SELECT p.id, p.item_id, i.starts_at, i.medium, i.mine, i.title, f.text FROM passages p "
        "JOIN items i ON i.id = p.item_id JOIN passage_words f ON f.rowid = p.id "
        "WHERE p.embedded = 0 ORDER BY i.starts_at IS NULL, i.starts_at DESC, p.id LIMIT ?",
        [BATCH * 16],
    )
    return [
        (Row(row[0], row[1], row[2], row[3], bool(row[4])), embedded_text(row[5], row[6]))
        for row in found
    ]


def remake(store: Store, fresh: VectorIndex, embedder: Embedder, *, progress: Progress) -> None:
    """Embed every passage into an index of its own, which the one in use can then give way to.

    Goes on where it was stopped, if it was by the same embedder.
    """
    if store.fact("index_next") != embedder.name:
        fresh.drop()
        store.set_fact("index_next", embedder.name)
    try:
        held = set(fresh.passage_ids())
    except DamagedIndexError:
        fresh.drop()
        held = set()
    total, done, last = _passages(store), 0, 0
    while True:
        found = rows(
            store.base.db(),
            "SELECT p.id, p.item_id, i.starts_at, i.medium, i.mine, i.title, f.text FROM passages p "
            "JOIN items i ON i.id = p.item_id JOIN passage_words f ON f.rowid = p.id "
            "WHERE p.id > ? ORDER BY p.id LIMIT ?",
            [last, BATCH],
        )
        progress.report(done, total, "Reading anew for meaning")
        if not found:
            break
        last, done = found[-1][0], done + len(found)
        wanted = [row for row in found if row[0] not in held]
        if wanted:
            vectors = embedder.embed([embedded_text(row[5], row[6]) for row in wanted])
            fresh.add(
                [Row(row[0], row[1], row[2], row[3], bool(row[4])) for row in wanted], vectors
            )
    fresh.compact()


def adopt(store: Store, embedder: str, folder: str) -> None:
    """Note that the index holds every passage's vector by this embedder from now on."""
    with store.base.write() as db:
        db.execute("UPDATE passages SET embedded = 1")
        for name, value in (("index_embedder", embedder), ("index_embedder_folder", folder)):
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", [name, value])


def _passages(store: Store) -> int:
    return int(rows(store.base.db(), "SELECT count(*) FROM passages")[0][0])


def embedded_text(title: str, text: str) -> str:
    """Return what of a passage the embedder reads: its title tells what a bare stretch is about."""
    return f"{title}\n{text}" if title and not text.startswith(title) else text


def restamp(store: Store, index: VectorIndex) -> None:
    """Bring the index's times after the base's, if they have changed; nothing is embedded again.

    The base remembers that this is due, so that a kill in between is mended by the next look.
    """
    if store.fact("index_times") != "old":
        return
    found = rows(
        store.base.db(),
        "SELECT p.id, i.starts_at FROM passages p JOIN items i ON i.id = p.item_id "
        "WHERE p.embedded = 1 ORDER BY p.id",
    )
    index.restamp(np.array([row[0] for row in found], np.int64), [row[1] for row in found])
    store.set_fact("index_times", "as in the base")


def reconcile(store: Store, index: VectorIndex, embedder: str) -> str:
    """Make base and index agree again; return what was the matter, `sound` for nothing.

    The base remembers which embedder made the index: another one's vectors mean nothing, so the index
    is dropped. Damage, a lost folder and a kill between vector and mark end the same way: whatever has
    no trustworthy vector is marked as waiting.
    """
    marked = passage_ids(store)
    stamp = store.fact("index_embedder")
    try:
        held = index.passage_ids()
        verdict = "sound"
    except DamagedIndexError:
        held, verdict = [], "damaged"
    if stamp not in (None, embedder):
        held, verdict = [], "another embedder"
    kept = marked & set(held)
    if verdict == "sound" and (kept != marked or len(held) != len(kept)):
        verdict = "incomplete"
    if verdict == "sound":
        if stamp is None:
            store.set_fact("index_embedder", embedder)
        return verdict
    if kept:
        index.keep_only(kept)
    else:
        index.drop()
    with store.base.write() as db:
        for passage_id in marked - kept:
            db.execute("UPDATE passages SET embedded = 0 WHERE id = ?", [passage_id])
    store.set_fact("index_embedder", embedder)
    return verdict
