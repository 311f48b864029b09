"""Why the last question found an entry, or why it didn't: said below the entry, on demand."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.reasons import Reason, told
from clone_app.ui import theme, words
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import ElidedButton, wrapped
from clone_app.ui.workspace import Workspace

LINES_AT_MOST = 14


class Seeking(QFrame):
    """Ask for the entry that a question should have found; hidden until somebody misses one."""

    def __init__(self) -> None:
        super().__init__()
        theme.role(self, "card")
        self.text = wrapped()
        done = QPushButton("Done")
        done.setToolTip("Look no longer for what was missing")
        theme.role(done, "quiet")
        done.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.addWidget(self.text, 1)
        row.addWidget(done, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def start(self, question: str) -> None:
        """Ask for it."""
        self.text.setText(
            f"Asked: “{words.snippet(question, 120)}”. Search for the entry you expected and choose "
            "it: below it stands why it was found, or why not."
        )
        self.show()

    def wanted(self) -> bool:
        """Tell whether somebody is looking for what was missing."""
        return not self.isHidden()


class WhyLine(QWidget):
    """Be a quiet button below an entry; hidden until something was asked in Chat."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._item = 0
        self.button = ElidedButton("Why was this found for my question, or not?", "quiet")
        self.button.clicked.connect(self._look)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("Why this was found, or not")
        theme.role(self.text, "others")
        self.text.hide()
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.text)
        self.hide()

    def set_item(self, item_id: int) -> None:
        """Be about an entry."""
        self._item = item_id
        self.text.hide()
        asked = self._workspace.last_question
        self.setVisible(asked is not None)
        if asked is not None:
            self.button.setToolTip("Say how this entry fared with the question asked last in Chat")

    def look(self) -> None:
        """Say it at once, for who came to see just that."""
        self._look()

    def _look(self) -> None:
        asked, item = self._workspace.last_question, self._item
        if asked is None:
            return
        app = self._workspace.app
        self.button.setEnabled(False)
        self._workspace.jobs.run(
            lambda _: app.why(
                asked.text, item, at=asked.at, earlier=asked.earlier, filters=asked.filters
            ),
            lane=Lane.MODEL,
            owner=self,
            done=lambda reason: self._show(item, asked.text, reason),
            ended=lambda: self.button.setEnabled(True),
        )

    def _show(self, item: int, question: str, reason: Reason) -> None:
        if item == self._item:
            said = [f"Asked: “{words.snippet(question, 120)}”", *told(reason)]
            self.text.setPlainText("\n".join(said))
            metrics = self.text.fontMetrics()
            line = metrics.lineSpacing()
            room = QRect(0, 0, self.width() - 4 * line, 1 << 16)  # within frame and scroll bar
            broken = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, "\n".join(said)).height()
            # At least a quarter of a low window: the entry above needs the room too.
            self.text.setMinimumHeight(min(broken + 2 * line, self.window().height() // 4))
            self.text.setMaximumHeight(min(broken, line * LINES_AT_MOST) + 2 * line)
            self.text.show()
