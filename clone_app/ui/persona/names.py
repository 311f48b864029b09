"""A list of names or topics that one can add to and take from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme
from clone_app.ui.plain import wrapped


class NameRow(QFrame):
    """Show one name with what is known of it, and a button that takes it off the list."""

    taken_off = Signal(str)

    def __init__(self, name: str, off: str, tip: str) -> None:
        super().__init__()
        theme.role(self, "card")
        self.setAccessibleName(name)
        self.about = wrapped("", "small")
        self.about.hide()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(wrapped(name))
        words.addWidget(self.about)
        self.off = QPushButton(off)
        self.off.setToolTip(tip)
        self.off.setAccessibleName(f"{off}: {name}")
        theme.role(self.off, "quiet")
        self.off.clicked.connect(lambda: self.taken_off.emit(name))
        across = QHBoxLayout(self)
        across.setContentsMargins(16, 6, 8, 6)
        across.addLayout(words, 1)
        across.addWidget(self.off, 0, Qt.AlignmentFlag.AlignTop)

    def tell(self, about: str) -> None:
        """Say what is known of the name, nothing for nothing."""
        self.about.setText(about)
        self.about.setVisible(bool(about))


class NameList(QWidget):
    """Hold the rows and below them the field for another; the page does what the signals ask for."""

    added = Signal(str)
    taken_off = Signal(str)

    def __init__(self, *, field: str, add: str, tip: str, off: str, off_tip: str) -> None:
        super().__init__()
        self.rows: dict[str, NameRow] = {}
        self._off, self._off_tip = off, off_tip
        self._wanted = ""  # what was asked to be added and isn't yet
        self.add = QPushButton(add)
        self.add.setToolTip(tip)
        self.add.setEnabled(False)
        self.add.clicked.connect(self._add)
        self.field = QLineEdit()
        self.field.setPlaceholderText(field)
        self.field.setAccessibleName(field)
        self.field.setToolTip(f"{field}; Enter adds it")
        self.field.textChanged.connect(lambda text: self.add.setEnabled(bool(text.strip())))
        self.field.returnPressed.connect(self._add)
        self._known = QStringListModel(self)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        across = QHBoxLayout()
        across.addWidget(self.field, 1)
        across.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._rows)
        column.addLayout(across)

    def complete(self, names: Sequence[str]) -> None:
        """Offer these names while one is typed."""
        self._known.setStringList(list(names))
        if self.field.completer() is None:
            completer = QCompleter(self._known, self)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            if (popup := completer.popup()) is not None:
                theme.role(popup, "choices")
            self.field.setCompleter(completer)

    def fill(self, names: Iterable[str]) -> None:
        """Show these names; a row that stays keeps its place and what is known of it."""
        wanted = list(names)
        self._clear_field(wanted)
        held = self.focusWidget()
        for name in [name for name in self.rows if name not in wanted]:
            row = self.rows.pop(name)
            if held is row.off and row.off.hasFocus():
                self.field.setFocus()
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, name in enumerate(wanted):
            if name not in self.rows:
                row = self.rows[name] = NameRow(name, self._off, self._off_tip)
                row.taken_off.connect(self.taken_off)
                self._rows.insertWidget(place, row)

    def tell(self, about: Mapping[str, str]) -> None:
        """Say beside each name what is known of it."""
        for name, row in self.rows.items():
            row.tell(about.get(name, ""))

    def _add(self) -> None:
        name = self.field.text().strip()
        if name:
            self._wanted = name
            self.added.emit(name)

    def _clear_field(self, names: Iterable[str]) -> None:
        """Empty the field once what it holds is in the list, if in other words."""
        if not self._wanted:
            return
        there = _same(self._wanted) in map(_same, names)
        if there or any(name not in self.rows for name in names):
            if self.field.text().strip() == self._wanted:
                self.field.clear()
            self._wanted = ""


def _same(name: str) -> str:
    return " ".join(name.casefold().split())
