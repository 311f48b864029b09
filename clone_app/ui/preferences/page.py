"""The Preferences page: groups of settings, each with its sentence; a change is saved at once."""

from __future__ import annotations

import json
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clone_app.settings import Settings
from clone_app.ui import theme
from clone_app.ui.jobs import Lane
from clone_app.ui.page import Page
from clone_app.ui.plain import Column, wrapped
from clone_app.ui.preferences.advice import EmbedderAdvice
from clone_app.ui.preferences.field import Editor, editor
from clone_app.ui.preferences.server import ServerRows
from clone_app.ui.workspace import Workspace

OTHER = "Other"
# What belongs to a group of settings and is none itself: a secret, a list, advice.
BESIDE: dict[str, Callable[[Workspace], QWidget]] = {
    "A model on a server": ServerRows,
    "Models": EmbedderAdvice,
}


class PreferencesPage(Page):
    """Show every declared setting; the page knows none of them by name."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.editors: dict[str, Editor] = {}
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 20, 24, 24)
        column.setSpacing(10)
        title = QLabel("Preferences")
        theme.role(title, "title")
        column.addWidget(title)
        column.addWidget(wrapped("Changes are kept at once.", "muted"))
        for group, names in groups().items():
            column.addSpacing(14)
            head = QLabel(group)
            theme.role(head, "heading")
            column.addWidget(head)
            card = QFrame()
            theme.role(card, "card")
            rows = QVBoxLayout(card)
            rows.setContentsMargins(20, 16, 20, 16)
            rows.setSpacing(16)
            for name in names:
                rows.addWidget(self._row(name))
            if group in BESIDE:
                rows.addWidget(BESIDE[group](workspace))
            column.addWidget(card)
        column.addSpacing(14)
        column.addWidget(self._about())
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(Column(inner, letters=130))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)

    def arrive(self) -> None:
        """Start at the first setting."""
        next(iter(self.editors.values())).focus.setFocus()

    def _row(self, name: str) -> QWidget:
        field = Settings.model_fields[name]
        made = editor(
            field,
            getattr(self.app.settings, name),
            lambda value: self._change(name, value),
        )
        self.editors[name] = made
        title = field.title or name.replace("_", " ").capitalize()
        made.focus.setAccessibleName(title)
        made.focus.setAccessibleDescription(field.description or "")
        made.focus.setToolTip(title)
        label = QLabel(title)
        label.setBuddy(made.focus)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label)
        words.addWidget(wrapped(field.description or "", "small"))
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(24)
        across.addLayout(words, 3)
        across.addWidget(made.widget, 2, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _change(self, name: str, value: object) -> None:
        if value == getattr(self.app.settings, name):
            return
        # How the window looks touches no memory, so it need not wait for an import.
        lane = Lane.READING if name in groups().get("Window", ()) else Lane.WRITING
        self.workspace.change_settings(lane=lane, **{name: value})

    def _about(self) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        self.check = QPushButton("Check this installation")
        self.check.setToolTip("Check versions, models, the database and the index")
        self.check.clicked.connect(self._examine)
        self.findings = QPlainTextEdit()
        self.findings.setReadOnly(True)
        self.findings.setTabChangesFocus(True)
        self.findings.setAccessibleName("What the check found")
        theme.role(self.findings, "others")
        self.findings.hide()
        column.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.findings)
        return whole

    def _examine(self) -> None:
        self.check.setEnabled(False)
        self.jobs.run(
            lambda _: self.app.doctor(),
            lane=Lane.READING,
            owner=self,
            done=self._show_findings,
            ended=lambda: self.check.setEnabled(True),
        )

    def _show_findings(self, findings: dict[str, object]) -> None:
        self.findings.setPlainText(_readable(findings))
        self.findings.setMinimumHeight(self.fontMetrics().lineSpacing() * 12)
        self.findings.show()
        self.findings.setFocus()


def groups() -> dict[str, list[str]]:
    """Return the settings' names by group, in the order of their declaration."""
    found: dict[str, list[str]] = {}
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        found.setdefault(str(extra.get("group", OTHER)), []).append(name)
    return found


def _readable(findings: dict[str, object]) -> str:
    lines = []
    for name, value in findings.items():
        shown = value if isinstance(value, str | int | float) else json.dumps(value, default=str)
        lines.append(f"{name.replace('_', ' ')}: {shown}")
    return "\n".join(lines)
