"""What Chat shows before the first question."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from clone_app.ui import theme
from clone_app.ui.chat.suggestions import SUGGESTIONS
from clone_app.ui.plain import Column, wrapped


class EmptyChat(QWidget):
    """Suggest questions, or where to begin if nothing is remembered."""

    asked = Signal(str)
    import_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._title = wrapped("", "title")
        self._line = wrapped("", "muted")
        self.suggestions = [QPushButton(text) for text in SUGGESTIONS]
        self.go = QPushButton("Import diaries, mail or posts")
        self.go.setToolTip("Go to the Import page")
        theme.role(self.go, "primary")
        self.go.clicked.connect(self.import_wanted)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setSpacing(10)
        column.addWidget(self._title)
        column.addWidget(self._line)
        column.addSpacing(10)
        for button in self.suggestions:
            theme.role(button, "suggestion")
            button.setToolTip("Ask this")
            button.clicked.connect(lambda _, button=button: self.asked.emit(button.text()))
            column.addWidget(button)
        column.addWidget(self.go, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.addStretch(2)
        layout.addWidget(Column(inner, letters=90))
        layout.addStretch(3)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_filled(True)

    def set_filled(self, filled: bool) -> None:
        """Say whether there is anything to ask about."""
        self._title.setText("Ask your memory" if filled else "Nothing is remembered yet")
        self._line.setText(
            "It answers as you, from your entries, and shows the ones it used."
            if filled
            else "Give it something of yours first; then ask."
        )
        for button in self.suggestions:
            button.setVisible(filled)
        self.go.setVisible(not filled)

    def suggest(self, questions: tuple[str, str, str]) -> None:
        """Suggest these."""
        for text, button in zip(questions, self.suggestions, strict=True):
            button.setText(text)
