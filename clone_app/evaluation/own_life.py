"""The user's own archive as a life to be asked: its own base and index, nothing copied.

What is forgotten there is forgotten here: no second copy of it lies in the evaluation's folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import Cutoff, Item
from clone_app.evaluation.prepare import Prepared, Remembered, in_time, whole_text
from clone_app.evaluation.suites import Life
from clone_app.memory.database import rows
from clone_app.memory.index import Nearest, VectorIndex
from clone_app.memory.moments import microseconds
from clone_app.memory.store import Store
from clone_app.protocols import Embedder, Vectors

BATCH = 256


class WholeTraces:
    """Rank whole traces by one vector each, made when first asked for and kept in memory alone."""

    def __init__(
        self,
        items: Sequence[Item],
        numbers: Sequence[int],
        *,
        embedder: Embedder,
        home: tzinfo,
    ) -> None:
        self._items = items
        self._embedder = embedder
        self._numbers = np.asarray(numbers, np.int64)
        starts = [item.moment.start(home) for item in items]
        self._starts = np.array(
            [np.iinfo(np.int64).max if each is None else microseconds(each) for each in starts],
            np.int64,
        )
        self._vectors: Vectors | None = None

    def nearest(self, probe: NDArray[np.float32], cutoff: Cutoff, *, limit: int) -> Nearest:
        """Return the nearest items that can be seen, the best first."""
        if self._vectors is None:
            texts = [whole_text(item) for item in self._items]
            parts = [
                self._embedder.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)
            ]
            self._vectors = (
                np.concatenate(parts) if parts else np.empty((0, len(probe)), np.float32)
            )
        cosines = self._vectors @ probe
        cosines[self._starts > microseconds(cutoff.instant)] = -np.inf
        order = np.argsort(-cosines, kind="stable")[:limit]
        order = order[np.isfinite(cosines[order])]
        numbers = self._numbers[order]
        return Nearest(numbers, numbers, cosines[order].astype(np.float64))


class OwnLife(Prepared):
    """Be the archive itself, which stays open when a run ends."""

    def close(self) -> None:
        """Leave the profile's base open."""


def prepare_own(
    life: Life, store: Store, index: VectorIndex, *, embedder: Embedder, home: tzinfo
) -> OwnLife:
    """Return the archive ready to be asked; its passages must have their vectors."""
    numbers = {
        str(key): int(number) for key, number in rows(store.base.db(), "SELECT key, id FROM items")
    }
    items = in_time(life.items)
    remembered = Remembered(embedder)
    whole = WholeTraces(
        list(items.values()), [numbers[key] for key in items], embedder=embedder, home=home
    )
    return OwnLife(life, store, index, whole, remembered, items, numbers, home=home)
