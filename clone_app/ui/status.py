"""The status area: what goes on in the background, how long it takes, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout

from clone_app.ui import theme, words
from clone_app.ui.jobs import Job, Jobs
from clone_app.ui.plain import PlainLabel

PATIENCE_MS = 300


class JobRow(QFrame):
    """Show one job: its title, a bar, the time left, Cancel."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job
        self.title = PlainLabel(job.title)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(job.title)
        self.left = QLabel()
        theme.role(self.left, "muted")
        self.cancel = QPushButton("Cancel")
        # Without the title: Qt reads a tooltip as markup, and a title may name a file.
        self.cancel.setToolTip("Stop this; what is done so far is kept")
        self.cancel.setAccessibleName(f"Cancel: {job.title}")
        theme.role(self.cancel, "quiet")
        self.cancel.clicked.connect(self._cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 4, 12, 4)
        layout.setSpacing(14)
        layout.addWidget(self.title)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.left)
        layout.addWidget(self.cancel)

    def show_step(self) -> None:
        """Follow the job's last step."""
        step = self.job.step
        if step is None:
            return
        if step.total:
            self.bar.setRange(0, 1000)
            self.bar.setValue(min(1000, step.done * 1000 // step.total))
        else:
            self.bar.setRange(0, 0)
        if step.label and step.label != self.job.title:
            self.title.setText(f"{self.job.title}: {step.label}")
        self.left.setText(words.left(step))

    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.left.setText("stopping…")
        self.job.cancel()


class StatusArea(QFrame):
    """List the titled jobs that run or wait; take no room while there are none."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        theme.role(self, "bar")
        self.setAccessibleName("Background work")
        self._rows: dict[int, JobRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 4)
        self._column.setSpacing(0)
        jobs.started.connect(self._add)
        jobs.stepped.connect(self._step)
        jobs.ended.connect(self._remove)
        for job in jobs.active():
            self._add(job)
        self.setVisible(bool(self._rows))

    def rows(self) -> list[JobRow]:
        """Return the rows shown, oldest first."""
        return list(self._rows.values())

    @Slot(object)
    def _add(self, job: Job) -> None:
        if job.title:
            QTimer.singleShot(PATIENCE_MS, self, lambda: self._show(job))

    def _show(self, job: Job) -> None:
        """Show a job that is still there: what is done in a blink needs no row."""
        if not job.finished and id(job) not in self._rows:
            row = self._rows[id(job)] = JobRow(job)
            row.show_step()
            self._column.addWidget(row)
            self.show()

    @Slot(object)
    def _step(self, job: Job) -> None:
        row = self._rows.get(id(job))
        if row is not None:
            row.show_step()

    @Slot(object)
    def _remove(self, job: Job) -> None:
        row = self._rows.pop(id(job), None)
        if row is not None:
            self._column.removeWidget(row)
            row.deleteLater()
        self.setVisible(bool(self._rows))
