"""Topics that are left out of the clone: the list, and the question before another joins it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme, words
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.persona.names import NameList
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_TYPING_MS = 300
_WHAT = (
    "Neither the document nor an answer uses what you wrote about these topics: every sentence with all "
    "words of one is passed over. The entries stay in your memory, where Memories finds and removes them."
)


class LeftOutPane(QWidget):
    """List the topics with the number of entries that speak of each."""

    forget_wanted = Signal(str)
    allowed = Signal(str)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self._counting: Job | None = None
        self.topics = NameList(
            field="A topic, in a word or two",
            add="Leave out…",
            tip="See how many lines and entries speak of it, then leave it out",
            off="Use it again",
            off_tip="Answers use it at once; the next reading of your entries may propose lines on it",
        )
        self.topics.added.connect(self.forget_wanted)
        self.topics.taken_off.connect(self.allowed)
        self.none = wrapped("No topic is left out.", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(wrapped(_WHAT, "muted"))
        column.addWidget(self.none)
        column.addWidget(self.topics)

    def refresh(self) -> None:
        """Read the topics anew, then count."""
        app = self.workspace.app
        self.workspace.jobs.run(
            lambda _: app.forgotten_topics(), lane=Lane.READING, owner=self, done=self.fill
        )

    def fill(self, topics: tuple[str, ...]) -> None:
        """Show the topics; their numbers come when they are counted."""
        self.topics.fill(topics)
        self.none.setVisible(not topics)
        if self._counting is not None:
            self._counting.cancel()
        if not topics:
            return
        app = self.workspace.app
        self._counting = self.workspace.jobs.run(
            lambda progress: {topic: app.count_topic(topic, progress)[1] for topic in topics},
            lane=Lane.READING,
            owner=self,
            done=self._tell,
            background=True,
        )

    def _tell(self, entries: dict[str, int]) -> None:
        self.topics.tell(
            {topic: _speak(number, "entry", "entries") for topic, number in entries.items()}
        )


class ForgetDialog(QDialog):
    """Ask for a topic and show how much speaks of it, before it is left out."""

    chosen = Signal(str)

    def __init__(
        self, workspace: Workspace, topic: str, *, line: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._job: Job | None = None
        self.setWindowTitle("Leave a topic out")
        self.field = QLineEdit(topic)
        self.field.setAccessibleName("The topic")
        self.field.setPlaceholderText("A topic, in a word or two")
        self.field.setToolTip(
            "A word or two; lines and sentences that hold all of them are left out"
        )
        self.field.textChanged.connect(self._changed)
        self.count = wrapped("")
        buttons = QDialogButtonBox()
        self.forget = buttons.addButton("Leave it out", QDialogButtonBox.ButtonRole.AcceptRole)
        self.forget.setToolTip(
            "Take these lines out of the document, and pass over what else speaks of it"
        )
        theme.role(self.forget, "primary")
        cancel = buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        cancel.setToolTip("Change nothing (Esc)")
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(wrapped("What should be left out of your clone?", "heading"))
        if line:
            column.addWidget(wrapped(f"From the line: {line}", "muted"))
        column.addWidget(self.field)
        column.addWidget(self.count)
        column.addWidget(buttons)
        self.setMinimumWidth(64 * self.fontMetrics().averageCharWidth())
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._look)
        self._changed()
        self._look()
        self.field.selectAll()

    def topic(self) -> str:
        """Return the topic as written."""
        return self.field.text().strip()

    def _changed(self) -> None:
        self.forget.setEnabled(bool(self.topic()))
        self.count.setText("Counting…" if self.topic() else "Write what it is about.")
        self._typing.start()

    def _look(self) -> None:
        self._typing.stop()
        topic, app = self.topic(), self.workspace.app
        if self._job is not None:
            self._job.cancel()
        if topic:
            self._job = self.workspace.jobs.run(
                lambda progress: app.count_topic(topic, progress),
                lane=Lane.READING,
                owner=self,
                done=lambda found: self._tell(topic, *found),
                background=True,  # the first time all entries are read: nobody else waits for that
            )

    def _tell(self, topic: str, lines: int, entries: int) -> None:
        if topic != self.topic():
            return
        gone = _speak(lines, "line of the document", "lines of the document")
        go = f"{gone} and {'goes' if lines == 1 else 'go'}" if lines else f"{gone}, now or later"
        stay = _speak(entries, "entry", "entries")
        left = (
            f"{stay} and {'stays' if entries == 1 else 'stay'} in your memory" if entries else stay
        )
        self.count.setText(f"{go}. {left}.")
        self._fit()

    def _fit(self) -> None:
        """Be as high as the words need: a dialog does not grow with them."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _choose(self) -> None:
        if self.topic():
            self.chosen.emit(self.topic())
            self.accept()


class Undoing(QWidget):
    """Say what was left out, with a button that brings it back."""

    undone = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Left out")
        card = QFrame()
        theme.role(card, "card")
        self.text = wrapped("")
        self.undo = QPushButton("Undo")
        self.undo.setToolTip("Bring the topic and its lines back as they were")
        self.undo.clicked.connect(self._undo)
        close = QPushButton("Close")
        close.setToolTip("Close this; the topic stays left out")
        theme.role(close, "quiet")
        close.clicked.connect(self.hide)
        across = QHBoxLayout(card)
        across.setContentsMargins(16, 8, 10, 8)
        across.addWidget(self.text, 1)
        across.addWidget(self.undo)
        across.addWidget(close)
        around = QVBoxLayout(self)
        around.setContentsMargins(24, 4, 24, 12)
        around.addWidget(card)
        self.hide()

    def offer(self, topic: str, lines: int) -> None:
        """Say that a topic was left out and how many lines went with it."""
        went = f"; {words.count(lines, 'line')} went with it" if lines else ""
        self.text.setText(f"“{topic}” is left out{went}.")
        self.show()
        self.undo.setFocus()

    def _undo(self) -> None:
        self.hide()
        self.undone.emit()


def _speak(number: int, one: str, many: str) -> str:
    """Return `1 entry speaks of it`, `No line speaks of it`."""
    if not number:
        return f"No {one} speaks of it"
    return f"{words.count(number, one, many)} {'speaks' if number == 1 else 'speak'} of it"
