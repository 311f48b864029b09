"""What else belongs to the time of an entry: one line below it, which opens the situation."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from clone_app.memory.situations import Situation
from clone_app.ui import words
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import ElidedButton
from clone_app.ui.workspace import Workspace


class SituationLine(QWidget):
    """Be a quiet button below an entry that belongs to a situation; hidden for one that stands alone."""

    opened = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._item = 0
        self.situation: Situation | None = None
        self.button = ElidedButton("", "quiet", sign="›")
        self.button.setToolTip("Open the situation this entry belongs to")
        self.button.clicked.connect(self._open)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch()
        self.hide()

    def set_item(self, item_id: int) -> None:
        """Be about an entry."""
        self._item = item_id
        self.situation = None
        self.hide()
        self._workspace.jobs.run(
            lambda _: self._workspace.app.situation_of(item_id),
            lane=Lane.READING,
            owner=self,
            done=lambda found: self._show(item_id, found),
        )

    def _show(self, item_id: int, found: Situation | None) -> None:
        if item_id != self._item or found is None:
            return
        self.situation = found
        title = words.snippet(found.title or found.opening, 80)
        more = words.count(found.items - 1, "more entry", "more entries")
        self.button.set_words(f"{more} of that time: {title}")
        self.button.setAccessibleName(f"{more} of that time, {words.span(found.first, found.last)}")
        self.show()

    def _open(self) -> None:
        if self.situation is not None:
            self._workspace.situation_wanted.emit(self.situation)
            self.opened.emit()
