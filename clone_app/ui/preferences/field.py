"""One editor a kind of setting, chosen by its declaration alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic.fields import FieldInfo
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from clone_app.entries import Dial
from clone_app.settings import AnswerStyle
from clone_app.ui import words
from clone_app.ui.zones import ZoneBox

_SETTLING_MS = 400


class _Still(QObject):
    """Keep a wheel that scrolls the page from changing the setting under the pointer."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the page have the wheel unless the field was chosen."""
        wheel = event.type() is QEvent.Type.Wheel
        if wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


def _hold_still(box: QWidget) -> None:
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.installEventFilter(_Still(box))


@dataclass(frozen=True, slots=True)
class Editor:
    """Hold the widget that edits one setting and the part of it that takes the keyboard."""

    widget: QWidget
    focus: QWidget


def editor(field: FieldInfo, value: Any, changed: Callable[[object], None]) -> Editor:
    """Return an editor that shows `value` and calls `changed` with each new one."""
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    kind = field.annotation
    if extra.get("choices") == "time zones":
        zone = ZoneBox(str(value))
        _hold_still(zone)
        zone.picked.connect(changed)
        return Editor(zone, zone)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice(kind, value, changed)
    if kind is bool:
        box = QCheckBox()
        box.setChecked(bool(value))
        box.toggled.connect(changed)
        return Editor(box, box)
    if kind is int:
        return _number(field, int(value), changed)
    if "file" in extra:
        return _file(str(extra["file"]), str(value), changed)
    if "folder" in extra:
        return _file("", str(value), changed)
    line = QLineEdit(str(value))
    line.editingFinished.connect(lambda: changed(line.text().strip()))
    return Editor(line, line)


def limits(field: FieldInfo) -> tuple[int, int]:
    """Return the least and greatest value a number may have."""
    low, high = -(2**31), 2**31 - 1
    for rule in field.metadata:
        low = max(low, int(getattr(rule, "ge", low)), int(getattr(rule, "gt", low - 1)) + 1)
        high = min(high, int(getattr(rule, "le", high)), int(getattr(rule, "lt", high + 1)) - 1)
    return low, high


def _choice(kind: type[Enum], value: Any, changed: Callable[[object], None]) -> Editor:
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    _hold_still(box)
    for choice in kind:
        box.addItem(_called(choice), choice)
    box.setCurrentIndex(list(kind).index(value))
    box.activated.connect(lambda place: changed(list(kind)[place]))
    return Editor(box, box)


def _called(choice: Enum) -> str:
    """Return what a choice is called; a style of answers as the memory dial calls it."""
    if isinstance(choice, AnswerStyle):
        return words.DIAL[Dial(choice.value)]
    return str(choice.value).capitalize()


def _number(field: FieldInfo, value: int, changed: Callable[[object], None]) -> Editor:
    box = QSpinBox()
    _hold_still(box)
    low, high = limits(field)
    box.setRange(low, high)
    span = high - low
    box.setSingleStep(1 if span <= 64 else 5 if span <= 500 else 256)
    box.setValue(value)
    box.lineEdit().setTextMargins(8, 0, 0, 0)  # a spin box heeds no padding of the style sheet
    settling = QTimer(box)
    settling.setSingleShot(True)
    settling.setInterval(_SETTLING_MS)  # holding an arrow down is one change, not fifty
    settling.timeout.connect(lambda: changed(box.value()))
    box.valueChanged.connect(lambda _: settling.start())
    return Editor(box, box)


def _file(pattern: str, value: str, changed: Callable[[object], None]) -> Editor:
    """Return an editor of a path: of a file of a pattern, of a folder where there is none."""
    whole = QWidget()
    line = QLineEdit(value)
    line.editingFinished.connect(lambda: changed(line.text().strip()))
    browse = QPushButton("Choose…")
    browse.setToolTip(f"Choose a file ({pattern})" if pattern else "Choose a folder")

    def choose() -> None:
        if pattern:
            name, _ = QFileDialog.getOpenFileName(whole, "Choose a file", line.text(), pattern)
        else:
            name = QFileDialog.getExistingDirectory(whole, "Choose a folder", line.text())
        if name:
            line.setText(name)
            changed(name)

    browse.clicked.connect(choose)
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(line, 1)
    row.addWidget(browse)
    return Editor(whole, line)
