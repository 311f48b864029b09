"""What the memory's languages ask of the embedder, said beside the setting as long as it holds."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from clone_app.ui.jobs import Lane
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace


class EmbedderAdvice(QFrame):
    """Say that another embedder would understand more; hidden where this one reads the memory."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.text = wrapped("", "warn")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        self.hide()
        workspace.memory_changed.connect(self.refresh)
        workspace.settings_changed.connect(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Look anew at what languages there are and what reads them."""
        app = self._workspace.app
        self._workspace.jobs.run(
            lambda _: app.embedder_advice(), lane=Lane.READING, owner=self, done=self._show
        )

    def _show(self, said: str) -> None:
        self.text.setText(said)
        self.setVisible(bool(said))
