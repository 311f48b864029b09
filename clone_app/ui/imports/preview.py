"""What is in there, before anything is imported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import Item
from clone_app.ui import theme, words
from clone_app.ui.plain import Elided, PlainLabel, wrapped

if TYPE_CHECKING:
    from clone_app.app import Preview
    from clone_app.protocols import Question

NAMES_OFFERED = 8
PLACES_NAMED = 5
_ADDRESS = re.compile(r"<([^<>\s]+@[^<>\s]+)>")


class PreviewView(QFrame):
    """Show a preview, ask which names are the user's, and offer to import."""

    wanted = Signal()
    declined = Signal()

    def __init__(self, path: Path, preview: Preview, known_me: frozenset[str]) -> None:
        super().__init__()
        self.path = path
        theme.role(self, "card")
        self.names: list[tuple[str, QCheckBox]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(22, 18, 22, 18)
        self._column.setSpacing(8)
        kinds = ", ".join(dict.fromkeys(kind.title for kind in preview.recognised))
        self._column.addWidget(wrapped(f"{path.name}: {kinds or 'nothing known'}", "heading"))
        self._column.addWidget(wrapped(_summary(preview)))
        if preview.samples:
            self._head("For example")
            for item in preview.samples:
                self._column.addWidget(_sample(item))
        self.asked: list[tuple[str, QComboBox]] = []
        for kind in preview.recognised:
            if kind.question is not None:
                self._ask(kind.question)
        if preview.authors:
            self._ask_names(preview, known_me)
        self._others(preview)
        self._list("Will be left out", preview.skipped)
        self._list("Can't be read", preview.problems)
        self.go = QPushButton(f"Import {words.entries(preview.items)}")
        self.go.setToolTip("Import into your memory (Ctrl+Enter)")
        self.go.setShortcut("Ctrl+Return")
        self.go.setEnabled(preview.items > 0)
        theme.role(self.go, "primary")
        self.go.clicked.connect(self.wanted)
        no = QPushButton("Don't import")
        no.setToolTip("Leave it as it is")
        no.clicked.connect(self.declined)
        row = QHBoxLayout()
        row.addWidget(self.go)
        row.addWidget(no)
        row.addStretch()
        self._column.addSpacing(8)
        self._column.addLayout(row)

    def me(self) -> tuple[str, ...]:
        """Return the names and addresses that the user ticked."""
        return tuple(dict.fromkeys(name for name, box in self.names if box.isChecked()))

    def answers(self) -> dict[str, str]:
        """Return what the user chose for the questions that the files leave open."""
        return {name: str(box.currentData()) for name, box in self.asked if box.currentData()}

    def _ask(self, question: Question) -> None:
        """Ask what the files leave open; unanswered, they are read as far as they are sure."""
        self._head("One question")
        self._column.addWidget(wrapped(question.text))
        box = QComboBox()
        box.setAccessibleName(question.text)
        box.addItem("I don't know", "")
        for value, label in question.choices:
            box.addItem(label, value)
        self.asked.append((question.name, box))
        self._column.addWidget(box)

    def _ask_names(self, preview: Preview, known_me: frozenset[str]) -> None:
        self._head("Is this you?")
        self._column.addWidget(
            wrapped(
                "What these names wrote counts as your own words. Tick all that are you. The number "
                "says how many entries they wrote or got.",
                "small",
            )
        )
        for name, number in preview.authors[:NAMES_OFFERED]:
            box = QCheckBox(f"{words.snippet(name, 72)} ({number:,})".replace("&", "&&"))
            address = identity(name)
            box.setChecked(bool({name.casefold(), address.casefold()} & known_me))
            self.names.append((address, box))
            self._column.addWidget(box)

    def _others(self, preview: Preview) -> None:
        """Say which words will be kept as others': found in searches, never taken for the user's."""
        if not (preview.others or preview.quoting):
            return
        self._head("Kept as others' words")
        self._column.addWidget(wrapped(_others(preview)))
        if preview.by:
            named = [f"{words.snippet(name, 72)} ({count:,})" for name, count in preview.by]
            more = f" and {len(named) - PLACES_NAMED:,} more" if len(named) > PLACES_NAMED else ""
            self._column.addWidget(wrapped(f"By {', '.join(named[:PLACES_NAMED])}{more}.", "small"))

    def _list(self, title: str, places: tuple[tuple[str, str], ...]) -> None:
        if not places:
            return
        self._head(f"{title} ({len(places):,})")
        for locator, reason in places[:PLACES_NAMED]:
            self._column.addWidget(wrapped(f"{locator}: {reason}", "small"))
        if len(places) > PLACES_NAMED:
            self._column.addWidget(wrapped(f"and {len(places) - PLACES_NAMED:,} more", "small"))

    def _head(self, text: str) -> None:
        self._column.addSpacing(8)
        self._column.addWidget(PlainLabel(text, "muted"))


def identity(name: str) -> str:
    """Return the address in `Ada Lovelace <ada@example.org>`, whatever name stands before it."""
    inside = _ADDRESS.search(name)
    return inside[1] if inside else name


def _summary(preview: Preview) -> str:
    parts = [words.entries(preview.items)]
    if preview.first:
        parts.append(f"from {words.iso_day(preview.first)} to {words.iso_day(preview.last)}")
    if preview.mine != preview.items:
        parts.append(f"{preview.mine:,} of them written by you")
    if preview.undated:
        parts.append(f"{preview.undated:,} undated")
    return ", ".join(parts) + "."


def _others(preview: Preview) -> str:
    parts = []
    if preview.others:
        parts.append(f"{words.entries(preview.others)} that you did not write")
    if preview.quoting:
        parts.append(f"what is quoted or forwarded in {words.entries(preview.quoting)}")
    said = " and ".join(parts)
    unless = " Those of names that you tick above become yours." if preview.authors else ""
    return f"{said[:1].upper()}{said[1:]}: searches find them, the clone never speaks them.{unless}"


def _sample(item: Item) -> QWidget:
    box = QFrame()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(12)
    row.addWidget(PlainLabel(words.when(item.moment), "small"))
    row.addWidget(Elided(words.snippet(f"{item.title}  {item.text}".strip())), 1)
    return box
