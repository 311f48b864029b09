"""What a question was understood to say, and what it was narrowed to, as chips that can be taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from PySide6.QtCore import Signal

from clone_app.entries import Filters, NamedPerson, NamedTime
from clone_app.ui import words
from clone_app.ui.flow import Flow
from clone_app.ui.plain import ElidedButton

WHOSE = {"mine": "Written by you", "others": "Written by others"}
# "April": what is plain is the phrase, so that its other chip goes too.
_BOTH = "Take these words as they stand, neither as a time nor as somebody you know"


@dataclass(frozen=True, slots=True)
class Chip:
    """Hold what one chip says, and the filters that are left when it is pressed.

    `back` says that pressing it brings something back. The tip holds no word of a person: Qt reads it as
    markup.
    """

    text: str
    tip: str
    filters: Filters
    back: bool = False


def chips(
    filters: Filters,
    *,
    times: Sequence[NamedTime] = (),
    people: Sequence[NamedPerson] = (),
    who_name: str = "",
) -> tuple[Chip, ...]:
    """Return the chips of a question: its filters, what it was understood to name, what it was not.

    `who_name` is what to call the person that `filters.who` means.
    """
    both = {each.phrase for each in times} & {each.phrase for each in people}
    made = []
    if filters.whose:
        text = WHOSE.get(filters.whose, filters.whose)
        made.append(Chip(text, "Look among everybody's entries", replace(filters, whose="")))
    if filters.who:
        text = f"With {who_name or filters.who}"
        made.append(Chip(text, "Look among everybody's entries", replace(filters, who="")))
    for phrase in dict.fromkeys(each.phrase for each in times):
        meant = [each for each in times if each.phrase == phrase]
        tip = _BOTH if phrase in both else "Take these words as they stand, not as a time"
        for each in meant:
            if each.searched:
                days = _days(each.start, each.end)
                tip = f"Nothing was written {days}, so the time around it counts.\n{tip}"
        spans = " or ".join(dict.fromkeys(_span(each) for each in meant if each.start))
        text = f"“{phrase}”: {spans}" if spans else f"“{phrase}”, the time"
        made.append(Chip(text, tip, _plain(filters, phrase)))
    for phrase in dict.fromkeys(each.phrase for each in people):
        names = [each.name for each in people if each.phrase == phrase]
        alone = [name.casefold() for name in names] == [phrase.casefold()]
        who = f"“{phrase}”, the person" if alone else f"“{phrase}” = {' or '.join(names)}"
        tip = (
            _BOTH if phrase in both else "Take these words as they stand, not as somebody you know"
        )
        made.append(Chip(who, tip, _plain(filters, phrase)))
    for phrase in filters.plain:
        left = tuple(each for each in filters.plain if each != phrase)
        tip = "Understand these words again as a time or a person"
        made.append(Chip(f"“{phrase}”: plain words", tip, replace(filters, plain=left), back=True))
    return tuple(made)


def _plain(filters: Filters, phrase: str) -> Filters:
    return replace(filters, plain=(*filters.plain, phrase))


def _span(time: NamedTime) -> str:
    """Return `1 March – 31 May 2024`, or how far it was widened where nothing stands in it."""
    if time.searched:
        return f"widened to {_days(*time.searched)}"
    return ("about " if time.vague else "") + _days(time.start, time.end)


def _days(start: str, end: str) -> str:
    last = date.fromisoformat(end) - timedelta(days=1)
    return words.span(start, last.isoformat())


class ChipRow(Flow):
    """Show chips; without any it is not there."""

    pressed = Signal(object)  # Chip

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.chips: tuple[Chip, ...] = ()
        self.buttons: list[ElidedButton] = []
        self.hide()

    def show_chips(self, chips: tuple[Chip, ...]) -> None:
        """Show these in their order."""
        if chips == self.chips:
            return
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.chips = chips
        self.buttons = [self._button(chip) for chip in chips]
        self.set_parts(self.buttons)
        self.setVisible(bool(chips))

    def texts(self) -> list[str]:
        """Return what the chips say."""
        return [chip.text for chip in self.chips]

    def _button(self, chip: Chip) -> ElidedButton:
        button = ElidedButton(chip.text, "chip", sign="↺" if chip.back else "✕")
        button.setToolTip(chip.tip)
        button.setAccessibleName(f"{chip.text}. {chip.tip}")
        button.clicked.connect(lambda: self.pressed.emit(chip))
        return button
