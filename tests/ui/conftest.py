"""What the window's tests are given: a core in memory, lanes, a workspace, a watch for leaks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from clone_app.ui import theme
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.jobs import Jobs
from clone_app.ui.memories.page import MemoriesPage
from clone_app.ui.workspace import Workspace

from .fake_core import FakeApp
from .invented import SAID, SOURCES, STOPPED, entry, spoken


@pytest.fixture
def dressed(qapp: QApplication) -> QApplication:
    """The application in the window's own colours."""
    theme.apply(qapp, theme="light", text_size=100)
    return qapp


@pytest.fixture
def jobs(dressed: QApplication) -> Iterator[Jobs]:
    """Lanes that end with the test; a thread that stays is a failure."""
    jobs = Jobs()
    yield jobs
    assert jobs.close(), "a lane's thread did not end"
    jobs.deleteLater()
    settle(dressed)


@pytest.fixture(autouse=True)
def nothing_leaks(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a widget on the screen or a lane's thread behind."""
    yield
    settle(qapp)
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    for widget in left:
        widget.close()
    assert not left, f"left open: {left}"
    lanes = [thread.name for thread in threading.enumerate() if thread.name.startswith("lane-")]
    assert not lanes, f"left running: {lanes}"


def settle(application: QApplication) -> None:
    """Let Qt delete what is to be deleted."""
    for _ in range(3):
        application.processEvents()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def make_workspace(jobs: Jobs) -> Callable[[FakeApp], Workspace]:
    """Make what pages work with, around a core."""

    def make(app: FakeApp) -> Workspace:
        return Workspace(app, jobs, jobs)  # type: ignore[arg-type]  # the fake has App's methods

    return make


@pytest.fixture(scope="session")
def fake() -> SimpleNamespace:
    """The fake core and what it tells, by name."""
    return SimpleNamespace(
        App=FakeApp, entry=entry, spoken=spoken, SOURCES=SOURCES, SAID=SAID, STOPPED=STOPPED
    )


@pytest.fixture
def app() -> FakeApp:
    """A core with ten entries in it."""
    return FakeApp(items=10)


@pytest.fixture
def workspace(app: FakeApp, make_workspace: Callable[[FakeApp], Workspace]) -> Workspace:
    """What pages work with, around ten entries."""
    return make_workspace(app)


@pytest.fixture
def waited() -> Callable[[Callable[[], bool]], None]:
    """Wait, with Qt's loop turning, until something is so."""

    def wait(so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        while not so():
            assert time.monotonic() < deadline, "it did not come about within 20 s"
            QApplication.processEvents()
            time.sleep(0.002)

    return wait


@pytest.fixture
def chat(workspace: Workspace, qtbot: QtBot) -> ChatPage:
    """The chat of ten entries, shown."""
    page = ChatPage(workspace)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    return page


@pytest.fixture
def memories(
    workspace: Workspace, qtbot: QtBot, waited: Callable[[Callable[[], bool]], None]
) -> MemoriesPage:
    """The list of ten entries, shown and filled."""
    page = MemoriesPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    waited(lambda: page.model.rowCount() == 10)
    return page
