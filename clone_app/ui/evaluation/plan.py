"""What to run: benchmarks, arms, reader. Everything that is shown says in a sentence what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from clone_app.evaluation.arms import Arm
from clone_app.evaluation.runs import Plan
from clone_app.evaluation.suites.own import ME
from clone_app.ui import theme, words
from clone_app.ui.plain import wrapped

_SAMPLES = {
    "sample": "Sample life (English, comes along)",
    "sample-zh": "Sample life (Chinese, comes along)",
}
_READERS = (
    ("none", "Nobody: recall only, and the option nearest to what was found", "Seconds to minutes"),
    ("local", "The model on this machine", "Slow: a small model measures itself more than memory"),
    ("remote", "The server in Preferences", "What the traces say is sent there"),
)
_JUDGES = (
    ("none", "Nobody marks the answers"),
    ("local", "This machine marks them (indicative)"),
    ("remote", "The server marks them"),
)
_SETTLING_MS = 800
_AT_FIRST = ("flat", "bm25", "situations", "oracle")
_COLUMNS = 2


class PlanForm(QFrame):
    """Let a person choose; `wanted` carries the plan."""

    wanted = Signal(object)  # Plan
    chosen = Signal()
    own_wanted = Signal()
    estimate_wanted = Signal(object)  # Plan, None when none is wanted any more

    def __init__(self, arms: Sequence[Arm], samples: Mapping[str, Path]) -> None:
        super().__init__()
        theme.role(self, "card")
        self.setAcceptDrops(True)
        self.suites: dict[str, QCheckBox] = {}
        self.arms: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addWidget(wrapped("Benchmarks", "heading"))
        self._suites = QVBoxLayout()
        column.addLayout(self._suites)
        for name in samples:
            self._add(name, _SAMPLES.get(name, name), checked=name == "sample")
        self.own = QPushButton("Test me: your questions…")
        self.own.setToolTip("Make questions from your own entries, or write some")
        self.own.clicked.connect(self.own_wanted)
        choose = QHBoxLayout()
        self.file = QPushButton("Add a file…")
        self.file.setToolTip("A CloneMem persona file, or another benchmark's file")
        self.file.clicked.connect(self._choose_files)
        self.folder = QPushButton("Add a folder…")
        self.folder.setToolTip("A folder of CloneMem files, or a LifeBench user's folder")
        self.folder.clicked.connect(self._choose_folder)
        for button in (self.file, self.folder, self.own):
            choose.addWidget(button)
        choose.addStretch()
        column.addLayout(choose)
        column.addSpacing(6)
        column.addWidget(wrapped("Ways to remember, side by side", "heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(2)
        for across in range(_COLUMNS):
            grid.setColumnStretch(across, 1)
        for place, arm in enumerate(arms):
            box = QCheckBox(arm.name)
            box.setToolTip(arm.about)
            box.setAccessibleDescription(arm.about)
            box.setChecked(arm.name in _AT_FIRST)
            box.toggled.connect(lambda _: self._changed())
            self.arms[arm.name] = box
            cell = QVBoxLayout()
            cell.setSpacing(0)
            cell.setContentsMargins(0, 2, 0, 2)
            cell.addWidget(box)
            about = wrapped(arm.about, "small")
            about.setContentsMargins(24, 0, 0, 0)
            cell.addWidget(about)
            holder = QWidget()
            holder.setLayout(cell)
            grid.addWidget(holder, place // _COLUMNS, place % _COLUMNS, Qt.AlignmentFlag.AlignTop)
        column.addLayout(grid)
        column.addSpacing(6)
        column.addWidget(wrapped("Who answers from what was found", "heading"))
        self.reader = QComboBox()
        self.reader.setAccessibleName("Who answers")
        self.reader.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for name, title, _ in _READERS:
            self.reader.addItem(title, name)
        self.reader.currentIndexChanged.connect(lambda _: self._changed())
        self.about = wrapped("", "small")
        self.judge = QComboBox()
        self.judge.setAccessibleName("Who marks the free answers")
        self.judge.setToolTip("A judge compares what was said with the evidence")
        for name, title in _JUDGES:
            self.judge.addItem(title, name)
        self.judge.currentIndexChanged.connect(lambda _: self._changed())
        self.k = QComboBox()
        self.k.setAccessibleName("How many traces the reader gets")
        for k in (5, 10, 20):
            self.k.addItem(f"reads {k} traces", k)
        self.k.setCurrentIndex(1)
        self.limit = QSpinBox()
        self.limit.setAccessibleName("How many questions of each life")
        self.limit.setRange(0, 10_000)
        self.limit.setSpecialValueText("all questions")
        self.limit.valueChanged.connect(lambda _: self._changed())
        self.limit.setSuffix(" questions a life")
        self.limit.lineEdit().setTextMargins(8, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.reader, 2)
        row.addWidget(self.k, 1)
        row.addWidget(self.limit, 1)
        column.addLayout(row)
        below = QHBoxLayout()
        below.addWidget(self.about, 2)
        below.addWidget(self.judge, 2)
        column.addLayout(below)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLING_MS)
        self._settling.timeout.connect(lambda: self.estimate_wanted.emit(self.plan()))
        self.long = QPushButton("How long?")
        self.long.setToolTip("Measure the speed with a few of the questions")
        theme.role(self.long, "quiet")
        self.long.clicked.connect(lambda: self.estimate_wanted.emit(self.plan()))
        self.go = QPushButton("Run")
        self.go.setToolTip("Run this; it can be paused, and goes on after the program was closed")
        theme.role(self.go, "primary")
        self.go.clicked.connect(lambda: self.wanted.emit(self.plan()))
        self.told = wrapped("", "muted")
        foot = QHBoxLayout()
        foot.addWidget(self.go)
        foot.addWidget(self.long)
        foot.addWidget(self.told, 1)
        column.addLayout(foot)
        self._changed()

    def plan(self) -> Plan:
        """Return what is chosen."""
        return Plan(
            suites=tuple(name for name, box in self.suites.items() if box.isChecked()),
            arms=tuple(name for name, box in self.arms.items() if box.isChecked()),
            reader=str(self.reader.currentData()),
            k=int(self.k.currentData()),
            limit=self.limit.value(),
            judge=str(self.judge.currentData()) if self.judge.isEnabled() else "none",
        )

    def say(self, sentence: str) -> None:
        """Say beside the button what will be, or why nothing can."""
        self.told.setText(sentence)

    def choose_own(self, number: int) -> None:
        """Offer the user's own archive as a benchmark, with so many questions; 0 takes it away."""
        if ME not in self.suites and number:
            self._add(ME, "", checked=False)
        if ME in self.suites:
            box = self.suites[ME]
            box.setText(f"Your own archive ({words.count(number, 'question')})")
            box.setVisible(number > 0)
            box.setChecked(box.isChecked() and number > 0)

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Add benchmarks that lie somewhere, and choose them."""
        for path in paths:
            name = str(path.absolute())
            if name not in self.suites:
                self._add(name, path.name, checked=True)
                self.suites[name].setToolTip(name)
            self.suites[name].setChecked(True)
        self._changed()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        self.add_paths([Path(url.toLocalFile()) for url in event.mimeData().urls()])

    def _add(self, name: str, title: str, *, checked: bool) -> None:
        box = QCheckBox(title.replace("&", "&&"))
        box.setChecked(checked)
        box.toggled.connect(lambda _: self._changed())
        self.suites[name] = box
        self._suites.addWidget(box)

    def _changed(self) -> None:
        if not hasattr(self, "told"):
            return
        plan = self.plan()
        self.about.setText(next(more for name, _, more in _READERS if name == plan.reader) + ".")
        self.k.setEnabled(plan.reader != "none")
        self.judge.setEnabled(plan.reader != "none")
        plan = self.plan()
        self.go.setEnabled(bool(plan.suites and plan.arms))
        self.long.setEnabled(self.go.isEnabled())
        self._settling.stop()
        self.estimate_wanted.emit(None)
        if plan.reader == "local" and self.go.isEnabled():  # what takes long is said unasked
            self._settling.start()
        self.told.setText(
            "" if self.go.isEnabled() else "Choose a benchmark and a way to remember."
        )
        self.chosen.emit()

    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Add benchmarks", "", "Benchmarks (*)")
        self.add_paths([Path(name) for name in names])

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Add a benchmark's folder")
        if name:
            self.add_paths([Path(name)])
