"""The vector index: a LanceDB table without text, rebuilt whenever it is lost or damaged.

Vectors are turned by a secret rotation drawn from the profile's key before they touch the disk:
cosines and ranks stay as they are, but without the key nobody can turn a vector back into words.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import Cutoff
from clone_app.errors import ProfileError
from clone_app.memory.moments import microseconds
from clone_app.protocols import Vectors

_TABLE = "passages"
_MADE_BY = "made-by"
_UNDATED = np.iinfo(np.int64).min + 1
DRAWN = 1000
DRAWN_AT_LEAST = 20
BATCH_ROWS = 8192
OLD_VERSIONS = timedelta(minutes=10)
# Measured in packaging/bench/scale.py: up to here looking at every vector is as fast as the index, …
EXACT_AT_MOST = 10_000
# … beyond, cells of so many vectors, of which this share is looked into.
CELL = 4096
PROBED = 0.85
# Where a cut-off hides some of the best, so many times their share more are looked for.
SPARE = 1.5
# So many of what the cells offer are compared exactly, at least.
COMPARED = 200


# A cut-off that hides no more than this of everything is applied to what was found, else before.
HIDDEN_AT_MOST = 0.5


@dataclass(frozen=True, slots=True)
class Nearest:
    """Hold the passages nearest to a probe, best first, in arrays of one length.

    `passages` and the `items` they belong to are numbers; a cosine of 1 is the same direction.
    """

    passages: NDArray[np.int64]
    items: NDArray[np.int64]
    cosines: NDArray[np.float64]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.items)

    def only(self, kept: NDArray[np.bool_] | slice) -> Nearest:
        """Return those that are kept."""
        return Nearest(self.passages[kept], self.items[kept], self.cosines[kept])


NONE: Final = Nearest(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True, slots=True)
class _Seen:
    """Hold what is kept of one version of the table: all starts, sorted, and a sample of the vectors.

    The undated start before everything else. `drawn_starts` belong to the `drawn` vectors.
    """

    version: int
    starts: NDArray[np.int64]
    drawn_starts: NDArray[np.int64]
    drawn: Vectors

    def visible(self, cutoff: Cutoff) -> int:
        """Return how many passages can be seen."""
        by_then = int(np.searchsorted(self.starts, microseconds(cutoff.instant), side="right"))
        undated = int(np.searchsorted(self.starts, _UNDATED, side="right"))
        return by_then if cutoff.undated else by_then - undated


def _visible(starts: NDArray[np.int64], cutoff: Cutoff) -> NDArray[np.bool_]:
    """Tell which starts can be seen."""
    by_then = starts <= microseconds(cutoff.instant)
    return np.asarray(by_then & ((starts != _UNDATED) | cutoff.undated), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Row:
    """Hold what the index knows of a passage besides its vector. No text, no names."""

    passage_id: int
    item_id: int
    starts_at: int | None
    medium: str
    mine: bool


def next_folder(folder: Path) -> Path:
    """Return where the index is made that will take another one's place.

    What is removed, or moves in time, meanwhile makes it begin anew: nothing of it stays there.
    """
    return folder.with_name(f"{folder.name}.next")


class DamagedIndexError(Exception):
    """Say that the index can't be read; whoever may write rebuilds it."""


