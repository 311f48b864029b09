"""One answer: a muted draft that becomes solid, sentence by sentence, as it is checked."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from clone_app.entries import Answer, Mode, Sentence, Source
from clone_app.ui import theme
from clone_app.ui.plain import QuietBrowser

UNSUPPORTED = "Not found in your entries"
_CITE = "cite:"


class AnswerView(QuietBrowser):
    """Write an answer by cursor, never as markup: people's words can't become a link or picture.

    The only links are the citation numbers, and they only emit `cited`.
    """

    cited = Signal(str)  # key of the source

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.role(self, "answer")
        self.setAccessibleName("Answer")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setTabChangesFocus(False)
        self.document().setDocumentMargin(2)
        self.anchorClicked.connect(self._press)
        self._sentences: list[Sentence] = []
        self._gaps: list[str] = []
        self._draft = ""
        self._numbers: dict[str, int] = {}
        self._marked = True  # that nothing was found is no claim to be marked
        self._hiding = False
        self._quote = False
        self._dressed = True

    def set_sources(self, sources: tuple[Source, ...]) -> None:
        """Give the sources the numbers that the cards beside the answer have."""
        self._numbers = {}
        for number, source in enumerate(sources, 1):
            self._numbers.setdefault(source.key, number)

    def leave_unmarked(self) -> None:
        """Mark no sentence: nobody looks for what the model says alone."""
        self._marked = False

    def draft(self, piece: str) -> None:
        """Add what the model wrote just now, in muted ink: nobody checked it yet."""
        if not self._sentences and not self._draft:
            piece = piece.lstrip()
        self._draft += piece
        cursor = self._end()
        cursor.insertText(piece, _ink(theme.colours().muted))
        self._grow()

    def check(self, sentence: Sentence) -> None:
        """Make a sentence solid, with its citations or its mark, in the place of its draft."""
        gap, self._draft = _after(self._draft, sentence.text)
        self._gaps.append(gap if self._sentences else "")
        self._sentences.append(sentence)
        self._write()

    def finish(self, answer: Answer) -> None:
        """Show the answer as it is kept."""
        self.set_sources(answer.sources)
        self._quote = answer.mode is Mode.QUOTE
        self._marked = answer.mode not in (Mode.NONE, Mode.FRESH)
        self._draft = ""
        self._sentences = list(answer.sentences) or [Sentence(answer.text, True, ())]
        self._gaps = _gaps(answer.text, self._sentences)
        self._write()

    def unsupported(self) -> int:
        """Return how many sentences carry the mark of not being found."""
        return sum(self._marked and not sentence.supported for sentence in self._sentences)

    def hide_unsupported(self, hiding: bool) -> None:
        """Leave the marked sentences out, or show them again."""
        self._hiding = hiding
        self._write()

    def plain(self) -> str:
        """Return what is shown as text, citation numbers included."""
        return self.toPlainText()

    def is_blank(self) -> bool:
        """Tell whether nothing was written yet."""
        return not self._sentences and not self._draft.strip()

    def sizeHint(self) -> QSize:
        """Be as high as the text, so that the transcript scrolls and not the answer."""
        return QSize(300, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines anew."""
        super().resizeEvent(event)
        self._grow()

    def changeEvent(self, event: QEvent) -> None:
        """Take up another scheme or text size."""
        super().changeEvent(event)
        # Qt tells of one change of style many times over.
        if event.type() is QEvent.Type.StyleChange and getattr(self, "_dressed", False):
            self._dressed = False
            QTimer.singleShot(0, self, self._dress)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the transcript."""
        event.ignore()

    def _dress(self) -> None:
        self._dressed = True
        self._write()

    def _write(self) -> None:
        c = theme.colours()
        self.clear()
        cursor = QTextCursor(self.document())
        block = QTextBlockFormat()
        block.setLineHeight(135.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        block.setTopMargin(self.fontMetrics().height() * 0.4)
        begun = False
        for gap, sentence in zip(self._gaps, self._sentences, strict=True):
            if self._hiding and self._marked and not sentence.supported:
                continue
            if begun and "\n" in gap:
                cursor.insertBlock(block)
            elif begun:
                cursor.insertText(gap, _ink(c.ink))
            begun = True
            look = _ink(c.ink)
            look.setFontItalic(self._quote)
            if self._marked and not sentence.supported:
                look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
                look.setUnderlineColor(QColor(c.warn))
                look.setToolTip(UNSUPPORTED)
            # A mail's own line breaks would tear the answer; the entry shows them as they are.
            cursor.insertText(" ".join(sentence.text.split()), look)
            for key in sentence.citations:
                self._cite(cursor, key, c)
        if self._draft:
            cursor.insertText(self._draft, _ink(c.muted))
        self._grow()

    def _cite(self, cursor: QTextCursor, key: str, c: theme.Colours) -> None:
        number = self._numbers.get(key)
        if number is None:
            return
        look = _ink(c.accent)
        look.setAnchor(True)
        look.setAnchorHref(f"{_CITE}{number}")
        look.setToolTip(f"Source {number}")
        look.setFontWeight(600)
        small = self.font().pointSizeF() * 0.85
        look.setFontPointSize(small)
        cursor.insertText("\u00a0", _ink(c.ink))
        cursor.insertText(f"[{number}]", look)

    def _press(self, url: QUrl) -> None:
        text = url.toString()
        if text.startswith(_CITE):
            for key, number in self._numbers.items():
                if text == f"{_CITE}{number}":
                    self.cited.emit(key)

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def _grow(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        height = math.ceil(self.document().size().height()) + 4
        if height != self.height():
            self.setFixedHeight(height)


def _ink(colour: str) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(QColor(colour))
    return look


def _after(draft: str, sentence: str) -> tuple[str, str]:
    """Return the white space before a checked sentence and what the draft holds after it.

    The sentence stands in the draft but for white space; where it does not, it was put together
    anew and takes the place of as many words.
    """
    body = draft.lstrip()
    gap = draft[: len(draft) - len(body)] or " "
    wanted = sentence.split()
    at = 0
    for word in wanted:
        at += len(body[at:]) - len(body[at:].lstrip())
        if not body.startswith(word, at):
            words = body.split(None, len(wanted))
            return gap, words[len(wanted)] if len(words) > len(wanted) else ""
        at += len(word)
    return gap, body[at:]


def _gaps(text: str, sentences: list[Sentence]) -> list[str]:
    """Return what stands between the sentences of a text: line breaks are kept."""
    gaps: list[str] = []
    at = 0
    for sentence in sentences:
        found = text.find(sentence.text, at)
        between = text[at:found] if found >= 0 else " "
        gaps.append(between if not between.strip() and (between or not gaps) else " ")
        at = found + len(sentence.text) if found >= 0 else at
    if gaps:
        gaps[0] = ""
    return gaps
