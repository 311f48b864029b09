"""Widgets for people's words: always plain text, nothing loaded, no link opened by itself."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QTextBrowser, QWidget

from clone_app.ui import theme


class PlainLabel(QLabel):
    """Show text as it is: `<b>` stays `<b>`, `&` stays `&`."""

    def __init__(self, text: str = "", role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setOpenExternalLinks(False)
        self.setText(text)
        if role:
            theme.role(self, role)


def wrapped(text: str = "", role: str = "") -> PlainLabel:
    """Return a label whose text breaks into lines."""
    label = PlainLabel(text, role)
    label.setWordWrap(True)
    policy = label.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    label.setMinimumWidth(40)
    return label


class Elided(QWidget):
    """Show one line that is cut with … where the room ends; the whole is in the tooltip's stead."""

    def __init__(self, text: str = "", role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._role = role
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """Return the whole line."""
        return self._text

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(min(metrics.horizontalAdvance(self._text), 400) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(30, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        c = theme.colours()
        painter.setPen(c.muted if self._role in ("muted", "small") else c.ink)
        metrics = painter.fontMetrics()
        line = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, line)


class QuietBrowser(QTextBrowser):
    """Be a text browser that fetches nothing, from the network or the disk, and opens nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        return None

