"""One window a profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket

from clone_app.ui.instance import Doorbell, server_name

Waited = Callable[[Callable[[], bool]], None]


def ring(home: Path) -> QLocalSocket:
    """Call as a second start does, without blocking the loop that answers here."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(home))
    return socket


@pytest.fixture
def rings() -> list[str]:
    return []


def test_a_second_start_on_the_same_folder_rings(
    dressed: object, tmp_path: Path, rings: list[str], waited: Waited
) -> None:
    bell = Doorbell(tmp_path, lambda: rings.append("rung"))
    caller = ring(tmp_path / "x" / "..")
    waited(lambda: rings == ["rung"])
    bell.close()
    caller.abort()


def test_another_folder_is_another_window(
    dressed: object, tmp_path: Path, rings: list[str]
) -> None:
    bell = Doorbell(tmp_path / "one", lambda: rings.append("rung"))
    caller = ring(tmp_path / "two")
    assert caller.state() is QLocalSocket.LocalSocketState.UnconnectedState
    assert rings == []
    bell.close()


def test_the_bell_moves_with_the_profile(
    dressed: object, tmp_path: Path, rings: list[str], waited: Waited
) -> None:
    bell = Doorbell(tmp_path / "one", lambda: rings.append("rung"))
    bell.move(tmp_path / "two")
    gone = ring(tmp_path / "one")
    assert gone.state() is QLocalSocket.LocalSocketState.UnconnectedState
    caller = ring(tmp_path / "two")
    waited(lambda: rings == ["rung"])
    bell.close()
    caller.abort()
