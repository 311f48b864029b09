"""One question and its answer in the transcript."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from enum import StrEnum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clone_app.entries import (
    Answer,
    AnswerEvent,
    Checked,
    Drafted,
    Mode,
    NamedTime,
    Part,
    Source,
    SourcesFound,
)
from clone_app.ui import theme, words
from clone_app.ui.chat.answer import AnswerView
from clone_app.ui.plain import wrapped

_HOW = {
    Mode.QUOTE: "quotations",
    Mode.GROUNDED: "",
    Mode.FREE: "in its own words",
    Mode.NONE: "nothing found",
}
_LEGEND = "Dotted: not found in your entries."
_LOOKING = "Looking through your entries…"
_READING = "Reading what was found…"


class Remedy(StrEnum):
    """What the button under a question that failed does."""

    AGAIN = "Ask again"
    RESTART = "Restart and ask again"


class TurnView(QWidget):
    """Show a question at once, then its answer as it comes."""

    sources_wanted = Signal(object)  # this turn
    cited = Signal(object, str)  # this turn, key
    remedy_wanted = Signal(object)  # this turn
    bare_wanted = Signal(object)  # this turn: what would be said without memory

    def __init__(self, question: str, asof: date | None = None) -> None:
        super().__init__()
        self.question = question
        self.asof = wrapped("", "small")
        self.asof.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.asof.setVisible(asof is not None)
        if asof is not None:
            self.asof.setText(f"asked of {words.day(datetime.combine(asof, time.min))}")
        self.sources: tuple[Source, ...] = ()
        self.answer: Answer | None = None
        self.remedy = Remedy.AGAIN
        asked = wrapped(question, "question")
        asked.setAccessibleName(f"You asked: {question}")
        asked.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        asked.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.asked = asked
        ask_row = QHBoxLayout()
        ask_row.addStretch(1)
        ask_row.addWidget(asked)
        self.waiting = wrapped(_LOOKING, "muted")
        self.view = AnswerView()
        self.view.hide()
        self.view.cited.connect(lambda key: self.cited.emit(self, key))
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self.button = QPushButton()
        self.button.hide()
        self.button.clicked.connect(lambda: self.remedy_wanted.emit(self))
        self.legend = wrapped(_LEGEND, "small")
        self.legend.setContentsMargins(4, 0, 0, 0)
        self.legend.hide()
        self.times = wrapped("", "small")
        self.times.setContentsMargins(4, 0, 0, 0)
        self.times.setToolTip("The time your question speaks of; what was written then comes first")
        self.times.hide()
        self.parts = wrapped("", "small")
        self.parts.setContentsMargins(4, 0, 0, 0)
        self.parts.setToolTip("Which parts of the question stand in the entries beside the answer")
        self.parts.hide()
        self.made_by = wrapped("", "small")
        self.show_sources = QPushButton()
        self.show_sources.setToolTip("Show the sources of this answer")
        theme.role(self.show_sources, "quiet")
        self.show_sources.clicked.connect(lambda: self.sources_wanted.emit(self))
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(4, 0, 0, 0)
        foot.addWidget(self.made_by, 1)
        self.compare = QPushButton("Without memory")
        self.compare.setToolTip(
            "Hold this answer against what the model says knowing nothing of you"
        )
        theme.role(self.compare, "quiet")
        self.compare.clicked.connect(lambda: self.bare_wanted.emit(self))
        self.compare.hide()
        self.bare = wrapped("", "muted")
        self.bare.setContentsMargins(4, 0, 0, 0)
        self.bare.hide()
        foot.addWidget(self.compare)
        foot.addWidget(self.show_sources)
        self._foot.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(ask_row)
        column.addWidget(self.asof)
        column.addWidget(self.times)
        column.addWidget(self.waiting)
        column.addWidget(self.view)
        column.addWidget(self.legend)
        column.addWidget(self.parts)
        column.addWidget(self._foot)
        column.addWidget(self.bare)
        column.addWidget(self.fault)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the question be as wide as it needs, at most four fifths of the transcript."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "asked"):
            self._fit()

    def _fit(self) -> None:
        metrics = self.asked.fontMetrics()
        longest = max(
            (metrics.horizontalAdvance(line) for line in self.question.splitlines()), default=0
        )
        air = round(2.4 * metrics.height())
        self.asked.setFixedWidth(min(longest + air, self.width() * 4 // 5))

    def take(self, event: AnswerEvent) -> None:
        """Show the next thing that is known of the answer."""
        match event:
            case SourcesFound(sources=sources, times=times):
                self.sources = sources
                self.times.setText(_understood(times))
                self.times.setVisible(bool(times))
                self.view.set_sources(sources)
                self.waiting.setText(_READING)
            case Drafted(piece=piece):
                self.view.draft(piece)
                self._reveal()
            case Checked(sentence=sentence):
                self.view.check(sentence)
                self._reveal()
                self.legend.setVisible(self.view.unsupported() > 0)
            case Answer():
                self.finish(event)

    def finish(self, answer: Answer) -> None:
        """Show the finished answer."""
        self.answer = answer
        self.sources = answer.sources
        self.waiting.hide()
        self.view.finish(answer)
        self.view.show()
        self.legend.setVisible(self.view.unsupported() > 0)
        self.compare.setVisible(bool(answer.model))
        self.parts.setText(_strip(answer.parts))
        self.parts.setVisible(bool(self.parts.text()))
        how = [words.GENERATED, ": ".join(filter(None, (_HOW[answer.mode], answer.reason)))]
        how.append(answer.model)
        if answer.seconds:
            how.append(f"{answer.seconds:.1f} s")
        self._sign(" · ".join(part for part in how if part))
        if answer.note:
            self._say(answer.note, Remedy.RESTART if answer.model else Remedy.AGAIN)

    def show_bare(self, text: str) -> None:
        """Show what the model says without memory, or how far that is."""
        self.compare.setEnabled(False)
        self.bare.setText(text)
        self.bare.show()

    def show_draft(self, draft: str) -> None:
        """Show what had been written before the program was stopped."""
        if draft.strip():
            self.view.draft(draft)
            self._reveal()

    def say_working(self, label: str) -> None:
        """Say what is being done while there is no word to show."""
        if label and self.view.is_blank():
            self.waiting.setText(label)

    def stop(self) -> None:
        """Keep what is there and say that it was stopped."""
        if self.answer is not None:
            return
        self.waiting.hide()
        if self.view.is_blank():
            self.fail("Stopped before the first word.", Remedy.AGAIN)
        else:
            self._sign(f"{words.GENERATED} · stopped, not finished")

    def fail(self, sentence: str, remedy: Remedy) -> None:
        """Keep the question and say why there is no answer, with a button that helps."""
        self.waiting.hide()
        self._say(sentence, remedy)
        if not self.view.is_blank():
            self._sign(f"{words.GENERATED} · not finished")

    def _say(self, sentence: str, remedy: Remedy) -> None:
        self.remedy = remedy
        self.fault.setText(sentence)
        self.fault.show()
        self.button.setText(remedy.value)
        self.button.setToolTip(remedy.value)
        self.button.show()

    def _reveal(self) -> None:
        if not self.view.is_blank():
            self.waiting.hide()
            self.view.show()

    def _sign(self, text: str) -> None:
        self.made_by.setText(text)
        number = len(self.sources)
        self.show_sources.setText(words.count(number, "source"))
        self.show_sources.setVisible(number > 0)
        self._foot.show()


def _strip(parts: tuple[Part, ...]) -> str:
    """Return what of the question was found and what is missing; nothing where all is there."""
    found = [part.text for part in parts if part.found]
    missing = [part.text for part in parts if not part.found]
    if not missing:
        return ""
    told = [f"✓ found: {', '.join(found)}"] if found else []
    return "   ".join([*told, f"✗ missing: {', '.join(missing)}"])


def _understood(times: tuple[NamedTime, ...]) -> str:
    """Return `“last spring”: 1 March 2024 to 31 May 2024`."""
    said = []
    for time_ in times:
        last = date.fromisoformat(time_.end) - timedelta(days=1)
        first, last_day = words.iso_day(time_.start), words.iso_day(last.isoformat())
        span = first if first == last_day else f"{first} to {last_day}"
        about = "about " if time_.vague else ""
        said.append(f"“{time_.phrase}”: {about}{span}")
    return "Understood: " + "; ".join(said) if said else ""
