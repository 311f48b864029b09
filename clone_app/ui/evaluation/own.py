"""“Test me”: the questions about the user's own archive, made, written, changed and deleted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from clone_app.errors import CloneAppError
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.progress import Progress
from clone_app.ui import theme, words
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import Column, PlainLabel, wrapped
from clone_app.ui.workspace import Workspace

AT_FIRST = 24
SHOWN = 60
SEED = 7


class OwnView(QWidget):
    """List the questions; `counted` tells how many there are."""

    left = Signal()
    counted = Signal(int)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.questions: tuple[OwnQuestion, ...] = ()
        self.cards: list[QuestionCard] = []
        self._shown = SHOWN
        self.editor = Editor()
        self.editor.saved.connect(self._save)
        back = QPushButton("All runs")
        back.setToolTip("Back to the plan and the list of runs")
        theme.role(back, "quiet")
        back.clicked.connect(self.left)
        self.number = QSpinBox()
        self.number.setRange(1, 500)
        self.number.setValue(AT_FIRST)
        self.number.setSuffix(" questions")
        self.number.setAccessibleName("How many questions to make")
        self.number.lineEdit().setTextMargins(8, 0, 0, 0)
        self.make = QPushButton("Make from my entries")
        self.make.setToolTip("Hold out entries that have no question yet, and ask about them")
        theme.role(self.make, "primary")
        self.make.clicked.connect(self._make)
        self.write = QPushButton("Write one…")
        self.write.setToolTip("Add a question of your own")
        self.write.clicked.connect(lambda: self.editor.begin(None))
        self.told = wrapped("", "muted")
        head = QHBoxLayout()
        head.addWidget(back)
        head.addWidget(wrapped("Test me", "heading"), 1)
        row = QHBoxLayout()
        row.addWidget(self.number)
        row.addWidget(self.make)
        row.addWidget(self.write)
        row.addStretch(1)
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, 8, 12)
        self._list.setSpacing(8)
        self.more = QPushButton("Show more")
        self.more.setToolTip("Show the next questions too")
        self.more.clicked.connect(self._show_more)
        self._list.addWidget(self.more)
        self._list.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(Column(inner, letters=150))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(
            wrapped(
                "Questions about your own entries, made by counting words, without a model. Change "
                "or delete what does not ask well; then choose “Your own archive” as a benchmark.",
                "muted",
            )
        )
        column.addLayout(row)
        column.addWidget(self.told)
        column.addWidget(self.editor)
        column.addWidget(scroll, 1)

    def arrive(self) -> None:
        """Take the keyboard."""
        self.make.setFocus()
        self.refresh()

    def refresh(self) -> None:
        """Read the questions anew."""
        self.workspace.jobs.run(
            lambda _: self.workspace.app.own_questions(),
            lane=Lane.READING,
            owner=self,
            done=self._fill,
        )

    def _fill(self, questions: tuple[OwnQuestion, ...]) -> None:
        self.counted.emit(len(questions))
        if questions != self.questions or not questions:
            self.questions = questions
            self._draw()

    def _draw(self) -> None:
        for card in self.cards:
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for place, question in enumerate(self.questions[: self._shown]):
            card = QuestionCard(question)
            card.edit.clicked.connect(lambda _=False, one=question: self.editor.begin(one))
            card.gone.clicked.connect(lambda _=False, one=question: self._delete(one))
            card.entry.clicked.connect(lambda _=False, one=question: self._open(one))
            self._list.insertWidget(place, card)
            self.cards.append(card)
        self.more.setVisible(len(self.questions) > self._shown)
        self.told.setText(
            words.count(len(self.questions), "question") + "."
            if self.questions
            else "No questions yet. Make some from your entries, or write one."
        )

    def _show_more(self) -> None:
        self._shown += SHOWN
        self._draw()

    def _make(self) -> None:
        number, seed = self.number.value(), SEED + len(self.questions)
        self.make.setEnabled(False)
        self._do(
            lambda progress: self.workspace.app.generate_own(number, seed, progress),
            title="Making questions",
            ended=lambda: self.make.setEnabled(True),
        )

    def _save(self, one: OwnQuestion | None, text: str, answer: str, wrong: list[str]) -> None:
        app = self.workspace.app
        self._do(
            lambda _: (
                app.add_own(text, answer, wrong)
                if one is None
                else app.edit_own(one.id, text=text, answer=answer, wrong=wrong)
            ),
            done=self.editor.hide,
        )

    def _delete(self, one: OwnQuestion) -> None:
        self._do(lambda _: self.workspace.app.delete_own([one.id]))

    def _open(self, one: OwnQuestion) -> None:
        self.workspace.jobs.run(
            lambda _: self.workspace.app.own_entry(one.entry).id,
            lane=Lane.READING,
            owner=self,
            done=lambda number: self.workspace.entry_wanted.emit(number, one.evidence),
            failed=self._failed,
        )

    def _do(
        self,
        work: Callable[[Progress], object],
        *,
        title: str = "",
        done: Callable[[], None] = lambda: None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Change something, then list anew; what can't be is said above the list."""

        def after(_: object) -> None:
            done()
            self.refresh()

        self.workspace.jobs.run(
            work,
            lane=Lane.WRITING,
            title=title,
            owner=self,
            done=after,
            failed=self._failed,
            ended=ended,
        )

    def _failed(self, fault: CloneAppError) -> None:
        self.told.setText(str(fault))


