"""Where a question is written: Enter sends, Shift+Enter breaks the line, Esc stops an answer."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from clone_app.ui import theme
from clone_app.ui.icons import icon

LINES_AT_MOST = 6
ASK = "Ask your memory"
ASK_ALONE = "Ask the model alone, without memory"


class QuestionField(QPlainTextEdit):
    """Grow with the question up to a few lines."""

    sent = Signal()

    def __init__(self) -> None:
        super().__init__()
        theme.role(self, "composer")
        self.setPlaceholderText(ASK)
        self.setAccessibleName("Your question")
        self.setToolTip("Enter sends, Shift+Enter starts a new line")
        self.setTabChangesFocus(True)
        self.textChanged.connect(self.fit)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew: lines break elsewhere."""
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.fit()

    def fit(self) -> None:
        """Be as high as the lines that are there."""
        lines = 0
        block = self.document().firstBlock()
        while block.isValid() and lines < LINES_AT_MOST:
            lines += max(1, block.layout().lineCount())
            block = block.next()
        height = self.height_of(min(max(lines, 1), LINES_AT_MOST))
        if height != self.height():
            self.setFixedHeight(height)

    def height_of(self, lines: int) -> int:
        """Return the height of so many lines with their air."""
        line = self.fontMetrics().lineSpacing()
        return math.ceil((lines + 1) * line + 8)


class Composer(QWidget):
    """Hold the question field and the one button that sends, or stops while an answer comes."""

    asked = Signal(str)
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = QuestionField()
        self.button = QPushButton()
        theme.role(self.button, "primary")
        self.button.clicked.connect(self._press)
        self.field.sent.connect(self._send)
        self.field.textChanged.connect(self._dress)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self._busy = False
        self._dress()

    def text(self) -> str:
        """Return the question as written."""
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a question in, the cursor behind it."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def set_alone(self, alone: bool) -> None:
        """Say whom the question goes to: the memory, or a model that knows nothing of it."""
        self.field.setPlaceholderText(ASK_ALONE if alone else ASK)

    def set_busy(self, busy: bool) -> None:
        """Turn the button into Stop while an answer comes; the next question can be written."""
        self._busy = busy
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in another scheme."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_busy"):
            self._dress()

    def _dress(self) -> None:
        name = "stop" if self._busy else "send"
        side = self.fontMetrics().height() + 4
        self._look()
        c = theme.colours()
        ink = c.on_accent if self.button.isEnabled() else c.muted
        self.button.setIcon(icon(name, ink, size=side))
        self.button.setIconSize(QSize(side, side))
        self.button.setFixedHeight(self.field.height_of(1))
        self.button.setToolTip("Stop (Esc)" if self._busy else "Send (Enter)")
        self.button.setAccessibleName("Stop" if self._busy else "Send")

    def _look(self) -> None:
        self.button.setEnabled(self._busy or bool(self.text().strip()))

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        text = self.text().strip()
        if text and not self._busy:
            self.field.clear()
            self.asked.emit(text)
