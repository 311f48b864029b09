"""The list of what was imported, each with a way to remove it and all that came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme, words
from clone_app.ui.plain import Elided, PlainLabel, wrapped

if TYPE_CHECKING:
    from clone_app.app import SourceRow


class SourceList(QWidget):
    """Show the sources as cards; the signals tell what the user wants of which one."""

    removal_wanted = Signal(object)  # SourceRow
    watch_wanted = Signal(object, bool)
    mail_wanted = Signal(object)
    gone_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.cards: list[SourceCard] = []

    def fill(self, sources: tuple[SourceRow, ...]) -> None:
        """Show these sources instead of what was shown."""
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.cards = [SourceCard(source) for source in sources]
        for card in self.cards:
            card.removal_wanted.connect(self.removal_wanted)
            card.watch_wanted.connect(self.watch_wanted)
            card.mail_wanted.connect(self.mail_wanted)
            card.gone_wanted.connect(self.gone_wanted)
            self._column.addWidget(card)


class SourceCard(QFrame):
    """Show one source."""

    removal_wanted = Signal(object)
    watch_wanted = Signal(object, bool)
    mail_wanted = Signal(object)
    gone_wanted = Signal(object)

    def __init__(self, source: SourceRow) -> None:
        super().__init__()
        theme.role(self, "card")
        self.source = source
        self.setAccessibleName(f"{source.title}, {words.entries(source.items)}")
        facts = [words.entries(source.items), f"imported on {words.day(source.imported_at)}"]
        if source.problems:
            facts.append(words.count(source.problems, "problem"))
        if source.watched:
            facts.append("watched")
        if not source.finished:
            facts.append("not read to its end")
        self.remove = QPushButton("Remove…")
        self.remove.setToolTip(f"Remove this source and its {words.entries(source.items)}")
        self.remove.setAccessibleName(f"Remove {source.title}")
        theme.role(self.remove, "quiet")
        self.remove.clicked.connect(lambda: self.removal_wanted.emit(self.source))
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addWidget(PlainLabel(source.title))
        place = Elided(_place(source), "small")
        place.setToolTip("Where it was imported from")
        column.addWidget(place)
        column.addWidget(PlainLabel(", ".join(facts), "small"))
        if source.fault:
            column.addWidget(wrapped(source.fault, "warn"))
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 12, 12, 12)
        row.setSpacing(6)
        row.addLayout(column, 1)
        for button in self._more(column):
            row.addWidget(button)
        row.addWidget(self.remove)

    def _more(self, column: QVBoxLayout) -> Iterator[QWidget]:
        """Yield what else can be done with this source, by what it is and how it stands."""
        source = self.source
        if source.gone:
            many = words.entries(source.gone)
            column.addWidget(
                wrapped(f"{many} no longer in its files; they stay until you remove them.", "small")
            )
            gone = QPushButton("Remove these…")
            gone.setToolTip(f"Remove the {many} that are no longer in its files")
            theme.role(gone, "quiet")
            gone.clicked.connect(lambda: self.gone_wanted.emit(source))
            yield gone
        if source.importer == "imap":
            self.mail = QPushButton("Get new mail")
            self.mail.setToolTip("Fetch what has come into its folders since")
            self.mail.setAccessibleName(f"Get new mail of {source.path}")
            theme.role(self.mail, "quiet")
            self.mail.clicked.connect(lambda: self.mail_wanted.emit(source))
            yield self.mail
            return
        self.watch = QCheckBox("Watch")
        self.watch.setToolTip(
            "Look every minute whether its files have changed, and import what is new"
        )
        self.watch.setAccessibleName(f"Watch {source.title}")
        self.watch.setChecked(source.watched)
        self.watch.toggled.connect(lambda on: self.watch_wanted.emit(source, on))
        yield self.watch


def _place(source: SourceRow) -> str:
    """Return where a source lies, a mail account as its user says it."""
    if source.importer != "imap":
        return source.path
    user, _, host = source.path.partition("://")[2].rpartition("@")
    return f"{unquote(user)}, {host}"
