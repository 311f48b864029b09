"""The list of what was imported, each with a way to remove it and all that came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clone_app.ui import theme, words
from clone_app.ui.plain import Elided, PlainLabel

if TYPE_CHECKING:
    from clone_app.app import SourceRow


class SourceList(QWidget):
    """Show the sources as cards; `removal_wanted` tells which one the user wants gone."""

    removal_wanted = Signal(object)  # SourceRow

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.cards: list[SourceCard] = []

    def fill(self, sources: tuple[SourceRow, ...]) -> None:
        """Show these sources instead of what was shown."""
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.cards = [SourceCard(source) for source in sources]
        for card in self.cards:
            card.removal_wanted.connect(self.removal_wanted)
            self._column.addWidget(card)


class SourceCard(QFrame):
    """Show one source."""

    removal_wanted = Signal(object)

    def __init__(self, source: SourceRow) -> None:
        super().__init__()
        theme.role(self, "card")
        self.source = source
        self.setAccessibleName(f"{source.title}, {words.entries(source.items)}")
        facts = [words.entries(source.items), f"imported on {words.day(source.imported_at)}"]
        if source.problems:
            facts.append(words.count(source.problems, "problem"))
        self.remove = QPushButton("Remove…")
        self.remove.setToolTip(f"Remove this source and its {words.entries(source.items)}")
        self.remove.setAccessibleName(f"Remove {source.title}")
        theme.role(self.remove, "quiet")
        self.remove.clicked.connect(lambda: self.removal_wanted.emit(self.source))
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addWidget(PlainLabel(source.title))
        place = Elided(source.path, "small")
        place.setToolTip("Where it was imported from")
        column.addWidget(place)
        column.addWidget(PlainLabel(", ".join(facts), "small"))
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 12, 12, 12)
        row.addLayout(column, 1)
        row.addWidget(self.remove)
