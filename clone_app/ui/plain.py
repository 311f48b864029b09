"""Widgets for people's words: always plain text, nothing loaded, no link opened by itself."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTextBrowser,
    QWidget,
)

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


def look_switch(text: str, tip: str) -> QPushButton:
    """Return a button that chooses what a page shows."""
    button = QPushButton(text)
    button.setCheckable(True)
    button.setAutoExclusive(True)
    button.setToolTip(tip)
    theme.role(button, "switch")
    return button


class Column(QWidget):
    """Keep its content no wider than a line reads well, in the middle, at any text size."""

    def __init__(self, content: QWidget, *, letters: int) -> None:
        super().__init__()
        self._content = content
        self._letters = letters
        theme.role(self, "ground")
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(content, 1000)
        across.addStretch(1)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        letter = QFontMetrics(self.font()).averageCharWidth()
        self._content.setMaximumWidth(letter * self._letters)


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
        """Ask for room for the line, within reason."""
        metrics = QFontMetrics(self.font())
        return QSize(min(metrics.horizontalAdvance(self._text), 400) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Get along with little."""
        return QSize(30, self.sizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        c = theme.colours()
        painter.setPen(QColor(c.muted if self._role in ("muted", "small") else c.ink))
        metrics = painter.fontMetrics()
        line = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, line)


class ElidedButton(QPushButton):
    """Be a button whose words are cut with … where the room ends; the sign behind them never is."""

    def __init__(self, text: str = "", role: str = "", *, sign: str = "") -> None:
        self._words, self._sign = text, f"   {sign}" if sign else ""
        super().__init__()
        # A button's own policy would let no layout make it narrower than its words.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if role:
            theme.role(self, role)
        self.set_words(text)

    def words(self) -> str:
        """Return the whole text."""
        return self._words

    def set_words(self, text: str) -> None:
        """Say something else."""
        self._words = text
        self.setAccessibleName(text)
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Ask for room for all the words."""
        hint = super().sizeHint()
        metrics = self.fontMetrics()
        missing = metrics.horizontalAdvance(self._words + self._sign)
        missing -= metrics.horizontalAdvance(self.text().replace("&&", "&"))
        return QSize(hint.width() + max(0, missing), hint.height())

    def minimumSizeHint(self) -> QSize:
        """Get along with little."""
        return QSize(60, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the words where the room ends now."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        whole = self.sizeHint().width()
        metrics = self.fontMetrics()
        room = metrics.horizontalAdvance(self._words) - max(0, whole - self.width())
        cut = room < metrics.horizontalAdvance(self._words)
        text = self._words
        if cut:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, room))
        shown = text.replace("&", "&&") + self._sign
        if shown != self.text():
            self.setText(shown)


class QuietBrowser(QTextBrowser):
    """Be a text browser that fetches nothing, from the network or the disk, and opens nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)

    def loadResource(self, _type: int, _name: QUrl | str) -> Any:
        """Load nothing."""
        return None
