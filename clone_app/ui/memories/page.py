"""The Memories page: search and filters above the list, the entry beside it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import Item
from clone_app.ui import theme, words
from clone_app.ui.forget import ask_to_forget
from clone_app.ui.jobs import Lane
from clone_app.ui.memories import dates
from clone_app.ui.memories.entry import EntryView
from clone_app.ui.memories.model import FOUND_AT_MOST, MemoriesModel, Row, Wish
from clone_app.ui.memories.situations import SituationsPane, look_switch, memory_list
from clone_app.ui.memories.why import WhyLine
from clone_app.ui.page import Page
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_TYPING_MS = 300


class MemoriesPage(Page):
    """Let a person look through what is remembered."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.model = MemoriesModel(workspace)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search your memories")
        self.search.setAccessibleName("Search your memories")
        self.search.setToolTip("Search your memories (Ctrl+F)")
        self.search.setClearButtonEnabled(True)
        self.medium = QComboBox()
        self.medium.setAccessibleName("Kind of entry")
        self.medium.setToolTip("Show one kind of entry only")
        self.medium.addItem("All kinds", None)
        self.since = _date_field("From", "from, like 2020 or 2020-05-01")
        self.until = _date_field("To", "to, like 2021 or 2021-06")
        self.count = QLabel()
        theme.role(self.count, "muted")
        self.list = memory_list(self.model, "Memories")
        self.situations = SituationsPane(workspace)
        self.show_entries = look_switch("Entries", "List single entries, the latest first")
        self.show_situations = look_switch(
            "Situations", "List what stands close in time and in meaning, as groups"
        )
        self.show_entries.setChecked(True)
        self.entry = EntryView()
        self._wanted: int | None = None
        self._side = QStackedWidget()
        self._hint = wrapped("Choose an entry to read it whole.", "muted")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._side.addWidget(self._hint)
        self._side.addWidget(self.entry)
        self.empty = self._empty()
        self._body = QStackedWidget()
        self._body.addWidget(self._lists())
        self._body.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(10)
        title = QLabel("Memories")
        theme.role(title, "title")
        head = QHBoxLayout()
        head.addWidget(title)
        head.addSpacing(8)
        head.addWidget(self.show_entries)
        head.addWidget(self.show_situations)
        head.addSpacing(8)
        head.addWidget(self.count, 1)
        self.forget = QPushButton("Forget these…")
        self.forget.setToolTip(
            "See how many entries of this kind and period there are, then remove them"
        )
        theme.role(self.forget, "quiet")
        self.forget.clicked.connect(self._forget)
        self.forget.hide()
        head.addWidget(self.forget)
        layout.addLayout(head)
        layout.addWidget(self._body, 1)

        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._look)
        for field in (self.search, self.since, self.until):
            field.textChanged.connect(lambda _: self._typing.start())
            field.returnPressed.connect(self._look)
        self.medium.activated.connect(lambda _: self._look())
        self.list.selectionModel().currentChanged.connect(self._look_at)
        for chosen in (self.list.activated, self.list.clicked):
            chosen.connect(self._choose)
        self.model.counted.connect(self._counted)
        self.show_situations.toggled.connect(self._switch)
        self.situations.entry_wanted.connect(self._want)
        self.situations.changed.connect(self._say_situations)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.activated.connect(self.search.setFocus)
        workspace.memory_changed.connect(self.refresh)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the list or the entry where there is no room for both."""
        super().resizeEvent(event)
        self._arrange(reading=self._side.currentWidget() is self.entry)

    def arrive(self) -> None:
        """Let typing search at once."""
        self.search.setFocus()

    def refresh(self) -> None:
        """Read anew what changed elsewhere."""
        self.jobs.run(
            lambda _: self.app.media(), lane=Lane.READING, owner=self, done=self._fill_media
        )
        self._look()
        if self.show_situations.isChecked():
            self.situations.refresh()

    def wish(self) -> Wish | None:
        """Return what the fields ask for, None while a date is being typed."""
        try:
            since, until = dates.since(self.since.text()), dates.until(self.until.text())
        except ValueError:
            return None
        return Wish(self.search.text().strip(), self.medium.currentData(), since, until)

    def _look(self) -> None:
        self._typing.stop()
        wish = self.wish()
        if wish is None:
            self.count.setText("Dates are written like 2020, 2020-05 or 2020-05-01.")
        else:
            self.model.show(wish)

    def _counted(self, total: int) -> None:
        wish = self.model.wish()
        nothing = total == 0 and wish == Wish()
        if self.show_situations.isChecked() and not nothing:
            self.forget.hide()
            self._body.setCurrentIndex(0)
            return
        narrowed = bool(wish.medium or wish.since or wish.until)
        self.forget.setVisible(narrowed and not wish.text and total > 0)
        self._body.setCurrentIndex(1 if nothing else 0)
        if nothing:
            self.count.setText("")
        elif wish.text:
            best = f"The best {FOUND_AT_MOST} matches, best first"
            some = f"{words.entries(total)} found, best first" if total else "Nothing found"
            self.count.setText(best if total >= FOUND_AT_MOST else some)
        else:
            self.count.setText(words.entries(total))
        self._side.setCurrentWidget(self._hint)
        self._arrange(reading=False)

    def _forget(self) -> None:
        wish = self.model.wish()
        kind = words.medium(wish.medium).lower() if wish.medium else "everything"
        since = f" from {words.iso_day(wish.since)} on" if wish.since else ""
        until = f" before {words.iso_day(wish.until)}" if wish.until else ""
        ask_to_forget(
            self.workspace,
            self,
            kind + since + until,
            medium=wish.medium,
            since=wish.since,
            until=wish.until,
        )

    def _look_at(self, current: QModelIndex) -> None:
        """Show what the arrow keys pass, if there is room beside the list."""
        if not self.is_narrow():
            self._choose(current)

    def _choose(self, current: QModelIndex) -> None:
        row = self.model.row(current)
        if row is not None:
            self._read(row)

    def _want(self, row: Row, chosen: bool) -> None:
        if chosen or not self.is_narrow():
            self._read(row)

    def _read(self, row: Row) -> None:
        self._wanted = row.item_id
        self.jobs.run(
            lambda _: self.app.item(row.item_id).item,
            lane=Lane.READING,
            owner=self,
            done=lambda item: self._show_entry(row, item),
        )

    def _show_entry(self, row: Row, item: Item) -> None:
        if self._wanted == row.item_id:
            self.entry.show_item(item, row.found)
            self._side.setCurrentWidget(self.entry)
            self.why.set_item(row.item_id)
            self._arrange(reading=True)

    def _switch(self, situations: bool) -> None:
        """List situations rather than entries, or entries again."""
        self._wanted = None
        self._shown.setCurrentIndex(1 if situations else 0)
        self._side.setCurrentWidget(self._hint)
        self._arrange(reading=False)
        if situations:
            self.forget.hide()
            self.count.setText("")
            self.situations.refresh()
        else:
            self._look()

    def _say_situations(self, many: str) -> None:
        if self.show_situations.isChecked():
            self.count.setText(many)

    def _arrange(self, *, reading: bool) -> None:
        narrow = self.is_narrow()
        self._left.setVisible(not (narrow and reading))
        self._right.setVisible(reading or not narrow)
        self.back.setVisible(narrow)

    def _go_back(self) -> None:
        self._side.setCurrentWidget(self._hint)
        self._arrange(reading=False)
        if self.show_situations.isChecked():
            self.situations.entries.setFocus()
        else:
            self.list.setFocus()

    def _fill_media(self, media: tuple[tuple[str, int], ...]) -> None:
        chosen = self.medium.currentData()
        self.medium.clear()
        self.medium.addItem("All kinds", None)
        for name, number in media:
            self.medium.addItem(f"{words.medium(name)} ({number:,})", name)
        self.medium.setCurrentIndex(max(0, self.medium.findData(chosen)))

    def _lists(self) -> QWidget:
        entries = QWidget()
        column = QVBoxLayout(entries)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        filters = QHBoxLayout()
        filters.addWidget(self.medium, 2)
        filters.addWidget(self.since, 1)
        filters.addWidget(self.until, 1)
        column.addWidget(self.search)
        column.addLayout(filters)
        column.addWidget(self.list, 1)
        self._left = self._shown = QStackedWidget()
        self._shown.addWidget(entries)
        self._shown.addWidget(self.situations)
        self.back = QPushButton("Back to the list")
        self.back.setToolTip("Back to the list (Esc)")
        self.back.clicked.connect(self._go_back)
        escape = QShortcut(QKeySequence("Esc"), self.back)
        escape.activated.connect(self._go_back)
        self._right = QWidget()
        reading = QVBoxLayout(self._right)
        reading.setContentsMargins(0, 0, 0, 0)
        reading.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        reading.addWidget(self._side, 1)
        self.why = WhyLine(self.workspace)
        reading.addWidget(self.why)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.setHandleWidth(16)
        split.addWidget(self._left)
        split.addWidget(self._right)
        split.setSizes([480, 560])
        return split

    def _empty(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.addStretch(1)
        line = wrapped("Nothing is remembered yet.", "heading")
        line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(line)
        button = QPushButton("Import diaries, mail or posts")
        button.setToolTip("Go to the Import page")
        theme.role(button, "primary")
        button.clicked.connect(lambda: self.workspace.page_wanted.emit("import"))
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return page


def _date_field(name: str, tip: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(name.lower() + " …")
    field.setAccessibleName(f"{name}: a year, month or day")
    field.setToolTip(tip)
    return field
