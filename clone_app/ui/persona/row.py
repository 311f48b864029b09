"""One line of the persona document: its words, its dates, its supports, what can be done with it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.memory.lines import KeptLine, LineState, Support
from clone_app.persona.document import differences, span
from clone_app.ui import theme, words
from clone_app.ui.plain import PlainLabel, wrapped

SUPPORTS_SHOWN = 8


class Field(QPlainTextEdit):
    """Take a line's wording; Ctrl+Enter keeps it, Esc leaves it."""

    saved = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell the keys that end editing from those that write."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.saved.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class LineRow(QFrame):
    """Show one line; the page does what its signals ask for."""

    accepted = Signal(int)
    rejected = Signal(int)
    edited = Signal(int, str)
    locked = Signal(int, bool)
    hidden = Signal(int, bool)
    deleted = Signal(int)
    forget_wanted = Signal(int)
    support_wanted = Signal(int, str)  # item id, the line's words

    def __init__(self, kept: KeptLine) -> None:
        super().__init__()
        theme.role(self, "card")
        self.kept = kept
        self.setAccessibleName(kept.line.text)
        self.editor: Field | None = None
        self.supports: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 8, 8, 6)
        self._column.setSpacing(2)
        self.text = wrapped(kept.line.text)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._top = QHBoxLayout()
        self._top.setSpacing(6)
        self._top.setContentsMargins(8, 0, 0, 0)  # in line with the words of the buttons below
        self._top.addWidget(self.text, 1)
        self._badges()
        self._column.addLayout(self._top)
        if kept.offered is not None:
            says = [PlainLabel("Your entries now say:", "small"), wrapped(kept.offered)]
            if changed := differences(kept.line.text, kept.offered):
                says.append(wrapped(changed, "small"))
            for label in says:
                label.setContentsMargins(8, 0, 0, 0)
                self._column.addWidget(label)
        self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._foot.setSpacing(2)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(2)
        self._actions()
        self._column.addLayout(self._foot)

    def set_narrow(self, narrow: bool) -> None:
        """Put the buttons below the dates where both don't fit in one line."""
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._foot.setDirection(down if narrow else across)

    def _badges(self) -> None:
        said = {LineState.LOCKED: "Locked", LineState.EDITED: "Your words"}.get(self.kept.state)
        for name in (said, "Private" if self.kept.line.private else None):
            if name:
                badge = PlainLabel(name, "badge")
                self._top.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)

    def _actions(self) -> None:
        number = self.kept.id
        about = words.snippet(self.kept.line.text, 40)
        dated = span(self.kept.line)
        self.dates = _quiet(dated or "no entries", "Show the entries this rests on")
        self.dates.setAccessibleName(f"Entries of: {about}")
        self.dates.setEnabled(bool(self.kept.line.supports))
        self.dates.clicked.connect(self._show_supports)
        self._foot.addWidget(self.dates, 0, Qt.AlignmentFlag.AlignLeft)
        self._foot.addStretch(1)
        self._foot.addLayout(self._buttons)
        self._buttons.addStretch(1)
        if self.kept.waiting:
            self.accept = _quiet("Accept", "Take this into the document")
            self.accept.clicked.connect(lambda: self.accepted.emit(number))
            self.reject = _quiet("Reject", "Never propose this again")
            self.reject.clicked.connect(lambda: self.rejected.emit(number))
            self.accept.setAccessibleName(f"Accept: {about}")
            self.reject.setAccessibleName(f"Reject: {about}")
            self._buttons.addWidget(self.accept)
            self._buttons.addWidget(self.reject)
        self.edit = _quiet("Edit", "Say it in your own words (double-click)")
        self.edit.setAccessibleName(f"Edit: {about}")
        self.edit.setEnabled(self.kept.state is not LineState.LOCKED)
        self.edit.clicked.connect(self.begin_edit)
        self._buttons.addWidget(self.edit)
        self.more = _quiet("More", "Lock, keep private, delete, leave its topic out")
        self.more.setAccessibleName(f"More for: {about}")
        menu = QMenu(self.more)
        menu.setToolTipsVisible(True)
        is_locked = self.kept.state is LineState.LOCKED
        lock = menu.addAction("Unlock" if is_locked else "Lock")
        lock.setToolTip("A locked line stays as it is, whatever later entries say")
        lock.triggered.connect(lambda: self.locked.emit(number, not is_locked))
        private = self.kept.line.private
        hide = menu.addAction("Let others hear it" if private else "Keep private")
        hide.setToolTip("A private line is never used when somebody else listens")
        hide.triggered.connect(lambda: self.hidden.emit(number, not private))
        delete = menu.addAction("Delete")
        delete.setToolTip("A deleted line never comes back")
        delete.triggered.connect(lambda: self.deleted.emit(number))
        forget = menu.addAction("Leave its topic out…")
        forget.setToolTip("See how much speaks of it, then leave it out of the document for good")
        forget.triggered.connect(lambda: self.forget_wanted.emit(number))
        self.more.setMenu(menu)
        self._buttons.addWidget(self.more)

    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:
        """Edit at a double click."""
        if self.edit.isEnabled():
            self.begin_edit()

    def begin_edit(self) -> None:
        """Put a field in the place of the words."""
        if self.editor is not None:
            return
        self.editor = Field(self.kept.line.text)
        theme.role(self.editor, "composer")
        self.editor.setAccessibleName("Your wording")
        self.editor.setTabChangesFocus(True)
        self.editor.setFixedHeight(self.fontMetrics().height() * 4 + 20)
        save = QPushButton("Save")
        save.setToolTip("Keep this wording (Ctrl+Enter)")
        theme.role(save, "primary")
        save.clicked.connect(self.save)
        cancel = QPushButton("Cancel")
        cancel.setToolTip("Leave the line as it was (Esc)")
        cancel.clicked.connect(self.end_edit)
        self._editing = QWidget()
        column = QVBoxLayout(self._editing)
        column.setContentsMargins(0, 4, 8, 6)
        column.addWidget(self.editor)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(save)
        column.addLayout(buttons)
        self.editor.saved.connect(self.save)
        self.editor.left.connect(self.end_edit)
        self.text.hide()
        self._column.insertWidget(1, self._editing)
        self.editor.setFocus()
        self.editor.selectAll()

    def save(self) -> None:
        """Hand over the wording in the field."""
        if self.editor is not None:
            self.edited.emit(self.kept.id, self.editor.toPlainText())

    def end_edit(self) -> None:
        """Show the words again."""
        if self.editor is not None:
            self._editing.hide()
            self._editing.deleteLater()
            self.editor = None
            self.text.show()

    def _show_supports(self) -> None:
        """Show or hide the entries: what gave the line its words first, then the latest."""
        if self.supports:
            for button in self.supports:
                button.hide()
                button.deleteLater()
            self.supports = []
            return
        found = self.kept.line.supports
        shown = [each for each in found if each.vital]
        shown += [each for each in reversed(found) if not each.vital]
        for support in shown[:SUPPORTS_SHOWN]:
            self._support(support)
        if len(shown) > SUPPORTS_SHOWN:
            rest = _quiet(f"and {len(shown) - SUPPORTS_SHOWN:,} more", "")
            rest.setEnabled(False)
            self._add(rest)

    def _support(self, support: Support) -> None:
        dated = words.iso_day(None if support.day is None else support.day.isoformat())
        medium = f", {words.medium(support.medium)}" if support.medium else ""
        button = _quiet(f"{dated}{medium}", "Open this entry")
        wanted = self.kept.line.text if support.vital else ""
        button.clicked.connect(partial(self.support_wanted.emit, support.item, wanted))
        self._add(button)

    def _add(self, button: QPushButton) -> None:
        self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.supports.append(button)


def _quiet(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    theme.role(button, "quiet")
    return button
