"""Where files are dropped, or chosen with the keyboard."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme
from clone_app.ui.plain import wrapped


class KindsDialog(QDialog):
    """List the kinds of sources, each with where a person gets such a file."""

    def __init__(self, kinds: tuple[tuple[str, str], ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("What can be read")
        self.resize(640, 560)
        self.list = QPlainTextEdit("\n\n".join(f"{title}\n{help_}" for title, help_ in kinds))
        self.list.setReadOnly(True)
        self.list.setAccessibleName("Kinds of sources")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.list)
        layout.addWidget(buttons)


class DropZone(QFrame):
    """Take files and folders of this computer; `chosen` tells which."""

    chosen = Signal(list)  # [Path]
    mail_wanted = Signal()

    def __init__(self, kinds: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self._kinds = kinds
        theme.role(self, "drop")
        self.setAcceptDrops(True)
        self.setAccessibleName("Drop files here")
        head = wrapped("Drop a file or folder here", "heading")
        head.setAlignment(Qt.AlignmentFlag.AlignCenter)
        known = wrapped(
            "Diaries, notes, mail, posts, chats, calendars and the exports of many programs: "
            f"{len(kinds)} kinds, recognised by what is in them.",
            "small",
        )
        known.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.file = QPushButton("Choose a file…")
        self.file.setToolTip("Choose a file to import (Ctrl+O)")
        self.file.clicked.connect(self._choose_file)
        self.folder = QPushButton("Choose a folder…")
        self.folder.setToolTip("Choose a folder to import (Ctrl+Shift+O)")
        self.folder.clicked.connect(self._choose_folder)
        for keys, slot in (("Ctrl+O", self._choose_file), ("Ctrl+Shift+O", self._choose_folder)):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        self.mail = QPushButton("From a mail server…")
        self.mail.setToolTip("Read mail from a server, without changing anything there (Ctrl+M)")
        self.mail.clicked.connect(self.mail_wanted)
        QShortcut(QKeySequence("Ctrl+M"), self).activated.connect(self.mail_wanted)
        self.kinds = QPushButton("What can be read?")
        self.kinds.setToolTip("List every kind and where to get such a file (F1)")
        self.kinds.clicked.connect(self._list_kinds)
        QShortcut(QKeySequence("F1"), self).activated.connect(self._list_kinds)
        for button in (self.mail, self.kinds):
            theme.role(button, "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 26, 24, 26)
        layout.setSpacing(12)
        layout.addWidget(head)
        layout.addWidget(known)
        # Two rows, so that large text has room.
        for buttons in ((self.file, self.folder), (self.mail, self.kinds)):
            row = QHBoxLayout()
            row.addStretch()
            for button in buttons:
                row.addWidget(button)
            row.addStretch()
            layout.addLayout(row)

    def _list_kinds(self) -> None:
        KindsDialog(self._kinds, self).open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome what lies on this computer; a link to elsewhere is no file."""
        if _paths(event):
            self._heat(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, _: QDragLeaveEvent) -> None:
        """Cool down."""
        self._heat(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand on what was dropped; the originals are only read."""
        self._heat(False)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.chosen.emit(_paths(event))

    def _heat(self, hot: bool) -> None:
        self.setProperty("hot", hot)
        theme.role(self, "drop")

    def _choose_file(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Choose files to import")
        if names:
            self.chosen.emit([Path(name) for name in names])

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Choose a folder to import")
        if name:
            self.chosen.emit([Path(name)])


def _paths(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
