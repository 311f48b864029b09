"""A field for a time zone: type a part of its name, choose from what fits."""

from __future__ import annotations

import zoneinfo

from PySide6.QtCore import Qt, QTimeZone, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget


class ZoneBox(QComboBox):
    """Choose a time zone by its IANA name; `picked` says that a known one was chosen by hand."""

    picked = Signal(str)

    def __init__(self, zone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setAccessibleName("Home time zone")
        names = {bytes(name.data()).decode() for name in QTimeZone.availableTimeZoneIds()}
        self.addItems(sorted(name for name in names | {zone} if "/" in name or name == "UTC"))
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.activated.connect(self._pick)
        self.setCompleter(completer)
        self.setCurrentText(zone)
        self.activated.connect(self._pick)
        line = self.lineEdit()
        assert line is not None
        line.editingFinished.connect(self._pick)
        self._last = zone

    def zone(self) -> str:
        """Return the name in the field."""
        return self.currentText().strip()

    def is_known(self) -> bool:
        """Tell whether the name is one that Python knows."""
        try:
            zoneinfo.ZoneInfo(self.zone())
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            return False
        return True

    def _pick(self) -> None:
        if self.zone() != self._last and self.is_known():
            self._last = self.zone()
            self.picked.emit(self._last)
