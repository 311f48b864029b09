"""The program's guesses who is one person, one at a time, to be decided with a click."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from clone_app.memory.likeness import Proposal
from clone_app.memory.people import Person
from clone_app.ui import theme, words
from clone_app.ui.plain import wrapped


class Guesses(QFrame):
    """Ask “one person?” for the surest guess; a decision brings the next."""

    same = Signal(str, str)
    different = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        theme.role(self, "card")
        self._waiting: list[Proposal] = []
        self.head = wrapped("", "heading")
        self.about = wrapped("", "muted")
        self.yes = QPushButton("One person")
        self.yes.setToolTip("Make them one; you can split them again")
        theme.role(self.yes, "primary")
        self.no = QPushButton("Two people")
        self.no.setToolTip("Keep them apart and don't ask again")
        self.later = QPushButton("Later")
        self.later.setToolTip("Ask about the next; this one returns another time")
        theme.role(self.later, "quiet")
        self.yes.clicked.connect(lambda: self._decide(self.same))
        self.no.clicked.connect(lambda: self._decide(self.different))
        self.later.clicked.connect(self._put_off)
        buttons = QHBoxLayout()
        for button in (self.yes, self.no, self.later):
            buttons.addWidget(button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 18, 14)
        column.addWidget(self.head)
        column.addWidget(self.about)
        column.addLayout(buttons)
        self.hide()

    def fill(self, proposals: Sequence[Proposal]) -> None:
        """Take the guesses, the surest first."""
        self._waiting = list(proposals)
        self._ask()

    def _ask(self) -> None:
        self.setVisible(bool(self._waiting))
        if not self._waiting:
            return
        guess = self._waiting[0]
        self.head.setText(f"Are “{_named(guess.one)}” and “{_named(guess.other)}” one person?")
        rest = len(self._waiting) - 1
        more = f" {words.count(rest, 'more guess', 'more guesses')} after this." if rest else ""
        self.about.setText(f"Because: {guess.reason}.{more}")

    def _decide(self, decision: object) -> None:
        guess = self._waiting.pop(0)
        decision.emit(guess.one.key, guess.other.key)  # type: ignore[attr-defined]
        self._ask()

    def _put_off(self) -> None:
        self._waiting.append(self._waiting.pop(0))
        self._ask()


def _named(person: Person) -> str:
    """Return name and address: two of one name are told apart by it."""
    return person.name if person.key in person.name.casefold() else f"{person.name}, {person.key}"
