"""One whole entry: what was written, others' words apart from it, and where it comes from."""

from __future__ import annotations

import unicodedata
from collections import Counter

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
SHOWN_UNBROKEN = 20_000  # letters, where a run without a space is longer than LONGEST_RUN
LONGEST_RUN = 5_000
DIRECTION_FROM = 2_000  # letters whose direction is counted


class EntryView(QWidget):
    """Show an item as plain text, with a quote highlighted if one is asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item: Item | None = None
        self._quote = self._shown = self._shown_context = ""
        self.date = wrapped("", "heading")
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
        line.addWidget(self.date, 1)
        line.addWidget(self.medium, 0, Qt.AlignmentFlag.AlignTop)
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
        start, shown = _stretch(item.text, quote)
        self.text.setPlainText(shown)
        self.text.setVisible(bool(item.text) or not item.context)
        _set(
            self.cut,
            f"Shown: letters {start + 1:,} to {start + len(shown):,} of {len(item.text):,}."
            if len(shown) < len(item.text)
            else "",
        )
        self._shown, self._shown_context = shown, _stretch(item.context, quote)[1]
        self.context.setPlainText(self._shown_context)
        self._others.setVisible(bool(item.context))
        labels = f"   Labels: {', '.join(item.labels)}" if item.labels else ""
        _set(self.locator, f"From: {item.locator}{labels}")
        self.title.setLayoutDirection(direction_of(item.title))
        _turn(self.text, direction_of(shown))
        _turn(self.context, direction_of(self._shown_context))
        self._highlight()

    def highlighted(self) -> str:
        """Return the text that is highlighted, empty if none is."""
        for reader in (self.text, self.context):
            for selection in reader.extraSelections():
                cursor: QTextCursor = selection.cursor
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


def direction_of(text: str) -> Qt.LayoutDirection:
    """Return the direction most letters of a text are written in, whatever the program's language.

    Qt finds it for each paragraph by its first letter; the side a text stands on, its margin and its
    scroll bar follow the whole.
    """
    kinds = Counter(map(unicodedata.bidirectional, text[:DIRECTION_FROM]))
    backwards = kinds["R"] + kinds["AL"] > kinds["L"]
    return Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight


def _turn(reader: QPlainTextEdit, direction: Qt.LayoutDirection) -> None:
    """Let a text start at the side its direction starts at, with the scroll bar at the other."""
    reader.setLayoutDirection(direction)
    right = direction is Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    option = reader.document().defaultTextOption()
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    reader.document().setDefaultTextOption(option)


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
    selection.cursor = cursor
    selection.format = look
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


def _stretch(text: str, quote: str) -> tuple[int, str]:
    """Return what is shown of a text and where that begins: all of it, unless it is enormous.

    A quote far inside is shown with what stands a little before it. Qt lays out a run of letters
    without a space in the square of its length.
    """
    start, room = 0, SHOWN_AT_ONCE
    at = text.find(quote) if quote else -1
    for _ in range(2):
        if at + len(quote) > room:
            start = max(0, at - room // 10)
        shown = text[start : start + room]
        if max(map(len, shown.split()), default=0) <= LONGEST_RUN:
            break
        room = SHOWN_UNBROKEN
    return start, shown


def _set(label: PlainLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
