"""The one window: what it shows first, how it opens and closes. Pages are imported when needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QVBoxLayout, QWidget

from clone_app.ui import theme

if TYPE_CHECKING:
    from clone_app.app import App
    from clone_app.ui.frame import Frame
    from clone_app.ui.jobs import Jobs
    from clone_app.ui.start.flow import Beginning, StartFlow


class Window(QWidget):
    """Paint at once, then open the profile on a lane and show the pages."""

    home_changed = Signal(object)  # Path: the profile folder the user chose

    def __init__(
        self,
        *,
        home: Path,
        build: Callable[[Path], App],
        sample: bool = False,
        mark: Path | None = None,
    ) -> None:
        super().__init__()
        self.home = home
        self.app: App | None = None
        self.jobs: Jobs | None = None
        self.frame: Frame | None = None
        self.flow: StartFlow | None = None
        self._build = build
        self._sample = sample
        self._mark = mark
        self._painted = False
        self._closed = False
        self.ended_well = True
        self.setWindowTitle("Clone")
        self.resize(1280, 800)
        self.setMinimumSize(640, 480)
        self.stack = QStackedWidget()
        self.stack.addWidget(_opening())
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.stack, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note the first paint: everything heavy waits for it."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self._after_first_paint)

    def come_forward(self) -> None:
        """Show the window above others: somebody started the program again."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Vanish at once, then end the work, the models' processes and the lock."""
        event.accept()
        if self._closed:
            return
        self._closed = True
        self.hide()
        QTimer.singleShot(0, self._end)

    def _after_first_paint(self) -> None:
        if self._mark is not None:
            self._mark.touch()
        if self._closed:
            return
        from clone_app.ui.jobs import Jobs
        from clone_app.ui.messages import CrashDialog, MessageBar, catch_all
        from clone_app.ui.start.flow import StartFlow

        self.jobs = Jobs(self)
        bar = self._bar = MessageBar(self)
        self._layout.addWidget(bar)
        crashes = CrashDialog(self)
        self.jobs.failed.connect(bar.say)
        self.jobs.crashed.connect(crashes.tell)
        self._release = catch_all(crashes.tell)
        QApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.flow = StartFlow(
            home=self.home, jobs=self.jobs, build=self._build, sample=self._sample, parent=self
        )
        self.flow.page.connect(self._show_page)
        self.flow.home_changed.connect(self._move)
        self.flow.opened.connect(self._open)
        self.flow.begin()

    def _show_page(self, page: QWidget) -> None:
        old = self.stack.currentWidget()
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)
        if old is not None:
            self.stack.removeWidget(old)
            old.deleteLater()

    def _move(self, home: Path) -> None:
        self.home = home
        self.home_changed.emit(home)

    def _open(self, app: App, beginning: Beginning) -> None:
        from clone_app.ui.frame import Frame
        from clone_app.ui.workspace import Workspace

        assert self.jobs is not None
        self.app = app
        settings = app.settings
        self._dress(settings.theme.value, settings.text_size)
        workspace = Workspace(app, self.jobs, self)
        workspace.said.connect(self._bar.say)
        workspace.settings_changed.connect(
            lambda changed: self._dress(changed.theme.value, changed.text_size)
        )
        self.frame = Frame(workspace)
        self._show_page(self.frame)
        self.frame.begin(beginning)

    def _dress(self, look: str, text_size: int) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, theme=look, text_size=text_size)

    def _follow_system(self) -> None:
        if self.app is not None:
            self._dress(self.app.settings.theme.value, self.app.settings.text_size)

    def _end(self) -> None:
        if self.jobs is not None:
            app = self.app or (self.flow.app if self.flow else None)
            self.ended_well = self.jobs.close(last=app.close if app is not None else None)
            self._release()
        QApplication.quit()


def _opening() -> QWidget:
    """Return what is seen for the moment until the profile is open."""
    page = QWidget()
    title, line = QLabel("Clone"), QLabel("Opening your memory…")
    theme.role(title, "title")
    theme.role(line, "muted")
    layout = QVBoxLayout(page)
    layout.addStretch()
    for label in (title, line):
        layout.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
    layout.addStretch()
    return page
