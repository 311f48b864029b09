"""Earlier conversations, in the sidebar."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme, words

_ID = Qt.ItemDataRole.UserRole + 1


class Conversations(QWidget):
    """List conversations newest first, each by its first question."""

    chosen = Signal(int)
    new_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
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
