"""Measure recall at size: 10 k, 100 k and a million passages, made up from the sample life.

    python packaging/bench/scale.py [--sizes 10000 100000 1000000] [--real 50000] [--questions 100]
                                    [--keep FOLDER] [--json]

Texts are recombined prose with a long tail of invented words (`made_life.py`). `--real` of them are
embedded, the rest are theirs with small noise: random directions would defeat any index and show
nothing. For each size: how long base and index take to build, bytes a passage, how many of the ten
nearest of an exact search the index finds, how many of the best hits the postings budget keeps, and
p50 and p95 of a whole recall, the embedding of the question included, as of now and as of a day that a
third of the life comes after. Made bases are kept in
`--keep`; a million takes some 6 GB and half an hour on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from made_life import MadeLife
from numpy.typing import NDArray

from clone_app.entries import Cutoff
from clone_app.keys import ProfileKey
from clone_app.memory.database import Base
from clone_app.memory.index import Row, VectorIndex
from clone_app.memory.lexical import by_words, understand
from clone_app.memory.moments import microseconds
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT
from clone_app.memory.store import Store
from clone_app.models.shelf import Models
from clone_app.protocols import Embedder

KEY = ProfileKey(bytes(range(32)))
NOW = Cutoff(datetime(2026, 1, 1, tzinfo=UTC))
DIARY = Path(__file__).parents[2] / "resources" / "sample_life" / "en" / "diary"
BATCH = 20_000
# So much of each coordinate's spread: a copy stands at a cosine of some 0.95 to what it was made of.
NOISE = 0.016


def main() -> None:
    """Build what is missing, measure every size, print one table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--real", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--diary", type=Path, default=DIARY, help="Markdown to make passages of")
    parser.add_argument("--keep", type=Path, help="where made bases are kept")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    folder = wanted.keep or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    life, models = MadeLife(wanted.diary), Models()
    try:
        embedder = models.embedder()
        real = embedded(life, wanted.real, embedder, folder)
        found = [
            measured(size, life, real, embedder, folder, wanted.questions) for size in wanted.sizes
        ]
    finally:
        models.close()
    if wanted.json:
        print(json.dumps(found, indent=2))
        return
    for name in found[0]:
        cells = [
            f"{row[name]:>14,.3f}" if isinstance(row[name], float) else f"{row[name]:>14,}"
            for row in found
        ]
        print(f"{name:38}{''.join(cells)}")
    print(f"{'load while measuring':38}{os.getloadavg()[0]:>14.1f}")


def embedded(life: MadeLife, count: int, embedder: Embedder, folder: Path) -> NDArray[np.float32]:
    """Return the vectors of the first passages, shape (count, dimensions), from `folder` if there."""
    texts = list(life.passages(count))
    digest = hashlib.sha256("\n".join([embedder.name, *texts]).encode()).hexdigest()[:16]
    kept = folder / f"vectors-{digest}.npy"
    if not kept.exists():
        parts = []
        for start in range(0, count, 2048):
            parts.append(embedder.embed(texts[start : start + 2048]))
            print(f"embedded {start + len(parts[-1]):,} of {count:,}", flush=True)
        np.save(kept, np.concatenate(parts))
    return np.asarray(np.load(kept), dtype=np.float32)


