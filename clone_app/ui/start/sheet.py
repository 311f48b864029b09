"""The frame all start pages share: one column in the middle, readable at any text size."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from clone_app.ui import theme
from clone_app.ui.messages import announce
from clone_app.ui.plain import Column, wrapped


class Sheet(QScrollArea):
    """Hold a title, a sentence and what a start page asks, scrolled where the window is small."""

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        ground = QWidget()
        theme.role(ground, "ground")
        self.column = QWidget()
        self.body = QVBoxLayout(self.column)
        self.body.setContentsMargins(24, 32, 24, 32)
        self.body.setSpacing(10)
        self.body.addWidget(wrapped(title, "title"))
        self.body.addWidget(wrapped(sentence, "muted"))
        self.body.addSpacing(12)
        centre = QVBoxLayout(ground)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.addStretch(1)
        centre.addWidget(Column(self.column, letters=84))
        centre.addStretch(2)
        self.setWidget(ground)
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def say(self, sentence: str) -> None:
        """Show what went wrong beside what was asked; an empty sentence takes it away."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        if sentence:
            announce(self, sentence)
