"""Why the last question found an entry, or why it didn't: said below the entry, on demand."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from clone_app.memory.reasons import Reason, told
from clone_app.ui import theme, words
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace


class WhyLine(QWidget):
    """Be a quiet button below an entry; hidden until something was asked in Chat."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._item = 0
        self.button = QPushButton()
        theme.role(self.button, "quiet")
        self.button.clicked.connect(self._look)
        self.text = wrapped("", "small")
        self.text.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.button)
        column.addWidget(self.text)
        self.hide()

    def set_item(self, item_id: int) -> None:
        """Be about an entry."""
        self._item = item_id
        self.text.hide()
        asked = self._workspace.last_question
        self.setVisible(asked is not None)
        if asked is not None:
            self.button.setText("Why did my last question find this, or not?")
            self.button.setToolTip(words.snippet(asked[0], 120))

    def _look(self) -> None:
        asked, item = self._workspace.last_question, self._item
        if asked is None:
            return
        question, at = asked
        app = self._workspace.app
        self.button.setEnabled(False)
        self._workspace.jobs.run(
            lambda _: app.why(question, item, at=at),
            lane=Lane.MODEL,
            owner=self,
            done=lambda reason: self._show(item, question, reason),
            ended=lambda: self.button.setEnabled(True),
        )

    def _show(self, item: int, question: str, reason: Reason) -> None:
        if item == self._item:
            said = [f"Asked: “{words.snippet(question, 120)}”", *told(reason)]
            self.text.setText("\n".join(said))
            self.text.show()
