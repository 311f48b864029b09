"""How one memory looks in the list: date and medium, title, two lines of text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from clone_app.ui import theme
from clone_app.ui.memories.model import ROW_ROLE, Row

_LINES = 2


class MemoryDelegate(QStyledItemDelegate):
    """Paint rows of one height, so that the list of a hundred thousand is laid out at once."""

    def sizeHint(
        self, option: QStyleOptionViewItem, _: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return the height of four lines with their air."""
        line = option.fontMetrics.lineSpacing()
        return QSize(200, line * (2 + _LINES) + 26)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw one row with plain text alone."""
        c = theme.colours()
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(4, 2, -6, -2)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        if chosen or over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.tint if chosen else c.line))
            painter.drawRoundedRect(box, 8, 8)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        if focused and chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(c.accent), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 7, 7)
        inner = box.adjusted(12, 9, -12, -9)
        font = QFont(option.font)
        if isinstance(row, Row):
            _write(painter, inner, font, row, c)
        else:
            painter.setPen(QColor(c.muted))
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignTop), "…")
        painter.restore()


def _write(painter: QPainter, box: QRectF, font: QFont, row: Row, c: theme.Colours) -> None:
    metrics = QFontMetrics(font)
    line = metrics.lineSpacing()
    painter.setFont(font)
    painter.setPen(QColor(c.muted))
    dated = f"{row.when}  ·  {row.medium}"
    dated = metrics.elidedText(dated, Qt.TextElideMode.ElideRight, int(box.width()))
    painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), dated)
    top = box.top() + line + 2
    lines = _LINES + 1
    painter.setPen(QColor(c.ink))
    if row.title:
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        title = QFontMetrics(bold).elidedText(
            row.title, Qt.TextElideMode.ElideRight, int(box.width())
        )
        painter.drawText(QPointF(box.left(), top + metrics.ascent()), title)
        painter.setFont(font)
        top += line
        lines -= 1
    _paragraph(
        painter, QRectF(box.left(), top, box.width(), line * lines), font, row.snippet, lines
    )


def _paragraph(painter: QPainter, box: QRectF, font: QFont, text: str, lines: int) -> None:
    """Draw `lines` lines of a text, the last one cut with …."""
    metrics = QFontMetrics(font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    layout.beginLayout()
    for number in range(lines):
        part = layout.createLine()
        if not part.isValid():
            break
        part.setLineWidth(box.width())
        baseline = QPointF(
            box.left(), box.top() + number * metrics.lineSpacing() + metrics.ascent()
        )
        words = cut(text, part.textStart(), part.textLength()).rstrip()
        if number == lines - 1:
            words = metrics.elidedText(
                cut(text, part.textStart()), Qt.TextElideMode.ElideRight, int(box.width())
            )
        painter.drawText(baseline, words)
    layout.endLayout()


def cut(text: str, start: int, length: int | None = None) -> str:
    """Return a stretch of a text by Qt's counting, in which an emoji is two letters."""
    units = text.encode("utf-16-le", "surrogatepass")
    end = None if length is None else 2 * (start + length)
    return units[2 * start : end].decode("utf-16-le", "replace")
