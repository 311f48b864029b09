"""One question: when it was asked, what it rests on, what was found, what was answered, what failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.app.evaluating import TraceMark
from clone_app.evaluation.report import Report
from clone_app.evaluation.runs import Answered
from clone_app.evaluation.stages import Stage
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.ui import theme, words
from clone_app.ui.charts import Mark, TimeLine
from clone_app.ui.plain import wrapped

_WHY = {
    Stage.RIGHT: "The answer is right.",
    Stage.NOT_VISIBLE: "Some evidence was written after the question: it can't be seen yet.",
    Stage.NOT_FOUND: "Some evidence was not found among the first {depth} traces.",
    Stage.NOT_READ: "All evidence was found, but not among the traces that were read.",
    Stage.IGNORED: "The evidence was read, and the answer is wrong all the same.",
    Stage.NOT_ABSTAINED: "Nothing in the life answers this; the right answer is that it can't be known.",
    Stage.UNKNOWN: "The evidence that is there was found; whether the answer is right, nobody said.",
}
_SAID = {"free": "Free answer", "choice": "Option it named", "verdict": "The judge"}


class QuestionView(QWidget):
    """Show one question of a run under one arm at a time."""

    left = Signal()
    moved = Signal(int)  # to the next (+1) or the last (-1) question
    trace_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._report: Report | None = None
        self._key = ("", "")
        self._marks: tuple[TraceMark, ...] = ()
        back = _button("Results", "Back to the figures", self.left.emit)
        self.before = _button(
            "Previous", "The question before this one", lambda: self.moved.emit(-1)
        )
        self.after = _button("Next", "The question after this one", lambda: self.moved.emit(1))
        self.arm = QComboBox()
        self.arm.setAccessibleName("Way to remember")
        self.arm.currentIndexChanged.connect(lambda _: self._show_arm())
        head = QHBoxLayout()
        head.addWidget(back)
        head.addStretch()
        head.addWidget(self.arm)
        head.addWidget(self.before)
        head.addWidget(self.after)
        self.asked = wrapped("", "heading")
        self.about = wrapped("", "muted")
        self.why = wrapped("")
        self.line = TimeLine()
        self.line.pressed.connect(self.trace_wanted)
        self.legend = wrapped(
            "Top: evidence, a star where it was found, a cross where not. Bottom: what was found, a dot "
            "where it is evidence, a triangle where not. Drag to move, turn the wheel to come nearer; "
            "click a mark to read the trace.",
            "small",
        )
        self._cards = QVBoxLayout()
        self._cards.setSpacing(8)
        self.trace = QPlainTextEdit()
        self.trace.setReadOnly(True)
        self.trace.setAccessibleName("A trace")
        self.trace.setTabChangesFocus(True)
        theme.role(self.trace, "others")
        self.trace.hide()
        inner = QWidget()
        theme.role(inner, "ground")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 12)
        column.setSpacing(8)
        for widget in (self.asked, self.about, self.why, self.line, self.legend, self.trace):
            column.addWidget(widget)
        column.addLayout(self._cards)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        self._scroll = scroll
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(head)
        layout.addWidget(scroll, 1)

    @property
    def key(self) -> tuple[str, str]:
        """Return (life, question)."""
        return self._key

    def show_question(
        self, report: Report, key: tuple[str, str], marks: Sequence[TraceMark]
    ) -> None:
        """Show a question; `marks` are the traces of its life, oldest first."""
        self._report, self._key, self._marks = report, key, tuple(marks)
        question = report.questions[key]
        life = next(each for each in report.lives if each.key == key[0])
        self.asked.setText(question.text)
        kind = question.kind.replace("_", " ")
        self.about.setText(
            f"Asked of {life.name} on {words.day(question.asked_at)} · {kind}"
            + (f" · {question.dimension}" if question.dimension else "")
        )
        names = [
            arm.name
            for arm in (*report.arms, *([report.beside] if report.beside is not None else []))
            if any((each.life, each.question) == key for each in arm.answers)
        ]
        chosen = self.arm.currentText()
        self.arm.blockSignals(True)
        self.arm.clear()
        self.arm.addItems(names)
        self.arm.setCurrentIndex(max(0, self.arm.findText(chosen)))
        self.arm.blockSignals(False)
        order = list(report.questions)
        place = order.index(key)
        self.before.setEnabled(place > 0)
        self.after.setEnabled(place + 1 < len(order))
        self.trace.hide()
        self._show_arm()
        self._scroll.verticalScrollBar().setValue(0)

    def show_trace(self, mark: TraceMark | None, text: str) -> None:
        """Show a trace's text below the line of time."""
        head = f"{words.iso_day((mark.moment or '')[:10])} · {mark.medium}" if mark else ""
        self.trace.setPlainText(f"{head}\n\n{text}" if head else text)
        self.trace.setMinimumHeight(self.fontMetrics().lineSpacing() * 9)
        self.trace.show()

    def mark_of(self, key: str) -> TraceMark | None:
        """Return a trace of the life that is shown."""
        return next((mark for mark in self._marks if mark.key == key), None)

    def _answer(self) -> Answered | None:
        if self._report is None or not self.arm.currentText():
            return None
        arm = self._report.arm(self.arm.currentText())
        return next((each for each in arm.answers if (each.life, each.question) == self._key), None)

    def _show_arm(self) -> None:
        answer = self._answer()
        if self._report is None or answer is None:
            return
        question = self._report.questions[self._key]
        depth = len(answer.found)
        self.why.setText(
            _WHY[answer.stage].format(depth=depth)
            + (f" {answer.failure}" if answer.failure else "")
        )
        ranks = {key: rank for rank, key in enumerate(answer.found, 1)}
        self.line.show_marks(
            [
                Mark(mark.key, at, mark.key in question.gold, ranks.get(mark.key, 0))
                for mark in self._marks
                if (at := _moment(mark)) is not None
            ],
            question.asked_at,
        )
        while (item := self._cards.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for card in self._made(question, answer, ranks):
            self._cards.addWidget(card)

    def _made(
        self, question: SuiteQuestion, answer: Answered, ranks: Mapping[str, int]
    ) -> list[QFrame]:
        cards = []
        if question.choices:
            named = {
                name.removeprefix("choice_"): worth
                for name, worth in answer.scores.items()
                if name.startswith("choice_")
            }
            lines = [
                f"{'✓' if each in question.right_ids else ' '}  {each}  {text}"
                for each, text in question.choices
            ]
            verdicts = ", ".join(
                f"{name} {'right' if worth else 'wrong'}" for name, worth in named.items()
            )
            cards.append(_card("Options", [*lines, *([f"Chosen: {verdicts}"] if verdicts else [])]))
        said = [f"{_SAID.get(name, name)}: {text}" for name, text in answer.said.items() if text]
        cards.append(_card("Answer", [*said, f"Reference: {question.answer}"]))
        if question.evidence:
            lines = []
            for text, keys in zip(question.evidence, question.statements, strict=False):
                found = [f"found at {ranks[key]}" for key in sorted(keys) if key in ranks]
                missing = sum(key not in ranks for key in keys)
                state = ", ".join(found + ([f"{missing} not found"] if missing else []))
                lines.append(f"• {text}  ({state})")
            cards.append(_card("Evidence", lines))
        if answer.found:
            known = {mark.key: mark for mark in self._marks}
            lines = []
            for key, rank in ranks.items():
                mark = known.get(key)
                tag = "evidence" if key in question.gold else ""
                read = "cut" if key in answer.cut else "read" if key in answer.read else ""
                when = words.iso_day((mark.moment or "")[:10]) if mark else key
                parts = [when, mark.medium if mark else "", mark.title if mark else "", tag, read]
                lines.append(f"{rank}.  " + " · ".join(part for part in parts if part))
            cards.append(_card("Found", lines))
        return cards


def _card(title: str, lines: Sequence[str]) -> QFrame:
    card = QFrame()
    theme.role(card, "card")
    column = QVBoxLayout(card)
    column.setContentsMargins(16, 10, 16, 12)
    column.addWidget(wrapped(title, "heading"))
    body = wrapped("\n".join(line for line in lines if line))
    body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(body)
    return card


def _button(title: str, tip: str, pressed: object) -> QPushButton:
    button = QPushButton(title)
    button.setToolTip(tip)
    theme.role(button, "quiet")
    button.clicked.connect(lambda _: pressed())  # type: ignore[operator]
    return button


def _moment(mark: TraceMark) -> datetime | None:
    if not mark.moment:
        return None
    try:
        return datetime.fromisoformat(mark.moment).replace(tzinfo=None)
    except ValueError:  # a month or a year alone
        return None
