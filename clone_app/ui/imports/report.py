"""What an import did, and what it could not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout

from clone_app.ui import theme, words
from clone_app.ui.plain import PlainLabel, wrapped

if TYPE_CHECKING:
    from clone_app.app import ImportReport


class ReportView(QFrame):
    """Say how many entries are new, and list problems with their places."""

    closed = Signal()
    page_wanted = Signal(str)

    def __init__(self, name: str, report: ImportReport) -> None:
        super().__init__()
        theme.role(self, "card")
        self.summary = wrapped(summary(report))
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 18)
        column.setSpacing(8)
        column.addWidget(wrapped(f"{name} is imported", "heading"))
        column.addWidget(self.summary)
        self.problems = QPlainTextEdit()
        if report.problems or report.skipped:
            column.addSpacing(6)
            column.addWidget(
                PlainLabel(
                    f"Not imported ({len(report.problems) + len(report.skipped):,})", "muted"
                )
            )
            self.problems.setReadOnly(True)
            self.problems.setTabChangesFocus(True)
            self.problems.setAccessibleName("What was not imported, and why")
            self.problems.setPlainText(
                "\n".join(
                    f"{place}: {reason}" for place, reason in (*report.problems, *report.skipped)
                )
            )
            theme.role(self.problems, "others")
            self.problems.setFixedHeight(self.fontMetrics().lineSpacing() * 7)
            column.addWidget(self.problems)
        row = QHBoxLayout()
        for text, page, tip in (
            ("Ask something", "chat", "Go to Chat (Ctrl+1)"),
            ("Look at it", "memories", "Go to Memories (Ctrl+2)"),
        ):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _, page=page: self.page_wanted.emit(page))
            row.addWidget(button)
        row.addStretch()
        close = QPushButton("Close")
        close.setToolTip("Close this report")
        theme.role(close, "quiet")
        close.clicked.connect(self.closed)
        row.addWidget(close)
        column.addSpacing(6)
        column.addLayout(row)


def summary(report: ImportReport) -> str:
    """Return the counts of a report in one or two sentences."""
    parts = [f"{words.entries(report.added)} added"]
    for number, what in (
        (report.updated, "updated"),
        (report.unchanged, "already known"),
        (report.duplicates, "duplicates"),
    ):
        if number:
            parts.append(f"{number:,} {what}")
    line = ", ".join(parts) + "."
    if report.undated:
        line += f" {report.undated:,} of them undated."
    if report.problems:
        line += f" {words.count(len(report.problems), 'place')} could not be read."
    return line
