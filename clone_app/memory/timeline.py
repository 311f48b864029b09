"""All items on one line of time: who stands near whom, and how crowded it is there.

What happened together was written together: a good hit makes its neighbours in time likelier. Where a
hundred entries fall on a day that says little, so nearness is divided by the root of the crowd.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from clone_app.entries import Cutoff
from clone_app.memory.database import rows
from clone_app.memory.moments import microseconds
from clone_app.memory.when import Interval

Places = NDArray[np.intp]
Numbers = NDArray[np.float64]
_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Timeline:
    """Hold the dated items in the order of their instants, in arrays of one length.

    `ids` are item numbers (`by_id` their order by number), `days` instants in days since 1970,
    `local` the ordinals of the writers' local days. `before` and `after` are the sums of
    exp(-distance) over what stands on either side, distances in units of `reach` days: worked out
    once, they give any item's crowd in one step.
    """

    ids: NDArray[np.int64]
    days: Numbers
    local: NDArray[np.int64]
    before: Numbers
    after: Numbers
    by_id: Places
    reach: float
    undated: int

    @classmethod
    def load(cls, db: Database, *, reach: float) -> Timeline:
        """Read the line of a base: some 20 ms for 10,000 items."""
        found = rows(
            db,
            "SELECT id, starts_at, substr(local, 1, 10) FROM items WHERE starts_at IS NOT NULL "
            "ORDER BY starts_at, id",
        )
        days = np.array([row[1] for row in found], dtype=np.float64) / _DAY
        decay = np.exp(-np.diff(days) / reach)
        undated = int(rows(db, "SELECT count(*) FROM items WHERE starts_at IS NULL")[0][0])
        ids = np.array([row[0] for row in found], dtype=np.int64)
        return cls(
            ids=ids,
            by_id=np.argsort(ids, kind="stable"),
            days=days,
            local=np.array([date.fromisoformat(row[2]).toordinal() for row in found], np.int64),
            before=_summed(decay, len(days)),
            after=_summed(decay[::-1], len(days))[::-1],
            reach=reach,
            undated=undated,
        )

    def seen(self, cutoff: Cutoff) -> int:
        """Return how many places of the line can be seen: they are the first ones."""
        return int(np.searchsorted(self.days, microseconds(cutoff.instant) / _DAY, side="right"))

    def places(self, ids: NDArray[np.int64]) -> Places:
        """Return the places of items, -1 for one without a date."""
        if not len(self.ids):
            return np.full(len(ids), -1, dtype=np.intp)
        at = np.searchsorted(self.ids, ids, sorter=self.by_id)
        found = self.by_id[np.minimum(at, len(self.ids) - 1)]
        return np.where(self.ids[found] == ids, found, -1)

    def crowd(self, places: Places, seen: int) -> Numbers:
        """Return how crowded it is around places, itself counted as 1, among what can be seen."""
        total = self.before[places] + self.after[places] - 1.0
        if seen < len(self.days):  # take off what stands beyond the cut-off
            gap = np.exp(-(self.days[seen] - self.days[places]) / self.reach)
            total = total - self.after[seen] * gap
        return np.maximum(total, 1.0)

    def lift(self, hits: Places, worth: Numbers, places: Places, seen: int) -> Numbers:
        """Return how much each of `places` is lifted by hits that stand near it in time.

        The sum over all hits of worth times exp(-distance), in one step a place: what the hits on
        either side add up to fades together from the nearest of them on.
        """
        if not len(hits) or not len(places):
            return np.zeros(len(places))
        order = np.argsort(self.days[hits], kind="stable")
        at, weight = self.days[hits][order], worth[order]
        fading = np.exp(-np.diff(at) / self.reach)
        before = _summed(fading, len(at), weight)
        after = _summed(fading[::-1], len(at), weight[::-1])[::-1]
        days = self.days[places]
        next_ = np.searchsorted(at, days, side="right")
        left = np.maximum(next_ - 1, 0)
        right = np.minimum(next_, len(at) - 1)
        lifts = np.where(
            next_ > 0, before[left] * np.exp((at[left] - days).clip(max=0) / self.reach), 0.0
        ) + np.where(
            next_ < len(at), after[right] * np.exp((days - at[right]).clip(max=0) / self.reach), 0.0
        )
        return np.asarray(lifts / np.sqrt(self.crowd(places, seen)), dtype=np.float64)

    def around(self, hits: Places, seen: int, *, days: float) -> Places:
        """Return the visible places that stand within so many days of any hit."""
        marked = np.zeros(seen + 1, dtype=np.int64)
        left = np.searchsorted(self.days[:seen], self.days[hits] - days)
        right = np.searchsorted(self.days[:seen], self.days[hits] + days, side="right")
        np.add.at(marked, left, 1)
        np.add.at(marked, right, -1)
        return np.flatnonzero(np.cumsum(marked[:-1]) > 0)

    def within(self, interval: Interval, seen: int) -> Places:
        """Return the visible places whose local day lies in an interval."""
        local = self.local[:seen]
        inside = (local >= interval.start.toordinal()) & (local < interval.end.toordinal())
        return np.flatnonzero(inside)

    def outside(self, interval: Interval, places: Places) -> Numbers:
        """Return how many days each place lies outside an interval, 0 within."""
        local = self.local[places]
        early = interval.start.toordinal() - local
        late = local - interval.end.toordinal() + 1
        return np.maximum(0, np.maximum(early, late)).astype(np.float64)


def _summed(decay: Numbers, count: int, weight: Numbers | None = None) -> Numbers:
    """Return for each place its weight (1 for none given) plus the decayed sum of the place before."""
    sums = np.ones(count) if weight is None else weight.astype(np.float64)
    for at in range(1, count):
        sums[at] += sums[at - 1] * decay[at - 1]
    return sums
