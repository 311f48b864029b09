"""The page "About me": what the entries say of the user, theirs to accept, edit, lock and delete."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.lines import Forgotten, KeptLine, LineState, Proposed, Section
from clone_app.persona.document import TITLES, subject, verbatim
from clone_app.persona.style.nearness import HeldOut
from clone_app.ui import theme, words
from clone_app.ui.jobs import Lane
from clone_app.ui.messages import announce
from clone_app.ui.page import Page
from clone_app.ui.persona.forgetting import ForgetDialog, LeftOutPane, Undoing
from clone_app.ui.persona.private import PrivatePane
from clone_app.ui.persona.row import LineRow
from clone_app.ui.plain import Column, look_switch, wrapped
from clone_app.ui.workspace import Workspace

SLIM = 105  # average letters
KNOWN, PRIVATE, LEFT_OUT = "What is known", "What is kept private", "What is left out of me"


class PersonaPage(Page):
    """Show the document by sections, what waits to be decided above it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.rows: dict[int, LineRow] = {}
        self._held: QWidget | None = None
        self.begin: QPushButton | None = None
        self.count = QLabel()
        theme.role(self.count, "muted")
        self.build = QPushButton("Read my entries")
        self.build.setToolTip("Look again at what your entries say of you")
        self.build.clicked.connect(self.start_building)
        head = QHBoxLayout()
        title = QLabel("About me")
        theme.role(title, "title")
        head.addWidget(title)
        head.addSpacing(8)
        head.addWidget(self.count, 1)
        head.addWidget(self.build)
        self.intro = wrapped(
            "What your own entries say of you, each line with the entries it rests on. "
            "Your clone knows what you accept; what you delete never comes back.",
            "muted",
        )
        self._body = QVBoxLayout()
        self._body.setSpacing(8)
        self.private = PrivatePane(workspace)
        self.private.line_opened.connect(
            lambda number: self._do(lambda: self.app.keep_line_private(number, private=False))
        )
        self.left_out = LeftOutPane(workspace)
        self.left_out.forget_wanted.connect(self.ask_to_forget)
        self.left_out.allowed.connect(self._allow)
        self.undoing = Undoing()
        self.undoing.undone.connect(self._bring_back)
        self._gone: Forgotten | None = None
        self._apart: HeldOut | None = None
        switches = QHBoxLayout()
        switches.setSpacing(6)
        self.looks = {
            title: look_switch(title, tip)
            for title, tip in (
                (KNOWN, "What your clone knows of you"),
                (PRIVATE, "What a friend or the public must not hear of"),
                (LEFT_OUT, "Topics neither the document nor an answer uses"),
            )
        }
        for look in self.looks.values():
            look.toggled.connect(lambda on: self._look() if on else None)
            switches.addWidget(look)
        switches.addStretch(1)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addLayout(head)
        column.addLayout(switches)
        column.addWidget(self.intro)
        column.addLayout(self._body)
        column.addWidget(self.private)
        column.addWidget(self.left_out)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(Column(inner, letters=120))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.undoing)
        workspace.memory_changed.connect(self.refresh)
        workspace.lines_proposed.connect(self.refresh)
        self.looks[KNOWN].setChecked(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack what doesn't fit side by side."""
        super().resizeEvent(event)
        for row in self.rows.values():
            row.set_narrow(self._is_slim())

    def _is_slim(self) -> bool:
        """Tell whether a line's dates and buttons together would be wider than the page."""
        return self.width() < SLIM * self.fontMetrics().averageCharWidth()

    def arrive(self) -> None:
        """Let Enter read the entries, or typing add to the list that is shown."""
        if self.looks[PRIVATE].isChecked():
            self.private.people.field.setFocus()
            return
        if self.looks[LEFT_OUT].isChecked():
            self.left_out.topics.field.setFocus()
            return
        (self.begin if self.build.isHidden() and self.begin else self.build).setFocus()

    def _look(self) -> None:
        """Show the document, or what is private, or what is left out."""
        known = self.looks[KNOWN].isChecked()
        self.intro.setVisible(known)
        if self._held is not None:
            self._held.setVisible(known)
        self.private.setVisible(self.looks[PRIVATE].isChecked())
        self.left_out.setVisible(self.looks[LEFT_OUT].isChecked())
        self.area.verticalScrollBar().setValue(0)
        self.refresh()

    def ask_to_forget(self, topic: str, line: str = "") -> None:
        """Show how much speaks of a topic and leave it out if so wanted."""
        dialog = ForgetDialog(self.workspace, topic, line=line, parent=self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._forget)
        dialog.open()

    def _forget(self, topic: str) -> None:
        self.jobs.run(
            lambda _: self.app.forget_topic(topic),
            lane=Lane.WRITING,
            title="Leaving a topic out",
            owner=self,
            done=self._forgotten,
        )

    def _forgotten(self, gone: Forgotten) -> None:
        self._gone = gone
        self.undoing.offer(gone.topic, len(gone.lines))
        announce(self, self.undoing.text.text())
        self.refresh()

    def _bring_back(self) -> None:
        gone = self._gone
        if gone is None:
            return

        def back() -> None:
            if self._gone is gone:
                self._gone = None
            self.refresh()

        def ended() -> None:
            if self._gone is gone:  # it failed: it can be tried again
                self.undoing.show()

        self.jobs.run(
            lambda _: self.app.bring_back(gone),
            lane=Lane.WRITING,
            title="Changing the document",
            owner=self,
            done=lambda _: back(),
            ended=ended,
        )
        self.arrive()

    def _allow(self, topic: str) -> None:
        self.undoing.hide()
        self._do(lambda: self.app.allow_topic(topic))

    def refresh(self) -> None:
        """Read what is shown anew."""
        if self.looks[PRIVATE].isChecked():
            self.private.refresh()
        if self.looks[LEFT_OUT].isChecked():
            self.left_out.refresh()

        def read(_: object) -> tuple[tuple[KeptLine, ...], int, HeldOut | None]:
            return self.app.persona_lines(), self.app.count_items(), self.app.voice_told_apart()

        self.jobs.run(read, lane=Lane.READING, owner=self, done=lambda found: self.fill(*found))

    def start_building(self) -> None:
        """Read all entries in the background and bring what they say into the inbox."""
        self.build.setEnabled(False)
        self.jobs.run(
            self.app.build_persona,
            lane=Lane.WRITING,
            title="Reading what your entries say of you",
            owner=self,
            done=self._built,
            ended=lambda: self.build.setEnabled(True),
        )

    def _built(self, found: Proposed) -> None:
        if found.added or found.changed:
            new = words.count(found.added, "new line")
            self.workspace.said.emit(f"{new} and {words.count(found.changed, 'new wording')}.")
        else:
            self.workspace.said.emit("Your entries say nothing new of you.")
        self.refresh()

    def fill(self, kept: tuple[KeptLine, ...], items: int, apart: HeldOut | None = None) -> None:
        """Show these lines instead of what was shown, at the same place of the page.

        `apart` says how well the user's voice is known from others'.
        """
        self._apart = apart
        at = self.area.verticalScrollBar().value()
        if self._held is not None:
            self._held.hide()
            self._held.deleteLater()
        self.rows, self.begin = {}, None
        self._held = QWidget()
        column = QVBoxLayout(self._held)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        waiting = [each for each in kept if each.waiting]
        standing = [each for each in kept if each.state is not LineState.PROPOSED]
        self.count.setText(words.count(len(standing), "line") if standing else "")
        self.build.setText("Read my entries again" if kept else "Read my entries")
        self.build.setVisible(bool(kept))
        if waiting:
            column.addWidget(self._inbox(waiting))
            self._sections(column, (each for each in waiting if each not in standing), "small")
        if standing:
            if waiting:
                column.addSpacing(18)
            self._sections(column, standing, "heading")
        if not kept:
            column.addWidget(self._empty(items))
        self._held.setVisible(self.looks[KNOWN].isChecked())
        self._body.addWidget(self._held)
        self.area.verticalScrollBar().setValue(at)

    def _sections(self, column: QVBoxLayout, kept: Iterable[KeptLine], role: str) -> None:
        lines = list(kept)
        for section, title in TITLES.items():
            mine = [each for each in lines if each.line.section is section]
            if not mine:
                continue
            heading = QLabel(title)
            heading.setContentsMargins(2, 10, 0, 0)
            theme.role(heading, role)
            column.addWidget(heading)
            if section is Section.WRITING and self._apart is not None:
                column.addWidget(wrapped(self._apart.said(), "small"))
            for each in mine:
                column.addWidget(self._row(each))

    def _row(self, kept: KeptLine) -> LineRow:
        row = LineRow(kept)
        app = self.app
        row.accepted.connect(lambda number: self._do(lambda: app.accept_lines([number])))
        row.rejected.connect(lambda number: self._do(lambda: app.reject_lines([number])))
        row.edited.connect(lambda number, text: self._do(lambda: app.edit_line(number, text)))
        row.locked.connect(lambda number, on: self._do(lambda: app.lock_line(number, locked=on)))
        row.hidden.connect(
            lambda number, on: self._do(lambda: app.keep_line_private(number, private=on))
        )
        row.forget_wanted.connect(lambda _: self.ask_to_forget(subject(kept.line), kept.line.text))
        row.deleted.connect(lambda number: self._do(lambda: app.delete_line(number)))
        row.support_wanted.connect(self._open)
        row.set_narrow(self._is_slim())
        self.rows[kept.id] = row
        return row

    def _do(self, change: Callable[[], object]) -> None:
        """Change something and show how the document stands then."""
        self.jobs.run(
            lambda _: change(),
            lane=Lane.WRITING,
            title="Changing the document",
            owner=self,
            done=lambda _: self.refresh(),
        )

    def _open(self, item_id: int, text: str) -> None:
        """Open an entry with the line's words marked where they stand in it."""
        self.jobs.run(
            lambda _: verbatim(self.app.item(item_id).item.text, text),
            lane=Lane.READING,
            owner=self,
            done=lambda quote: self.workspace.entry_wanted.emit(item_id, quote),
        )

    def _inbox(self, waiting: list[KeptLine]) -> QWidget:
        box = QFrame()
        theme.role(box, "card")
        across = QHBoxLayout(box)
        across.setContentsMargins(16, 10, 10, 10)
        number = words.count(len(waiting), "proposal")
        across.addWidget(wrapped(f"{number} from your entries, for you to decide", "heading"), 1)
        self.accept_all = QPushButton("Accept all")
        self.accept_all.setToolTip("Take all proposals into the document")
        theme.role(self.accept_all, "primary")
        self.accept_all.clicked.connect(lambda: self._do(lambda: self.app.accept_lines(None)))
        self.reject_all = QPushButton("Reject all")
        self.reject_all.setToolTip("Never propose any of these again")
        self.reject_all.clicked.connect(lambda: self._do(lambda: self.app.reject_lines(None)))
        across.addWidget(self.reject_all)
        across.addWidget(self.accept_all)
        return box

    def _empty(self, items: int) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 80, 0, 0)
        column.setSpacing(12)
        said = "Nothing is known of you yet." if items else "Nothing is remembered yet."
        line = wrapped(said, "heading")
        line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(line)
        button = QPushButton("Read my entries" if items else "Import diaries, mail or posts")
        button.setToolTip(
            "See what your entries say of you; nothing is taken over before you accept it"
            if items
            else "Go to the Import page"
        )
        theme.role(button, "primary")
        self.begin = button
        if self.isVisible():
            button.setFocus()
        button.clicked.connect(
            self.start_building if items else lambda: self.workspace.page_wanted.emit("import")
        )
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        return page
