"""The new memory is empty: fill it with the sample life or with one's own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from clone_app.ui import theme
from clone_app.ui.plain import wrapped
from clone_app.ui.start.flow import Beginning
from clone_app.ui.start.sheet import Sheet


class BeginningPage(Sheet):
    """Offer the two ways to begin."""

    chosen = Signal(object)  # Beginning

    def __init__(self) -> None:
        super().__init__(
            "Your memory is ready, and empty",
            "It answers from what you give it. Each answer shows the entries it rests on.",
        )
        self.sample = QPushButton("Try the sample life")
        self.own = QPushButton("Import my own")
        self._offer(
            self.sample,
            Beginning.SAMPLE,
            "Fifteen months of an invented person's diary, mail, posts, chats and calendar: ask it "
            "something in a minute. You can remove it again on the Import page.",
        )
        self.body.addSpacing(14)
        self._offer(
            self.own,
            Beginning.IMPORT,
            "Diaries, notes, mailboxes, chats, posts, calendars and the exports of many programs. You "
            "see what is in them before anything is imported.",
        )
        theme.role(self.sample, "primary")
        self.sample.setFocus()

    def _offer(self, button: QPushButton, beginning: Beginning, sentence: str) -> None:
        button.setMinimumHeight(44)
        button.setToolTip(button.text())
        button.setAccessibleDescription(sentence)
        button.clicked.connect(lambda: self.chosen.emit(beginning))
        self.body.addWidget(button)
        self.body.addWidget(wrapped(sentence, "small"))
