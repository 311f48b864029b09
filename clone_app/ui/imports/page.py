"""The Import page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.errors import CloneAppError
from clone_app.progress import Progress, Step
from clone_app.ui import theme, words
from clone_app.ui.imports.drop import DropZone
from clone_app.ui.imports.preview import PreviewView
from clone_app.ui.imports.report import ReportView
from clone_app.ui.imports.sources import SourceList
from clone_app.ui.imports.work import start_import
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.page import Page
from clone_app.ui.plain import PlainLabel, wrapped
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.app import ImportReport, Preview, SourceRow


class ImportPage(Page):
    """Lead from a dropped file to entries in memory, one thing after the other."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.waiting: list[Path] = []
        self.preview: PreviewView | None = None
        self.working: Working | None = None
        self.report: ReportView | None = None
        self.drop = DropZone(tuple(str(getattr(one, "title", "")) for one in self.app.importers()))
        self.drop.chosen.connect(self.take)
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self.sources = SourceList()
        self.sources.removal_wanted.connect(self._ask_removal)
        self._sources_head = QLabel("In your memory")
        theme.role(self._sources_head, "heading")
        self._place = QVBoxLayout()
        self._place.setSpacing(10)
        self._column_widget = QWidget()
        column = QVBoxLayout(self._column_widget)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        title = QLabel("Import")
        theme.role(title, "title")
        column.addWidget(title)
        column.addWidget(
            wrapped(
                "Files are only read, and only what is written in them goes into your memory, "
                "encrypted. You look at it first.",
                "muted",
            )
        )
        column.addWidget(self.drop)
        column.addWidget(self.fault)
        column.addLayout(self._place)
        column.addSpacing(10)
        column.addWidget(self._sources_head)
        column.addWidget(self.sources)
        column.addStretch()
        ground = QWidget()
        theme.role(ground, "ground")
        across = QHBoxLayout(ground)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self._column_widget, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(ground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scroll)
        workspace.memory_changed.connect(self.refresh)
        self.refresh()

    def arrive(self) -> None:
        """Let Enter choose a file, and keep lines readable at this text size."""
        self.drop.file.setFocus()
        self._column_widget.setMaximumWidth(QFontMetrics(self.font()).averageCharWidth() * 130)

    def refresh(self) -> None:
        """Read the sources anew."""
        self.jobs.run(
            lambda _: self.app.sources(), lane=Lane.READING, owner=self, done=self._fill_sources
        )

    def take(self, paths: list[Path]) -> None:
        """Look into what was dropped or chosen, one after the other."""
        self.waiting.extend(paths)
        if self.preview is None and self.working is None:
            self._next()

    def _next(self) -> None:
        self._say("")
        if not self.waiting:
            return
        path = self.waiting.pop(0)
        self._put_away("report")
        app = self.app

        def look(progress: Progress) -> tuple[Preview, frozenset[str]]:
            return app.preview(path, progress=progress), app.me()

        found: list[bool] = []

        def done(both: tuple[Preview, frozenset[str]]) -> None:
            found.append(True)
            self._show_preview(path, *both)

        def ended() -> None:
            self._put_away("working")
            if not found:
                self._next_unless_said()

        job = self.jobs.run(
            look,
            lane=Lane.WRITING,
            owner=self,
            done=done,
            failed=lambda fault: self._failed(path, fault),
            step=self._step,
            ended=ended,
        )
        self._follow(job, f"Looking into {path.name}…")

    def _show_preview(self, path: Path, preview: Preview, me: frozenset[str]) -> None:
        self.preview = PreviewView(path, preview, me)
        self.preview.wanted.connect(self._import)
        self.preview.declined.connect(self._decline)
        self._place.addWidget(self.preview)
        self.preview.go.setFocus()
        announce(self, f"{path.name}: {words.entries(preview.items)} found")

    def _decline(self) -> None:
        self._put_away("preview")
        self._next()

    def _import(self) -> None:
        assert self.preview is not None
        path, me = self.preview.path, self.preview.me()
        self._put_away("preview")
        job = start_import(
            self.workspace,
            path,
            me=me,
            owner=self,
            done=lambda report: self._show_report(path, report),
            failed=lambda fault: self._failed(path, fault),
            ended=self._imported,
        )
        job.on_step = self._step
        self._follow(job, f"Importing {path.name}…")

    def _imported(self) -> None:
        self._put_away("working")
        self._next_unless_said()

    def _next_unless_said(self) -> None:
        """Go on with what waits; a sentence about the last one stays to be read."""
        sentence = self.fault.text()
        self._next()
        self._say(sentence)

    def _show_report(self, path: Path, report: ImportReport) -> None:
        self.report = ReportView(path.name, report)
        self.report.closed.connect(lambda: self._put_away("report"))
        self.report.page_wanted.connect(self.workspace.page_wanted)
        self._place.addWidget(self.report)
        announce(self, self.report.summary.text())

    def _failed(self, path: Path, fault: CloneAppError) -> None:
        self._say(f"{path.name}: {fault}")

    def _say(self, sentence: str) -> None:
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        if sentence:
            announce(self, sentence)

    def _follow(self, job: Job, title: str) -> None:
        self.working = Working(job, title)
        self._place.addWidget(self.working)
        self.working.cancel.setFocus()

    def _step(self, step: Step) -> None:
        if self.working is not None:
            self.working.show_step(step)

    def _put_away(self, name: str) -> None:
        view = getattr(self, name)
        if view is not None:
            setattr(self, name, None)
            self._place.removeWidget(view)
            view.hide()
            view.deleteLater()

    def _fill_sources(self, sources: tuple[SourceRow, ...]) -> None:
        self.sources.fill(sources)
        self._sources_head.setVisible(bool(sources))

    def _ask_removal(self, source: SourceRow) -> None:
        self.jobs.run(
            lambda _: self.app.count_removal(source.id),
            lane=Lane.READING,
            owner=self,
            done=lambda number: self._confirm(source, number),
        )

    def _confirm(self, source: SourceRow, number: int) -> None:
        box = QMessageBox(self)
        box.setObjectName("confirm-removal")
        box.setWindowTitle("Remove a source")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Remove “{source.title}” and {words.entries(number)} from your memory?")
        box.setInformativeText(
            "Entries that another source holds too stay. The files they came from are not touched: "
            "you can import them again."
        )
        remove = box.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove.clicked.connect(lambda: self._remove(source))
        box.open()

    def _remove(self, source: SourceRow) -> None:
        self.jobs.run(
            lambda progress: self.app.remove_source(source.id, progress),
            lane=Lane.WRITING,
            title=f"Removing {source.title}",
            owner=self,
            ended=self.workspace.memory_changed.emit,
        )


class Working(QFrame):
    """Show on the page itself how far the work is, with Cancel."""

    def __init__(self, job: Job, title: str) -> None:
        super().__init__()
        theme.role(self, "card")
        self.title = PlainLabel(title)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self.left = PlainLabel("", "muted")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop this; what is done so far is kept")
        self.cancel.clicked.connect(job.cancel)
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        row.addWidget(self.left)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 12, 12, 14)
        column.addLayout(row)
        column.addWidget(self.bar)

    def show_step(self, step: Step) -> None:
        """Follow the work."""
        if step.total:
            self.bar.setRange(0, 1000)
            self.bar.setValue(min(1000, step.done * 1000 // step.total))
        self.left.setText(words.left(step))
