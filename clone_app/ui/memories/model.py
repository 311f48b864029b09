"""The list of memories for Qt: it knows how many there are and fetches what is looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from clone_app.entries import Filters, Item, Recalled
from clone_app.progress import Progress
from clone_app.ui import words
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.app import Stored

PAGE = 100
PAGES_KEPT = 60
FOUND_AT_MOST = 100
ROW_ROLE = Qt.ItemDataRole.UserRole + 1

_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Row:
    """Hold what the list shows of one item, and the passage that was found in it, if searched."""

    item_id: int
    when: str
    medium: str
    title: str
    snippet: str
    found: str = ""

    @classmethod
    def of(cls, item_id: int, item: Item, found: str = "", *, beside: int = 0) -> Row:
        """Return the row of an item; `beside` counts the others of its situation."""
        title = item.title or ("" if item.mine else item.author)
        medium = words.medium(item.medium)
        return cls(
            item_id,
            words.when(item.moment),
            f"{medium}  ·  +{beside:,} of that time" if beside else medium,
            words.snippet(title, 120),
            words.snippet(found or item.text or item.context, 320),
            found,
        )


@dataclass(frozen=True, slots=True)
class Wish:
    """Say which memories to list. `until` is exclusive, `text` ranks by recall.

    `whose`, `who` and `plain` are as `Filters` have them. A `situation` by its number is listed whole,
    the earliest first.
    """

    text: str = ""
    medium: str | None = None
    since: str | None = None
    until: str | None = None
    situation: int | None = None
    whose: str = ""
    who: str = ""
    plain: tuple[str, ...] = ()

    @property
    def filters(self) -> Filters:
        """Return the filters alone."""
        return Filters(
            whose=self.whose,
            who=self.who,
            medium=self.medium or "",
            since=self.since or "",
            until=self.until or "",
            plain=self.plain,
        )


class MemoriesModel(QAbstractListModel):
    """List items newest first, or what a search found, best first.

    Rows are fetched a page at a time on the reading lane when they come into view, and old pages
    are forgotten, so that a hundred thousand items take no more room than a few thousand.
    """

    counted = Signal(int)
    understood = Signal(object)  # Recalled, of a search
    page = PAGE

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._wish = Wish()
        self._total = 0
        self._pages: OrderedDict[int, tuple[Row, ...]] = OrderedDict()
        self._fetching: dict[int, Job] = {}
        self._counting: Job | None = None

    def wish(self) -> Wish:
        """Return what is listed."""
        return self._wish

    def show(self, wish: Wish) -> None:
        """List something else; what was on its way for the old wish is dropped."""
        self._wish = wish
        for job in (self._counting, *self._fetching.values()):
            if job is not None:
                job.cancel()
        self._fetching.clear()
        if wish.text:
            self._counting = self._workspace.jobs.run(
                lambda _: self._search(wish),
                lane=Lane.READING,
                owner=self,
                done=lambda both: self._take_found(wish, *both),
            )
        else:
            self._counting = self._workspace.jobs.run(
                lambda _: (self._count(wish), self._load(wish, 0)),
                lane=Lane.READING,
                owner=self,
                done=lambda both: self._fill(wish, both[0], {0: both[1]}),
            )

    def row(self, index: QModelIndex | QPersistentModelIndex) -> Row | None:
        """Return the row at an index, None while it is being fetched."""
        if not index.isValid():
            return None
        if self._wish.text:
            rows = self._pages.get(0, ())
            return rows[index.row()] if index.row() < len(rows) else None
        number, place = divmod(index.row(), self.page)
        rows = self._pages.get(number, ())
        if place < len(rows):
            self._pages.move_to_end(number)
            return rows[place]
        return None

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        """Return how many there are, fetched or not."""
        return 0 if parent.isValid() else self._total

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return the row's text for eyes and screen readers; fetch it if it is not there yet."""
        if not index.isValid():
            return None
        row = self.row(index)
        if row is None:
            self._fetch(index.row() // self.page)
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if row is None:
                return "…"
            return ". ".join(
                part for part in (row.when, row.medium, row.title, row.snippet) if part
            )
        return None

    def _count(self, wish: Wish) -> int:
        app = self._workspace.app
        if wish.situation is not None:
            return app.count_situation_items(wish.situation)
        return app.count_items(
            medium=wish.medium,
            since=wish.since,
            until=wish.until,
            whose=wish.whose,
            who=wish.who,
        )

    def _search(self, wish: Wish) -> tuple[tuple[Row, ...], Recalled]:
        app = self._workspace.app
        found = app.look_up(wish.text, k=FOUND_AT_MOST, filters=wish.filters)
        return _rows(found, app.beside([hit.item_id for hit in found.hits])), found

    def _take_found(self, wish: Wish, rows: tuple[Row, ...], found: Recalled) -> None:
        if wish == self._wish:
            self._fill(wish, len(rows), {0: rows})
            self.understood.emit(found)

    def _load(self, wish: Wish, number: int) -> tuple[Row, ...]:
        stored: tuple[Stored, ...]
        if wish.situation is not None:
            stored = self._workspace.app.situation_items(
                wish.situation, limit=PAGE, offset=number * PAGE
            )
            return tuple(Row.of(one.id, one.item) for one in stored)
        stored = self._workspace.app.items(
            medium=wish.medium,
            since=wish.since,
            until=wish.until,
            whose=wish.whose,
            who=wish.who,
            limit=PAGE,
            offset=number * PAGE,
            newest_first=True,
        )
        return tuple(Row.of(one.id, one.item) for one in stored)

    def _fetch(self, number: int) -> None:
        wish = self._wish
        if wish.text or number in self._fetching or number in self._pages:
            return

        def work(_: Progress) -> tuple[Row, ...]:
            return self._load(wish, number)

        self._fetching[number] = self._workspace.jobs.run(
            work,
            lane=Lane.READING,
            owner=self,
            done=lambda rows: self._take(wish, number, rows),
            ended=lambda: self._forget(number),
        )

    def _forget(self, number: int) -> None:
        self._fetching.pop(number, None)

    def _fill(self, wish: Wish, total: int, pages: dict[int, tuple[Row, ...]]) -> None:
        if wish != self._wish:
            return
        self.beginResetModel()
        self._total = total
        self._pages = OrderedDict(pages)
        self.endResetModel()
        self.counted.emit(total)

    def _take(self, wish: Wish, number: int, rows: tuple[Row, ...]) -> None:
        if wish != self._wish:
            return
        self._pages[number] = rows
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        first = number * self.page
        last = min(first + self.page, self._total) - 1
        self.dataChanged.emit(self.index(first), self.index(last))


def _rows(found: Recalled, beside: Mapping[int, tuple[int, int]]) -> tuple[Row, ...]:
    return tuple(
        Row.of(hit.item_id, hit.item, hit.passage, beside=beside.get(hit.item_id, (0, 1))[1] - 1)
        for hit in found.hits
    )
