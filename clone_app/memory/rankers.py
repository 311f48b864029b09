"""The rankers: words, meaning, the time, people and kind of entry named, nearness in time.

Each puts its scores on one scale: standard scores over what could be seen at the time. What a ranker
doesn't reach stands where its last one stood.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from clone_app.entries import Cutoff
from clone_app.memory.database import rows
from clone_app.memory.index import VectorIndex
from clone_app.memory.names import Bearers
from clone_app.memory.ranking import Column, Numbers, Ranking, column
from clone_app.memory.recipes import Recipe
from clone_app.memory.timeline import Timeline
from clone_app.memory.when import Interval

# A lone passage with a rare word would stand at 14 deviations and drown all meaning.
FARTHEST = 9.0
# The rarer the time, person or kind named, the more it tells, up to one item in twenty.
MOST_TELLING = 3.0
EDGE_DAYS = 3.0
# "Lately I've noticed …" opens a talk more often than it asks for the last two months.
VAGUE = 0.5
AROUND_DAYS = 3.0

Facts: TypeAlias = Mapping[int, tuple[bool, str, str, str]]


def by_words(
    found: Sequence[tuple[int, int, float]], *, weight: float, total: int, probe: str, name: str
) -> Column:
    """Return the standing of what holds the words, from (passage, item, BM25 score), any order.

    Items without the words score 0 and count: so that one of a thousand with a rare word stands out.
    """
    table = np.array(found, dtype=np.float64).reshape(-1, 3)
    table = table[np.argsort(-table[:, 2], kind="stable")]
    ids, first = np.unique(table[:, 1].astype(np.int64), return_index=True)
    scores = table[first, 2]
    middle = float(scores.sum()) / total
    spread = math.sqrt(max(0.0, float((scores**2).sum()) / total - middle**2)) or 1.0
    return Column(
        name,
        probe,
        ids,
        weight * np.minimum(FARTHEST, (scores - middle) / spread),
        rest=weight * -middle / spread,
        passages=table[first, 0].astype(np.int64),
    )


def by_meaning(
    index: VectorIndex,
    vector: NDArray[np.float32],
    cutoff: Cutoff,
    *,
    weight: float,
    limit: int,
    probe: str,
    where: str = "",
) -> Column | None:
    """Return the standing of what is nearest in meaning, None where nothing can be seen.

    An item stands where its nearest passage does, among passages drawn from the whole archive. `where`
    is a filter of the index.
    """
    found = index.nearest(vector, cutoff, limit=limit, where=where)
    if not len(found):
        return None
    usual = index.spread(vector, cutoff)
    middle, deviation = usual or (
        float(found.cosines.mean()),
        float(found.cosines.std()) or 1.0,
    )
    # Nearest first, so an item's first passage is its best.
    ids, first = np.unique(found.items, return_index=True)
    cosines = found.cosines[first]
    return Column(
        "meaning",
        probe,
        ids,
        weight * (cosines - middle) / deviation,
        rest=weight * (float(found.cosines.min()) - middle) / deviation,
        passages=found.passages[first],
        cosines=cosines,
        usual=usual,
    )


def by_time(
    ids: Numbers, timeline: Timeline, interval: Interval, seen: int, *, weight: float
) -> Column:
    """Raise what was written in a time the question names, by how telling that time is.

    A day in ten years tells more than a month in two: the raise is the surprise, -ln of the share of
    items in it. Outside it fades over a few days, since things are written down late.
    """
    places = timeline.places(ids)
    dated = places >= 0
    telling = surprise(len(timeline.within(interval, seen)), seen)
    if interval.vague:
        telling *= VAGUE
    fading = np.exp(-timeline.outside(interval, places[dated]) / EDGE_DAYS)
    near = fading > 0.05  # nine days off: what is left only fills the list of reasons
    return Column(
        "when", interval.phrase, ids[dated][near], (weight * telling * fading)[near].astype(float)
    )


def surprise(held: int, total: int) -> float:
    """Return how much it tells that an item is one of so many, -ln of their share, within limits."""
    return min(MOST_TELLING, math.log(max(1.0, total / max(1, held))))


def facts_of(db: Database, items: Collection[int]) -> Facts:
    """Return of each item whether it is the user's, its medium, its author and its recipients."""
    marks = ",".join(map(str, items))
    found = rows(
        db, f"SELECT id, mine, medium, author, recipients FROM items WHERE id IN ({marks})"
    )
    return {row[0]: (bool(row[1]), row[2], row[3], row[4]) for row in found}


def by_others(ids: Numbers, others: Numbers, *, weight: float) -> Column:
    """Lower what the user did not write: `others`, ascending."""
    at = np.minimum(np.searchsorted(others, ids), max(0, len(others) - 1))
    theirs = ids[others[at] == ids] if len(others) else ids[:0]
    return Column("whose", "mine", theirs, np.full(len(theirs), weight))


def by_medium(
    facts: Facts, named: Collection[str], counts: Mapping[str, int], *, weight: float
) -> Column:
    """Raise the kinds of entry that a question names."""
    total = sum(counts.values())
    held = sum(counts[medium] for medium in named)
    raised = weight * surprise(held, total)
    return column(
        "medium",
        ", ".join(sorted(named)),
        {item: raised for item, (_, medium, _, _) in facts.items() if medium in named},
    )


def by_people(
    facts: Facts, bearers: Sequence[Bearers], total: int, *, weight: float, probe: str
) -> Column:
    """Raise what the people a question names wrote or got."""
    theirs = {(each.author, each.recipients) for each in bearers}
    raised = weight * surprise(sum(each.count for each in bearers), total)
    return column(
        "people",
        probe,
        {
            item: raised
            for item, (_, _, author, recipients) in facts.items()
            if (author, recipients) in theirs
        },
    )


def by_nearness(
    ranking: Ranking, timeline: Timeline, seen: int, total: int, recipe: Recipe
) -> Column | None:
    """Lift what stands in time around the best hits, items no ranker found included.

    How many hits lift is set, not how good they must be: a question whose words are all common has no
    outstanding hit, and its best ones still point to when it was.
    """
    order = ranking.order()
    chosen = order[: recipe.seeds]
    places = timeline.places(ranking.ids[chosen])
    few = len(order) <= recipe.seeds
    floor = ranking.rest if few else float(ranking.totals[order[recipe.seeds]])
    worth = ranking.totals[chosen] - floor
    lifting = (places >= 0) & (worth > 0)
    if not lifting.any():
        return None
    around = timeline.around(places[lifting], seen, days=AROUND_DAYS * recipe.reach)
    lifts = timeline.lift(places[lifting], worth[lifting], around, seen)
    # The deviation over everything visible: what is farther away is lifted by nothing.
    spread = math.sqrt(
        max(0.0, float((lifts**2).sum()) / total - (float(lifts.sum()) / total) ** 2)
    )
    ids = timeline.ids[around]
    order = np.argsort(ids)
    return Column(
        "near", "the best hits", ids[order], (recipe.near * lifts / (spread or 1.0))[order]
    )
