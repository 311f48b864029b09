"""The Memories page: search and filters above the list, the entry beside it."""

from __future__ import annotations

from datetime import date, timedelta

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import Filters, Item, Recalled
from clone_app.memory.situations import Situation
from clone_app.ui import theme, words
from clone_app.ui.forget import ask_to_forget
from clone_app.ui.jobs import Lane
from clone_app.ui.memories.beside import SituationLine
from clone_app.ui.memories.entry import EntryView
from clone_app.ui.memories.filters import FilterBar
from clone_app.ui.memories.model import FOUND_AT_MOST, MemoriesModel, Row, Wish
from clone_app.ui.memories.situations import SituationsPane, about, memory_list
from clone_app.ui.memories.why import Seeking, WhyLine
from clone_app.ui.page import Page
from clone_app.ui.plain import look_switch, wrapped
from clone_app.ui.workspace import Workspace


class MemoriesPage(Page):
    """Let a person look through what is remembered."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.model = MemoriesModel(workspace)
        self.bar = FilterBar()
        self.search, self.medium, self.whose = self.bar.search, self.bar.medium, self.bar.whose
        self.since, self.until = self.bar.since, self.bar.until
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

        self.bar.changed.connect(self._look)
        self.model.understood.connect(self._understood)
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
            lambda _: self.app.media(), lane=Lane.READING, owner=self, done=self.bar.offer_media
        )
        self.jobs.run(
            lambda _: self.app.people(),
            lane=Lane.READING,
            owner=self,
            done=self.whose.offer,
            background=True,
        )
        self._look()
        if self.show_situations.isChecked():
            self.situations.refresh()

    def wish(self) -> Wish | None:
        """Return what the fields ask for, None while a date is being typed."""
        return self.bar.wish()

    def open_situation(self, situation: Situation) -> None:
        """Show the entries of a situation."""
        self.show_situations.setChecked(True)
        self.situations.open(
            situation.id,
            words.snippet(situation.title or situation.opening, 120),
            about(situation),
        )

    def list_person(self, key: str, name: str) -> None:
        """List what a person wrote or got."""
        self.show_entries.setChecked(True)
        self.bar.clear()
        self.whose.choose(Filters(who=key), name)
        self._look()

    def look_for_missing(self) -> None:
        """Let the user choose the entry that the last question should have found."""
        asked = self.workspace.last_question
        if asked is None:
            return
        self.show_entries.setChecked(True)
        self.bar.clear()
        self.seek.start(asked.text)
        self._look()

    def _look(self) -> None:
        self.bar.stop_typing()
        wish = self.wish()
        if wish is None:
            self.count.setText("Dates are written like 2020, 2020-05 or 2020-05-01.")
        else:
            self.model.show(wish)
            if not wish.text:
                self.bar.show_understood(wish)

    def _understood(self, found: Recalled) -> None:
        self.bar.show_understood(self.model.wish(), found)

    def _counted(self, total: int) -> None:
        wish = self.model.wish()
        nothing = total == 0 and wish == Wish()
        if self.show_situations.isChecked() and not nothing:
            self.forget.hide()
            self._body.setCurrentIndex(0)
            return
        narrowed = bool(wish.medium or wish.since or wish.until)
        # What one person wrote or got is forgotten in People, where all their names stand.
        whole = not (wish.text or wish.whose or wish.who)
        self.forget.setVisible(narrowed and whole and total > 0)
        self._body.setCurrentIndex(1 if nothing else 0)
        if nothing:
            self.count.setText("")
        elif wish.text:
            best = f"The best {FOUND_AT_MOST} matches, best first"
            some = f"{words.entries(total)} found, best first" if total else "Nothing found"
            self.count.setText(best if total >= FOUND_AT_MOST else some)
        else:
            self.count.setText(words.entries(total))
        self._leave_entry()

    def _forget(self) -> None:
        wish = self.model.wish()
        kind = words.medium(wish.medium).lower() if wish.medium else "everything"
        ask_to_forget(
            self.workspace,
            self,
            kind + _period(wish.since, wish.until),
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
            self.beside.set_item(row.item_id)
            self.why.set_item(row.item_id)
            if self.seek.wanted():
                self.why.look()
            self._arrange(reading=True)

    def _switch(self, situations: bool) -> None:
        """List situations rather than entries, or entries again."""
        self._wanted = None
        self._shown.setCurrentIndex(1 if situations else 0)
        self._leave_entry()
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

    def _leave_entry(self) -> None:
        self._side.setCurrentWidget(self._hint)
        self.beside.hide()
        self.why.hide()
        self._arrange(reading=False)

    def _go_back(self) -> None:
        self._leave_entry()
        if self.show_situations.isChecked():
            self.situations.entries.setFocus()
        else:
            self.list.setFocus()

    def _lists(self) -> QWidget:
        entries = QWidget()
        column = QVBoxLayout(entries)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.seek = Seeking()
        column.addWidget(self.seek)
        column.addWidget(self.bar)
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
        self.beside = SituationLine(self.workspace)
        self.why = WhyLine(self.workspace)
        reading.addWidget(self.beside)
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


def _period(since: str | None, until: str | None) -> str:
    """Return ` from 4 March 2024 to 9 March 2024`; `until` is the day after the last."""
    first = words.iso_day(since) if since else ""
    last = (
        words.iso_day((date.fromisoformat(until) - timedelta(days=1)).isoformat()) if until else ""
    )
    if first and last:
        return f" of {first}" if first == last else f" from {first} to {last}"
    return f" from {first} on" if first else f" up to {last}" if last else ""
