"""Find what a question is about: meaning and words, fused, over what could be seen at the time.

The cut-off is part of both searches, so nothing written later takes a place in the ranking. Hits are
items; each brings its best passage. The scores of the two rankers are put on one scale (standard
scores over the pool) and added: measured on CloneMem this beats fusing ranks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlite_utils import Database

from clone_app.entries import Cutoff, Hit, Recalled, Term
from clone_app.memory.database import rows
from clone_app.memory.embedding import pending
from clone_app.memory.index import Near, VectorIndex
from clone_app.memory.spelling import SHORTEST, neighbours
from clone_app.memory.store import VISIBLE, Store, visibility
from clone_app.memory.words import CJK, content_words, stem
from clone_app.protocols import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Say how recall ranks. Stored by name with every answer, so that answers can be compared.

    `pool` is how many passages each ranker offers; `others` is added, in standard scores, to an item
    the user did not write, since a question to a clone is about its own life first.
    """

    name: str = "hybrid"
    dense: float = 1.0
    words: float = 1.0
    pool: int = 200
    others: float = -0.2


HYBRID = Recipe()
# A lone passage with a rare word would stand at 14 deviations and drown all meaning.
FARTHEST = 5.0


@dataclass(slots=True)
class _Candidate:
    """Gather what the rankers know of one item."""

    passage: int = 0
    standing: float = float("-inf")
    cosine: float | None = None
    scores: dict[str, float] = field(default_factory=dict)
    found_by: set[str] = field(default_factory=set)
    coverage: float = 0.0


def recall(
    store: Store,
    question: str,
    cutoff: Cutoff,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    recipe: Recipe = HYBRID,
    k: int = 10,
) -> Recalled:
    """Return the `k` items that answer a question best, best first.

    Without an index or an embedder the words alone decide, and `pending` says how many passages were
    out of the dense search's sight.
    """
    db = store.base.db()
    terms = understand(db, question)
    candidates: dict[int, _Candidate] = {}
    by_words = _by_words(db, terms, cutoff, recipe.pool)
    lowest = {}
    lowest["words"] = _gather(candidates, "words", by_words, weight=recipe.words, pool=recipe.pool)
    by_meaning: list[Near] = []
    if index is not None and embedder is not None and question.strip():
        probe = np.asarray(embedder.embed([question])[0], dtype=np.float32)
        by_meaning = index.nearest(probe, cutoff, limit=recipe.pool)
        near = [(found.passage_id, found.item_id, found.cosine) for found in by_meaning]
        lowest["meaning"] = _gather(
            candidates, "meaning", near, weight=recipe.dense, pool=recipe.pool
        )
        for found in by_meaning:
            candidate = candidates[found.item_id]
            candidate.cosine = max(candidate.cosine or -1.0, found.cosine)
    _cover(db, candidates, terms)
    ranked = _ranked(store, candidates, lowest, recipe, k)
    return Recalled(tuple(_hits(store, ranked)), terms, pending(store))


def understand(db: Database, question: str) -> tuple[Term, ...]:
    """Return the content words of a question with what memory holds of each, and their rarity."""
    total = int(rows(db, "SELECT count(*) FROM passages")[0][0]) or 1
    found: dict[str, Term] = {}
    for word in content_words(question):
        root = stem(word)
        if root in found:
            continue
        holding = _frequency(db, [word])
        spelled: tuple[str, ...] = (word,)
        if not holding:
            spelled = neighbours(root, _vocabulary(db, root))
            holding = _frequency(db, spelled)
        rarity = math.log((total - holding + 0.5) / (holding + 0.5) + 1.0)
        found[root] = Term(word, spelled, rarity)
    return tuple(found.values())


def match(words: Iterable[str]) -> str:
    """Return an FTS5 query for any of these words; CJK pairs are looked for among the pairs."""
    parts = []
    for word in words:
        quoted = '"' + word.replace('"', '""') + '"'
        parts.append(f"cjk : {quoted}" if _ALL_CJK.fullmatch(word) else quoted)
    return " OR ".join(parts)


_ALL_CJK = re.compile(f"[{CJK}]+")


def _frequency(db: Database, words: Sequence[str]) -> int:
    if not words:
        return 0
    return int(
        rows(db, "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?", [match(words)])[
            0
        ][0]
    )


def _vocabulary(db: Database, root: str) -> list[str]:
    """Return the known words that start as this one does: a first letter is seldom misspelled."""
    if len(root) < SHORTEST or not root.isalpha():
        return []
    last = root[0] + "\U0010ffff"
    return [
        row[0]
        for row in rows(
            db, "SELECT term FROM vocabulary WHERE term >= ? AND term < ?", [root[0], last]
        )
    ]


