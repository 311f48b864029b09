"""Whom to ask: the clone of today, or the one of an earlier day, who knows nothing later."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QSlider, QWidget

from clone_app.ui import theme, words

if TYPE_CHECKING:
    from clone_app.app import App

_SETTLING_MS = 350
_LONGEST = "as of 30 September 2000"


def span(app: App, today: date) -> tuple[date | None, date | None]:
    """Return the first and the last day that is remembered, none later than today."""
    ends = [*app.items(limit=1), *app.items(limit=1, newest_first=True)]
    days = [day for each in ends if (day := each.item.moment.day()) is not None]
    return (min(days), min(max(days), today)) if days else (None, None)


class AsOf(QWidget):
    """Be a quiet button that opens a slider over the days that are remembered."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._first = self._last = date(1970, 1, 1)
        self._said: str | None = None
        self.button = QPushButton("As of today")
        self.button.setCheckable(True)
        self.button.setToolTip("Ask the clone of an earlier day, who knows nothing later")
        theme.role(self.button, "quiet")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("The day to ask the clone of")
        self.slider.setToolTip("Arrow keys go by a day, Page Up and Page Down by a month")
        self.slider.setPageStep(30)
        self.slider.setMinimumWidth(90)
        self.day = QLabel()
        self.slider.hide()
        self.day.hide()
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLING_MS)  # dragging past a year is one change
        self._settling.timeout.connect(self._tell)
        self.button.toggled.connect(self._open)
        self.slider.valueChanged.connect(self._moved)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.slider, 1)
        row.addWidget(self.day)
        # Takes what its line has left: more than a year is a long way for a short slider.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.hide()

    def set_span(self, first: date | None, last: date | None) -> None:
        """Offer the days between; without two of them there is nothing to choose."""
        fits = first is not None and last is not None and first < last
        self.setVisible(fits)
        if not fits or first is None or last is None:
            self.button.setChecked(False)
            return
        chosen = self.chosen()
        self._first, self._last = first, last
        self.slider.blockSignals(True)
        self.slider.setRange(0, (last - first).days)
        kept = chosen if chosen is not None and first <= chosen <= last else last
        self.slider.setValue((kept - first).days)
        self.slider.blockSignals(False)
        self._say()

    def chosen(self) -> date | None:
        """Return the day, None for today."""
        if not self.button.isChecked():
            return None
        return self._first + timedelta(days=self.slider.value())

    def at(self) -> str | None:
        """Return what `App.ask` takes for its moment."""
        chosen = self.chosen()
        return None if chosen is None else chosen.isoformat()

    def settle(self) -> None:
        """Say at once that another day was chosen: what is asked now is asked of it."""
        if self._settling.isActive():
            self._tell()

    def _open(self, chosen: bool) -> None:
        self.slider.setVisible(chosen)
        self.day.setVisible(chosen)
        self.button.setText("Back to today" if chosen else "As of today")
        if chosen:
            self.slider.setFocus()
        self._say()
        self._tell()

    def _moved(self, _: int) -> None:
        self._say()
        self._settling.start()

    def _say(self) -> None:
        chosen = self.chosen()
        if chosen is not None:
            # Room for any day, or the slider would change its length under the pointer.
            self.day.setMinimumWidth(self.day.fontMetrics().horizontalAdvance(_LONGEST) + 8)
            self.day.setText(f"as of {words.day(datetime.combine(chosen, time.min))}")

    def _tell(self) -> None:
        self._settling.stop()
        if self.at() != self._said:
            self._said = self.at()
            self.changed.emit()
