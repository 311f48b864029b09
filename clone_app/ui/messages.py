"""What the window says when something went wrong: a sentence if the world did it, else a report."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app import __version__
from clone_app.errors import Cancelled
from clone_app.ui import theme
from clone_app.ui.plain import wrapped

_NAMING = (
    AttributeError,
    ImportError,
    NameError,
)  # their `name` is the program's, never a person's


def announce(widget: QWidget, sentence: str) -> None:
    """Have a screen reader say a sentence."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


class MessageBar(QFrame):
    """Show one sentence at the foot of the window until it is read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.role(self, "message")
        self.setAccessibleName("Message")
        self._text = wrapped()
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        close = QPushButton("Close")
        close.setToolTip("Close this message")
        theme.role(close, "quiet")
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 12, 12, 12)
        layout.addWidget(self._text, 1)
        layout.addWidget(close)
        self.hide()

    @Slot(str)
    def say(self, sentence: str) -> None:
        """Show a sentence; a later one takes its place."""
        self._text.setText(sentence)
        self.show()
        announce(self, sentence)

    def text(self) -> str:
        """Return the sentence that is shown, empty if none is."""
        return "" if self.isHidden() else self._text.text()


class CrashDialog(QDialog):
    """Say that the program made a mistake, with a report to copy that holds no text of yours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Something went wrong")
        self.resize(680, 440)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("Crash report")
        theme.role(self.report, "others")
        buttons = QDialogButtonBox()
        copy = buttons.addButton("Copy report", QDialogButtonBox.ButtonRole.ActionRole)
        go_on = buttons.addButton("Go on", QDialogButtonBox.ButtonRole.AcceptRole)
        copy.clicked.connect(self._copy)
        go_on.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(wrapped("The program made a mistake", "heading"))
        layout.addWidget(
            wrapped(
                "Your memory is safe: what was not finished was undone. You can go on; if it "
                "happens again, copy this report and send it to the makers. It holds versions and "
                "places in the program, none of your words."
            )
        )
        layout.addWidget(self.report, 1)
        layout.addWidget(buttons)

    @Slot(object)
    def tell(self, fault: BaseException) -> None:
        """Show the report of an exception; while one is open, later ones are added to it."""
        if isinstance(fault, Cancelled):
            return
        text = crash_report(fault)
        if self.isVisible():
            self.report.appendPlainText("\n" + text)
            return
        self.report.setPlainText(text)
        self.open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())


def crash_report(fault: BaseException) -> str:
    """Return versions and the places of an exception and its causes.

    The exception's own message stays out: it may quote what somebody wrote.
    """
    lines = [
        f"clone-app {__version__}",
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
        "",
    ]
    seen: set[int] = set()
    part: BaseException | None = fault
    while part is not None and id(part) not in seen:
        seen.add(id(part))
        named = f": {part.name}" if isinstance(part, _NAMING) and part.name else ""
        lines.append(f"{type(part).__module__}.{type(part).__qualname__}{named}")
        for frame in traceback.extract_tb(part.__traceback__):
            lines.append(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}")
        part = part.__cause__ or (None if part.__suppress_context__ else part.__context__)
        if part is not None:
            lines.append("caused by")
    return "\n".join(lines)


def catch_all(tell: Callable[[BaseException], None]) -> Callable[[], None]:
    """Have exceptions that nobody caught in a slot told; return what ends that."""
    before = sys.excepthook

    def hook(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(fault, Exception):
            before(kind, fault, trace)
            return
        print(crash_report(fault), file=sys.stderr)  # not Python's own, which prints the message
        tell(fault)

    sys.excepthook = hook

    def release() -> None:
        if sys.excepthook is hook:
            sys.excepthook = before

    return release


def _short(filename: str) -> str:
    """Return a file's path from its package on: the rest names the user's folders."""
    parts = Path(filename).parts
    for anchor in ("site-packages", "clone_app"):
        if anchor in parts:
            return "/".join(parts[parts.index(anchor) + (anchor == "site-packages") :])
    return parts[-1] if parts else filename