def _by_words(
    db: Database, terms: Sequence[Term], cutoff: Cutoff, limit: int
) -> list[tuple[int, int, float]]:
    """Return (passage, item, score) by BM25, best first."""
    words = [word for term in terms for word in term.spelled]
    if not words:
        return []
    found = rows(
        db,
        "SELECT p.id, p.item_id, -bm25(passage_words, 1.0, 1.0, 0.7) AS score "
        "FROM passage_words f JOIN passages p ON p.id = f.rowid JOIN items i ON i.id = p.item_id "
        f"WHERE passage_words MATCH :words AND {VISIBLE} ORDER BY score DESC LIMIT :limit",
        {"words": match(words), "limit": limit, **visibility(cutoff)},
    )
    return [(row[0], row[1], row[2]) for row in found]


def _gather(
    candidates: dict[int, _Candidate],
    ranker: str,
    found: Sequence[tuple[int, int, float]],
    *,
    weight: float,
    pool: int,
) -> float:
    """Add one ranker's standard scores; return the lowest, where an item stands it did not find.

    Words are either there or not: the passages without them are part of the comparison with nothing,
    so that one of two passages that hold a rare word stands out as it should. Nearness has no nothing.
    """
    if not found:
        return 0.0
    scores = np.array([score for _, _, score in found])
    if ranker == "words" and len(found) < pool:
        scores = np.concatenate([scores, np.zeros(pool - len(found))])
    spread = float(scores.std()) or 1.0
    middle = float(scores.mean())
    for passage, item, score in found:
        standing = weight * min(FARTHEST, (score - middle) / spread)
        candidate = candidates.setdefault(item, _Candidate())
        candidate.scores[ranker] = max(candidate.scores.get(ranker, float("-inf")), standing)
        candidate.found_by.add(ranker)
        if standing > candidate.standing:
            candidate.standing, candidate.passage = standing, passage
    return weight * (float(scores.min()) - middle) / spread


def _cover(db: Database, candidates: Mapping[int, _Candidate], terms: Sequence[Term]) -> None:
    """Work out how much of the question's weight in words each candidate holds."""
    weight = sum(term.weight for term in terms)
    if not weight or not candidates:
        return
    marks = ",".join(str(item) for item in candidates)
    for term in terms:
        if not term.spelled:
            continue
        holding = rows(
            db,
            "SELECT DISTINCT p.item_id FROM passage_words f JOIN passages p ON p.id = f.rowid "
            f"WHERE passage_words MATCH ? AND p.item_id IN ({marks})",
            [match(term.spelled)],
        )
        for (item,) in holding:
            candidates[item].coverage += term.weight / weight


def _ranked(
    store: Store,
    candidates: Mapping[int, _Candidate],
    lowest: dict[str, float],
    recipe: Recipe,
    k: int,
) -> list[tuple[float, int, _Candidate]]:
    whose = _mine(store.base.db(), candidates)
    totals = {
        item: sum((lowest | found.scores).values()) + (0.0 if whose.get(item) else recipe.others)
        for item, found in candidates.items()
    }
    floor = min(totals.values(), default=0.0)
    ranked = [(totals[item] - floor, item, found) for item, found in candidates.items()]
    ranked.sort(key=lambda each: (-each[0], each[1]))
    return ranked[:k]


def _mine(db: Database, items: Iterable[int]) -> dict[int, bool]:
    marks = ",".join(str(item) for item in items)
    found = rows(db, f"SELECT id, mine FROM items WHERE id IN ({marks})")
    return {row[0]: bool(row[1]) for row in found}


def _hits(store: Store, ranked: Sequence[tuple[float, int, _Candidate]]) -> Iterable[Hit]:
    items = store.by_id([item for _, item, _ in ranked])
    spans = _spans(store.base.db(), [found.passage for _, _, found in ranked])
    for score, number, found in ranked:
        stored = items.get(number)
        if stored is None or found.passage not in spans:
            continue  # removed between ranking and reading
        start, end, own = spans[found.passage]
        whole = stored.item.text if own else stored.item.context
        yield Hit(
            item_id=number,
            item=stored.item,
            passage=whole[start:end],
            start=start,
            own=own,
            score=score,
            cosine=found.cosine,
            coverage=min(1.0, found.coverage),
            found_by=tuple(sorted(found.found_by)),
        )


def _spans(db: Database, passages: Sequence[int]) -> dict[int, tuple[int, int, bool]]:
    marks = ",".join(str(passage) for passage in passages)
    found: list[tuple[Any, ...]] = rows(
        db,
        f'SELECT id, start, "end", own FROM passages WHERE id IN ({marks})',
    )
    return {row[0]: (row[1], row[2], bool(row[3])) for row in found}
