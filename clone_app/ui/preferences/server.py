"""The rows of Preferences about a model on a server that are no settings: its key, what was sent."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.sent import Departure
from clone_app.ui import theme
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_ABOUT = "Kept in this computer's keyring, nowhere else; without one, until the window closes."


class ServerRows(QWidget):
    """Take the server's key, and list what left this machine."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.state = wrapped(_ABOUT, "small")
        self.key = QPushButton("Set key…")
        self.key.setToolTip("Type the key that the server asks for")
        self.key.clicked.connect(self._ask_key)
        self.list = QPushButton("What left this machine")
        self.list.setToolTip("List when something was sent, where to and how much")
        self.list.clicked.connect(self._fetch)
        self.sent = QPlainTextEdit()
        self.sent.setReadOnly(True)
        self.sent.setTabChangesFocus(True)
        self.sent.setAccessibleName("What left this machine")
        theme.role(self.sent, "others")
        self.sent.hide()
        buttons = QHBoxLayout()
        buttons.addWidget(self.key)
        buttons.addWidget(self.list)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(buttons)
        column.addWidget(self.state)
        column.addWidget(self.sent)

    def _ask_key(self) -> None:
        if not self._workspace.app.settings.remote_server:
            self.state.setText("Name the server first: the key belongs to it.")
            return
        key, given = QInputDialog.getText(
            self,
            "The server's key",
            "Its key (empty to forget the one that is kept):",
            QLineEdit.EchoMode.Password,
        )
        if given:
            self.take_key(key)

    def take_key(self, key: str) -> None:
        """Keep a key off the window's thread: a keyring may ask the user first."""
        app = self._workspace.app

        def told(kept: bool) -> None:
            if not key.strip():
                self.state.setText("No key is known for this server.")
            elif kept:
                self.state.setText("The key is in the keyring.")
            else:
                self.state.setText("There is no keyring here: the key is known until you quit.")

        self._workspace.jobs.run(
            lambda _: app.keep_server_key(key), lane=Lane.READING, owner=self, done=told
        )

    def _fetch(self) -> None:
        app = self._workspace.app
        self._workspace.jobs.run(
            lambda _: app.sent(), lane=Lane.READING, owner=self, done=self._show
        )

    def _show(self, found: tuple[Departure, ...]) -> None:
        lines = [
            f"{each.at.astimezone():%d %b %Y %H:%M:%S}   {each.host}   {each.purpose}   "
            + ("not sent, no connection" if each.failed else f"{each.bytes:,} bytes")
            for each in found
        ]
        self.sent.setPlainText("\n".join(lines) or "Nothing has left this machine.")
        self.sent.setMinimumHeight(self.fontMetrics().lineSpacing() * (8 if lines else 3))
        self.sent.show()
