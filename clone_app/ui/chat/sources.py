"""The panel beside the transcript: the entries an answer rests on, there before its first word."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from clone_app.entries import Source
from clone_app.memory.reasons import found_through
from clone_app.ui import theme, words
from clone_app.ui.plain import Elided, PlainLabel, wrapped

QUOTE_SHOWN = 280


class SourceCard(QFrame):
    """Show one source; a click, Enter or Space opens the whole entry."""

    pressed = Signal(object)  # Source

    def __init__(self, number: int, source: Source) -> None:
        super().__init__()
        self.source = source
        self.number = number
        theme.role(self, "card")
        self.setProperty("pressable", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Open the whole entry (Enter)")
        who = source.title or source.author or ("You" if source.mine else "")
        self.setAccessibleName(
            f"Source {number}, {words.when(source.moment)}, {words.medium(source.medium)}, {who}"
        )
        self.setAccessibleDescription(source.quote)
        mark = PlainLabel(str(number), "badge")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(wrapped(words.when(source.moment)), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(5)
        column.addLayout(head)
        column.addWidget(Elided(" · ".join(_origin(source)), "muted"))
        column.addWidget(wrapped(words.snippet(source.quote, QUOTE_SHOWN)))
        if source.found_by:
            column.addWidget(wrapped(f"Found by {found_through(source.found_by)}", "small"))

    def choose(self, chosen: bool) -> None:
        """Mark the card a citation led to."""
        self.setProperty("chosen", chosen)
        theme.role(self, "card")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open where the button was let go on the card."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.pressed.emit(self.source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open by keyboard; arrows go from card to card."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit(self.source)
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)


def _origin(source: Source) -> list[str]:
    """Return medium, title and, where it is somebody else whom the title doesn't name, the author."""
    author = "" if source.mine or source.author == source.title else source.author
    return [part for part in (words.medium(source.medium), source.title, author) if part]


class SourcesPanel(QWidget):
    """List the sources of one answer."""

    opened = Signal(object)  # Source

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[SourceCard] = []
        self._sources: tuple[Source, ...] = ()
        self.title = QLabel("Sources")
        theme.role(self.title, "heading")
        self.hint = wrapped(
            "The entries an answer rests on appear here, before its first word.", "muted"
        )
        ground = QWidget()
        theme.role(ground, "ground")
        self._column = QVBoxLayout(ground)
        self._column.setContentsMargins(2, 2, 8, 2)
        self._column.setSpacing(8)
        self._column.addStretch()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(ground)
        self._layout = layout = QVBoxLayout(self)
        layout.setSpacing(8)
        self.set_below(False)
        layout.addWidget(self.title)
        layout.addWidget(self.hint)
        layout.addWidget(self._scroll, 1)

    def set_below(self, below: bool) -> None:
        """Fit the place: beside the transcript, or below it."""
        left, top = (24, 4) if below else (0, 22)
        self._layout.setContentsMargins(left, top, 12, 16)

    def show_sources(
        self,
        sources: tuple[Source, ...],
        *,
        abstained: bool = False,
        alone: bool = False,
        left_out: bool = False,
    ) -> None:
        """Show these; `abstained` says that they are only the nearest, the others why there are none."""
        self.hint.setVisible(not sources or abstained)
        if abstained and sources:
            self.hint.setText("Nothing answers the question. These entries come nearest.")
        elif not sources:
            none = _LEFT_OUT if left_out else "No entry was found."
            self.hint.setText(none if abstained else _ALONE if alone else _WAITING)
        if sources == self._sources:
            return
        self._sources = sources
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [SourceCard(number, source) for number, source in enumerate(sources, 1)]
        for place, card in enumerate(self.cards):
            card.pressed.connect(self.opened)
            self._column.insertWidget(place, card)
        self.title.setText(f"Sources ({len(sources)})" if sources else "Sources")
        self._scroll.verticalScrollBar().setValue(0)

    def choose(self, key: str) -> None:
        """Lead to the source a citation names."""
        for card in self.cards:
            chosen = card.source.key == key
            card.choose(chosen)
            if chosen:
                self._scroll.ensureWidgetVisible(card)
                card.setFocus()


_ALONE = (
    "The memory dial is at “Fresh”: the model answers alone. None of your entries was looked at, so "
    "there is no source."
)
_LEFT_OUT = "Nothing was looked up: the topic is left out of your clone."
_WAITING = "The entries an answer rests on appear here, before its first word."
