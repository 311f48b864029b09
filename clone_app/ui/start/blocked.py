"""What is shown where a profile can't be opened: why, and the ways out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton

from clone_app.ui import theme
from clone_app.ui.plain import wrapped
from clone_app.ui.start.sheet import Sheet


class Blocked(Sheet):
    """Show one sentence with its next step, a button to try again and one to go elsewhere."""

    again = Signal()
    elsewhere = Signal(object)  # Path

    def __init__(self, sentence: str, home: Path) -> None:
        super().__init__("Your memory can't be opened now", "Nothing was changed or lost.")
        self.sentence = wrapped(sentence)
        self.sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.body.addWidget(self.sentence)
        self.body.addWidget(wrapped(f"Folder: {home}", "small"))
        self.body.addSpacing(12)
        self._home = home
        self.retry = QPushButton("Try again")
        self.retry.setToolTip("Try to open it again (Enter)")
        theme.role(self.retry, "primary")
        self.retry.clicked.connect(self.again)
        other = QPushButton("Choose another folder…")
        other.setToolTip("Open or create a memory in another folder")
        other.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self.retry)
        row.addWidget(other)
        row.addStretch()
        self.body.addLayout(row)
        self.retry.setFocus()

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, "Folder of your memory", str(self._home.parent)
        )
        if folder:
            self.elsewhere.emit(Path(folder))
