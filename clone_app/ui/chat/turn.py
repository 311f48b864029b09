"""One question and its answer in the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clone_app.entries import (
    NO_FILTERS,
    Answer,
    AnswerEvent,
    Checked,
    Dial,
    Drafted,
    Filters,
    Mode,
    Moment,
    NamedPerson,
    NamedTime,
    Part,
    Source,
    SourcesFound,
)
from clone_app.persona.declined import LEFT_OUT
from clone_app.ui import theme, words
from clone_app.ui.chat.answer import AnswerView
from clone_app.ui.chips import ChipRow, chips
from clone_app.ui.flow import Flow
from clone_app.ui.plain import wrapped

_HOW = {
    Mode.QUOTE: "quotations",
    Mode.GROUNDED: "the model's words",
    Mode.FREE: "the model's words",
    Mode.NONE: "nothing found",
    Mode.FRESH: "the model alone",
}
_ASK_BARE = "Hold this answer against what the model says knowing nothing of you"
_ASK_MEMORY = "Hold this answer against one from your memory"
_LEGEND = "Dotted: not found in your entries."
_HIDE = "Hide what is not found"
_SHOW = "Show what is not found"
_ALONE = "From the model alone: nothing of your memory reached it."
_ASKING = "Asking the model alone…"
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
    # This turn: what would be said without memory, or from memory where this was said without.
    bare_wanted = Signal(object)
    refined = Signal(object, object)  # this turn, the Filters to ask it with again
    missing_wanted = Signal(object)  # this turn: an entry it should have found

    def __init__(
        self,
        question: str,
        *,
        filters: Filters = NO_FILTERS,
        who_name: str = "",
        at: str | None = None,
        dial: Dial | None = None,
    ) -> None:
        super().__init__()
        self.question = question
        self.dial = dial
        self.filters = filters
        self.at = at
        self._who_name = who_name
        self.asof = wrapped("", "small")
        self.asof.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.asof.setVisible(at is not None)
        if at is not None:
            self.asof.setText(f"asked of {_moment(at)}")
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
        self.waiting = wrapped(_ASKING if dial is Dial.FRESH else _LOOKING, "muted")
        self.view = AnswerView()
        if dial is Dial.FRESH:
            self.view.leave_unmarked()
        self.view.hide()
        self.view.cited.connect(lambda key: self.cited.emit(self, key))
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self.note = wrapped("", "small")
        self.note.setContentsMargins(4, 0, 0, 0)
        self.note.hide()
        self.button = QPushButton()
        self.button.hide()
        self.button.clicked.connect(lambda: self.remedy_wanted.emit(self))
        self.legend = wrapped(_LEGEND, "small")
        self.legend.setContentsMargins(4, 0, 0, 0)
        self.legend.hide()
        self.understood = ChipRow("What the question was understood to say")
        self.understood.pressed.connect(lambda chip: self.refined.emit(self, chip.filters))
        self.parts = wrapped("", "small")
        self.parts.setContentsMargins(4, 0, 0, 0)
        self.parts.setToolTip("Which parts of the question stand in the entries beside the answer")
        self.parts.hide()
        self.made_by = wrapped("", "small")
        self.show_sources = QPushButton()
        self.show_sources.setToolTip("Show the sources of this answer")
        theme.role(self.show_sources, "quiet")
        self.show_sources.clicked.connect(lambda: self.sources_wanted.emit(self))
        self.made_by.setContentsMargins(4, 0, 0, 0)
        self.compare = QPushButton("Without memory")
        theme.role(self.compare, "quiet")
        self.compare.clicked.connect(lambda: self.bare_wanted.emit(self))
        self.compare.hide()
        self.bare = wrapped("", "muted")
        self.bare.setContentsMargins(4, 0, 0, 0)
        self.bare.hide()
        self._bare_awaited = False
        self.missing = QPushButton("Something missing?")
        self.missing.setToolTip("Choose an entry you expected, and read why it was not found")
        theme.role(self.missing, "quiet")
        self.missing.clicked.connect(lambda: self.missing_wanted.emit(self))
        self.hide_invented = QPushButton(_HIDE)
        self.hide_invented.setCheckable(True)
        self.hide_invented.setToolTip("Leave out, or show, the sentences your entries don't hold")
        theme.role(self.hide_invented, "quiet")
        self.hide_invented.toggled.connect(self._hide_invented)
        self.hide_invented.hide()
        self._foot = Flow()
        for part in (self.missing, self.compare, self.hide_invented, self.show_sources):
            self._foot.add(part)
        if dial is Dial.FRESH:  # nothing was looked up that could be missed
            self.missing.hide()
        self._foot.hide()
        self.made_by.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(ask_row)
        column.addWidget(self.asof)
        column.addWidget(self.understood)
        column.addWidget(self.waiting)
        column.addWidget(self.view)
        column.addWidget(self.legend)
        column.addWidget(self.parts)
        column.addWidget(self.made_by)
        column.addWidget(self.note)
        column.addWidget(self._foot)
        column.addWidget(self.bare)
        column.addWidget(self.fault)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._understand((), ())

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
            case SourcesFound(sources=sources, times=times, people=people):
                self.sources = sources
                self._understand(times, people)
                self.view.set_sources(sources)
                if self.dial is not Dial.FRESH:
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
        self.dial = answer.dial or self.dial
        alone = answer.mode is Mode.FRESH
        self.sources = answer.sources
        if answer.times or answer.people:
            self._understand(answer.times, answer.people)
        self.waiting.hide()
        self.view.finish(answer)
        self.view.show()
        self.legend.setText(_ALONE if alone else _LEGEND)
        self.legend.setVisible(alone or self.view.unsupported() > 0)
        self.hide_invented.setVisible(self.view.unsupported() > 0)
        self.compare.setText("From memory" if alone else "Without memory")
        self.compare.setToolTip(_ASK_MEMORY if alone else _ASK_BARE)
        self.compare.show()
        self.parts.setText(_strip(answer.parts))
        self.parts.setVisible(bool(self.parts.text()))
        how = [words.GENERATED, _how(answer), answer.model]
        if answer.seconds:
            how.append(f"{answer.seconds:.1f} s")
        self._sign(" · ".join(part for part in how if part))
        self.missing.setVisible(not alone)
        if answer.note and _failed(answer):
            self._say(answer.note, Remedy.RESTART)
        else:
            self.note.setText(answer.note)
            self.note.setVisible(bool(answer.note))

    def _hide_invented(self, hiding: bool) -> None:
        """Leave out what no entry holds and say how much that is, or show it again."""
        self.view.hide_unsupported(hiding)
        self.hide_invented.setText(_SHOW if hiding else _HIDE)
        hidden = words.count(self.view.unsupported(), "sentence")
        self.legend.setText(f"Hidden, not found in your entries: {hidden}." if hiding else _LEGEND)

    def _understand(self, times: Sequence[NamedTime], people: Sequence[NamedPerson]) -> None:
        """Show what the question was narrowed to and understood to name."""
        made = chips(self.filters, times=times, people=people, who_name=self._who_name)
        self.understood.show_chips(made)

    def await_bare(self, text: str) -> None:
        """Say that what the model says without memory is on its way; meanwhile nobody asks again."""
        self.compare.setEnabled(False)
        self._bare_awaited = True
        self._show_bare(text)

    def show_bare(self, text: str) -> None:
        """Show what the model says without memory: once is enough."""
        self._bare_awaited = False
        self._show_bare(text)

    def fail_bare(self, text: str) -> None:
        """Say why there is nothing to compare with; it can be asked again."""
        self._bare_awaited = False
        self.compare.setEnabled(True)
        self._show_bare(text)

    def end_bare(self) -> None:
        """Take back that something is on its way where nothing came."""
        if self._bare_awaited:
            self._bare_awaited = False
            self.compare.setEnabled(True)
            self.bare.hide()

    def _show_bare(self, text: str) -> None:
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
        self.made_by.show()
        self._foot.show()


def _moment(at: str) -> str:
    """Return a moment as the user gave it, as a person writes it."""
    if len(at) <= len("2024-01-15"):
        return words.iso_day(at)
    return words.when(Moment.of(datetime.fromisoformat(at)))


def _failed(answer: Answer) -> bool:
    """Tell whether the model failed: asked again it may answer, while any other note stays true."""
    return answer.mode is Mode.QUOTE and bool(answer.model) and not answer.reason


def _how(answer: Answer) -> str:
    """Return the stop of the memory dial and what came of it, with the reason where there is one."""
    stop = "" if answer.dial is None else words.DIAL[answer.dial].lower()
    plain = answer.dial is Dial.QUOTES and answer.mode is Mode.QUOTE
    how = "" if plain or answer.reason == LEFT_OUT else _HOW[answer.mode]
    return ": ".join(filter(None, (", ".join(filter(None, (stop, how))), answer.reason)))


def _strip(parts: tuple[Part, ...]) -> str:
    """Return what of the question was found and what is missing; nothing where all is there."""
    found = [part.text for part in parts if part.found]
    missing = [part.text for part in parts if not part.found]
    if not missing:
        return ""
    told = [f"✓ found: {', '.join(found)}"] if found else []
    return "   ".join([*told, f"✗ missing: {', '.join(missing)}"])
