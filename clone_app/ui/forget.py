"""Ask before anything is forgotten: how much it is, shown first; then do it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from clone_app.memory.removal import Removal, RemovalCount
from clone_app.progress import Progress
from clone_app.ui import words
from clone_app.ui.jobs import Lane
from clone_app.ui.workspace import Workspace


def ask_to_forget(
    workspace: Workspace,
    parent: QWidget,
    what: str,
    *,
    source: int | None = None,
    handles: tuple[str, ...] = (),
    since: str | None = None,
    until: str | None = None,
    medium: str | None = None,
) -> None:
    """Show how much would go of `what` (“everything from and to Tom”) and remove it if so wanted."""
    app = workspace.app

    def count(_: Progress) -> tuple[Removal, RemovalCount]:
        removal = app.removal(
            source=source, handles=handles, since=since, until=until, medium=medium
        )
        return removal, app.count_removal(removal)

    workspace.jobs.run(
        count,
        lane=Lane.READING,
        owner=parent,
        done=lambda found: _confirm(workspace, parent, what, *found),
    )


def _confirm(
    workspace: Workspace, parent: QWidget, what: str, removal: Removal, count: RemovalCount
) -> None:
    box = QMessageBox(parent)
    box.setObjectName("confirm-removal")
    box.setWindowTitle("Forget")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"Remove {what}: {words.entries(count.items)} from your memory?")
    box.setInformativeText(_told(count))
    remove = box.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    app = workspace.app
    remove.clicked.connect(
        lambda: workspace.jobs.run(
            lambda progress: app.remove(removal, progress),
            lane=Lane.WRITING,
            title="Forgetting",
            owner=workspace,
            ended=workspace.memory_changed.emit,
        )
    )
    box.open()


def _told(count: RemovalCount) -> str:
    parts = []
    if count.items:
        span = ""
        if count.first:
            span = f", from {words.iso_day(count.first)} to {words.iso_day(count.last)}"
        parts.append(f"{count.mine:,} of them you wrote yourself{span}.")
    if count.answers:
        parts.append(f"{words.count(count.answers, 'answer')} that rested on them go too.")
    if count.shared:
        parts.append(f"{words.entries(count.shared)} stay, because another source holds them too.")
    if count.watched:
        parts.append(
            f"{words.count(count.watched, 'watched source')} would bring them back when a file there "
            "changes: take the tick off Watch on the Import page first."
        )
    parts.append(
        "The files they came from are not touched: importing them again brings everything back."
    )
    return " ".join(parts)
