"""The few line icons of the window, drawn in the ink of the scheme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{ink}" '
    'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">{shape}</svg>'
)
_SHAPES = {
    "chat": '<path d="M4 5h16v11H10l-5 4v-4H4z"/><path d="M8 9h8M8 12h5"/>',
    "persona": '<rect x="4" y="3" width="16" height="18" rx="2"/><circle cx="12" cy="9.5" r="2.5"/>'
    '<path d="M7.5 17c.6-2.4 2.3-3.6 4.5-3.6s3.9 1.2 4.5 3.6"/>',
    "memories": '<path d="M6 3h12v18H6z"/><path d="M9 3v18M12 8h3M12 12h3"/>',
    "people": '<circle cx="9" cy="8" r="3.2"/><path d="M3.5 19c.6-3.6 2.8-5.4 5.5-5.4s4.9 1.8 5.5 5.4"/>'
    '<path d="M15 5.2a3.2 3.2 0 0 1 0 5.6M17 14c2 .7 3.2 2.400 3.600 5"/>',
    "import": '<path d="M12 3v11M8 10l4 4 4-4"/><path d="M4 15v5h16v-5"/>',
    "evaluation": '<path d="M4 20h16M7 16v-5M12 16V6M17 16v-8"/>',
    "preferences": '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/>'
    '<circle cx="9" cy="17" r="2"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h16"/>',
    "send": '<path d="M12 20V5M6 11l6-6 6 6"/>',
    "stop": '<rect x="7" y="7" width="10" height="10" rx="1.5" fill="{ink}"/>',
}


def icon(name: str, ink: str, *, size: int = 20, ratio: float = 2.0) -> QIcon:
    """Return an icon of `size` logical pixels in one colour (`#rrggbb`)."""
    svg = _FRAME.format(ink=ink, shape=_SHAPES[name].replace("{ink}", ink))
    side = round(size * ratio)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return QIcon(pixmap)
