"""One window a profile: a second start raises the first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE_MS = 300


def server_name(home: Path) -> str:
    """Return the name that two starts on one folder share."""
    place = str(home.expanduser().resolve())
    return "clone-app-" + hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def raise_other(home: Path) -> bool:
    """Ask a window that shows this profile to come to the front; tell whether there is one."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(home))
    there = socket.waitForConnected(_PATIENCE_MS)
    if there:
        socket.disconnectFromServer()
    socket.abort()
    return there


class Doorbell(QObject):
    """Hear other starts on the same profile and call `rung` for each."""

    def __init__(self, home: Path, rung: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rung = rung
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        self.move(home)

    def move(self, home: Path) -> None:
        """Listen for another profile from now on."""
        self._server.close()
        name = server_name(home)
        if not self._server.listen(name):
            # Left behind by a start that was killed. Nobody listens: raise_other() asked before.
            QLocalServer.removeServer(name)
            self._server.listen(name)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.disconnectFromServer()
            self._rung()
