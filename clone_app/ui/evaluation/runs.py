"""The list of runs: what each compared, how far it is, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.evaluation.runs import Plan, RunRow, State
from clone_app.progress import Step
from clone_app.ui import theme, words
from clone_app.ui.plain import wrapped


class RunCard(QFrame):
    """Show one run."""

    wanted = Signal(str, int)  # what to do, the run

    def __init__(self, row: RunRow, *, running: bool) -> None:
        super().__init__()
        theme.role(self, "card")
        self.row = row
        self.running = running
        self.pick = QCheckBox()
        self.pick.setAccessibleName(f"Compare run {row.id}")
        self.pick.setToolTip("Choose two runs to compare")
        self.title = wrapped(f"Run {row.id}: {suites_of(row.plan)}", "heading")
        self.about = wrapped(_about(row), "muted")
        self.note = wrapped(row.note)
        self.note.setVisible(bool(row.note))
        self.state = wrapped("", "small")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, max(1, row.total))
        self.bar.setValue(row.done)
        self.bar.setAccessibleName("How far the run is")
        head = QHBoxLayout()
        head.addWidget(self.pick)
        head.addWidget(self.title, 1)
        buttons = QHBoxLayout()
        self.buttons: dict[str, QPushButton] = {}
        for name, title, tip in _actions(row, running=running):
            button = QPushButton(title)
            button.setToolTip(tip)
            button.setAccessibleName(f"{title} (run {row.id})")
            theme.role(button, "primary" if name in ("pause", "resume") else "quiet")
            button.clicked.connect(lambda _, name=name: self.wanted.emit(name, self.row.id))
            self.buttons[name] = button
            buttons.addWidget(button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 12, 18, 12)
        column.setSpacing(5)
        column.addLayout(head)
        for widget in (self.about, self.note, self.bar, self.state):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.say(None)

    def say(self, step: Step | None) -> None:
        """Say how far it is; `step` is what is being done now."""
        row = self.row
        going = self.running and step is not None
        if step is not None and step.total:
            self.bar.setRange(0, step.total)
            self.bar.setValue(step.done)
        self.bar.setVisible(self.running or row.state is not State.FINISHED)
        if going and step is not None:
            self.state.setText(f"{step.label}: {words.left(step)}")
        elif self.running:
            self.state.setText("Starting…")
        elif row.state is State.FINISHED:
            self.state.setText(f"Finished {row.finished_at:%d %b %Y, %H:%M}")
        elif row.state is State.RUNNING:
            self.state.setText(f"Interrupted after {row.done:,} of {row.total:,} answers")
        else:
            self.state.setText(f"Paused after {row.done:,} of {row.total:,} answers")


class RunList(QWidget):
    """Hold the cards, the latest first."""

    wanted = Signal(str, int)
    compare = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[RunCard] = []
        self.both = QPushButton("Compare the two")
        self.both.setToolTip("Show two chosen runs side by side")
        self.both.clicked.connect(self._compare)
        self.both.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self._column.addWidget(self.both)

    def fill(self, rows: Sequence[RunRow], running: int | None) -> None:
        """Show these runs."""
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [RunCard(row, running=row.id == running) for row in rows]
        for card in self.cards:
            card.wanted.connect(self.wanted)
            card.pick.toggled.connect(lambda _: self._picked())
            self._column.addWidget(card)
        self._picked()

    def step(self, run: int, step: Step) -> None:
        """Show how far a run is."""
        for card in self.cards:
            if card.row.id == run:
                card.say(step)

    def chosen(self) -> list[int]:
        """Return the runs that are ticked, the earlier first."""
        return sorted(card.row.id for card in self.cards if card.pick.isChecked())

    def _picked(self) -> None:
        self.both.setVisible(len(self.chosen()) == 2)

    def _compare(self) -> None:
        one, other = self.chosen()
        self.compare.emit(one, other)


def suites_of(plan: Plan) -> str:
    """Return the benchmarks' names as a person knows them."""
    return ", ".join(Path(each).name or each for each in plan.suites)


def _about(row: RunRow) -> str:
    plan = row.plan
    reader = {"none": "no reader", "local": "model on this machine", "remote": "server"}
    limit = f", {plan.limit} questions a life" if plan.limit else ""
    return f"{', '.join(plan.arms)} · {reader.get(plan.reader, plan.reader)}, k = {plan.k}{limit}"


def _actions(row: RunRow, *, running: bool) -> list[tuple[str, str, str]]:
    found = []
    if running:
        found.append(("pause", "Pause", "Stop here; what is answered is kept"))
    elif row.state is not State.FINISHED:
        found.append(("resume", "Resume", "Go on where it stopped"))
    if row.done:
        found.append(("open", "Results", "See figures, failures and questions"))
    found.append(("note", "Note…", "Write down why you ran it"))
    if not running:
        found.append(("delete", "Delete…", "Delete this run and what was prepared for it"))
    return found
