"""Look at watched sources at the start and about once a minute; read those that have changed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from clone_app.progress import Progress
from clone_app.ui import words
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.app.watching import Refreshed

EVERY_SECONDS = 60
# A folder that takes long to read is read less often: at most a tenth of the time goes into it.
_REST = 9


class LiveFolders(QObject):
    """Keep what is watched up to date, as work that makes way for anything else."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.job: Job | None = None
        self._begun = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)
        workspace.watching_changed.connect(self.look)

    def look(self) -> None:
        """See whether anything has changed; while that is under way, do nothing."""
        if self.job is not None:
            return
        self._timer.stop()
        app = self._workspace.app
        self.job = self._workspace.jobs.run(
            lambda _: app.changed_sources(),
            lane=Lane.READING,
            owner=self,
            done=self._read,
            ended=self._rest,
        )

    def _read(self, changed: tuple[int, ...]) -> None:
        if not changed:
            return
        app = self._workspace.app
        self._begun = time.monotonic()

        def work(progress: Progress) -> tuple[Refreshed, ...]:
            return app.refresh_watched(vectors=False, progress=progress)

        self.job = self._workspace.jobs.run(
            work,
            lane=Lane.WRITING,
            title="Reading watched folders",
            owner=self,
            done=self._tell,
            ended=self._rest,
            background=True,
        )

    def _tell(self, refreshed: tuple[Refreshed, ...]) -> None:
        self._workspace.memory_changed.emit()
        if any(each.changed for each in refreshed):
            self._workspace.finish_vectors()
        for each in refreshed:
            if each.newly_gone:
                self._workspace.said.emit(
                    f"{words.entries(each.newly_gone)} of “{each.title}” are no longer in its "
                    "files. They stay in your memory; the Import page lets you take them out."
                )

    def _rest(self) -> None:
        """Wait for the next look, unless reading has just begun: then its end does."""
        if self.job is not None and not self.job.finished:
            return
        spent = time.monotonic() - self._begun if self._begun else 0.0
        self.job, self._begun = None, 0.0
        self._timer.start(round(1000 * max(EVERY_SECONDS, _REST * spent)))
