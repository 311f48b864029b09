"""Whose entries to look among: anybody's, one's own, those of others, or what stands with one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox

from clone_app.entries import Filters

if TYPE_CHECKING:
    from clone_app.memory.people import Person

# More names than these are no list to look through; People shows everybody.
OFFERED = 60
_ANYBODY, _MINE, _OTHERS = ("", ""), ("mine", ""), ("others", "")


class WhoseBox(QComboBox):
    """Offer mine, others, and the people met most often."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Written by")
        self.setToolTip(
            "Look among your own entries, those of others, or what one person wrote or got"
        )
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(18)
        self._people: tuple[Person, ...] = ()
        self._fill()

    def chosen(self) -> tuple[str, str]:
        """Return (whose, who) as `Filters` has them."""
        whose, who = self.currentData() or _ANYBODY
        return whose, who

    def name_of(self, who: str) -> str:
        """Return what to call somebody by their key; the key itself for who isn't offered."""
        place = self._place(("", who)) if who else -1
        return self.itemText(place).removeprefix("With ") if place >= 0 else who

    def choose(self, filters: Filters, name: str = "") -> None:
        """Show what filters say; `name` is what to call a person who isn't offered yet."""
        wanted = ("", filters.who) if filters.who else (filters.whose, "")
        if self._place(wanted) < 0:
            self.addItem(f"With {name or filters.who}", list(wanted))
        self.setCurrentIndex(self._place(wanted))

    def offer(self, people: tuple[Person, ...]) -> None:
        """Offer these people, those met most often first; what is chosen stays."""
        others = tuple(person for person in people if not person.mine)[:OFFERED]
        if others == self._people:
            return
        self._people = others
        before, name = self.chosen(), self.name_of(self.chosen()[1])
        self._fill()
        self.choose(Filters(whose=before[0], who=before[1]), name)

    def _fill(self) -> None:
        self.clear()
        for text, data in (
            ("By anybody", _ANYBODY),
            ("By me", _MINE),
            ("By others", _OTHERS),
        ):
            self.addItem(text, list(data))
        if self._people:
            self.insertSeparator(self.count())
        for person in self._people:
            self.addItem(f"With {person.name}", ["", person.key])
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)

    def _place(self, wanted: tuple[str, str]) -> int:
        for place in range(self.count()):
            if self.itemData(place) == list(wanted):
                return place
        return -1
