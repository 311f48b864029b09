"""Later starts: the passphrase, where the keyring does not hold the key."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton

from clone_app.ui import theme
from clone_app.ui.plain import wrapped
from clone_app.ui.start.sheet import Sheet


class Unlock(Sheet):
    """Ask for the passphrase; a wrong one is said right beside it."""

    wanted = Signal()

    def __init__(self, home: Path) -> None:
        super().__init__("Welcome back", "Your memory is locked. Its passphrase opens it.")
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName("Passphrase")
        self.field.setPlaceholderText("Passphrase")
        self.field.returnPressed.connect(self._submit)
        self.button = QPushButton("Unlock")
        self.button.setToolTip("Unlock your memory (Enter)")
        theme.role(self.button, "primary")
        self.button.clicked.connect(self._submit)
        row = QHBoxLayout()
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        self.body.addLayout(row)
        self.body.addWidget(self.fault)
        self.body.addSpacing(12)
        self.body.addWidget(wrapped(f"Folder: {home}", "small"))
        self.setFocusProxy(self.field)
        self.field.setFocus()

    def passphrase(self) -> str:
        """Return what was typed."""
        return self.field.text()

    def wrong(self, sentence: str) -> None:
        """Say that the passphrase does not open it and let it be typed again."""
        self.say(sentence)
        self.field.selectAll()
        self.field.setFocus()

    def set_busy(self, busy: bool) -> None:
        """Show that the passphrase is being tried, which takes a second on purpose."""
        self.button.setEnabled(not busy)
        self.button.setText("Opening…" if busy else "Unlock")

    def _submit(self) -> None:
        if not self.button.isEnabled():
            return
        if not self.field.text():
            self.say("The passphrase is empty. Type the one you chose at the first start.")
            return
        self.say("")
        self.wanted.emit()
