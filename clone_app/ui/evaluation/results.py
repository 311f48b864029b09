"""One run's results: the finding in a sentence, bars, heat map, where questions failed, the questions."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from clone_app.evaluation.metrics import SCALES
from clone_app.evaluation.page import verdict
from clone_app.evaluation.report import MAIN, TITLES, ArmReport, Report, judge_notes
from clone_app.evaluation.silence import said as silence_said
from clone_app.evaluation.stages import Stage
from clone_app.evaluation.suites import Pin
from clone_app.memory.recipes import DEFAULT
from clone_app.ui import theme, words
from clone_app.ui.charts import STAGE_INKS, Bar, BarChart, CurveChart, StageChart, line_looks
from clone_app.ui.evaluation.runs import suites_of
from clone_app.ui.evaluation.tables import HeatTable
from clone_app.ui.plain import wrapped

SAID = {
    "recall_flat@10": "Evidence found in the first 10",
    "recall_flat@20": "Evidence found in the first 20",
    "ndcg@10": "Evidence found early (nDCG@10)",
    "choice_strict": "Right option, strict",
    "choice_lenient": "Right option, lenient",
    "choice_constrained": "Right option, forced to choose",
    "choice_likelihood": "Right option, by likelihood",
    "choice_nearest": "Right option, nearest to what was found",
}
_LINES = (
    "answered, of what can be answered",
    "silent, of what can't be",
    "right, of the silences",
)
_NO_SILENCE = (
    "This run says nothing of silence: it takes questions that can be answered and ones that can't, and "
    "one of the program's own ways to remember, such as “situations”."
)
_GROUPS = (("by_type", "by question type"), ("by_dimension", "by dimension"))
_KEY = Qt.ItemDataRole.UserRole


class ResultsView(QWidget):
    """Show a report; leaving it, exporting it and opening a question are signals."""

    left = Signal()
    export = Signal(int)
    question_wanted = Signal(object)  # (life, question)

    def __init__(self) -> None:
        super().__init__()
        self.report: Report | None = None
        back = QPushButton("All runs")
        back.setToolTip("Back to the list of runs")
        theme.role(back, "quiet")
        back.clicked.connect(self.left)
        self.save = QPushButton("Export…")
        self.save.setToolTip("Write JSON, CSV, Markdown and an HTML page into a folder")
        self.save.clicked.connect(self._export)
        self.title = wrapped("", "heading")
        self.finding = wrapped("")
        self.notes = wrapped("", "small")
        self.score = QComboBox()
        self.score.setAccessibleName("Figure shown")
        self.score.currentIndexChanged.connect(lambda _: self._draw())
        self.bars = BarChart()
        self.gaps = wrapped("", "small")
        self.group = QComboBox()
        self.group.setAccessibleName("Grouped")
        for name, title in _GROUPS:
            self.group.addItem(title, name)
        self.group.currentIndexChanged.connect(lambda _: self._draw())
        self.heat = HeatTable("Figures by group and way to remember")
        self.stages = StageChart([str(stage) for stage in Stage])
        self.legend = wrapped("", "small")
        self.legend.setTextFormat(Qt.TextFormat.RichText)  # our own words and colours only
        self.quiet_arm = QComboBox()
        self.quiet_arm.setAccessibleName("Way to remember")
        self.quiet_arm.currentIndexChanged.connect(lambda _: self._draw_silence())
        self.quiet = wrapped("")
        self.curve = CurveChart()
        self.curve_legend = wrapped("", "small")
        self.curve_legend.setTextFormat(Qt.TextFormat.RichText)  # our own words and colours only
        self.curve_note = wrapped(
            "Across: how strongly an entry must bear a question, one threshold for all. The clone itself "
            "wants more where more is remembered and for plain facts, and who and when must fit too, so "
            "what it does is no point of the lines.",
            "small",
        )
        self.questions = QuestionTable()
        self.questions.wanted.connect(self.question_wanted)
        head = QHBoxLayout()
        head.addWidget(back)
        head.addWidget(self.title, 1)
        head.addWidget(self.save)
        choice = QHBoxLayout()
        choice.addWidget(self.score, 2)
        choice.addWidget(self.group, 1)
        choice.addStretch(1)
        figures = _scrolled(choice, self.bars, self.gaps, self.heat)
        why = _scrolled(
            wrapped("Where each question ended: the first step that failed.", "muted"),
            self.stages,
            self.legend,
        )
        chosen = QHBoxLayout()
        chosen.addWidget(self.quiet_arm)
        chosen.addStretch(1)
        silence = _scrolled(chosen, self.quiet, self.curve, self.curve_legend, self.curve_note)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(figures, "Figures")
        self.tabs.addTab(why, "Why answers failed")
        self.tabs.addTab(silence, "When it is silent")
        self.tabs.addTab(self.questions, "Questions")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.finding)
        column.addWidget(self.notes)
        column.addWidget(self.tabs, 1)

    def show_report(self, report: Report) -> None:
        """Show a run's figures, of as much of it as is done."""
        self.report = report
        run = report.run
        names = [life.name for life in report.lives]
        about = ", ".join(names) if len(names) <= 3 else suites_of(run.plan)
        self.title.setText(f"Run {run.id}: {about}")
        self.finding.setText(said(verdict(report)))
        self.notes.setText(" ".join(_notes(report)))
        self.notes.setVisible(bool(self.notes.text()))
        chosen = self.score.currentData()
        self.score.blockSignals(True)
        self.score.clear()
        for name in report.score_names:
            if name in MAIN:
                self.score.addItem(SAID.get(name) or TITLES.get(name, name), name)
        for name in report.score_names:
            if name not in MAIN:
                self.score.addItem(TITLES.get(name, name), name)
        self.score.setCurrentIndex(max(0, self.score.findData(chosen)))
        self.score.blockSignals(False)
        self.questions.fill(report)
        self._fill_silence(report)
        self._draw()

    def _fill_silence(self, report: Report) -> None:
        """Offer the arms whose silences are known, the program's own first."""
        chosen = self.quiet_arm.currentData()
        known = [arm.name for arm in report.arms if arm.silence is not None]
        self.quiet_arm.blockSignals(True)
        self.quiet_arm.clear()
        for name in sorted(known, key=lambda name: name != DEFAULT.name):
            self.quiet_arm.addItem(name, name)
        self.quiet_arm.setCurrentIndex(max(0, self.quiet_arm.findData(chosen)))
        self.quiet_arm.blockSignals(False)
        for part in (self.quiet_arm, self.curve, self.curve_legend, self.curve_note):
            part.setVisible(bool(known))
        self._draw_silence()

    def _draw_silence(self) -> None:
        """Draw the chosen arm's curve, and say what the clone does."""
        name = self.quiet_arm.currentData()
        found = self.report.arm(name).silence if self.report is not None and name else None
        self.quiet.setText(_NO_SILENCE if found is None else silence_said(found))
        if found is None:
            return
        points = found.curve
        shares = (
            [each.answered for each in points],
            [each.silent for each in points],
            [each.right for each in points],
        )
        self.curve.show_lines(
            [each.threshold for each in points], list(zip(_LINES, shares, strict=True))
        )
        self.curve_legend.setText(
            "&nbsp;&nbsp; ".join(
                f'<span style="color:{ink}">{dash}</span> {line}'
                for line, (dash, ink, _) in zip(_LINES, line_looks(theme.colours()), strict=True)
            )
        )

    def _draw(self) -> None:
        report, score = self.report, self.score.currentData()
        if report is None or score is None:
            return
        arms = [arm for arm in _arms(report) if score in arm.scores]
        scale = SCALES.get(score, (0.0, 1.0))
        self.bars.show_bars([_bar(arm, score) for arm in arms], scale)
        self.gaps.setText(_gaps(report, score))
        group = str(self.group.currentData())
        held: dict[str, dict[str, tuple[float, int]]] = {}
        for arm in arms:
            for name, means in arm.grouped(group).items():
                if score in means:
                    held.setdefault(name, {})[arm.name] = (means[score], int(means["n"]))
        self.heat.show_groups([arm.name for arm in arms], dict(sorted(held.items())), scale)
        self.heat.setVisible(bool(held))
        rows = [
            (arm.name, {str(stage): count for stage, count in arm.stages.items()})
            for arm in _arms(report)
        ]
        self.stages.show_rows(rows)
        met = {stage for _, counts in rows for stage in counts}
        self.legend.setText(
            "  ".join(
                f'<span style="color:{ink}">■</span> {stage}'
                for stage, ink in zip(Stage, STAGE_INKS, strict=True)
                if str(stage) in met
            )
        )

    def _export(self) -> None:
        if self.report is not None:
            self.export.emit(self.report.run.id)


