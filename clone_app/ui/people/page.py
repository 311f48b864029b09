"""The People page: everybody who wrote or got something, and the guesses who is one person."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.likeness import Proposal
from clone_app.memory.people import Person, folded
from clone_app.progress import Progress
from clone_app.ui import theme, words
from clone_app.ui.forget import ask_to_forget
from clone_app.ui.jobs import Lane
from clone_app.ui.page import Page
from clone_app.ui.people.guesses import Guesses
from clone_app.ui.people.person import PersonView
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_KEY = Qt.ItemDataRole.UserRole


class PeoplePage(Page):
    """List people beside the one that is chosen; the program's guesses stand above, to be decided."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.people: tuple[Person, ...] = ()
        self._chosen = ""
        self.count = QLabel()
        theme.role(self.count, "muted")
        self.guesses = Guesses()
        self.guesses.same.connect(lambda one, other: self._do("merge_people", one, other))
        self.guesses.different.connect(lambda one, other: self._do("part_people", one, other))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a name or address")
        self.filter.setAccessibleName("Find a name or address")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _: self._fill())
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        theme.role(self.list, "aside")
        self.list.setAccessibleName("People")
        self.list.currentItemChanged.connect(lambda item, _: self._choose(item))
        self.view = PersonView()
        self.view.called.connect(lambda key, name: self._do("call_person", key, name))
        self.view.split.connect(lambda handle: self._do("split_person", handle))
        self.view.merged.connect(lambda one, other: self._do("merge_people", one, other))
        self.view.forget.connect(self._forget)
        self.view.read.connect(workspace.person_wanted)
        self._side = QStackedWidget()
        hint = wrapped("Choose somebody to see names, addresses and dates.", "muted")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._side.addWidget(hint)
        self._side.addWidget(self.view)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        self._split = QSplitter()
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(16)
        self._split.addWidget(left)
        self._split.addWidget(self._side)
        self._split.setSizes([460, 560])
        self.empty = _empty(workspace)
        self._body = QStackedWidget()
        self._body.addWidget(self._split)
        self._body.addWidget(self.empty)
        title = QLabel("People")
        theme.role(title, "title")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(10)
        layout.addWidget(title)
        layout.addWidget(self.count)
        layout.addWidget(self.guesses)
        layout.addWidget(self._body, 1)
        workspace.memory_changed.connect(self.refresh)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the person below the list where there is no room beside it."""
        super().resizeEvent(event)
        narrow = self.is_narrow()
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def arrive(self) -> None:
        """Let typing find somebody at once."""
        self.filter.setFocus()

    def refresh(self) -> None:
        """Read people and guesses anew."""

        def look(progress: Progress) -> tuple[tuple[Person, ...], tuple[Proposal, ...]]:
            people = self.app.people()
            progress.check()
            return people, self.app.proposals()

        self.jobs.run(look, lane=Lane.READING, owner=self, done=self._show)

    def _show(self, found: tuple[tuple[Person, ...], tuple[Proposal, ...]]) -> None:
        self.people, proposals = found
        self.guesses.fill(proposals)
        others = sum(not person.mine for person in self.people)
        said = words.count(others, "other person", "other people")
        self.count.setText(f"{said} in your mails, chats and posts" if others else "")
        self._body.setCurrentIndex(0 if self.people else 1)
        self._fill()

    def _fill(self) -> None:
        """List who fits what was typed, and keep the one that was chosen."""
        wanted, chosen = folded(self.filter.text()), self._chosen
        self.list.clear()
        for person in self.people:
            if wanted and not any(wanted in folded(name) for name in person.names()):
                continue
            item = QListWidgetItem(_line(person))
            item.setData(_KEY, person.key)
            self.list.addItem(item)
            if person.key == chosen:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None:
            self._side.setCurrentIndex(0)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        self._chosen = str(item.data(_KEY))
        person = next(each for each in self.people if each.key == self._chosen)
        self.view.show_person(person, self.people)
        self._side.setCurrentWidget(self.view)

    def _do(self, name: str, *about: str) -> None:
        """Keep a decision, then show what follows from it."""
        decide = getattr(self.app, name)
        self.jobs.run(
            lambda _: decide(*about),
            lane=Lane.WRITING,
            owner=self,
            title="Keeping who is who",
            ended=self.refresh,
        )

    def _forget(self, called: str, handles: tuple[str, ...]) -> None:
        what = f"everything from and to “{called}”"
        ask_to_forget(self.workspace, self, what, handles=handles)


def _line(person: Person) -> str:
    you = " (you)" if person.mine else ""
    parts = [f"wrote {person.wrote:,}"] if person.wrote else []
    parts += [f"got {person.got:,}"] if person.got else []
    return f"{person.name}{you}   ·   {', '.join(parts)}"


def _empty(workspace: Workspace) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.addStretch(1)
    line = wrapped("Nobody is here yet.", "heading")
    more = wrapped(
        "People come with mails, chats and posts. A diary alone names no senders.", "muted"
    )
    for label in (line, more):
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(label)
    button = QPushButton("Import mails or chats")
    button.setToolTip("Go to the Import page")
    theme.role(button, "primary")
    button.clicked.connect(lambda: workspace.page_wanted.emit("import"))
    column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(2)
    return page
