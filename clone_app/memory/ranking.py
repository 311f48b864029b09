"""What rankers say, put side by side: columns of standings over items, added up and ordered.

Kept as columns to the end, so that every hit can tell which ranker found it with which probe, and
how much each of them gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import FoundBy

Numbers = NDArray[np.int64]
Standings = NDArray[np.float64]

# These only raise or lower what another ranker has found.
_MODIFIERS = frozenset({"whose", "medium", "rerank"})
# What stands this much higher for a time named was written in it or within days of it.
OF_THEN = 0.5
NOTHING: Numbers = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Column:
    """Hold what one ranker says with one probe, arrays of one length in the order of `ids`.

    `ids` are item numbers, ascending, each once. `rest` is the standing of every other item. `passages` are
    the passages that were found, one an item, where the ranker looks into texts; `cosines` theirs, and
    `usual` mean and deviation of the cosines of all there is.
    """

    ranker: str
    probe: str
    ids: Numbers
    standings: Standings
    rest: float = 0.0
    passages: Numbers | None = None
    cosines: Standings | None = None
    usual: tuple[float, float] | None = None

    def over(self, ids: Numbers) -> Standings:
        """Return the standings of these items."""
        if not len(self.ids):
            return np.full(len(ids), self.rest)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, self.standings[at], self.rest)

    def place(self, item: int) -> int | None:
        """Return where an item stands in the arrays, None where it doesn't."""
        at = int(np.searchsorted(self.ids, item))
        return at if at < len(self.ids) and int(self.ids[at]) == item else None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hold the columns over the union of their items, and each item's total.

    `ids` ascend; `totals` has their length. `out` are items that were taken out for good.
    """

    columns: tuple[Column, ...] = ()
    ids: Numbers = field(default_factory=lambda: NOTHING)
    totals: Standings = field(default_factory=lambda: np.empty(0))
    out: Numbers = field(default_factory=lambda: NOTHING)

    @classmethod
    def of(cls, columns: Iterable[Column], more: Iterable[Numbers] = ()) -> Ranking:
        """Return the ranking of these columns; `more` are items that no column holds."""
        kept = tuple(columns)
        ids = np.unique(np.concatenate([NOTHING, *(column.ids for column in kept), *more]))
        totals = np.zeros(len(ids))
        for column in kept:
            totals += column.over(ids)
        return cls(kept, ids, totals)

    def plus(self, *columns: Column) -> Ranking:
        """Return this ranking with more columns."""
        made = Ranking.of((*self.columns, *columns), [self.ids])
        return made.only(~np.isin(made.ids, self.out)) if len(self.out) else made

    @property
    def rest(self) -> float:
        """Return the total of an item that no ranker reached."""
        return sum(column.rest for column in self.columns)

    def only(self, kept: NDArray[np.bool_]) -> Ranking:
        """Return this ranking without the items that are not kept."""
        out = np.union1d(self.out, self.ids[~kept])
        return Ranking(self.columns, self.ids[kept], self.totals[kept], out)

    def order(self) -> NDArray[np.intp]:
        """Return the places of the items, best first; of equals the earlier number."""
        return np.lexsort((self.ids, -self.totals))

    def best(self, count: int) -> Numbers:
        """Return the numbers of the best items, best first."""
        return self.ids[self.order()[:count]]

    def found(self, item: int) -> tuple[FoundBy, ...]:
        """Return which rankers found an item, with which probe and how much each gave."""
        told = []
        for column in self.columns:
            place = column.place(item)
            if place is not None:
                standing = float(column.standings[place])
                told.append(FoundBy(column.ranker, column.probe, standing))
        return tuple(told)

    def passage(self, item: int) -> int | None:
        """Return the passage for which an item was found, of the ranker that gave the most."""
        best: tuple[float, int] | None = None
        for column in self.columns:
            place = column.place(item)
            if place is None or column.passages is None:
                continue
            standing = float(column.standings[place])
            if best is None or standing > best[0]:
                best = standing, int(column.passages[place])
        return None if best is None else best[1]

    @property
    def usual(self) -> tuple[float, float] | None:
        """Return mean and deviation of the question's cosines over all there is, None for unknown."""
        return next((column.usual for column in self.columns if column.usual is not None), None)

    def cosine(self, item: int) -> float | None:
        """Return the cosine of an item's nearest passage, None where meaning didn't see it."""
        for column in self.columns:
            place = column.place(item)
            if place is not None and column.cosines is not None:
                return float(column.cosines[place])
        return None


def finders(found: Sequence[FoundBy]) -> tuple[str, ...]:
    """Return the names of the rankers that found an item, sorted.

    Nearness counts where nothing else found it, a time named where the item stands in it or close by.
    """
    names = {
        each.ranker
        for each in found
        if each.ranker not in _MODIFIERS and (each.ranker != "when" or each.standing >= OF_THEN)
    }
    return tuple(sorted(names - {"near"} or names))


def column(
    ranker: str,
    probe: str,
    standings: dict[int, float],
    *,
    rest: float = 0.0,
    passages: dict[int, int] | None = None,
    cosines: dict[int, float] | None = None,
) -> Column:
    """Return a column from what is known by item."""
    ids = np.array(sorted(standings), dtype=np.int64)
    order = ids.tolist()
    return Column(
        ranker,
        probe,
        ids,
        np.array([standings[item] for item in order], dtype=np.float64),
        rest,
        None if passages is None else np.array([passages[item] for item in order], np.int64),
        None if cosines is None else np.array([cosines[item] for item in order], np.float64),
    )
