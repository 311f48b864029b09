"""Which situation an item belongs to: single-pass clustering with a decay in time.

As topic detection and tracking does it (Allan, Papka and Lavrenko 1998, "On-line new event detection
and tracking", SIGIR): items are taken in their order in time, and each joins the open situation it is
nearest to, if it is near enough, else begins one. How near is measured against what is usual for that
item just then: in deviations of its cosines to the items before it. How long a situation stays open
follows from how thickly items lie there. Nothing but earlier items decides (and the first ones by each
other), so what was found stays as items are added behind it, whatever order they came in.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clone_app.protocols import Vectors

# So many items before one say what is usual: enough for a mean and a deviation, few enough to be its time.
BEFORE = 256
# A situation is as near as the mean of its latest members, so that it may move on.
LATEST = 8
# Deviations above the usual that an item must be near; what stands in the same thread needs less.
NEAR_ENOUGH = 1.0
SAME_THREAD = 1.0
# A situation fades by one deviation in the time in which so many items come on average; in days at
# least and at most: in a thin archive weeks may pass between two entries.
FADES_IN_ITEMS = 2.0
FADES_IN = (0.2, 4.0)
# Beyond so many fading times nothing is near enough any more.
OPEN_FOR = 5.0
OPEN_DAYS = OPEN_FOR * FADES_IN[1]

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Dated:
    """Hold where an item stands: its number, its time in days since 1970, its thread."""

    id: int
    day: float
    thread: str = ""


@dataclass(slots=True)
class _Open:
    """Hold a situation that items may still join: its latest members, and their mean."""

    latest: deque[Vector]
    middle: Vector
    last: float
    thread: str

    def take(self, item: Dated, vector: Vector) -> None:
        self.latest.append(vector)
        self.middle = np.asarray(np.mean(np.stack(list(self.latest)), axis=0), dtype=np.float32)
        self.last, self.thread = item.day, item.thread


class Grouping:
    """Take items in their order in time and say which situation each belongs to.

    A situation's number is that of its first item. Vectors are unit vectors, or zero for an item of
    which nothing can be said: it stands alone.
    """

    def __init__(self, dimensions: int) -> None:
        self._before = np.zeros((BEFORE, dimensions), np.float32)
        self._days = np.zeros(BEFORE)
        self._held = self._oldest = 0
        # Those that were joined last stand last.
        self._open: OrderedDict[int, _Open] = OrderedDict()

    def know(self, vectors: Vectors, days: Sequence[float]) -> None:
        """Take from these items what is usual, the latest ones last, and place none of them."""
        for vector, day in zip(vectors, days, strict=True):
            self._remember(vector, day)

    def resume(self, number: int, items: Iterable[tuple[Dated, Vector]]) -> None:
        """Open a situation again that holds these items, the latest ones last.

        Situations are to be resumed in the order in which they were last joined.
        """
        for item, vector in items:
            self._join(number, item, vector)

    def place(self, item: Dated, vector: Vector, *, known: int | None = None) -> int:
        """Return the number of the situation an item belongs to.

        `known` is its place among the items known beforehand, if it is one of them.
        """
        number = item.id
        if vector.any():
            number = self._nearest(item, vector, known) or item.id
            self._join(number, item, vector)
            if known is None:
                self._remember(vector, item.day)
        return number

    def _join(self, number: int, item: Dated, vector: Vector) -> None:
        if number in self._open:
            self._open[number].take(item, vector)
            self._open.move_to_end(number)
        else:
            self._open[number] = _Open(deque([vector], LATEST), vector, item.day, item.thread)

    def _nearest(self, item: Dated, vector: Vector, known: int | None) -> int | None:
        fades = self._fades()
        while self._open and item.day - next(iter(self._open.values())).last > OPEN_DAYS:
            self._open.popitem(last=False)
        near: list[int] = []
        for number in reversed(self._open):
            if item.day - self._open[number].last > OPEN_FOR * fades:
                break
            near.append(number)
        cosines = self._before[: self._held] @ vector
        if known is not None:
            cosines = np.delete(cosines, known)
        if not near or len(cosines) < 2 or (deviation := float(cosines.std())) < 1e-6:
            return None
        found = [self._open[number] for number in near]
        above = np.stack([each.middle for each in found]) @ vector - float(cosines.mean())
        apart = np.array([item.day - each.last for each in found]) / fades
        same = np.array([item.thread != "" and each.thread == item.thread for each in found])
        scores = above / deviation - apart + SAME_THREAD * same
        best = int(scores.argmax())
        return near[best] if scores[best] >= NEAR_ENOUGH else None

    def _fades(self) -> float:
        """Return how many days it takes a situation to fade by one deviation."""
        if self._held < 2:
            return FADES_IN[1]
        days = self._days[: self._held]
        apart = float(days.max() - days.min()) / (self._held - 1)
        return min(max(FADES_IN_ITEMS * apart, FADES_IN[0]), FADES_IN[1])

    def _remember(self, vector: Vector, day: float) -> None:
        if vector.any():
            self._before[self._oldest], self._days[self._oldest] = vector, day
            self._oldest = (self._oldest + 1) % BEFORE
            self._held = min(self._held + 1, BEFORE)
