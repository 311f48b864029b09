"""Find what a question is about: words, meaning, time, and what stands near good hits in time.

Each ranker puts its scores on one scale (standard scores over what could be seen at the time), they
are added, items of the time the question names are raised, and so is what was written around good
hits: what happened together was written together. The cut-off comes before all of it, so nothing later
takes a place in any ranking. Measured in packaging/bench/recall.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

import numpy as np
from sqlite_utils import Database

from clone_app.entries import Cutoff, Hit, Recalled
from clone_app.memory.database import rows
from clone_app.memory.embedding import pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import by_words, coverage, understand
from clone_app.memory.store import Store
from clone_app.memory.timeline import Places, Timeline
from clone_app.memory.when import Interval, find, without_times
from clone_app.progress import Progress
from clone_app.protocols import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Say how recall ranks. Stored by name with every answer, so that answers can be compared.

    `meaning` and `words` weigh the two rankers; `when` weighs how telling the time named in the
    question is, `near` the lift of what stands around good hits. `reach` is how far that lift goes, in
    days; `good` how many deviations above the mean a hit stands to lift others. `others` is added to
    what the user did not write, since a question to a clone is about its own life first. `pool` is how
    many passages each ranker offers.
    """

    name: str
    meaning: float = 1.0
    words: float = 1.5
    when: float = 1.0
    near: float = 1.75
    reach: float = 1.0
    good: float = 2.0
    others: float = -0.1
    pool: int = 1000


SITUATIONS = Recipe(name="situations")
SEARCH = Recipe(name="search", near=0.0)
HYBRID = Recipe(name="hybrid", words=1.0, when=0.0, near=0.0)
BM25 = Recipe(name="bm25", meaning=0.0, words=1.0, when=0.0, near=0.0, others=0.0)
PASSAGES = Recipe(name="passages", meaning=1.0, words=0.0, when=0.0, near=0.0, others=0.0)
RECIPES = (SITUATIONS, SEARCH, HYBRID, BM25, PASSAGES)
DEFAULT = SITUATIONS

# A lone passage with a rare word would stand at 14 deviations and drown all meaning.
FARTHEST = 9.0
# The rarer the time named, the more it tells, up to one item in twenty.
MOST_TELLING = 3.0
EDGE_DAYS = 3.0
# "Lately I've noticed …" opens a talk more often than it asks for the last two months.
VAGUE = 0.5
SPAN_AT_MOST = 500
AROUND_DAYS = 3.0


@dataclass(slots=True)
class _Candidate:
    """Gather what the rankers know of one item."""

    passage: int | None = None
    best: float = float("-inf")
    cosine: float | None = None
    scores: dict[str, float] = field(default_factory=dict)


def recall(
    store: Store,
    question: str,
    cutoff: Cutoff,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    home: tzinfo,
    recipe: Recipe = DEFAULT,
    k: int = 10,
    progress: Progress | None = None,
) -> Recalled:
    """Return the `k` items that answer a question best, best first.

    Without an index or an embedder words and time decide, and `pending` says how many passages were
    out of the sight of meaning. The same memory, recipe, question and moment give the same hits.
    """
    db = store.base.db()
    intervals = find(question, cutoff.instant.astimezone(home).date()) if recipe.when else ()
    terms = understand(db, without_times(question, intervals))
    timeline = store.timeline(reach=recipe.reach)
    seen = timeline.seen(cutoff)
    total = max(1, seen + (timeline.undated if cutoff.undated else 0))
    candidates: dict[int, _Candidate] = {}
    lowest: dict[str, float] = {}
    if recipe.words:
        found = by_words(db, terms, cutoff, limit=recipe.pool)
        lowest["words"] = _gather_words(candidates, found, recipe.words, total)
    if recipe.meaning and index is not None and embedder is not None and question.strip():
        probe = np.asarray(embedder.embed([question], progress=progress)[0], dtype=np.float32)
        lowest["meaning"] = _gather_meaning(candidates, index, probe, cutoff, recipe)
    for interval in intervals:
        inside = timeline.within(interval, seen)
        if len(inside) <= SPAN_AT_MOST:
            for number in timeline.ids[inside].tolist():
                candidates.setdefault(number, _Candidate())
    totals = _totals(db, candidates, lowest, recipe)
    if intervals:
        _raise_named_time(totals, candidates, timeline, intervals, seen, recipe)
    if recipe.near and seen:
        totals = _lift_around(totals, candidates, lowest, timeline, seen, total, recipe)
    ranked = sorted(totals.items(), key=lambda each: (-each[1], each[0]))[:k]
    floor = min(totals.values(), default=0.0)
    covered = coverage(db, terms, [item for item, _ in ranked])
    hits = _hits(
        store, [(item, score - floor, candidates[item]) for item, score in ranked], covered
    )
    return Recalled(tuple(hits), terms, pending(store))


