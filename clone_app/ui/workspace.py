"""What every page works with: the open App, the lanes, and the hooks that say what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from clone_app.entries import NO_FILTERS, Filters
from clone_app.progress import Progress
from clone_app.ui.jobs import Job, Jobs, Lane

if TYPE_CHECKING:
    from clone_app.app import App


@dataclass(frozen=True, slots=True)
class LastQuestion:
    """Hold what was asked in Chat, of which moment, among which entries, and what was asked before."""

    text: str
    at: str | None = None
    filters: Filters = NO_FILTERS
    earlier: tuple[str, ...] = ()


class Workspace(QObject):
    """Tie pages together without their knowing each other: one asks, a hook tells who listens."""

    memory_changed = Signal()
    settings_changed = Signal(object)  # Settings
    watching_changed = Signal()
    lines_proposed = Signal()  # About me has something new in its inbox
    page_wanted = Signal(str)
    entry_wanted = Signal(int, str)  # item id, the quote to highlight
    situation_wanted = Signal(object)  # Situation
    person_wanted = Signal(str, str)  # whose entries to list: a person's key and name
    model_tried = Signal()  # what the language model is able to was measured
    missing_wanted = Signal()  # the entry that the last question should have found
    said = Signal(str)  # a sentence for the message bar

    def __init__(self, app: App, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.app = app
        self.jobs = jobs
        self.last_question: LastQuestion | None = None
        self._vectors: Job | None = None
        self._trial: Job | None = None
        self._lines: Job | None = None

    def finish_vectors(self) -> None:
        """Embed what has no vector yet in the background: all else in the lane goes first."""
        if self._vectors is not None and not self._vectors.finished:
            return

        def look(_: Progress) -> bool:
            return bool(self.app.vectors_pending()) or self.app.situations_waiting()

        self.jobs.run(look, lane=Lane.READING, owner=self, done=self._start_vectors)

    def _start_vectors(self, wanted: bool) -> None:
        if wanted:
            self._vectors = self.jobs.run(
                self.app.finish_vectors,
                lane=Lane.WRITING,
                title="Preparing search by meaning",
                owner=self,
                done=lambda _: self._advise(),
                ended=self._look_for_lines,
                background=True,
            )
        else:
            self._advise()
            self._look_for_lines()

    def _look_for_lines(self) -> None:
        """Read what the entries say of the user, where that has changed; it waits in About me's inbox."""
        self.jobs.run(
            lambda _: self.app.persona_outdated(),
            lane=Lane.READING,
            owner=self,
            done=self._start_lines,
        )

    def _start_lines(self, wanted: bool) -> None:
        if wanted and (self._lines is None or self._lines.finished):
            self._lines = self.jobs.run(
                self.app.build_persona,
                lane=Lane.WRITING,
                title="Reading what your entries say of you",
                owner=self,
                done=lambda _: self.lines_proposed.emit(),
                background=True,
            )

    def try_model(self) -> None:
        """Try a language model that was never tried, behind all that is asked of it."""
        if self._trial is not None and not self._trial.finished:
            return
        self.jobs.run(
            lambda _: self.app.model_untried(),
            lane=Lane.READING,
            owner=self,
            done=self._start_trial,
            failed=lambda _: None,
        )

    def _start_trial(self, wanted: bool) -> None:
        if wanted:
            self._trial = self.jobs.run(
                self.app.try_model,
                lane=Lane.MODEL,
                title="Trying the language model",
                owner=self,
                done=lambda _: self.model_tried.emit(),
                failed=lambda _: None,  # what does not run says so when it is asked
                background=True,
            )

    def _advise(self) -> None:
        """Say once that another embedder would understand more."""
        self.jobs.run(
            lambda _: self.app.advise_once(),
            lane=Lane.WRITING,
            owner=self,
            done=lambda said: self.said.emit(said) if said else None,
        )

    def change_settings(self, *, lane: Lane, **changes: object) -> None:
        """Save settings and tell who listens."""
        self.jobs.run(
            lambda _: self.app.change_settings(**changes),
            lane=lane,
            title="Changing preferences",
            owner=self,
            done=self._changed,
        )

    def _changed(self, settings: object) -> None:
        self.settings_changed.emit(settings)
        self.finish_vectors()  # another zone or embedder leaves something to do
