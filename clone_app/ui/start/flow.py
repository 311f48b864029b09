"""Lead from an empty window to an open profile."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimeZone, Signal

from clone_app.errors import CloneAppError, KeyingError, ProfileError, WrongPassphraseError
from clone_app.progress import Progress
from clone_app.ui.jobs import Jobs, Lane

if TYPE_CHECKING:
    from clone_app.app import App
    from clone_app.ui.start.first import FirstStart
    from clone_app.ui.start.unlock import Unlock


class Beginning(StrEnum):
    """What the window does first once the profile is open."""

    CHAT = "chat"
    SAMPLE = "sample"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class _Found:
    app: App
    state: str
    keyring: bool


def system_zone() -> str:
    """Return the system's time zone by its IANA name, UTC if it has none."""
    return QTimeZone.systemTimeZoneId().toStdString() or "UTC"


class StartFlow(QObject):
    """Show start pages until the profile is open; everything slow happens on the writing lane."""

    page = Signal(object)  # QWidget to show
    home_changed = Signal(object)  # Path
    opened = Signal(object, object)  # App, Beginning

    def __init__(
        self,
        *,
        home: Path,
        jobs: Jobs,
        build: Callable[[Path], App],
        sample: bool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.app: App | None = None
        self._home = self._first_home = home
        self._jobs = jobs
        self._build = build
        self._sample = sample

    def begin(self) -> None:
        """Find out what is in the profile folder, then go where that leads."""
        self._jobs.run(
            lambda _: self._look(self._home),
            lane=Lane.WRITING,
            owner=self,
            done=self._route,
            failed=self._blocked,
        )

    def _look(self, home: Path) -> _Found:
        """Build the core for a folder; on the lane, as it imports what is heavy."""
        if self.app is not None:
            self.app.close()
        self.app = app = self._build(home)
        state = app.state().value
        return _Found(app, state, state == "new" and app.keyring_works())

    def _route(self, found: _Found) -> None:
        app = found.app
        match found.state:
            case "new" if self._sample:
                passphrase = secrets.token_urlsafe(24)
                self._do(
                    lambda _: app.create(passphrase, home_zone=system_zone()),
                    lambda _: self.opened.emit(app, Beginning.SAMPLE),
                )
            case "new":
                self._first_start(found.keyring)
            case "locked":
                given = os.environ.get("CLONE_APP_PASSPHRASE")
                if given is None:
                    self._ask_passphrase()
                else:
                    self._do(lambda _: app.unlock(given), lambda _: self._enter())
            case "keyed":
                self._do(lambda _: app.unlock(None), lambda _: self._enter())
            case _:
                self._enter()

    def _do(self, work: Callable[[Progress], None], done: Callable[[None], None]) -> None:
        self._jobs.run(work, lane=Lane.WRITING, owner=self, done=done, failed=self._blocked)

    def _enter(self) -> None:
        self.opened.emit(self.app, Beginning.CHAT)

    def _first_start(self, keyring: bool) -> None:
        from clone_app.ui.start.first import FirstStart

        page = FirstStart(home=self._home, zone=system_zone(), keyring=keyring)
        page.wanted.connect(lambda: self._create(page))
        self.page.emit(page)

    def _create(self, page: FirstStart) -> None:
        home, passphrase, zone = page.home(), page.passphrase(), page.zone()

        def create(_: Progress) -> bool:
            """Return whether a new profile was made: the chosen folder may hold one already."""
            if home != self._home or self.app is None:
                found = self._look(home)
                if found.state != "new":
                    return False
            assert self.app is not None
            self.app.create(passphrase, home_zone=zone)
            return True

        def created(new: bool) -> None:
            if home != self._home:
                self._home = home
                self._remember(home)
                self.home_changed.emit(home)
            if new:
                self._offer()
            else:
                self.begin()

        page.set_busy(True)
        self._jobs.run(
            create,
            lane=Lane.WRITING,
            owner=page,
            done=created,
            failed=lambda fault: page.say(str(fault)),
            ended=lambda: page.set_busy(False),
        )

    def _remember(self, home: Path) -> None:
        """Have the next start look where the profile is, unless this one was sent elsewhere."""
        from clone_app.paths import default_home, remember_home

        def note(_: Progress) -> None:
            try:
                remember_home(home)
            except OSError as fault:
                raise ProfileError(
                    f"The choice of folder can't be noted ({fault.strerror}). "
                    f"Start the program with --profile {home} next time."
                ) from fault

        if self._first_home == default_home():
            self._first_home = home
            self._jobs.run(note, lane=Lane.READING)

    def _offer(self) -> None:
        from clone_app.ui.start.beginning import BeginningPage

        page = BeginningPage()
        page.chosen.connect(lambda beginning: self.opened.emit(self.app, beginning))
        self.page.emit(page)

    def _ask_passphrase(self, sentence: str = "") -> None:
        from clone_app.ui.start.unlock import Unlock

        page = Unlock(self._home)
        page.wanted.connect(lambda: self._unlock(page))
        page.say(sentence)
        self.page.emit(page)

    def _unlock(self, page: Unlock) -> None:
        app, passphrase = self.app, page.passphrase()
        assert app is not None

        def failed(fault: CloneAppError) -> None:
            if isinstance(fault, WrongPassphraseError):
                page.wrong(str(fault))
            elif isinstance(fault, KeyingError):
                page.say(str(fault))
            else:
                self._blocked(fault)

        page.set_busy(True)
        self._jobs.run(
            lambda _: app.unlock(passphrase),
            lane=Lane.WRITING,
            owner=page,
            done=lambda _: self._enter(),
            failed=failed,
            ended=lambda: page.set_busy(False),
        )

    def _blocked(self, fault: CloneAppError) -> None:
        """Show why the profile can't be opened, with the ways out."""
        if isinstance(fault, KeyingError) and self.app is not None:
            self._ask_passphrase(str(fault))
            return
        from clone_app.ui.start.blocked import Blocked

        page = Blocked(str(fault), self._home)
        page.again.connect(self.begin)
        page.elsewhere.connect(self._elsewhere)
        self.page.emit(page)

    def _elsewhere(self, home: Path) -> None:
        self._home = home
        self._remember(home)
        self.home_changed.emit(home)
        self.begin()
