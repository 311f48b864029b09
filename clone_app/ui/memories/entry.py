"""One whole entry: what was written, others' words apart from it, and where it comes from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import Item
from clone_app.ui import theme, words
from clone_app.ui.plain import PlainLabel, wrapped

SHOWN_AT_ONCE = 200_000  # letters; a longer text would hold up the window


class EntryView(QWidget):
    """Show an item as plain text, with a quote highlighted if one is asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item: Item | None = None
        self._quote = self._shown = self._shown_context = ""
        self.date = PlainLabel("", "heading")
        self.medium = PlainLabel("", "badge")
        self.title = wrapped("", "heading")
        self.people = wrapped("", "muted")
        self.text = _reader("entry", "Text of the entry")
        self.context = _reader("others", "Others' words in this entry")
        self.cut = wrapped("", "small")
        self.locator = wrapped("", "small")
        self.locator.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.date)
        line.addWidget(self.medium)
        line.addStretch()
        self._others = QWidget()
        below = QVBoxLayout(self._others)
        below.setContentsMargins(0, 8, 0, 0)
        below.setSpacing(6)
        label = QLabel("Others' words that came with it (quoted or forwarded)")
        theme.role(label, "muted")
        label.setWordWrap(True)
        label.setBuddy(self.context)
        below.addWidget(label)
        below.addWidget(self.context, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.text)
        split.addWidget(self._others)
        split.setSizes([500, 220])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(line)
        layout.addWidget(self.title)
        layout.addWidget(self.people)
        layout.addWidget(split, 1)
        layout.addWidget(self.cut)
        layout.addWidget(self.locator)

    def show_item(self, item: Item, quote: str = "") -> None:
        """Show an item; `quote` is highlighted where it stands, in its text or in others' words."""
        self.item = item
        self._quote = quote
        self.date.setText(words.when(item.moment))
        self.medium.setText(words.medium(item.medium))
        _set(self.title, item.title)
        _set(self.people, _people(item))
        start = _window(item.text, quote)
        shown = item.text[start : start + SHOWN_AT_ONCE]
        self.text.setPlainText(shown)
        self.text.setVisible(bool(item.text) or not item.context)
        _set(
            self.cut,
            f"Shown: letters {start + 1:,} to {start + len(shown):,} of {len(item.text):,}."
            if len(shown) < len(item.text)
            else "",
        )
        self._shown, self._shown_context = shown, item.context[:SHOWN_AT_ONCE]
        self.context.setPlainText(self._shown_context)
        self._others.setVisible(bool(item.context))
        labels = f"   Labels: {', '.join(item.labels)}" if item.labels else ""
        _set(self.locator, f"From: {item.locator}{labels}")
        self._highlight()

    def highlighted(self) -> str:
        """Return the text that is highlighted, empty if none is."""
        for reader in (self.text, self.context):
            for selection in reader.extraSelections():
                cursor: QTextCursor = selection.cursor  # type: ignore[attr-defined]
                return cursor.selectedText().replace("\u2029", "\n")
        return ""

    def _highlight(self) -> None:
        self.text.setExtraSelections([])
        self.context.setExtraSelections([])
        if not self._quote:
            return
        for reader, shown in ((self.text, self._shown), (self.context, self._shown_context)):
            at = shown.find(self._quote)
            if at >= 0:
                _mark(reader, shown, at, len(self._quote))
                return


def _mark(reader: QPlainTextEdit, text: str, start: int, length: int) -> None:
    """Highlight and bring into view; offsets count code points, Qt's cursor UTF-16 units."""
    begin = len(text[:start].encode("utf-16-le")) // 2
    end = begin + len(text[start : start + length].encode("utf-16-le")) // 2
    cursor = QTextCursor(reader.document())
    cursor.setPosition(begin)
    reader.setTextCursor(cursor)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    look = QTextCharFormat()
    look.setBackground(QColor(theme.colours().mark))
    look.setForeground(QColor(theme.colours().ink))
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor  # type: ignore[attr-defined]
    selection.format = look  # type: ignore[attr-defined]
    reader.setExtraSelections([selection])
    reader.centerCursor()


def _reader(role: str, name: str) -> QPlainTextEdit:
    reader = QPlainTextEdit()
    reader.setReadOnly(True)
    reader.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    reader.setAccessibleName(name)
    reader.setTabChangesFocus(True)
    theme.role(reader, role)
    return reader


def _people(item: Item) -> str:
    parts = []
    if item.author:
        parts.append(f"By {item.author}" + (" (you)" if item.mine else ""))
    elif item.mine:
        parts.append("By you")
    if item.recipients:
        parts.append(f"To {words.snippet(', '.join(item.recipients), 200)}")
    return "   ".join(parts)


def _window(text: str, quote: str) -> int:
    """Return where the shown stretch begins: at the start, or a little before a quote far inside."""
    if len(text) <= SHOWN_AT_ONCE or not quote:
        return 0
    at = text.find(quote)
    return max(0, at - 2000) if at + len(quote) > SHOWN_AT_ONCE else 0


def _set(label: PlainLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
