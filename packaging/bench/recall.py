"""How much of the evidence recall finds, recipe beside recipe, on the public benchmarks.

    python3 packaging/bench/recall.py DATA [--keep FOLDER]

DATA holds `clonemem/*/*.json` and `lifebench/<language>/<user>`, as the benchmarks publish them. All
recipes answer the same questions over the same vectors in one run; a question sees only what was there
when it was asked. recall_flat at k is the share of a question's evidence among the first k items, its
mean over questions; `flat` is CloneMem's own retriever (cosine over whole traces cut at what the
embedder reads). Intervals: 95 %, paired bootstrap over questions against `flat`. `--keep` keeps the
bases with their vectors for the next run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import Cutoff
from clone_app.evaluation.suites import Life, SuiteQuestion, clonemem, lifebench
from clone_app.keys import ProfileKey
from clone_app.memory.database import Base
from clone_app.memory.embedding import embed_pending, pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.ingest import Ingest
from clone_app.memory.recall import RECIPES, SITUATIONS, Recipe, recall
from clone_app.memory.store import Store
from clone_app.models.shelf import Models
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Vectors

ABLATION = (
    replace(SITUATIONS, name="- near", near=0.0),
    replace(SITUATIONS, name="- when", when=0.0),
    replace(SITUATIONS, name="- words", words=0.0),
    replace(SITUATIONS, name="- meaning", meaning=0.0),
)
DRAWS = 2000


class Remembered:
    """Embed each question once: every recipe gets the same vector and none pays for it."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self._vectors = dict(zip(texts, embedder.embed(texts), strict=True))

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:  # noqa: ARG002
        """Return the vectors made before."""
        return np.stack([self._vectors[text] for text in texts])


@dataclass(frozen=True)
class Prepared:
    """Hold a life in memory, its vectors made."""

    life: Life
    store: Store
    index: VectorIndex
    questions: list[SuiteQuestion]
    embedder: Remembered
    whole: Vectors


def lives(data: Path) -> Iterator[Life]:
    """Yield every benchmark life below a folder."""
    for path in sorted(data.glob("clonemem/*/*.json")):
        yield clonemem.read_life(path)
    for path in sorted(data.glob("lifebench/*/*")):
        if (path / "QA").is_dir():
            yield lifebench.read_life(path)


def prepare(life: Life, folder: Path, embedder: Embedder) -> Prepared:
    """Put a life into an encrypted base of its own and give it its vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    new = not (folder / "memory.db").exists()
    base = Base(folder / "memory.db", ProfileKey(bytes(32)), create=new)
    if new:
        base.migrate()
    store = Store(base)
    index = VectorIndex(folder / "index", rotation_seed=0, dimensions=embedder.dimensions)
    number = store.begin_source("bench", life.suite, life.name, datetime.now(UTC))
    Ingest(store, number, UTC).run(life.items)
    if pending(store):
        embed_pending(store, index, embedder, progress=Progress())
    questions = [question for question in life.questions if question.gold]
    kept = folder / "whole.npy"
    if not kept.exists():
        np.save(kept, embedder.embed([f"{item.title}\n{item.text}" for item in life.items]))
    remembered = Remembered(embedder, [question.text for question in questions])
    return Prepared(life, store, index, questions, remembered, np.load(kept))


def flat(made: Prepared, question: SuiteQuestion, k: int) -> list[str]:
    """Return the keys CloneMem's own retriever finds: cosine over whole traces, cut off first."""
    probe = made.embedder.embed([question.text])[0]
    seen = [
        (float(vector @ probe), item.key)
        for item, vector in zip(made.life.items, made.whole, strict=True)
        if item.moment.local is not None and item.moment.local <= question.asked_at
    ]
    return [key for _, key in sorted(seen, key=lambda each: -each[0])[:k]]


def by_recipe(recipe: Recipe) -> Callable[[Prepared, SuiteQuestion, int], list[str]]:
    """Return what finds keys by a recipe."""

    def find(made: Prepared, question: SuiteQuestion, k: int) -> list[str]:
        found = recall(
            made.store,
            question.text,
            Cutoff(question.asked_at.replace(tzinfo=UTC), undated=False),
            index=made.index,
            embedder=made.embedder,
            home=UTC,
            recipe=recipe,
            k=k,
        )
        return [hit.item.key for hit in found.hits]

    return find


def scores(
    made: Prepared, find: Callable[[Prepared, SuiteQuestion, int], list[str]]
) -> tuple[NDArray[np.float64], float]:
    """Return recall at 10 and 20 a question, shape (questions, 2), and milliseconds a question."""
    begun = time.perf_counter()
    found = []
    for question in made.questions:
        keys = find(made, question, 20)
        gold = question.gold
        found.append([len(gold & set(keys[:k])) / len(gold) for k in (10, 20)])
    return np.array(found), (time.perf_counter() - begun) * 1000 / max(1, len(made.questions))


def gain(ours: NDArray[np.float64], base: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of the mean gain at 10 over a baseline, paired bootstrap."""
    differences = ours[:, 0] - base[:, 0]
    draws = np.random.default_rng(7).integers(0, len(differences), (DRAWS, len(differences)))
    low, high = np.percentile(differences[draws].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    """Print one table a life: recipes side by side, then the default without each of its parts."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--keep", type=Path)
    told = arguments.parse_args()
    models = Models()
    finders = [("flat", flat)] + [(each.name, by_recipe(each)) for each in (*RECIPES, *ABLATION)]
    macro: dict[str, dict[str, list[NDArray[np.float64]]]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for life in lives(told.data):
            folder = (told.keep or Path(temporary)) / f"{life.suite} {life.name}"
            made = prepare(life, folder, models.embedder())
            print(
                f"\n{life.suite}: {life.name}, {len(life.items)} items, {len(made.questions)} questions"
            )
            base: NDArray[np.float64] | None = None
            for name, find in finders:
                found, milliseconds = scores(made, find)
                base = found if base is None else base
                low, high = gain(found, base)
                at10, at20 = found.mean(axis=0)
                macro.setdefault(life.suite, {}).setdefault(name, []).append(found.mean(axis=0))
                print(
                    f"  {name:12} @10 {at10:.3f}   @20 {at20:.3f}   against flat "
                    f"{low:+.3f} to {high:+.3f}   {milliseconds:5.0f} ms"
                )
            made.store.base.close()
    for suite, names in macro.items():
        print(f"\n{suite}, mean over its lives")
        for name, means in names.items():
            at10, at20 = np.mean(means, axis=0)
            print(f"  {name:12} @10 {at10:.3f}   @20 {at20:.3f}")
    models.close()


if __name__ == "__main__":
    main()
