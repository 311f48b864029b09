"""One person: what you call them, names and addresses, when they were met."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.people import Handle, Person
from clone_app.ui import theme, words
from clone_app.ui.plain import Elided, wrapped


class PersonView(QScrollArea):
    """Show a person; renaming, splitting and merging are signals, kept by the page."""

    called = Signal(str, str)
    split = Signal(str)
    merged = Signal(str, str)
    read = Signal(str, str)  # key and name of the person whose entries are wanted
    forget = Signal(str, tuple)  # what it is called, the keys of whose names and addresses

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._person: Person | None = None
        self.name = wrapped("", "heading")
        self.met = wrapped("", "muted")
        self.call = QLineEdit()
        self.call.setAccessibleName("What you call this person")
        self.call.setPlaceholderText("What you call them, like Mum")
        self.call.returnPressed.connect(self._keep_name)
        self.keep = QPushButton("Keep")
        self.keep.setToolTip("Keep this name: questions can use it")
        self.keep.clicked.connect(self._keep_name)
        self.other = QComboBox()
        self.other.setEditable(True)
        self.other.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        # Else it would be as wide as the longest name with its address, and the page with it.
        self.other.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.other.setMinimumContentsLength(8)
        self.other.setAccessibleName("Who else this is")
        if (completer := self.other.completer()) is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.join = QPushButton("Merge")
        self.join.setToolTip("Make both one person; you can split them again")
        self.join.clicked.connect(self._merge)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        inner = QWidget()
        theme.role(inner, "ground")
        column = QVBoxLayout(inner)
        column.setContentsMargins(4, 0, 8, 0)
        column.setSpacing(8)
        column.addWidget(self.name)
        column.addWidget(self.met)
        column.addWidget(_line("You call them", self.call, self.keep))
        column.addSpacing(8)
        column.addWidget(wrapped("Names and addresses", "heading"))
        column.addLayout(self._rows)
        column.addSpacing(8)
        self._merging = _line("Is also", self.other, self.join)
        column.addWidget(self._merging)
        self.entries = QPushButton("Read what they wrote or got")
        self.entries.setToolTip("List these entries in Memories")
        self.entries.clicked.connect(self._read)
        column.addSpacing(8)
        column.addWidget(self.entries, 0, Qt.AlignmentFlag.AlignLeft)
        self.gone = QPushButton("Forget everything from and to them…")
        self.gone.setToolTip("See how much it is, then remove it from your memory")
        theme.role(self.gone, "quiet")
        self.gone.clicked.connect(self._forget)
        column.addWidget(self.gone, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        self.setWidget(inner)

    def show_person(self, person: Person, people: Sequence[Person]) -> None:
        """Show a person, and whom they could be merged with."""
        self._person = person
        self.name.setText(f"{person.name} (you)" if person.mine else person.name)
        self.met.setText(_met(person))
        self.call.setText(person.called[0] if person.called else "")
        while (row := self._rows.takeAt(0)) is not None:
            if (widget := row.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for handle in person.handles:
            self._rows.addWidget(self._handle(handle, alone=len(person.handles) == 1))
        self._merging.setVisible(not person.mine)
        self.gone.setVisible(not person.mine)
        self.other.clear()
        for each in people:
            if each.key != person.key and not each.mine:
                self.other.addItem(f"{each.name} · {each.key}", each.key)
        self.other.setCurrentIndex(-1)

    def _handle(self, handle: Handle, *, alone: bool) -> QWidget:
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        names = f"{', '.join(handle.names)} · " if handle.names else ""
        shown = Elided(f"{names}{handle.shown}")
        across.addWidget(shown, 1)
        if not alone and not handle.mine:
            split = QPushButton("Split off")
            split.setAccessibleName(f"Split off {handle.shown}")
            split.setToolTip("Make this name or address a person of its own")
            theme.role(split, "quiet")
            split.clicked.connect(lambda: self.split.emit(handle.key))
            across.addWidget(split)
        if not alone:
            gone = QPushButton("Forget…")
            gone.setAccessibleName(f"Forget everything from and to {handle.shown}")
            gone.setToolTip("See how much came from and went to this name alone, then remove it")
            theme.role(gone, "quiet")
            gone.clicked.connect(lambda: self.forget.emit(handle.shown, (handle.key,)))
            across.addWidget(gone)
        return row

    def _keep_name(self) -> None:
        if self._person is not None:
            self.called.emit(self._person.key, self.call.text().strip())

    def _read(self) -> None:
        if self._person is not None:
            self.read.emit(self._person.key, self._person.name)

    def _forget(self) -> None:
        if self._person is not None:
            # By keys and never by name: somebody else may go by it too.
            self.forget.emit(
                self._person.name, tuple(handle.key for handle in self._person.handles)
            )

    def _merge(self) -> None:
        place = self.other.findText(self.other.currentText())
        if self._person is not None and place >= 0:
            self.merged.emit(self._person.key, str(self.other.itemData(place)))


def _met(person: Person) -> str:
    parts = []
    if person.wrote:
        parts.append(f"wrote {words.entries(person.wrote)}")
    if person.got:
        parts.append(f"got {words.entries(person.got)}")
    first, last = words.iso_day(person.first or None), words.iso_day(person.last or None)
    span = f", {first} to {last}" if person.first and first != last else f", {first}"
    return " and ".join(parts).capitalize() + (span if person.first else "")


def _line(title: str, field: QWidget, button: QPushButton) -> QWidget:
    row = QWidget()
    across = QHBoxLayout(row)
    across.setContentsMargins(0, 0, 0, 0)
    label = wrapped(title, "small")
    label.setWordWrap(False)
    across.addWidget(label)
    across.addWidget(field, 1)
    across.addWidget(button)
    return row
