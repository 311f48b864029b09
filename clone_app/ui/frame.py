"""The frame around the pages: a slim sidebar, the page, the status area."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme
from clone_app.ui.icons import icon
from clone_app.ui.memories.dialog import EntryDialog
from clone_app.ui.page import Page
from clone_app.ui.start.flow import Beginning
from clone_app.ui.status import StatusArea
from clone_app.ui.watching import LiveFolders
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.ui.memories.page import MemoriesPage


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    title: str
    make: Callable[[Workspace], Page]


def _chat(workspace: Workspace) -> Page:
    from clone_app.ui.chat.page import ChatPage

    return ChatPage(workspace)


def _memories(workspace: Workspace) -> Page:
    from clone_app.ui.memories.page import MemoriesPage

    return MemoriesPage(workspace)


def _persona(workspace: Workspace) -> Page:
    from clone_app.ui.persona.page import PersonaPage

    return PersonaPage(workspace)


def _people(workspace: Workspace) -> Page:
    from clone_app.ui.people.page import PeoplePage

    return PeoplePage(workspace)


def _imports(workspace: Workspace) -> Page:
    from clone_app.ui.imports.page import ImportPage

    return ImportPage(workspace)


def _evaluation(workspace: Workspace) -> Page:
    from clone_app.ui.evaluation.page import EvaluationPage

    return EvaluationPage(workspace)


def _preferences(workspace: Workspace) -> Page:
    from clone_app.ui.preferences.page import PreferencesPage

    return PreferencesPage(workspace)


PLACES = (
    _Place("chat", "Chat", _chat),
    _Place("memories", "Memories", _memories),
    _Place("persona", "About me", _persona),
    _Place("people", "People", _people),
    _Place("import", "Import", _imports),
    _Place("evaluation", "Evaluation", _evaluation),
    _Place("preferences", "Preferences", _preferences),
)


class Frame(QWidget):
    """Hold the pages, made when first shown, and the way between them."""

    def __init__(self, workspace: Workspace) -> None:
        self._buttons: dict[str, QPushButton] = {}
        super().__init__()
        self.workspace = workspace
        self.pages: dict[str, Page] = {}
        self.stack = QStackedWidget()
        self.status = StatusArea(workspace.jobs)
        self._side = self._sidebar()
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._side)
        across.addWidget(self.stack, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(across, 1)
        layout.addWidget(self.status)
        workspace.page_wanted.connect(self.go)
        workspace.entry_wanted.connect(self._open_entry)
        workspace.situation_wanted.connect(lambda found: self._memories().open_situation(found))
        workspace.person_wanted.connect(lambda key, name: self._memories().list_person(key, name))
        workspace.missing_wanted.connect(lambda: self._memories().look_for_missing())
        quit_ = QShortcut(QKeySequence.StandardKey.Quit, self)
        quit_.activated.connect(lambda: self.window().close())
        self._draw()

    def begin(self, beginning: Beginning) -> None:
        """Show what the user chose at the start, and go on with unfinished background work."""
        LiveFolders(self.workspace).look()
        if beginning is Beginning.IMPORT:
            self.go("import")
        else:
            self.go("chat")
        if beginning is Beginning.SAMPLE:
            from clone_app.ui.imports.work import import_sample

            import_sample(self.workspace)
        else:
            self.workspace.finish_vectors()

    def go(self, name: str) -> None:
        """Show a page."""
        page = self.pages.get(name)
        if page is None:
            place = next(place for place in PLACES if place.name == name)
            page = self.pages[name] = place.make(self.workspace)
            self.stack.addWidget(page)
            if page.aside is not None:
                self._asides.addWidget(page.aside)
        self.stack.setCurrentWidget(page)
        self._asides.setCurrentWidget(page.aside or self._no_aside)
        self._buttons[name].setChecked(True)
        page.arrive()

    def _memories(self) -> MemoriesPage:
        from clone_app.ui.memories.page import MemoriesPage

        self.go("memories")
        page = self.pages["memories"]
        assert isinstance(page, MemoriesPage)
        return page

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons anew in another scheme and size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and self._buttons:
            self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to the page where the sidebar would take a quarter of it."""
        super().resizeEvent(event)
        self._draw()

    def _sidebar(self) -> QFrame:
        side = QFrame()
        theme.role(side, "side")
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 18, 10, 12)
        column.setSpacing(4)
        self._name = QLabel("Clone")
        theme.role(self._name, "heading")
        self._name.setContentsMargins(12, 0, 0, 8)
        column.addWidget(self._name)
        self.menu = _nav("Sidebar")
        self.menu.setToolTip("Show or hide the words of the sidebar")
        self.menu.toggled.connect(lambda _: self._draw())
        column.addWidget(self.menu)
        group = QButtonGroup(self)
        for number, place in enumerate(PLACES, 1):
            button = _nav(place.title)
            button.setToolTip(f"{place.title} (Ctrl+{number})")
            button.clicked.connect(lambda _, name=place.name: self.go(name))
            group.addButton(button)
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self)
            shortcut.activated.connect(lambda name=place.name: self.go(name))
            column.addWidget(button)
            self._buttons[place.name] = button
        column.addSpacing(14)
        self._asides = QStackedWidget()
        self._no_aside = QWidget()
        self._asides.addWidget(self._no_aside)
        column.addWidget(self._asides, 1)
        column.addStretch(0)
        return side

    def _draw(self) -> None:
        """Fit icons, words and width to scheme, text size and window."""
        letter = self.fontMetrics().height()
        wide = round(letter * 10) + 24
        tight = wide * 4 > self.width()
        slim = tight and not self.menu.isChecked()
        self.menu.setVisible(tight)
        self._name.setVisible(not tight)
        self._asides.setVisible(not slim)
        self._side.setFixedWidth(letter * 3 + 20 if slim else wide)
        ink = theme.colours().ink
        for name, button in (("menu", self.menu), *self._buttons.items()):
            button.setText("" if slim or name == "menu" else button.accessibleName())
            button.setIcon(icon(name, ink, size=letter + 2))
            button.setIconSize(QSize(letter + 2, letter + 2))

    def _open_entry(self, item_id: int, quote: str) -> None:
        dialog = EntryDialog(self.workspace, item_id, quote, self)
        dialog.show()


def _nav(title: str) -> QPushButton:
    button = QPushButton(title)
    button.setCheckable(True)
    button.setAccessibleName(title)
    theme.role(button, "nav")
    return button
