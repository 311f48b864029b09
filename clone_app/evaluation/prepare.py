"""A benchmark's life, put into a memory of its own exactly as a user's would be, kept for later runs.

The base is encrypted with the profile's key and the vectors are rotated by its secret: whoever tries
the program on the diary of a friend leaves nothing readable on the disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import Cutoff, Item, content_hash
from clone_app.errors import DamagedError
from clone_app.evaluation.aspects import Aspects
from clone_app.evaluation.okapi import Okapi
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.keys import ProfileKey
from clone_app.memory.chunk import passages
from clone_app.memory.database import Base, rows
from clone_app.memory.embedding import embed_pending, pending, reconcile
from clone_app.memory.index import DamagedIndexError, Nearest, Row, VectorIndex
from clone_app.memory.ingest import Ingest
from clone_app.memory.moments import microseconds
from clone_app.memory.store import Store
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Vectors

BATCH = 256
# Raised when what is kept of a life changes its form.
FORM = "1"
LOOKED_AT = 200
_NUMBERS = "SELECT key, id FROM items"


class Remembered:
    """Embed each text once: every arm asks the same questions, and none pays for another."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self._asked: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """Return the embedder's name."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a text, shape (texts, dimensions), float32."""
        return self._through(self._known, self._embedder.embed, texts, progress)

    def ask(self, questions: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a question, shape (questions, dimensions), float32."""
        return self._through(self._asked, self._embedder.ask, questions, progress)

    def _through(
        self,
        known: dict[str, Vectors],
        make: Callable[..., Vectors],
        texts: Sequence[str],
        progress: Progress | None,
    ) -> Vectors:
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(zip(fresh, make(fresh, progress=progress), strict=True))
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return np.stack([known[text] for text in texts])


class Nearness(Protocol):
    """Rank vectors by their nearness to one; fulfilled by `VectorIndex`."""

    def nearest(self, probe: NDArray[np.float32], cutoff: Cutoff, *, limit: int) -> Nearest:
        """Return the nearest that can be seen, the best first."""
        ...


@dataclass(frozen=True)
class Prepared:
    """Hold a life in memory, its vectors made: passages in `index`, whole traces in `whole`.

    `numbers` are the items' numbers in the base, by key; `items` the items by key, oldest first.
    `documents` are persona documents made on the way with the traces they rest on, by how many items
    could be seen. `home` is the zone of the life's wall clock: UTC but for the user's own. `supposes`
    writes the line of diary that a question might be answered by, None where nobody does.
    """

    life: Life
    store: Store
    index: VectorIndex
    whole: Nearness
    embedder: Remembered
    items: dict[str, Item]
    numbers: dict[str, int]
    documents: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    home: tzinfo = UTC
    supposes: Callable[[str, Progress], str] | None = None

    @cached_property
    def keys(self) -> dict[int, str]:
        """Return the items' keys by their numbers."""
        return {number: key for key, number in self.numbers.items()}

    @cached_property
    def vectors(self) -> tuple[NDArray[np.int64], Vectors]:
        """Return the passages' vectors with the numbers of the items they belong to."""
        return self.index.vectors()

    @cached_property
    def okapi(self) -> Okapi:
        """Return the textbook BM25 over whole traces, in the order of `items`."""
        return Okapi([whole_text(item) for item in self.items.values()])

    @cached_property
    def aspects(self) -> Aspects:
        """Return the life in H2Memory's four stores."""
        return Aspects(self.items, self.numbers, self.store, self.index, self.embedder)

    def visible(self, question: SuiteQuestion) -> list[Item]:
        """Return what a question may see, oldest first: nothing undated, nothing later than asked."""
        return [
            item
            for item in self.items.values()
            if item.moment.local is not None and item.moment.local <= question.asked_at
        ]

    def cutoff(self, question: SuiteQuestion) -> Cutoff:
        """Return what a question may see, as an instant."""
        return Cutoff(question.asked_at.replace(tzinfo=self.home).astimezone(UTC), undated=False)

    def close(self) -> None:
        """Close the base."""
        self.store.base.close()


def whole_text(item: Item) -> str:
    """Return a trace as one text: what was written, and title and people where it doesn't name them."""
    around = [each for each in (item.title, *item.recipients) if each and each not in item.text]
    return "\n".join([*around, item.text])


def folder_name(life: Life, embedder: str) -> str:
    """Return where a life is kept: other content, another embedder or way to cut passages, elsewhere."""
    step = max(1, len(life.items) // LOOKED_AT)
    cut = [(each.start, each.end) for item in life.items[::step] for each in passages(item)]
    return content_hash(life.suite, life.sha256, embedder, str(cut), FORM)


def prepare(
    life: Life,
    folder: Path,
    *,
    key: ProfileKey,
    embedder: Embedder,
    now: datetime,
    progress: Progress,
) -> Prepared:
    """Return a life ready to be asked; what was made before is used again, what is damaged made anew.

    Killed in between, the next call finishes: items by the import's own journal, vectors by their
    marks, and `ready` is noted last.
    """
    try:
        base = _open(folder, key)
    except DamagedError:
        shutil.rmtree(folder)
        base = _open(folder, key)
    try:
        store = Store(base)
        if store.fact("ready") != "1":
            progress.report(0, len(life.items), f"Preparing {life.name}")
            number = store.begin_source("evaluation", life.suite, life.name, now)
            Ingest(store, number, UTC).run(life.items)
        index, whole = (
            VectorIndex(
                folder / name, rotation_seed=key.rotation_seed(), dimensions=embedder.dimensions
            )
            for name in ("index", "whole")
        )
        reconcile(store, index, embedder.name)
        if pending(store):
            embed_pending(store, index, embedder, progress=progress)
        numbers = {str(key): int(number) for key, number in rows(base.db(), _NUMBERS)}
        made = Prepared(
            life, store, index, whole, Remembered(embedder), in_time(life.items), numbers
        )
        _embed_whole(made, whole, embedder, progress)
        store.set_fact("ready", "1")
        return made
    except BaseException:
        base.close()
        raise


def _open(folder: Path, key: ProfileKey) -> Base:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "memory.db"
    base = Base(path, key, create=not path.exists())
    base.migrate()
    return base


def in_time(items: Iterable[Item]) -> dict[str, Item]:
    """Return items by key, the undated first, then the oldest."""
    ordered = sorted(
        items, key=lambda item: (item.moment.local is not None, item.moment.iso() or "")
    )
    return {item.key: item for item in ordered}


def _embed_whole(
    made: Prepared, whole: VectorIndex, embedder: Embedder, progress: Progress
) -> None:
    """Give each trace one vector, of as much of it as the embedder reads."""
    try:
        held = whole.passage_ids()
    except DamagedIndexError:
        held = []
    if len(held) == len(set(held)) == len(made.items):
        return
    whole.drop()
    wanted = list(made.items.values())
    for start in range(0, len(wanted), BATCH):
        progress.report(start, len(wanted), f"Reading whole traces of {made.life.name}")
        batch = wanted[start : start + BATCH]
        vectors = embedder.embed([whole_text(item) for item in batch], progress=progress)
        whole.add([_row(made, item) for item in batch], vectors)
    whole.compact()


def _row(made: Prepared, item: Item) -> Row:
    number = made.numbers[item.key]
    start = item.moment.start(UTC)
    return Row(
        number, number, None if start is None else microseconds(start), item.medium, item.mine
    )
