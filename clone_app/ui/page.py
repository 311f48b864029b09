"""What a page is to the frame around it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from clone_app.ui.workspace import Workspace

NARROW = 80  # average letters


class Page(QWidget):
    """Be one place of the window. `aside` is what it shows in the sidebar, if anything."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.app = workspace.app
        self.jobs = workspace.jobs
        self.aside: QWidget | None = None

    def is_narrow(self) -> bool:
        """Tell whether two columns of text side by side would be too slim to read."""
        return self.width() < NARROW * self.fontMetrics().averageCharWidth()

    def arrive(self) -> None:
        """Take the keyboard when the page comes to the front."""
