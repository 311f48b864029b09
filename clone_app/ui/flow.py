"""Widgets one beside the other, in as many lines as they need: for small windows and large text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

GAP = 6


class Flow(QWidget):
    """Lay widgets in lines; one that expands takes what is left of its line."""

    def __init__(self, *, gap: int = GAP) -> None:
        self.parts: list[QWidget] = []
        super().__init__()
        self._gap = gap
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: Sequence[QWidget]) -> None:
        """Hold these in their order."""
        self.parts = list(parts)
        for part in self.parts:
            part.setParent(self)
            part.show()
        self.flow()

    def add(self, part: QWidget, at: int | None = None) -> None:
        """Put one at a place, without one at the end; a hidden one stays so."""
        hidden = (
            part.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) and part.isHidden()
        )
        part.setParent(self)
        part.setVisible(not hidden)
        self.parts.insert(len(self.parts) if at is None else at, part)
        self.flow()

    def sizeHint(self) -> QSize:
        """Be as high as the lines are."""
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        """Be narrow where that is asked for."""
        return QSize(40, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines anew."""
        super().resizeEvent(event)
        self.flow()

    def event(self, event: QEvent) -> bool:
        """Break lines anew where a part comes, goes or says something else, and at another text size."""
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.StyleChange):
            self.flow()
        return done

    def flow(self) -> None:
        """Give every part its place."""
        lines: list[list[QWidget]] = []
        room = 0
        for part in self.parts:
            if part.isHidden():
                continue
            wanted = self._wanted(part) + self._gap
            if not lines or wanted - self._gap > room:
                lines.append([])
                room = self.width()
            lines[-1].append(part)
            room -= wanted
        y = 0
        for line in lines:
            y += self._lay(line, y) + self._gap
        height = max(0, y - self._gap)
        if self.height() != height:
            self.setFixedHeight(height)
            self.updateGeometry()

    def _lay(self, line: Sequence[QWidget], y: int) -> int:
        """Place a line's parts, each in its middle; return its height."""
        spare = self.width() - sum(map(self._wanted, line)) - self._gap * (len(line) - 1)
        sizes = []
        for part in line:
            width = self._wanted(part)
            if part.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Expanding:
                width, spare = width + max(0, spare), 0
            tall = part.hasHeightForWidth()
            sizes.append(
                QSize(width, part.heightForWidth(width) if tall else part.sizeHint().height())
            )
        high = max(size.height() for size in sizes)
        x = 0
        for part, size in zip(line, sizes, strict=True):
            part.setGeometry(x, y + (high - size.height()) // 2, size.width(), size.height())
            x += size.width() + self._gap
        return high

    def _wanted(self, part: QWidget) -> int:
        return min(part.sizeHint().width(), self.width())
