"""Before the first question goes to a server: what would be sent, word for word, and the choice."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import NO_FILTERS, Dial, Filters
from clone_app.persona.document import Audience
from clone_app.protocols import Message
from clone_app.ui import theme
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_WHO = {"system": "Instructions", "user": "You", "assistant": "The clone"}


class Choice(IntEnum):
    """What the user chose."""

    NOT_NOW = 0
    SEND = 1
    HERE = 2


class AgreementDialog(QDialog):
    """Show what a server would be sent for a question; closing it sends nothing."""

    chosen = Signal(int)  # Choice

    def __init__(
        self,
        workspace: Workspace,
        *,
        host: str,
        question: str,
        conversation: int | None,
        at: str | None = None,
        audience: Audience = Audience.PRIVATE,
        dial: Dial | None = None,
        filters: Filters = NO_FILTERS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Before this leaves your machine")
        self.resize(760, 600)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("What would be sent")
        self.text.setPlainText("Looking up what would be sent…")
        theme.role(self.text, "others")
        buttons = QDialogButtonBox()
        self.send = buttons.addButton(
            "Send, now and from now on", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.send.setToolTip(f"Let {host} answer this question and later ones")
        self.send.setEnabled(False)
        self.here = buttons.addButton(
            "Answer on this machine", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.here.setToolTip("Use the model on this machine for this question; nothing is sent")
        later = buttons.addButton("Don't ask it now", QDialogButtonBox.ButtonRole.RejectRole)
        later.setToolTip("Close this; nothing is sent (Esc)")
        self.send.clicked.connect(lambda: self._choose(Choice.SEND))
        self.here.clicked.connect(lambda: self._choose(Choice.HERE))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(wrapped(f"{host} would be sent this", "heading"))
        layout.addWidget(
            wrapped(
                "For every question: the question, a few of your entries that fit it, and what was "
                "said before in the conversation. Whoever runs that server can read and keep it. "
                "What was sent is listed in Preferences; you can take the server out there."
            )
        )
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        app = workspace.app
        workspace.jobs.run(
            lambda progress: app.would_send(
                question,
                at=at,
                conversation=conversation,
                audience=audience,
                dial=dial,
                filters=filters,
                progress=progress,
            ),
            lane=Lane.MODEL,
            owner=self,
            done=self._show,
            failed=lambda fault: self.text.setPlainText(str(fault)),
        )

    def _show(self, messages: tuple[Message, ...]) -> None:
        shown = [f"{_WHO[each.role]}\n{each.text}" for each in messages]
        self.text.setPlainText(
            "\n\n".join(shown)
            or "For this question nothing: there is no entry to answer it from, and that is said "
            "without a model."
        )
        self.send.setEnabled(True)
        self.send.setFocus()

    def _choose(self, choice: Choice) -> None:
        self.chosen.emit(int(choice))
        self.accept()