def _gather_words(
    candidates: dict[int, _Candidate],
    found: Sequence[tuple[int, int, float]],
    weight: float,
    total: int,
) -> float:
    """Add the standard scores of BM25; return where an item stands that holds none of the words.

    Items without the words score 0 and count: so that one of a thousand with a rare word stands out.
    """
    best: dict[int, tuple[float, int]] = {}
    for passage, item, score in found:
        if item not in best or score > best[item][0]:
            best[item] = (score, passage)
    scores = np.array([score for score, _ in best.values()])
    middle = float(scores.sum()) / total
    spread = math.sqrt(max(0.0, float((scores**2).sum()) / total - middle**2)) or 1.0
    for item, (score, passage) in best.items():
        standing = weight * min(FARTHEST, (score - middle) / spread)
        _note(candidates, item, "words", standing, passage)
    return weight * -middle / spread


def _gather_meaning(
    candidates: dict[int, _Candidate],
    index: VectorIndex,
    probe: Any,
    cutoff: Cutoff,
    recipe: Recipe,
) -> float:
    """Add the standard scores of nearness; return the lowest, which stands for what is out of sight."""
    found = index.nearest(probe, cutoff, limit=recipe.pool)
    if not found:
        return 0.0
    cosines = np.array([near.cosine for near in found])
    spread = index.spread(probe, cutoff)
    middle, deviation = spread or (float(cosines.mean()), float(cosines.std()) or 1.0)
    for near in found:  # nearest first, so an item's first passage is its best
        known = candidates.get(near.item_id)
        if known is None or "meaning" not in known.scores:
            standing = recipe.meaning * (near.cosine - middle) / deviation
            _note(candidates, near.item_id, "meaning", standing, near.passage_id)
            candidates[near.item_id].cosine = near.cosine
    return recipe.meaning * (float(cosines.min()) - middle) / deviation


def _note(
    candidates: dict[int, _Candidate], item: int, ranker: str, standing: float, passage: int
) -> None:
    candidate = candidates.setdefault(item, _Candidate())
    candidate.scores[ranker] = standing
    if standing > candidate.best:
        candidate.best, candidate.passage = standing, passage


def _totals(
    db: Database,
    candidates: Mapping[int, _Candidate],
    lowest: dict[str, float],
    recipe: Recipe,
) -> dict[int, float]:
    """Return the fused score of each candidate, of length 1 whatever the weights."""
    size = math.hypot(recipe.meaning, recipe.words)
    whose = _mine(db, candidates) if recipe.others else {}
    return {
        item: sum((lowest | found.scores).values()) / size
        + (0.0 if whose.get(item, True) else recipe.others)
        for item, found in candidates.items()
    }