class VectorIndex:
    """Keep one vector a passage and find the nearest.

    Up to `EXACT_AT_MOST` passages every vector is looked at. Beyond, a RaBitQ index (one bit a
    dimension, arXiv 2405.12497) is asked first and what it offers is compared exactly: measured in
    packaging/bench/scale.py. What was added after it was built is looked at exactly too. lancedb
    takes a second to import: it happens at the first use.
    """

    def __init__(self, folder: Path, *, rotation_seed: int, dimensions: int) -> None:
        self._folder = folder
        self._dimensions = dimensions
        self._rotation = _orthogonal(rotation_seed, dimensions)
        self._connection: Any = None
        self._sample: _Seen | None = None

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """Add passages with their unit vectors, shape (rows, dimensions)."""
        fresh = self._arrow(rows, vectors)
        table = self._table()
        with _disk_faults(self._folder):
            if table is None:
                self._database().create_table(_TABLE, fresh)
            else:
                table.add(fresh)

    def nearest(
        self,
        probe: NDArray[np.float32],
        cutoff: Cutoff,
        *,
        limit: int,
        exact: bool = False,
        where: str = "",
    ) -> Nearest:
        """Return the passages nearest to a unit vector among those visible, best first.

        `exact` looks at every vector whatever their number: what the index is measured against. To
        filter by time reads a column of the whole table (40 ms for a million): where the cut-off hides
        nothing that is left out, where it hides little some more are looked for and sorted out here.
        `where`, a filter over the table's columns, keeps all else out before.
        """
        table = self._table()
        if table is None:
            return NONE
        try:
            held = self._seen(table)
            visible, count = held.visible(cutoff), len(held.starts)
            if not visible:
                return NONE
            turned = (probe @ self._rotation).astype(np.float32)
            before = partial(
                _search, table, turned, cutoff, limit=limit, exact=exact, first=True, where=where
            )
            if where or visible < count * (1 - HIDDEN_AT_MOST):
                return before()
            more = limit if visible == count else math.ceil(limit * count / visible * SPARE)
            found = _search(table, turned, cutoff, limit=more, exact=exact, first=False)
            if len(found) < min(limit, visible):
                return before()
        except Exception as fault:  # lance raises its own kinds for a cut or missing data file
            raise DamagedIndexError(str(type(fault).__name__)) from fault
        return found.only(slice(limit))

    def spread(self, probe: NDArray[np.float32], cutoff: Cutoff) -> tuple[float, float] | None:
        """Return mean and deviation of a probe's cosines over passages drawn from the whole archive.

        The nearest ones alone say nothing about how near anything is. None where fewer than
        `DRAWN_AT_LEAST` of the drawn can be seen.
        """
        table = self._table()
        if table is None:
            return None
        try:
            held = self._seen(table)
        except Exception as fault:  # lance raises its own kinds
            raise DamagedIndexError(str(type(fault).__name__)) from fault
        visible = _visible(held.drawn_starts, cutoff)
        if visible.sum() < DRAWN_AT_LEAST:
            return None
        cosines = held.drawn[visible] @ (probe @ self._rotation)
        return float(cosines.mean()), float(cosines.std()) or 1.0

    def _seen(self, table: Any) -> _Seen:
        """Return all starts and up to `DRAWN` vectors, evenly spaced, read again for a new version."""
        version, kept = table.version, self._sample
        if kept is not None and kept.version == version:
            return kept
        starts = _starts(table.search().select(["starts_at"]).to_arrow())
        offsets = np.unique(np.linspace(0, len(starts) - 1, min(len(starts), DRAWN)).astype(int))
        drawn = table.take_offsets(offsets.tolist()).to_arrow()
        flat = drawn["vector"].combine_chunks().flatten().to_numpy()
        kept = _Seen(version, np.sort(starts), _starts(drawn), flat.reshape(-1, self._dimensions))
        self._sample = kept
        return kept

    def passage_ids(self) -> list[int]:
        """Return the passages that have a vector, in no order, twice where one was added twice."""
        table = self._table()
        if table is None:
            return []
        try:
            return list(table.search().select(["passage_id"]).to_arrow()["passage_id"].to_pylist())
        except Exception as fault:
            raise DamagedIndexError(str(type(fault).__name__)) from fault

    def vectors(self) -> tuple[NDArray[np.int64], Vectors]:
        """Return all items' numbers and, row by row, their passages' vectors as they were given."""
        table = self._table()
        if table is None:
            return np.empty(0, np.int64), np.empty((0, self._dimensions), np.float32)
        try:
            whole = table.search().select(["item_id", "vector"]).to_arrow()
        except Exception as fault:
            raise DamagedIndexError(str(type(fault).__name__)) from fault
        flat = whole["vector"].combine_chunks().flatten().to_numpy()
        items = whole["item_id"].to_numpy().astype(np.int64)
        return items, flat.reshape(-1, self._dimensions) @ self._rotation.T

    def means(self, items: Sequence[int]) -> Vectors:
        """Return one unit vector an item, the mean of its passages', zeros for one that has none.

        They are turned as all vectors here are: good for comparing with each other alone.
        """
        found = np.zeros((len(items), self._dimensions), np.float32)
        table = self._table()
        if table is None or not items:
            return found
        try:
            held = table.search().select(["item_id"]).to_arrow()["item_id"].to_numpy()
            places = np.flatnonzero(np.isin(held, np.asarray(items, np.int64)))
            if not len(places):
                return found
            taken = table.take_offsets(places.tolist()).to_arrow()
        except Exception as fault:  # lance raises its own kinds
            raise DamagedIndexError(str(type(fault).__name__)) from fault
        vectors = taken["vector"].combine_chunks().flatten().to_numpy()
        row = {item: place for place, item in enumerate(items)}
        at = np.array([row.get(item, -1) for item in taken["item_id"].to_pylist()])
        np.add.at(found, at[at >= 0], vectors.reshape(-1, self._dimensions)[at >= 0])
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        return found

    def keep_only(self, passage_ids: set[int]) -> None:
        """Write the table anew with these passages alone, and clear the old versions off the disk.

        LanceDB's own delete leaves rows of a large fragment on disk even after optimizing: only
        writing the table over makes what was forgotten go.
        """
        shutil.rmtree(next_folder(self._folder), ignore_errors=True)
        table = self._table()
        if table is None:
            return
        try:
            whole = table.to_arrow()
        except Exception as fault:
            raise DamagedIndexError(str(type(fault).__name__)) from fault
        seen: set[int] = set()
        keep = []
        for place, passage_id in enumerate(whole["passage_id"].to_pylist()):
            if passage_id in passage_ids and passage_id not in seen:
                seen.add(passage_id)
                keep.append(place)
        self.drop()
        if keep:
            with _disk_faults(self._folder):
                self._divide(
                    self._database().create_table(_TABLE, whole.take(keep).combine_chunks())
                )

    def restamp(self, passages: NDArray[np.int64], starts: Sequence[int | None]) -> None:
        """Write anew when each passage's item starts; the vectors stay as they are.

        `passages` are sorted numbers, `starts` of the same length; one that is not among them goes.
        Written beside the old table and swapped, so that a kill leaves one of the two whole.
        """
        shutil.rmtree(next_folder(self._folder), ignore_errors=True)
        table = self._table()
        if table is None:
            return
        import lancedb
        import pyarrow as pa

        at = pa.array(starts, pa.int64())
        fresh = self._folder.with_name(f"{self._folder.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        written: Any = None
        with _disk_faults(self._folder):
            fresh.mkdir(mode=0o700, parents=True)
            # lancedb hangs where it is to read while it writes: a batch is read, then written.
            for batch in table.search().to_batches(batch_size=BATCH_ROWS):
                held = batch.column("passage_id").to_numpy()
                places = np.minimum(np.searchsorted(passages, held), max(0, len(passages) - 1))
                keep = passages[places] == held if len(passages) else np.zeros(len(held), bool)
                kept = pa.Table.from_batches([batch]).filter(pa.array(keep))
                if kept.num_rows:
                    column = kept.schema.get_field_index("starts_at")
                    kept = kept.set_column(column, "starts_at", at.take(pa.array(places[keep])))
                    if written is None:
                        written = lancedb.connect(fresh).create_table(_TABLE, kept)
                    else:
                        written.add(kept)
        self._swap(fresh)

    def made_by(self) -> str:
        """Return the embedder's name where this index took another one's place, else nothing."""
        try:
            return (self._folder / _MADE_BY).read_text("utf-8")
        except OSError:
            return ""

    def give_way(self, fresh: VectorIndex, embedder: str) -> None:
        """Let another embedder's index take this one's place; the folder itself says whose it is."""
        with _disk_faults(self._folder):
            fresh._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (fresh._folder / _MADE_BY).write_text(embedder, "utf-8")
        fresh._connection = fresh._sample = None
        self._swap(fresh._folder)

    def _swap(self, fresh: Path) -> None:
        """Let the index in another folder take this one's place."""
        gone = self._folder.with_name(f"{self._folder.name}.old")
        shutil.rmtree(gone, ignore_errors=True)
        self._connection = self._sample = None
        with _disk_faults(self._folder):
            if self._folder.exists():
                self._folder.rename(gone)
            if fresh.exists():
                fresh.rename(self._folder)
        shutil.rmtree(gone, ignore_errors=True)

    def compact(self) -> None:
        """Join the fragments that many small additions leave, and drop old versions.

        The latest ones stay a while: a reader in another thread or process may be using them.
        """
        table = self._table()
        if table is not None:
            with _disk_faults(self._folder):
                table.optimize(cleanup_older_than=OLD_VERSIONS)
                self._divide(table)

    def _divide(self, table: Any) -> None:
        """Put a large table's vectors into cells, where that is not done or most are outside them."""
        count = table.count_rows()
        if count <= EXACT_AT_MOST:
            return
        held = [each for each in table.list_indices() if "vector" in each.columns]
        if held and held[0].num_indexed_rows >= count / 2:
            return  # `optimize` has put the new ones into the cells there are
        from lancedb.index import IvfRq

        cells = IvfRq(distance_type="cosine", num_partitions=max(1, count // CELL))
        table.create_index("vector", config=cells, replace=True)

    def drop(self) -> None:
        """Delete the whole index; it can be rebuilt."""
        self._connection = self._sample = None
        if self._folder.is_dir():
            shutil.rmtree(self._folder, ignore_errors=True)
        else:
            self._folder.unlink(missing_ok=True)

    def _arrow(self, rows: Sequence[Row], vectors: Vectors) -> Any:
        import pyarrow as pa

        turned = (vectors @ self._rotation).astype(np.float32)
        flat = pa.array(turned.reshape(-1), pa.float32())
        return pa.table(
            {
                "passage_id": pa.array([row.passage_id for row in rows], pa.int64()),
                "item_id": pa.array([row.item_id for row in rows], pa.int64()),
                "starts_at": pa.array([row.starts_at for row in rows], pa.int64()),
                "medium": pa.array([row.medium for row in rows], pa.string()),
                "mine": pa.array([row.mine for row in rows], pa.bool_()),
                "vector": pa.FixedSizeListArray.from_arrays(flat, self._dimensions),
            }
        )

    def _database(self) -> Any:
        import lancedb

        if self._connection is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = lancedb.connect(self._folder)
        return self._connection

    def _table(self) -> Any:
        if not self._folder.is_dir():
            self._connection = None
            return None
        if not (self._folder / f"{_TABLE}.lance").is_dir():
            return None
        try:
            return self._database().open_table(_TABLE)
        except Exception as fault:  # an empty manifest, a missing one, a folder that is none
            raise DamagedIndexError(str(type(fault).__name__)) from fault


def _starts(table: Any) -> NDArray[np.int64]:
    """Return when each passage's item starts, microseconds since 1970, `_UNDATED` for null."""
    return np.asarray(table["starts_at"].fill_null(_UNDATED).to_numpy(), dtype=np.int64)


def _search(
    table: Any,
    turned: NDArray[np.float32],
    cutoff: Cutoff,
    *,
    limit: int,
    exact: bool,
    first: bool,
    where: str = "",
) -> Nearest:
    """Return the `limit` nearest passages with what can't be seen kept out, before ranking or after.

    `where` goes with the former.
    """
    search = table.search(turned)
    if exact:
        search = search.bypass_vector_index()
    else:
        probed = max(8, math.ceil(PROBED * table.count_rows() / CELL))
        more = max(1, math.ceil(COMPARED / limit))
        search = search.nprobes(probed).refine_factor(more)
    search = search.distance_type("cosine")
    if first:
        # A filter on a null moment drops the row, so the undated need a clause of their own.
        by_then = f"starts_at <= {microseconds(cutoff.instant)}"
        undated = " OR starts_at IS NULL" if cutoff.undated else ""
        kept = " AND ".join(filter(None, (f"({by_then}{undated})", where)))
        search = search.where(kept, prefilter=True)
    found = (
        search.select(["passage_id", "item_id", "starts_at", "_distance"]).limit(limit).to_arrow()
    )
    near = Nearest(
        found["passage_id"].to_numpy(),
        found["item_id"].to_numpy(),
        1.0 - found["_distance"].to_numpy().astype(np.float64),
    )
    return near if first else near.only(_visible(_starts(found), cutoff))


class _disk_faults:  # noqa: N801 - reads as a statement
    """Say a full disk or a read-only folder in words; lance reports both as a plain RuntimeError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if isinstance(fault, OSError | RuntimeError):
            raise ProfileError(
                f"The vectors can't be written in {self._folder.parent}. Free some space or make the "
                "folder writable; what is missing is made up for at the next start."
            ) from fault


def _orthogonal(seed: int, dimensions: int) -> NDArray[np.float32]:
    """Return a random rotation, the same for the same seed on every machine.

    QR of a Gaussian matrix with the signs of R's diagonal put into Q is uniform over rotations and
    reflections (Mezzadri 2007, arXiv math-ph/0609050).
    """
    gaussian = np.random.Generator(np.random.PCG64(seed)).standard_normal((dimensions, dimensions))
    q, r = np.linalg.qr(gaussian)
    return np.asarray(q * np.sign(np.diagonal(r)), dtype=np.float32)
