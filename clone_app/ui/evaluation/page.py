"""The Evaluation page: plan and runs, one run's results, one question, two runs compared."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.app.evaluating import TraceMark
from clone_app.evaluation.report import Report, compare
from clone_app.evaluation.runs import Plan, RunRow
from clone_app.progress import Progress, Step
from clone_app.ui import theme
from clone_app.ui.evaluation.own import OwnView
from clone_app.ui.evaluation.plan import PlanForm
from clone_app.ui.evaluation.question import QuestionView
from clone_app.ui.evaluation.results import SAID, ResultsView
from clone_app.ui.evaluation.runs import RunList
from clone_app.ui.evaluation.tables import ComparisonTable
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.page import Page
from clone_app.ui.plain import Column, wrapped
from clone_app.ui.workspace import Workspace


class EvaluationPage(Page):
    """Run benchmarks in the background and show what they say."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.job: Job | None = None
        self.run: int | None = None
        self._estimating: Job | None = None
        self._stack = QStackedWidget()
        self.form = PlanForm(self.app.arms(), self.app.sample_suites())
        self.form.wanted.connect(self.begin)
        self.form.own_wanted.connect(self._open_own)
        self.form.estimate_wanted.connect(self._estimate)
        self.own = OwnView(workspace)
        self.own.left.connect(lambda: self._stack.setCurrentIndex(0))
        self.own.counted.connect(self.form.choose_own)
        self.list = RunList()
        self.list.wanted.connect(self._do)
        self.list.compare.connect(self._compare)
        self.results = ResultsView()
        self.results.left.connect(lambda: self._stack.setCurrentIndex(0))
        self.results.export.connect(self._export)
        self.results.question_wanted.connect(self._open_question)
        self.question = QuestionView()
        self.question.left.connect(lambda: self._stack.setCurrentWidget(self.results))
        self.question.moved.connect(self._next_question)
        self.question.trace_wanted.connect(self._open_trace)
        self.comparison = Comparison()
        self.comparison.left.clicked.connect(lambda: self._stack.setCurrentIndex(0))
        self._stack.addWidget(self._start())
        for view in (self.results, self.question, self.comparison, self.own):
            self._stack.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        title = wrapped("Evaluation", "title")
        layout.addWidget(title)
        layout.addWidget(self._stack, 1)
        self.refresh()

    def arrive(self) -> None:
        """Read the runs anew: the command line may have made some."""
        self.refresh()

    def refresh(self) -> None:
        """List the runs."""
        self.jobs.run(lambda _: self.app.runs(), lane=Lane.READING, owner=self, done=self._fill)
        self.own.refresh()

    def _open_own(self) -> None:
        self._stack.setCurrentWidget(self.own)
        self.own.arrive()

    def _estimate(self, plan: Plan | None) -> None:
        """Say how long a plan takes; whoever asks the clone something goes first."""
        if self._estimating is not None:
            self._estimating.cancel()
            self._estimating = None
        if plan is None or self.job is not None:
            return
        self.form.say("Measuring how long it will take…")

        def ended() -> None:
            self._estimating = None

        self._estimating = self.jobs.run(
            lambda progress: self.app.estimate_run(plan, progress).seconds,
            lane=Lane.MODEL,
            title="Measuring the speed",
            owner=self,
            background=True,
            done=lambda seconds: self.form.say(f"{about(seconds)} on this machine."),
            failed=lambda fault: self.form.say(str(fault)),
            ended=ended,
        )

    def begin(self, plan: Plan) -> None:
        """Open the benchmarks and start; what is wrong with them is said beside the button."""
        if self.job is not None:
            self.form.say("A run is going on. Pause it first, or wait for its end.")
            return
        self._estimate(None)
        self.form.go.setEnabled(False)
        self.form.say("Opening the benchmarks…")
        self.jobs.run(
            lambda _: self.app.begin_run(plan),
            lane=Lane.WRITING,
            title="Opening benchmarks",
            owner=self,
            done=self._go_on,
            failed=lambda fault: self.form.say(str(fault)),
            ended=lambda: self.form.go.setEnabled(True),
        )

    def _go_on(self, run: int) -> None:
        """Work on a run until its end or until it is paused; other work in the lane goes first."""
        self.form.say("")
        self.run = run
        self.job = self.jobs.run(
            lambda progress: self.app.continue_run(run, progress),
            lane=Lane.WRITING,
            title=f"Evaluation run {run}",
            owner=self,
            background=True,
            done=self._finished,
            failed=self._failed,
            step=partial(self._stepped, run),
            ended=self._ended,
        )
        self.refresh()

    def _stepped(self, run: int, step: Step) -> None:
        self.list.step(run, step)

    def _finished(self, report: Report) -> None:
        announce(self, f"Evaluation run {report.run.id} is finished.")
        self._show_results(report)

    def _failed(self, fault: Exception) -> None:
        self.workspace.said.emit(str(fault))
        self.form.say(str(fault))

    def _ended(self) -> None:
        self.job = self.run = None
        self.refresh()

    def _fill(self, rows: tuple[RunRow, ...]) -> None:
        self.list.fill(rows, self.run)
        if self.job is not None and self.run is not None and self.job.step is not None:
            self.list.step(self.run, self.job.step)

    def _do(self, action: str, run: int) -> None:
        match action:
            case "pause":
                if self.job is not None:
                    self.job.cancel()
            case "resume":
                if self.job is None:
                    self._go_on(run)
            case "open":
                self._read(run, self._show_results)
            case "note":
                self._note(run)
            case "delete":
                self._delete(run)

    def _read(self, run: int, done: object) -> None:
        self.jobs.run(
            lambda _: self.app.report(run),
            lane=Lane.READING,
            title="Reading results",
            owner=self,
            done=done,  # type: ignore[arg-type]
        )

    def _show_results(self, report: Report) -> None:
        self.results.show_report(report)
        self._stack.setCurrentWidget(self.results)

    def _note(self, run: int) -> None:
        card = next(each for each in self.list.cards if each.row.id == run)
        text, given = QInputDialog.getMultiLineText(self, f"Run {run}", "Your note:", card.row.note)
        if given:
            self.jobs.run(
                lambda _: self.app.note_run(run, text.strip()),
                lane=Lane.WRITING,
                owner=self,
                ended=self.refresh,
            )

    def _delete(self, run: int) -> None:
        box = QMessageBox(self)
        box.setObjectName("confirm-run")
        box.setText(f"Delete run {run} with its answers and figures?")
        box.setInformativeText("The benchmark's own files are not touched.")
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete.clicked.connect(
            lambda: self.jobs.run(
                lambda _: self.app.delete_run(run),
                lane=Lane.WRITING,
                owner=self,
                ended=self.refresh,
            )
        )
        box.open()

    def _export(self, run: int) -> None:
        name = QFileDialog.getExistingDirectory(self, "Export into a folder")
        if name:
            self.jobs.run(
                lambda _: self.app.export_run(run, Path(name)),
                lane=Lane.READING,
                title="Exporting",
                owner=self,
                done=lambda paths: self.results.finding.setText(
                    f"Written: {', '.join(path.name for path in paths)} in {name}"
                ),
            )

    # --- one question -------------------------------------------------------------------------------

    def _open_question(self, key: tuple[str, str]) -> None:
        report = self.results.report
        if report is None:
            return
        life = next(each for each in report.lives if each.key == key[0])

        def look(_: Progress) -> tuple[TraceMark, ...]:
            return self.app.life_traces(life)

        def show(marks: tuple[TraceMark, ...]) -> None:
            self.question.show_question(report, key, marks)
            self._stack.setCurrentWidget(self.question)

        self.jobs.run(look, lane=Lane.READING, owner=self, done=show)

    def _next_question(self, step: int) -> None:
        report = self.results.report
        if report is not None:
            order = list(report.questions)
            self._open_question(order[order.index(self.question.key) + step])

    def _open_trace(self, key: str) -> None:
        report = self.results.report
        if report is None:
            return
        life = next(each for each in report.lives if each.key == self.question.key[0])
        self.jobs.run(
            lambda _: self.app.life_texts(life, [key]),
            lane=Lane.READING,
            owner=self,
            done=lambda texts: self.question.show_trace(
                self.question.mark_of(key), texts.get(key, "")
            ),
        )

    # --- two runs -----------------------------------------------------------------------------------

    def _compare(self, one: int, other: int) -> None:
        def look(_: Progress) -> tuple[Report, Report]:
            return self.app.report(one), self.app.report(other)

        def show(both: tuple[Report, Report]) -> None:
            self.comparison.show_reports(*both)
            self._stack.setCurrentWidget(self.comparison)

        self.jobs.run(look, lane=Lane.READING, owner=self, done=show)

    def _start(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 12)
        column.setSpacing(12)
        column.addWidget(
            wrapped(
                "Ask a benchmark's questions of several ways to remember, and see which finds the "
                "evidence, whether the difference means anything, and why an answer failed.",
                "muted",
            )
        )
        column.addWidget(self.form)
        column.addWidget(wrapped("Runs", "heading"))
        column.addWidget(self.list)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(Column(inner, letters=150))
        return scroll