def _raise_named_time(
    totals: dict[int, float],
    candidates: Mapping[int, _Candidate],
    timeline: Timeline,
    intervals: Sequence[Interval],
    seen: int,
    recipe: Recipe,
) -> None:
    """Raise what was written in the time a question names, by how telling that time is.

    A day in ten years tells more than a month in two: the raise is the surprise, -ln of the share of
    items in it. Outside it fades over a few days, since things are written down late.
    """
    ids = np.fromiter(totals, dtype=np.int64)
    places = timeline.places(ids)
    dated = places >= 0
    raised = np.zeros(len(ids))
    for interval in intervals:
        inside = max(1, len(timeline.within(interval, seen)))
        telling = min(MOST_TELLING, math.log(max(1.0, seen / inside)))
        if interval.vague:
            telling *= VAGUE
        fading = np.exp(-timeline.outside(interval, places[dated]) / EDGE_DAYS)
        raised[dated] = np.maximum(raised[dated], recipe.when * telling * fading)
    for item, more in zip(ids.tolist(), raised.tolist(), strict=True):
        totals[item] += more
        if more >= recipe.when / 2:
            candidates[item].scores.setdefault("when", 0.0)


def _lift_around(
    totals: dict[int, float],
    candidates: dict[int, _Candidate],
    lowest: Mapping[str, float],
    timeline: Timeline,
    seen: int,
    total: int,
    recipe: Recipe,
) -> dict[int, float]:
    """Lift what stands in time around good hits, items no ranker found included."""
    ids = np.fromiter(totals, dtype=np.int64)
    scores = np.fromiter(totals.values(), dtype=np.float64)
    places = timeline.places(ids)
    good = (places >= 0) & (scores > recipe.good)
    if not good.any():
        return totals
    hits: Places = places[good]
    worth = scores[good] - recipe.good
    around = timeline.around(hits, seen, days=AROUND_DAYS * recipe.reach)
    lifts = timeline.lift(hits, worth, around, seen)
    # The deviation over everything visible: what is farther away is lifted by nothing.
    spread = math.sqrt(
        max(0.0, float((lifts**2).sum()) / total - (float(lifts.sum()) / total) ** 2)
    )
    lifted = dict(totals)
    bottom = sum(lowest.values()) / math.hypot(recipe.meaning, recipe.words)
    for number, more in zip(timeline.ids[around].tolist(), lifts.tolist(), strict=True):
        if number not in totals:
            candidates.setdefault(number, _Candidate()).scores["near"] = 0.0
        lifted[number] = lifted.get(number, bottom) + recipe.near * more / (spread or 1.0)
    return lifted


def _mine(db: Database, items: Iterable[int]) -> dict[int, bool]:
    marks = ",".join(map(str, items))
    found = rows(db, f"SELECT id, mine FROM items WHERE id IN ({marks})")
    return {row[0]: bool(row[1]) for row in found}


def _hits(
    store: Store,
    ranked: Sequence[tuple[int, float, _Candidate]],
    covered: Mapping[int, float],
) -> Iterable[Hit]:
    items = store.by_id([item for item, _, _ in ranked])
    spans = _spans(store.base.db(), ranked)
    for number, score, found in ranked:
        stored = items.get(number)
        if stored is None or number not in spans:
            continue  # removed between ranking and reading, or nothing in it to show
        start, end, own = spans[number]
        whole = stored.item.text if own else stored.item.context
        yield Hit(
            item_id=number,
            item=stored.item,
            passage=whole[start:end],
            start=start,
            own=own,
            score=score,
            cosine=found.cosine,
            coverage=covered[number],
            found_by=tuple(sorted(found.scores)),
        )


def _spans(
    db: Database, ranked: Sequence[tuple[int, float, _Candidate]]
) -> dict[int, tuple[int, int, bool]]:
    """Return where each item's best passage stands; its first one where no ranker saw any."""
    best = ",".join(str(found.passage) for _, _, found in ranked if found.passage is not None)
    rest = ",".join(str(item) for item, _, found in ranked if found.passage is None)
    found = rows(
        db,
        f'SELECT item_id, start, "end", own FROM passages WHERE id IN ({best}) UNION ALL '
        f'SELECT item_id, start, "end", own FROM passages WHERE number = 0 AND item_id IN ({rest})',
    )
    return {row[0]: (row[1], row[2], bool(row[3])) for row in found}