def measured(
    size: int,
    life: MadeLife,
    real: NDArray[np.float32],
    embedder: Embedder,
    folder: Path,
    questions: int,
) -> dict[str, Any]:
    """Return the figures of one size."""
    place = folder / f"{size}"
    facts = place / "built.json"
    if not facts.exists():
        place.mkdir(parents=True, exist_ok=True)
        facts.write_text(json.dumps(build(size, life, real, place)))
    built = json.loads(facts.read_text())
    base = Base(place / "memory.db", KEY)
    index = VectorIndex(
        place / "vectors", rotation_seed=KEY.rotation_seed(), dimensions=real.shape[1]
    )
    store, asked = Store(base), life.questions(questions)
    probes = embedder.embed(asked)
    figures: dict[str, Any] = {"passages": size, **built}
    figures["bytes of base a passage"] = weight(place / "memory.db") / size
    figures["bytes of index a passage"] = weight(place / "vectors") / size
    exact = [
        set(index.nearest(each, NOW, limit=10, exact=True).passages.tolist()) for each in probes
    ]
    near = [set(index.nearest(each, NOW, limit=10).passages.tolist()) for each in probes]
    figures["index: of the 10 nearest, found"] = statistics.mean(
        len(one & other) / 10 for one, other in zip(exact, near, strict=True)
    )
    figures |= timed(
        f"index, {DEFAULT.pool} nearest",
        [lambda p=p: index.nearest(p, NOW, limit=DEFAULT.pool) for p in probes],
    )
    figures["exact, 10 nearest p50 ms"] = timed(
        "exact", [lambda p=p: index.nearest(p, NOW, limit=10, exact=True) for p in probes[:20]]
    )["exact p50 ms"]
    figures |= words(store, asked)
    look = [
        lambda q=q: recall(store, q, NOW, index=index, embedder=embedder, home=UTC) for q in asked
    ]
    look[0]()  # the line of time is read once
    figures |= timed("whole recall", look)
    then = Cutoff(instant(life, size * 2 // 3, size))
    figures |= timed(
        "recall as of an earlier day",
        [
            lambda q=q: recall(store, q, then, index=index, embedder=embedder, home=UTC)
            for q in asked
        ],
    )
    base.close()
    return figures


def words(store: Store, asked: Sequence[str]) -> dict[str, float]:
    """Return what the postings budget costs in hits and saves in time."""
    db = store.base.db()
    terms = [understand(db, each) for each in asked]
    figures = timed("understanding words", [lambda q=q: understand(db, q) for q in asked])
    kept: list[list[float]] = [[], []]
    for each in terms:
        cheap = [row[0] for row in by_words(db, each, NOW, limit=100)]
        whole = [row[0] for row in by_words(db, each, NOW, limit=100, postings=None)]
        for place, k in enumerate((10, 100)):
            if whole:
                kept[place].append(len(set(cheap[:k]) & set(whole[:k])) / len(whole[:k]))
    figures["budget: of the best 10, kept"] = statistics.mean(kept[0])
    figures["budget: of the best 100, kept"] = statistics.mean(kept[1])
    figures |= timed(
        "words, budget", [lambda t=t: by_words(db, t, NOW, limit=DEFAULT.pool) for t in terms]
    )
    figures |= timed(
        "words, all postings",
        [lambda t=t: by_words(db, t, NOW, limit=DEFAULT.pool, postings=None) for t in terms],
    )
    return figures


def timed(name: str, calls: Sequence[Callable[[], object]]) -> dict[str, float]:
    """Return p50 and p95 of some calls in ms."""
    seconds = []
    for call in calls:
        begun = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begun)
    cut = statistics.quantiles(seconds, n=20)
    return {f"{name} p50 ms": statistics.median(seconds) * 1000, f"{name} p95 ms": cut[-1] * 1000}


def build(size: int, life: MadeLife, real: NDArray[np.float32], place: Path) -> dict[str, float]:
    """Make base and index; return the seconds each took."""
    begun = time.perf_counter()
    base = Base(place / "memory.db", KEY, create=True)
    base.migrate()
    for start in range(0, size, BATCH):
        with base.write() as db:
            write(db, life, start, min(BATCH, size - start), size)
        print(f"{size:,}: {start + BATCH:,} written", flush=True)
    with base.write() as db:
        db.execute("INSERT INTO passage_words(passage_words) VALUES ('optimize')")
    base.checkpoint()
    base.close()
    based = time.perf_counter()
    index = VectorIndex(
        place / "vectors", rotation_seed=KEY.rotation_seed(), dimensions=real.shape[1]
    )
    for start, vectors in noisy(real, size):
        rows = [
            Row(number + 1, number + 1, microseconds(instant(life, number, size)), "diary", True)
            for number in range(start, start + len(vectors))
        ]
        index.add(rows, vectors)
    added = time.perf_counter()
    index.compact()
    done = time.perf_counter()
    return {
        "base built in s": based - begun,
        "vectors added in s": added - based,
        "index built in s": done - added,
    }


def write(db: Any, life: MadeLife, start: int, count: int, size: int) -> None:
    """Write one passage an item as an import does, many rows at a time."""
    items, passages, texts = [], [], []
    for number, text in enumerate(life.passages(count, start=start), start):
        at = life.moment(number, size)
        key = f"made:{number}"
        items.append(
            (number + 1, key, key, key, at.isoformat(), microseconds(at.replace(tzinfo=UTC)), text)
        )
        passages.append((number + 1, number + 1, len(text)))
        texts.append((number + 1, text))
    db.conn.executemany(
        "INSERT INTO items (id, key, source_key, body_hash, medium, local, precision, starts_at, author, "
        "title, text, context, mine, recipients, thread, labels, locator, meta_hash) VALUES "
        "(?, ?, ?, ?, 'diary', ?, 'minute', ?, '', '', ?, '', 1, '[]', '', '[]', '', '')",
        items,
    )
    db.conn.executemany(
        'INSERT INTO passages (id, item_id, number, start, "end", own, embedded) '
        "VALUES (?, ?, 0, 0, ?, 1, 1)",
        passages,
    )
    db.conn.executemany(
        "INSERT INTO passage_words (rowid, text, cjk, title) VALUES (?, ?, '', '')", texts
    )


def instant(life: MadeLife, number: int, size: int) -> datetime:
    """Return a passage's moment in UTC."""
    return life.moment(number, size).replace(tzinfo=UTC)


def noisy(real: NDArray[np.float32], size: int) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield (first number, vectors) in batches: the real ones first, then copies with noise."""
    dice = np.random.default_rng(7)
    for start in range(0, size, BATCH):
        count = min(BATCH, size - start)
        vectors = real[np.arange(start, start + count) % len(real)]
        if start + count > len(real):
            vectors = vectors + dice.normal(0, NOISE, vectors.shape).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        yield start, vectors.astype(np.float32)


def weight(path: Path) -> int:
    """Return the bytes of a file or of everything in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


if __name__ == "__main__":
    main()