class QuestionTable(QWidget):
    """List questions with what became of them under each arm; Enter or a double click opens one."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._model = QStandardItemModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self._model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._proxy.setFilterKeyColumn(-1)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a question, a type, or a stage like “not found”")
        self.search.setAccessibleName("Find questions")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._proxy.setFilterFixedString)
        self.view = QTreeView()
        self.view.setModel(self._proxy)
        self.view.setRootIsDecorated(False)
        self.view.setUniformRowHeights(True)
        self.view.setSortingEnabled(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setAccessibleName("Questions")
        self.view.activated.connect(self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)

    def fill(self, report: Report) -> None:
        """List a report's questions."""
        arms = _arms(report)
        stages = {
            arm.name: {(each.life, each.question): each.stage for each in arm.answers}
            for arm in arms
        }
        self._model.clear()
        self._model.setHorizontalHeaderLabels(["Question", "Type", *(arm.name for arm in arms)])
        for key, question in report.questions.items():
            row = [
                QStandardItem(" ".join(question.text.split())),
                QStandardItem(question.kind.replace("_", " ")),
                *(QStandardItem(str(stages[arm.name].get(key, ""))) for arm in arms),
            ]
            row[0].setData(key, _KEY)
            row[0].setToolTip(words.snippet(question.text, 400))
            self._model.appendRow(row)
        header = self.view.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(False)
        letter = self.fontMetrics().averageCharWidth()
        header.resizeSection(0, letter * 52)
        for place in range(1, self._model.columnCount()):
            header.resizeSection(place, letter * 19)
        self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)

    def _open(self, index: QModelIndex) -> None:
        first = self._proxy.mapToSource(index).siblingAtColumn(0)
        self.wanted.emit(self._model.itemFromIndex(first).data(_KEY))


