"""Earlier conversations, in the sidebar."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.app import App
from clone_app.ui import theme, words
from clone_app.ui.jobs import Jobs, Lane

_ID = Qt.ItemDataRole.UserRole + 1


class Conversations(QWidget):
    """List conversations newest first, each by its first question; one is deleted from its menu."""

    chosen = Signal(int)
    deleted = Signal(int)
    new_wanted = Signal()

    def __init__(self, app: App, jobs: Jobs) -> None:
        super().__init__()
        self.app = app
        self.jobs = jobs
        self.model = QStandardItemModel(self)
        self.new = QPushButton("New conversation")
        self.new.setToolTip("Start a new conversation (Ctrl+N)")
        self.new.clicked.connect(self.new_wanted)
        self.label = QLabel("Earlier")
        theme.role(self.label, "small")
        self.label.setContentsMargins(8, 6, 0, 0)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Earlier conversations")
        theme.role(self.list, "aside")
        self.list.activated.connect(self._choose)
        self.list.clicked.connect(self._choose)
        self.delete = QAction("Delete conversation…", self.list)
        self.delete.setShortcut(QKeySequence.StandardKey.Delete)
        self.delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.delete.triggered.connect(self._confirm)
        self.list.addAction(self.delete)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.new)
        layout.addWidget(self.label)
        layout.addWidget(self.list, 1)
        layout.addStretch(0)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)

    def fill(
        self, conversations: tuple[tuple[int, str, datetime], ...], current: int | None
    ) -> None:
        """Show these, the current one chosen."""
        self.model.clear()
        for number, question, started in conversations:
            item = QStandardItem(words.snippet(question, 120))
            item.setData(number, _ID)
            item.setData(
                f"{words.snippet(question, 120)}, {words.day(started)}",
                Qt.ItemDataRole.AccessibleTextRole,
            )
            self.model.appendRow(item)
            if number == current:
                self.list.setCurrentIndex(item.index())
        self.label.setVisible(bool(conversations))
        self.list.setVisible(bool(conversations))

    def _choose(self) -> None:
        number = self.list.currentIndex().data(_ID)
        if number is not None:
            self.chosen.emit(int(number))

    def _confirm(self) -> None:
        """Ask before a conversation is deleted: it can't be brought back."""
        index = self.list.currentIndex()
        number = index.data(_ID)
        if number is None:
            return
        box = QMessageBox(self)
        box.setObjectName("confirm-conversation")
        box.setWindowTitle("Delete conversation")
        box.setText(f"Delete “{words.snippet(str(index.data()), 60)}” and all its answers?")
        box.setInformativeText("Your entries stay. The conversation can't be brought back.")
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete.clicked.connect(lambda: self._delete(int(number)))
        box.open()

    def _delete(self, number: int) -> None:
        self.jobs.run(
            lambda _: self.app.delete_conversation(number),
            lane=Lane.WRITING,
            owner=self,
            done=lambda _: self.deleted.emit(number),
        )
