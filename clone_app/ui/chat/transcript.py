"""The transcript: turns one below the other, the newest in view while it grows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from clone_app.ui.chat.turn import TurnView
from clone_app.ui.plain import Column


class Transcript(QScrollArea):
    """Hold the turns of one conversation; follow the end unless the reader scrolled away."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[TurnView] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Conversation")
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(24, 20, 24, 20)
        self._column.setSpacing(28)
        self._column.addStretch()
        self.setWidget(Column(self._inner, letters=110))
        self._following = True
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._follow)
        bar.valueChanged.connect(self._look)

    def add(self, turn: TurnView) -> None:
        """Put a turn at the end and go there."""
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        self._following = True
        self._follow()

    def remove(self, turn: TurnView) -> None:
        """Take a turn away."""
        self.turns.remove(turn)
        self._column.removeWidget(turn)
        turn.hide()
        turn.deleteLater()

    def clear(self) -> None:
        """Take all turns away."""
        for turn in list(self.turns):
            self.remove(turn)

    def _follow(self) -> None:
        if self._following:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _look(self, value: int) -> None:
        self._following = value >= self.verticalScrollBar().maximum() - 4