def said(sentence: str) -> str:
    """Return a finding with the figures' names as people read them."""
    sentence = unescape(sentence)
    for name, title in (TITLES | SAID).items():
        sentence = sentence.replace(f"Best by {name}:", f"{title}: best is")
    return sentence


def _arms(report: Report) -> Sequence[ArmReport]:
    return (*report.arms, *([report.beside] if report.beside is not None else []))


def _bar(arm: ArmReport, score: str) -> Bar:
    gap = arm.intervals.get(score)
    return Bar(
        arm.name,
        arm.scores[score],
        gap.low if gap is not None else None,
        gap.high if gap is not None else None,
    )


def _gaps(report: Report, score: str) -> str:
    """Return, against the best arm, which others are worse by more than chance."""
    held = [arm for arm in report.arms if score in arm.scores and arm.name != "oracle"]
    if len(held) < 2:
        return ""
    best = max(held, key=lambda arm: arm.scores[score])
    worse: list[str] = []
    level: list[str] = []
    for other in held:
        if other is best:
            continue
        gap = report.difference(best.name, other.name, score)
        (worse if gap is not None and gap.low > 0 else level).append(other.name)
    parts = []
    if worse:
        parts.append(f"{best.name} is better than {', '.join(worse)} by more than chance.")
    if level:
        parts.append(f"Against {', '.join(level)} its lead may be chance.")
    return (
        " ".join(parts) + " Lines are 95 % intervals; compare pairs by this sentence, not by them."
    )


_PINNED = {
    Pin.OFFICIAL: "as the benchmark's authors released it",
    Pin.OTHER: "none of those that the benchmark's authors released",
    Pin.NONE: "no released file is known to compare with",
}


def _notes(report: Report) -> list[str]:
    """Return what a reader must know before believing a figure."""
    found = [str(each) for each in report.run.facts.get("warnings", ())]
    found += judge_notes(report)
    found += [f"{name}: {why}" for name, why in report.run.facts.get("failed_suites", {}).items()]
    pins = sorted({f"{life.name}: {_PINNED[life.pin]}" for life in report.lives})
    found.append("Files: " + "; ".join(pins) + ".")
    cut = sum(bool(answer.cut) for arm in report.arms for answer in arm.answers)
    if cut:
        found.append(f"In {words.count(cut, 'answer')} the reader got traces cut to its budget.")
    leaks = sum(question.leaks for question in report.questions.values())
    if leaks:
        found.append(f"The options of {words.count(leaks, 'question')} give the answer away.")
    if report.run.done < report.run.total:
        found.append(f"So far {report.run.done:,} of {report.run.total:,} answers.")
    return found


def _scrolled(*parts: object) -> QScrollArea:
    inner = QWidget()
    theme.role(inner, "ground")
    column = QVBoxLayout(inner)
    column.setContentsMargins(0, 10, 8, 10)
    column.setSpacing(10)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        elif isinstance(part, QHBoxLayout):
            column.addLayout(part)
    column.addStretch()
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidget(inner)
    return scroll
