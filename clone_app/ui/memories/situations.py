"""The situations beside the list of entries: titled groups, and the entries of the one that is open."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.situations import Situation
from clone_app.ui import words
from clone_app.ui.memories.delegate import MemoryDelegate
from clone_app.ui.memories.model import MemoriesModel, Row, Wish
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

NONE_YET = (
    "No situations yet. Entries that stand close in time and in meaning are grouped here once "
    "search by meaning has been prepared."
)


class SituationsModel(MemoriesModel):
    """List situations, the latest first.

    A row's number is the situation's, and for `found` it holds when that was and with whom.
    """

    page = 30

    def _count(self, wish: Wish) -> int:  # noqa: ARG002 - all of them
        return self._workspace.app.count_situations()

    def _load(self, wish: Wish, number: int) -> tuple[Row, ...]:  # noqa: ARG002
        found = self._workspace.app.situations(limit=self.page, offset=number * self.page)
        rows = []
        for each in found:
            said = f"{_with(each)} — " if each.people else ""
            rows.append(
                Row(
                    each.id,
                    words.span(each.first, each.last),
                    words.entries(each.items),
                    words.snippet(each.title or each.opening, 120),
                    words.snippet(said + each.opening, 320),
                    about(each),
                )
            )
        return tuple(rows)


class SituationsPane(QWidget):
    """Show the situations; one that is chosen opens in their place."""

    entry_wanted = Signal(object, bool)  # Row, whether it was chosen rather than passed
    changed = Signal(str)  # how many there are, in words

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SituationsModel(workspace)
        self.groups = memory_list(self.model, "Situations")
        self.inside = MemoriesModel(workspace)
        self.entries = memory_list(self.inside, "Entries of this situation")
        self.title = wrapped("", "heading")
        self.about = wrapped("", "muted")
        self.hint = wrapped(NONE_YET, "muted")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.back = QPushButton("All situations")
        self.back.setToolTip("Back to all situations (Alt+Left)")
        self.back.clicked.connect(self.leave)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self)
        shortcut.activated.connect(self.leave)
        opened = QWidget()
        column = QVBoxLayout(opened)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.title)
        column.addWidget(self.about)
        column.addWidget(self.entries, 1)
        self._opened = opened
        self._stack = QStackedWidget()
        for page in (self.groups, opened, self.hint):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        for chosen in (self.groups.activated, self.groups.clicked):
            chosen.connect(self._open)
        for chosen in (self.entries.activated, self.entries.clicked):
            chosen.connect(lambda index: self._want(index, chosen=True))
        self.entries.selectionModel().currentChanged.connect(
            lambda index: self._want(index, chosen=False)
        )
        self.model.counted.connect(self._counted)
        self.inside.counted.connect(self._counted_inside)

    def refresh(self) -> None:
        """Read anew what there is; a situation that was open may be gone."""
        self.model.show(Wish())

    def leave(self) -> None:
        """Go back to all situations."""
        if self._stack.currentWidget() is self._opened:
            self._stack.setCurrentWidget(self.groups)
            self.groups.setFocus()
            self.changed.emit(_many(self.model.rowCount()))

    def open(self, number: int, title: str, about: str) -> None:
        """Show the entries of one situation; `about` says when it was and with whom."""
        self.title.setText(title)
        self.about.setText(about)
        self.inside.show(Wish(situation=number))

    def _open(self, index: QModelIndex) -> None:
        row = self.model.row(index)
        if row is not None:
            self.open(row.item_id, row.title, row.found)

    def _counted(self, total: int) -> None:
        self._stack.setCurrentWidget(self.groups if total else self.hint)
        self.changed.emit(_many(total) if total else "")

    def _counted_inside(self, total: int) -> None:
        self._stack.setCurrentWidget(self._opened)
        self.entries.setFocus()
        self.changed.emit(words.entries(total))

    def _want(self, index: QModelIndex, *, chosen: bool) -> None:
        row = self.inside.row(index)
        if row is not None:
            self.entry_wanted.emit(row, chosen)


def about(situation: Situation) -> str:
    """Return when a situation was, and with whom."""
    span = words.span(situation.first, situation.last)
    return f"{span}  ·  {_with(situation)}" if situation.people else span


def _with(situation: Situation) -> str:
    return f"With {', '.join(situation.people)}"


def memory_list(model: MemoriesModel, name: str) -> QListView:
    """Return a list of memories or of groups of them, laid out at once however long."""
    view = QListView()
    view.setModel(model)
    view.setItemDelegate(MemoryDelegate(view))
    view.setUniformItemSizes(True)
    view.setMouseTracking(True)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setAccessibleName(name)
    return view


def _many(total: int) -> str:
    return words.count(total, "situation")
