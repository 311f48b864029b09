"""One entry in a window of its own: opened from a source beside an answer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from clone_app.entries import Item
from clone_app.ui import words
from clone_app.ui.jobs import Lane
from clone_app.ui.memories.beside import SituationLine
from clone_app.ui.memories.entry import EntryView
from clone_app.ui.memories.why import WhyLine
from clone_app.ui.workspace import Workspace


class EntryDialog(QDialog):
    """Fetch an item and show it whole, the quote highlighted. Esc closes it."""

    def __init__(
        self, workspace: Workspace, item_id: int, quote: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Entry")
        self.resize(720, 600)
        self._quote = quote
        self.view = EntryView()
        self.why = WhyLine(workspace)
        self.why.set_item(item_id)
        self.beside = SituationLine(workspace)
        self.beside.set_item(item_id)
        self.beside.opened.connect(self.close)
        buttons = QDialogButtonBox()
        close = buttons.addButton("Close", QDialogButtonBox.ButtonRole.RejectRole)
        close.setToolTip("Close this entry (Esc)")
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.beside)
        layout.addWidget(self.why)
        layout.addWidget(buttons)
        workspace.jobs.run(
            lambda _: workspace.app.item(item_id).item,
            lane=Lane.READING,
            owner=self,
            done=self._show,
        )

    def _show(self, item: Item) -> None:
        self.setWindowTitle(f"Entry of {words.when(item.moment)}")
        self.view.show_item(item, self._quote)
        self.view.text.setFocus()
