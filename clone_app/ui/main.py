"""Start Qt, dress the program, show the window. Imports here are paid before the first paint."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication

from clone_app.paths import ProfilePaths, default_home
from clone_app.ui import theme
from clone_app.ui.instance import Doorbell, raise_other
from clone_app.ui.window import Window

if TYPE_CHECKING:
    from clone_app.app import App

PAINT_MARK = "CLONE_APP_PAINT_MARK"
NO_DISPLAY = (
    "There is no screen to open a window on. Start it from a desktop, or use the command line: "
    "clone-app --help."
)


def run(
    profile: Path | None,
    *,
    sample: bool = False,
    build: Callable[[Path], App] | None = None,
) -> int:
    """Show the window until it is closed; return the exit code.

    `sample` opens a throw-away profile in a temporary folder with the sample life in it.
    """
    if not _has_screen():
        print(NO_DISPLAY, file=sys.stderr)
        return 1
    application = QApplication(sys.argv[:1])
    application.setApplicationName("clone-app")
    application.setApplicationDisplayName("Clone")
    throw_away = tempfile.mkdtemp(prefix="clone-app-sample-") if sample else None
    home = Path(throw_away) if throw_away else (profile or default_home()).expanduser()
    try:
        if not sample and raise_other(home):
            return 0
        return _show(
            application,
            home,
            sample=sample,
            build=build or partial(build_app, throw_away=sample),
        )
    finally:
        _sweep(Path(throw_away) if throw_away else None)


def build_app(home: Path, *, throw_away: bool = False) -> App:
    """Build the program's core: on a lane, since its imports are heavy.

    A throw-away profile leaves nothing in the computer's keyring.
    """
    from datetime import UTC, datetime

    from clone_app.app import App
    from clone_app.keys import MemoryVault

    vault = MemoryVault(working=False) if throw_away else None
    return App(home, now=lambda: datetime.now(UTC), vault=vault)


def _show(
    application: QApplication, home: Path, *, sample: bool, build: Callable[[Path], App]
) -> int:
    look, text_size = peek(ProfilePaths(home).settings)
    theme.apply(application, theme=look, text_size=text_size)
    mark = os.environ.get(PAINT_MARK)
    window = Window(home=home, build=build, sample=sample, mark=Path(mark) if mark else None)
    doorbell = Doorbell(home, window.come_forward, window)
    window.home_changed.connect(doorbell.move)
    interrupts = _Interrupts(window.close)
    application.setQuitOnLastWindowClosed(False)  # the window says when its work has ended
    window.show()
    try:
        code = application.exec()
    finally:
        interrupts.close()
        doorbell.close()
    if not window.ended_well:
        # A lane hangs in native code; taking Python down under it would crash. The models'
        # processes end with this one whichever way it goes.
        _sweep(home if sample else None)
        os._exit(code)
    return code


def _sweep(throw_away: Path | None) -> None:
    if throw_away is not None:
        shutil.rmtree(throw_away, ignore_errors=True)


def peek(path: Path) -> tuple[str, int]:
    """Return theme and text size from a settings file, without loading what checks it properly."""
    try:
        raw = json.loads(path.read_text("utf-8"))
        look, size = raw.get("theme", "system"), raw.get("text_size", 100)
    except (OSError, ValueError, AttributeError):
        return "system", 100
    known = look if look in ("light", "dark") else "system"
    sane = isinstance(size, int) and theme.SMALLEST <= size <= theme.LARGEST
    return known, size if sane else 100


def _has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)


class _Interrupts:
    """Close the window on Ctrl+C and on a polite kill, so that children end and nothing is left.

    Python runs its signal handlers only between its own instructions; a socket wakes Qt's loop.
    """

    def __init__(self, close: Callable[[], object]) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._old_wakeup = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._wake)
        self._old = {
            number: signal.signal(number, lambda *_: close())
            for number in (signal.SIGINT, signal.SIGTERM)
        }

    def _wake(self) -> None:
        self._reader.recv(64)

    def close(self) -> None:
        """Put the handlers back that were there before."""
        self._notifier.setEnabled(False)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_wakeup)
        self._reader.close()
        self._writer.close()