def about(seconds: float) -> str:
    """Return a time as exact as it is known: `About 40 s`, `About 12 min`, `About 2 h 30 min`."""
    if seconds < 50:
        return f"About {max(5, round(seconds / 5) * 5)} s"
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return f"About {minutes} min"
    hours, rest = divmod(round(minutes, -1), 60)
    return f"About {hours} h {rest} min" if rest else f"About {hours} h"


class Comparison(QWidget):
    """Show one figure of two runs side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._both: tuple[Report, Report] | None = None
        self.left = QPushButton("All runs")
        self.left.setToolTip("Back to the list of runs")
        theme.role(self.left, "quiet")
        self.title = wrapped("", "heading")
        self.score = QComboBox()
        self.score.setAccessibleName("Figure compared")
        self.score.currentIndexChanged.connect(lambda _: self._draw())
        self.table = ComparisonTable("Two runs side by side")
        head = QHBoxLayout()
        head.addWidget(self.left)
        head.addWidget(self.title, 1)
        head.addWidget(self.score)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.table)
        column.addWidget(
            wrapped(
                "The difference is paired: over the questions both runs asked. It may be chance where "
                "its interval holds 0.",
                "small",
            )
        )
        column.addStretch()

    def show_reports(self, one: Report, other: Report) -> None:
        """Take two runs."""
        self._both = (one, other)
        self.title.setText(f"Run {one.run.id} against run {other.run.id}")
        shared = [name for name in one.score_names if name in other.score_names]
        self.score.blockSignals(True)
        self.score.clear()
        for name in shared:
            self.score.addItem(SAID.get(name, name), name)
        self.score.blockSignals(False)
        self._draw()

    def _draw(self) -> None:
        if self._both is None or self.score.currentData() is None:
            return
        one, other = self._both
        self.table.show_difference(
            f"run {one.run.id}",
            f"run {other.run.id}",
            compare(one, other, str(self.score.currentData())),
        )
