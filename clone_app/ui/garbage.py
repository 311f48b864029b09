"""Collect Python's garbage on the window's thread alone.

Python collects cycles on whichever thread happens to allocate. On a lane's thread that would delete
widgets off their own thread, which ends the program without a word.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 1000


class GarbageTimer(QObject):
    """Take collecting over from Python until `stop`, on the thread that made it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        late = [number for number, (count, limit) in enumerate(due) if limit and count > limit]
        if late:
            gc.collect(late[-1])

    def stop(self) -> None:
        """Give collecting back to Python."""
        self._timer.stop()
        if self._was_on:
            gc.enable()
