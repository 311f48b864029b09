"""The memory dial: how much of memory an answer uses, and what was measured at each of its stops."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
)

from clone_app.entries import Dial
from clone_app.persona.ability import Ability, Effect
from clone_app.settings import AnswerStyle
from clone_app.ui import theme, words
from clone_app.ui.jobs import Lane
from clone_app.ui.plain import PlainLabel, wrapped
from clone_app.ui.workspace import Workspace

_DOES = {
    Dial.FRESH: "The model alone. Nothing of your memory reaches it, and nothing is cited: what it says is "
    "its own knowledge, of any day.",
    Dial.FREE: "The model's words over your entries, all of them shown; what your entries don't hold is "
    "marked.",
    Dial.CHECKED: "The model's words where your entries carry them, else your own words.",
    Dial.QUOTES: "Only your own words, with their days. No model is asked.",
}
_FAILED = " This model failed its reading test, so answers here are quotations too."
_COLUMNS = ("Right", "Carried", "Seconds")
_NOT_YET = "–"
_SHORT = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold what is known of the model that answers: its name, its test, whether it can be tried."""

    model: str = ""
    able: Ability | None = None
    triable: bool = False


class MemoryDial(QScrollArea):
    """Be four stops with what each does and did; `button` opens it and says which is chosen.

    It begins where Preferences say and holds for this window. The page asks `chosen` for each question.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.measured = Measured()
        self._set = workspace.app.settings.answer_style
        self.button = QPushButton()
        self.button.setCheckable(True)
        # Of its own: a button forgets its shortcut when its words change.
        QShortcut(QKeySequence("Ctrl+D"), self.button).activated.connect(self.button.toggle)
        self.button.setToolTip("How much of your memory an answer uses (Ctrl+D)")
        theme.role(self.button, "quiet")
        self.button.toggled.connect(self._open)
        self.stops: dict[Dial, QRadioButton] = {}
        self.cells: dict[tuple[Dial, int], PlainLabel] = {}
        self._group = QButtonGroup(self)
        self.does = wrapped("", "small")
        self.told = wrapped("", "small")
        self.measure = QPushButton("Measure now")
        self.measure.setToolTip(
            "Try the language model at every stop with a few questions over invented notes"
        )
        theme.role(self.measure, "quiet")
        self.measure.clicked.connect(self.start_measuring)
        card = QFrame()
        theme.role(card, "card")
        self._column = column = QVBoxLayout(card)
        column.setContentsMargins(14, 10, 14, 8)
        column.setSpacing(6)
        column.addLayout(self._grid())
        column.addWidget(self.does)
        foot = QHBoxLayout()
        foot.addWidget(self.told, 1)
        foot.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(foot)
        self.setWidget(card)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Memory dial")
        self.hide()
        workspace.settings_changed.connect(lambda _: self._follow())
        workspace.model_tried.connect(self.refresh)
        self.choose(Dial(self._set.value))

    def chosen(self) -> Dial:
        """Return the stop."""
        return next(dial for dial, stop in self.stops.items() if stop.isChecked())

    def usual(self) -> Dial:
        """Return the stop that Preferences name: where it begins."""
        return Dial(self.workspace.app.settings.answer_style.value)

    def choose(self, dial: Dial) -> None:
        """Turn to a stop."""
        self.stops[dial].setChecked(True)

    def refresh(self) -> None:
        """Read anew what is known of the model that answers."""
        app = self.workspace.app
        self.workspace.jobs.run(
            lambda _: Measured(app.model_name(), app.ability(), app.model_triable()),
            lane=Lane.READING,
            owner=self,
            done=self.show_measured,
        )

    def show_measured(self, measured: Measured) -> None:
        """Show what was measured at each stop, or that nothing was."""
        self.measured = measured
        for dial in self.stops:
            effect = measured.able.effect(dial) if measured.able is not None else None
            for column, text in enumerate(_cells(effect)):
                self.cells[dial, column].setText(text)
            self.stops[dial].setAccessibleDescription(f"{_DOES[dial]} {_spoken(effect)}")
        self.told.setText(self._state())
        self.fit()
        self.measure.setVisible(measured.triable)
        self.measure.setText("Measure again" if self._complete() else "Measure now")
        self._say()

    def start_measuring(self) -> None:
        """Try the model at every stop; whoever asks something meanwhile waits for a question of it."""
        self.measure.setEnabled(False)
        app = self.workspace.app
        self.workspace.jobs.run(
            lambda progress: app.try_model(progress, fresh=True),
            lane=Lane.MODEL,
            title="Measuring the memory dial",
            owner=self,
            done=lambda _: self.workspace.model_tried.emit(),
            ended=lambda: self.measure.setEnabled(True),
        )

    def fit(self) -> None:
        """Be as high as the words need, in a low window as high as leaves room for the conversation."""
        wanted = self._column.totalHeightForWidth(self.width())
        height = min(wanted, self.window().height() * 2 // 5)
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew: lines break elsewhere."""
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_column"):
            QTimer.singleShot(0, self, self.fit)

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(len(_COLUMNS) + 1, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, title in enumerate(_COLUMNS, 1):
            grid.addWidget(PlainLabel(title, "small"), 0, column, right)
        for row, dial in enumerate(Dial, 1):
            stop = QRadioButton(words.DIAL[dial])
            stop.setToolTip(_DOES[dial])
            stop.toggled.connect(lambda on: self._turned() if on else None)
            self._group.addButton(stop)
            self.stops[dial] = stop
            grid.addWidget(stop, row, 0)
            for column in range(len(_COLUMNS)):
                cell = self.cells[dial, column] = PlainLabel(_NOT_YET, "muted")
                grid.addWidget(cell, row, column + 1, right)
        return grid

    def _state(self) -> str:
        if not self.measured.model:
            return "There is no language model: answers are quotations. Preferences choose one."
        if not self.measured.triable:
            return (
                f"{self.measured.model} is not measured: each question of the test would be sent."
            )
        if self.measured.able is None or not self.measured.able.effects:
            return f"Not measured yet with {self.measured.model}."
        part = "" if self._complete() else " “Fresh” is not measured yet."
        return (
            f"Measured with {self.measured.model} on this machine, with a few questions over invented "
            f"notes: answers that are right, sentences that the notes carry, an answer's time.{part}"
        )

    def _complete(self) -> bool:
        able = self.measured.able
        return able is not None and all(able.effect(dial) is not None for dial in Dial)

    def _open(self, wanted: bool) -> None:
        self.setVisible(wanted)
        if wanted:
            self.refresh()
            self.stops[self.chosen()].setFocus()

    def _turned(self) -> None:
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        dial = self.chosen()
        self.button.setText(f"Memory: {words.DIAL[dial].lower()}")
        able = self.measured.able
        fails = able is not None and able.style is AnswerStyle.QUOTES and dial is Dial.CHECKED
        self.does.setText(_DOES[dial] + (_FAILED if fails else ""))
        self.fit()

    def _follow(self) -> None:
        """Turn to where Preferences put the beginning, once they do."""
        if self._set is not self.workspace.app.settings.answer_style:
            self._set = self.workspace.app.settings.answer_style
            self.choose(self.usual())


def _cells(effect: Effect | None) -> tuple[str, str, str]:
    if effect is None:
        return _NOT_YET, _NOT_YET, _NOT_YET
    share = f"{effect.carried} of {effect.sentences}" if effect.sentences else "none said"
    seconds = f"{effect.seconds:.1f}" if effect.seconds >= _SHORT else f"under {_SHORT}"
    return f"{effect.right} of {effect.asked}", share, seconds


def _spoken(effect: Effect | None) -> str:
    """Return a stop's figures as a screen reader says them."""
    if effect is None:
        return "Not measured yet."
    right, share, seconds = _cells(effect)
    return f"{right} answers right, {share} sentences carried by the notes, {seconds} seconds."