class QuestionCard(QFrame):
    """Show one question with its answer, its other options and its entry."""

    def __init__(self, question: OwnQuestion) -> None:
        super().__init__()
        theme.role(self, "card")
        self.question = question
        asked = question.asked()
        short = words.snippet(question.text, 40)
        self.setAccessibleName(question.text)
        text = wrapped(question.text)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.answer = wrapped(f"Answer: {asked.answer}", "muted")
        others = [said for _, said in asked.choices if said != asked.answer]
        self.others = wrapped(
            f"Not: {'; '.join(others)}" if others else "A judge compares.", "small"
        )
        self.entry = _quiet("Entry", "Show the entry it is about", f"Entry of: {short}")
        self.entry.setVisible(bool(question.entry))
        self.edit = _quiet("Edit", "Change its words", f"Edit: {short}")
        self.gone = _quiet("Delete", "Delete this question", f"Delete: {short}")
        top = QHBoxLayout()
        top.addWidget(text, 1)
        for name in (question.kind, "your words" if question.written else ""):
            if name:
                top.addWidget(PlainLabel(name, "badge"), 0, Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.addWidget(self.others, 1)
        for button in (self.entry, self.edit, self.gone):
            foot.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 8, 6)
        column.setSpacing(3)
        column.addLayout(top)
        column.addWidget(self.answer)
        column.addLayout(foot)


class Editor(QFrame):
    """Take a question's words; hidden while nothing is written."""

    saved = Signal(object, str, str, list)  # the question (None for a new one), text, answer, wrong

    def __init__(self) -> None:
        super().__init__()
        theme.role(self, "card")
        self.question: OwnQuestion | None = None
        self.text = QLineEdit()
        self.text.setPlaceholderText("Where did I learn to swim?")
        self.answer = QLineEdit()
        self.wrong = QPlainTextEdit()
        self.wrong.setPlaceholderText("One in a line; leave it empty for a free answer")
        self.wrong.setTabChangesFocus(True)
        theme.role(self.wrong, "composer")
        self.wrong.setFixedHeight(self.fontMetrics().lineSpacing() * 6)
        self.keep = QPushButton("Save")
        self.keep.setToolTip("Keep this question")
        theme.role(self.keep, "primary")
        self.keep.clicked.connect(self._save)
        leave = QPushButton("Cancel")
        leave.setToolTip("Leave it as it was")
        theme.role(leave, "quiet")
        leave.clicked.connect(self.hide)
        form = QFormLayout(self)
        form.setContentsMargins(14, 12, 14, 12)
        for label, field in (
            ("&Question", self.text),
            ("Right &answer", self.answer),
            ("&Wrong ones", self.wrong),
        ):
            field.setAccessibleName(label.replace("&", ""))
            form.addRow(label, field)
        buttons = QHBoxLayout()
        buttons.addWidget(self.keep)
        buttons.addWidget(leave)
        buttons.addStretch(1)
        form.addRow("", buttons)
        self.hide()

    def begin(self, question: OwnQuestion | None) -> None:
        """Open with a question's words, or empty for a new one."""
        self.question = question
        self.text.setText(question.text if question is not None else "")
        self.answer.setText(question.answer if question is not None else "")
        self.wrong.setPlainText("\n".join(question.wrong) if question is not None else "")
        # What can't be known has no other answer: only its options can be changed.
        self.answer.setEnabled(question is None or not question.unanswerable)
        self.show()
        self.text.setFocus()

    def _save(self) -> None:
        wrong = [line.strip() for line in self.wrong.toPlainText().splitlines() if line.strip()]
        self.saved.emit(self.question, self.text.text(), self.answer.text(), wrong)


def _quiet(text: str, tip: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(name)
    theme.role(button, "quiet")
    return button
