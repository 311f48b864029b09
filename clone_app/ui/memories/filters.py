"""The filters above the list of memories: kind, whose, from when to when, and chips for what is set."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from clone_app.entries import Filters, Recalled
from clone_app.ui import words
from clone_app.ui.chips import Chip, ChipRow, chips
from clone_app.ui.memories import dates
from clone_app.ui.memories.model import Wish
from clone_app.ui.whose import WhoseBox

_TYPING_MS = 300
ONE_LINE_FROM = 62  # letters


class FilterBar(QWidget):
    """Hold the search field and the filters; they stay as they are until they are taken away."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._plain: tuple[str, ...] = ()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search your memories")
        self.search.setAccessibleName("Search your memories")
        self.search.setToolTip("Search your memories (Ctrl+F)")
        self.search.setClearButtonEnabled(True)
        self.medium = QComboBox()
        self.medium.setAccessibleName("Kind of entry")
        self.medium.setToolTip("Show one kind of entry only")
        self.medium.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.medium.setMinimumContentsLength(5)
        self.medium.addItem("All kinds", None)
        self.whose = WhoseBox()
        self.since = _date_field("From", "from, like 2020 or 2020-05-01")
        self.until = _date_field("To", "to, like 2021 or 2021-06")
        self.chips = ChipRow("What the list is narrowed to, and what was understood")
        self.chips.pressed.connect(self._press)
        self._rows = QGridLayout()
        self._narrow: bool | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addLayout(self._rows)
        column.addWidget(self.chips)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._change)
        for field in (self.search, self.since, self.until):
            field.textChanged.connect(lambda _: self._typing.start())
            field.returnPressed.connect(self._change)
        for box in (self.medium, self.whose):
            box.activated.connect(lambda _: self._change())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the dates below the rest where one line is too short for all."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_narrow"):
            self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < ONE_LINE_FROM * self.fontMetrics().averageCharWidth()
        if narrow is self._narrow:
            return
        self._narrow = narrow
        for place, field in enumerate((self.medium, self.whose, self.since, self.until)):
            self._rows.removeWidget(field)
            row, column = divmod(place, 2) if narrow else (0, place)
            self._rows.addWidget(field, row, column)
        for column in range(4):
            self._rows.setColumnStretch(
                column, (1, 1, 0, 0)[column] if narrow else (5, 5, 4, 4)[column]
            )

    def wish(self) -> Wish | None:
        """Return what the fields ask for, None while a date is being typed."""
        try:
            since, until = dates.since(self.since.text()), dates.until(self.until.text())
        except ValueError:
            return None
        text = self.search.text().strip()
        said = " ".join(text.casefold().split())
        whose, who = self.whose.chosen()
        return Wish(
            text,
            self.medium.currentData(),
            since,
            until,
            whose=whose,
            who=who,
            plain=tuple(each for each in self._plain if " ".join(each.casefold().split()) in said),
        )

    def show_understood(self, wish: Wish, found: Recalled | None = None) -> None:
        """Show what the list is narrowed to, and what a search was understood to name."""
        narrow = replace(wish.filters, medium="", since="", until="")
        self.chips.show_chips(
            chips(
                narrow,
                times=found.intervals if found is not None else (),
                people=found.people if found is not None else (),
                who_name=self.whose.name_of(wish.who),
            )
        )

    def offer_media(self, media: tuple[tuple[str, int], ...]) -> None:
        """Offer these kinds with how many entries there are; what is chosen stays."""
        chosen = self.medium.currentData()
        self.medium.clear()
        self.medium.addItem("All kinds", None)
        for name, number in media:
            self.medium.addItem(f"{words.medium(name)} ({number:,})", name)
        self.medium.setCurrentIndex(max(0, self.medium.findData(chosen)))

    def clear(self) -> None:
        """Take all filters away, the search too."""
        for field in (self.search, self.since, self.until):
            field.clear()
        self.medium.setCurrentIndex(0)
        self.whose.choose(Filters())
        self._plain = ()
        self._typing.stop()

    def stop_typing(self) -> None:
        """Wait no longer for more to be typed."""
        self._typing.stop()

    def _change(self) -> None:
        self._typing.stop()
        self.changed.emit()

    def _press(self, chip: Chip) -> None:
        self._plain = chip.filters.plain
        self.whose.choose(chip.filters, self.whose.name_of(chip.filters.who))
        self._change()


def _date_field(name: str, tip: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(name.lower() + " …")
    field.setAccessibleName(f"{name}: a year, month or day")
    field.setToolTip(tip)
    return field
