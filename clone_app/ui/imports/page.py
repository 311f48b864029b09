"""The Import page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.errors import CloneAppError, UnrecognisedError
from clone_app.progress import Progress
from clone_app.ui import theme, words
from clone_app.ui.forget import ask_to_forget
from clone_app.ui.imports.drop import DropZone
from clone_app.ui.imports.mailwork import MailWork
from clone_app.ui.imports.preview import PreviewView
from clone_app.ui.imports.report import ReportView
from clone_app.ui.imports.sources import SourceList
from clone_app.ui.imports.work import start_import
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.page import Page
from clone_app.ui.plain import Column, wrapped
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.app import ImportReport, Preview, SourceRow


class ImportPage(Page):
    """Lead from a dropped file to entries in memory, one thing after the other."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.waiting: list[Path] = []
        self.preview: PreviewView | None = None
        self.working: Job | None = None
        self.now = wrapped("", "muted")
        self.now.hide()
        self.report: ReportView | None = None
        self.drop = DropZone(tuple((one.title, one.help) for one in self.app.importers()))
        self.drop.chosen.connect(self.take)
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self.sources = SourceList()
        self.sources.removal_wanted.connect(self._ask_removal)
        self.mail = MailWork(self)
        self.mail.report.connect(self._show_report)
        self.mail.fault.connect(self._say)
        self.drop.mail_wanted.connect(self.mail.ask)
        self.sources.mail_wanted.connect(self.mail.fetch)
        self.sources.watch_wanted.connect(self._watch)
        self.sources.gone_wanted.connect(self._ask_gone)
        self._sources_head = QLabel("In your memory")
        theme.role(self._sources_head, "heading")
        self._place = QVBoxLayout()
        self._place.setSpacing(10)
        inner = QWidget()
        column = QVBoxLayout(inner)
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
        column.addWidget(self.now)
        column.addLayout(self._place)
        column.addSpacing(10)
        column.addWidget(self._sources_head)
        column.addWidget(self.sources)
        column.addStretch()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(Column(inner, letters=130))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scroll)
        workspace.memory_changed.connect(self.refresh)
        self.refresh()

    def arrive(self) -> None:
        """Let Enter choose a file."""
        self.drop.file.setFocus()

    def refresh(self) -> None:
        """Read the sources anew."""
        self.jobs.run(
            lambda _: self.app.sources(), lane=Lane.READING, owner=self, done=self._fill_sources
        )

    def take(self, paths: list[Path]) -> None:
        """Look into what was dropped or chosen, one after the other."""
        self.waiting.extend(paths)
        if self.preview is None and self.working is None:
            self._put_away("report")
            self._next()

    def _next(self) -> None:
        self._say("")
        if not self.waiting:
            return
        path = self.waiting.pop(0)
        app = self.app

        def look(progress: Progress) -> tuple[Preview, frozenset[str]]:
            return app.preview(path, progress=progress), app.me()

        found: list[bool] = []

        def done(both: tuple[Preview, frozenset[str]]) -> None:
            found.append(True)
            self._show_preview(path, *both)

        def ended() -> None:
            self._follow(None)
            if not found:
                self._next_unless_said()

        job = self.jobs.run(
            look,
            lane=Lane.WRITING,
            title=f"Looking into {path.name}",
            owner=self,
            done=done,
            failed=lambda fault: self._failed(path, fault),
            ended=ended,
        )
        self._follow(job, f"Looking into {path.name}. Nothing is imported yet.")

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
        path, me, answers = self.preview.path, self.preview.me(), self.preview.answers()
        self._put_away("preview")
        job = start_import(
            self.workspace,
            path,
            me=me,
            answers=answers,
            owner=self,
            done=lambda report: self._show_report(path.name, report),
            failed=lambda fault: self._failed(path, fault),
            ended=self._imported,
        )
        self._follow(job, f"Importing {path.name}. You can go on using the other pages.")

    def _imported(self) -> None:
        self._follow(None)
        self._next_unless_said()

    def _next_unless_said(self) -> None:
        """Go on with what waits; a sentence about the last one stays to be read."""
        sentence = self.fault.text()
        self._next()
        self._say(sentence)

    def _show_report(self, name: str, report: ImportReport) -> None:
        self._put_away("report")
        self.report = ReportView(name, report)
        self.report.closed.connect(lambda: self._put_away("report"))
        self.report.page_wanted.connect(self.workspace.page_wanted)
        self._place.addWidget(self.report)
        announce(self, self.report.summary.text())

    def _failed(self, path: Path, fault: CloneAppError) -> None:
        said = str(fault)
        if isinstance(fault, UnrecognisedError) and fault.brief:
            said = f"{fault.brief} “What can be read?” above says what to choose."
        self._say(said if path.name in said else f"{path.name}: {said}")

    def _say(self, sentence: str) -> None:
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        if sentence:
            announce(self, sentence)

    def _follow(self, job: Job | None, sentence: str = "") -> None:
        """Note what is being done: the status area shows how far it is, and Cancel."""
        self.working = job
        self.now.setText(sentence)
        self.now.setVisible(bool(sentence))

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
        ask_to_forget(self.workspace, self, f"“{source.title}”", source=source.id)

    def _watch(self, source: SourceRow, on: bool) -> None:
        self.jobs.run(
            lambda _: self.app.watch(source.id) if on else self.app.unwatch(source.id),
            lane=Lane.WRITING,
            owner=self,
            done=lambda _: self.workspace.watching_changed.emit(),
            failed=lambda fault: self._say(str(fault)),
            ended=self.refresh,
        )

    def _ask_gone(self, source: SourceRow) -> None:
        """Ask before what is no longer in a source's files goes from the memory too."""
        box = QMessageBox(self)
        box.setObjectName("confirm-gone")
        box.setWindowTitle("No longer in the files")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(
            f"Remove {words.entries(source.gone)} from your memory that are no longer in "
            f"“{source.title}”?"
        )
        box.setInformativeText("Entries that another source holds too stay.")
        remove = box.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove.clicked.connect(lambda: self._remove_gone(source))
        box.open()

    def _remove_gone(self, source: SourceRow) -> None:
        self.jobs.run(
            lambda progress: self.app.remove_gone(source.id, progress),
            lane=Lane.WRITING,
            title=f"Removing from {source.title}",
            owner=self,
            ended=self.workspace.memory_changed.emit,
        )
