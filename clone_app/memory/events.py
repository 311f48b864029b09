"""Find when something happened: the days on which what was written tells of it most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
from sqlite_utils import Database

from clone_app.entries import Cutoff, Precision
from clone_app.memory.database import rows
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import by_words, coverage, understand
from clone_app.memory.occasions import SEVERAL_AT_MOST, Days
from clone_app.protocols import Embedder

LOOKED_AT = 300
# Items that hold less of an event's words, by their rarity, don't tell of it.
HELD = 0.8
# Mentions farther apart than this are of different events; what lasts may go unmentioned for longer.
APART = timedelta(days=21)
APART_LASTING = timedelta(days=60)
# What lasted was told of on so many days.
TOLD_AT_LEAST = 3
# One telling more than this share is the one that is meant; more than that, it is so for sure.
CLEAR = 0.6
SURE = 0.85
# Where no word of it was ever written: so many deviations above the usual nearness tell of it too.
NEAR = 3.5
NEAREST = 20

_DAY = timedelta(days=1)
_EXACT = tuple(str(each) for each in Precision if each not in (Precision.YEAR, Precision.MONTH))


def days_of(
    db: Database,
    cutoff: Cutoff,
    what: str,
    *,
    lasting: bool,
    index: VectorIndex | None = None,
    embedder: Embedder | None = None,
) -> tuple[Days, ...]:
    """Return when something happened, the likeliest first, as far as was written by the cut-off.

    One is sure, several are several that may be meant; what comes up again and again is no event:
    none. A happening is a day, what lasts spans from its first to its last mention.
    """
    told = _by_words(db, what, cutoff)
    if not told and index is not None and embedder is not None:
        told = _by_meaning(index, embedder, what, cutoff)
    if not told:
        return ()
    worth: dict[date, float] = defaultdict(float)
    marks = ",".join(map(str, told))
    for number, day, precision in rows(
        db,
        f"SELECT id, substr(local, 1, 10), precision FROM items WHERE id IN ({marks}) "
        "AND local IS NOT NULL",
    ):
        if precision in _EXACT:
            worth[date.fromisoformat(day)] += told[number]
    groups = _together(sorted(worth), APART_LASTING if lasting else APART)
    total = sum(worth.values())
    weighed = sorted(
        ((sum(worth[day] for day in group), group) for group in groups),
        key=lambda each: (-each[0], each[1]),
    )
    if not weighed:
        return ()
    strong = [group for weight, group in weighed if weight >= weighed[0][0] / 2]
    if weighed[0][0] >= CLEAR * total:
        strong = strong[:1]
    elif len(strong) > SEVERAL_AT_MOST:
        return ()
    found = []
    for group in strong:
        first, last = group[0], group[-1]
        if not lasting or len(group) < TOLD_AT_LEAST:
            first = last = max(group, key=lambda day: (worth[day], -day.toordinal()))
        found.append(Days(first, last + _DAY, sure=weighed[0][0] >= SURE * total))
    return tuple(found)


def _by_words(db: Database, what: str, cutoff: Cutoff) -> dict[int, float]:
    """Return the items that hold the words, with their scores."""
    terms = understand(db, what)
    if not terms:
        return {}
    found: dict[int, float] = {}
    for _, item, score in by_words(db, terms, cutoff, limit=LOOKED_AT):
        found[item] = max(score, found.get(item, 0.0))
    held = coverage(db, terms, list(found))
    return {item: score for item, score in found.items() if held[item] >= HELD}


def _by_meaning(
    index: VectorIndex, embedder: Embedder, what: str, cutoff: Cutoff
) -> dict[int, float]:
    """Return the items that stand out by their nearness to the words, with their deviations."""
    probe = np.asarray(embedder.ask([what])[0], dtype=np.float32)
    usual = index.spread(probe, cutoff)
    if usual is None:
        return {}
    found: dict[int, float] = {}
    near = index.nearest(probe, cutoff, limit=NEAREST)
    above = (near.cosines - usual[0]) / usual[1]
    for item, standing in zip(near.items.tolist(), above.tolist(), strict=True):
        if standing >= NEAR:
            found[item] = max(standing, found.get(item, 0.0))
    return found


def _together(days: Sequence[date], apart: timedelta) -> list[list[date]]:
    groups: list[list[date]] = []
    for day in days:
        if groups and day - groups[-1][-1] <= apart:
            groups[-1].append(day)
        else:
            groups.append([day])
    return groups
