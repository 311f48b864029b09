"""Colours, text size and spacing of the window: one accent, light and dark, from one place."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from clone_app.paths import resources

SMALLEST, LARGEST = 75, 250


@dataclass(frozen=True, slots=True)
class Colours:
    """Name the inks and papers of one scheme, as `#rrggbb`."""

    dark: bool
    paper: str  # behind everything
    sheet: str  # what is written on: fields, lists, cards
    side: str  # the sidebar
    ink: str
    muted: str
    line: str
    edge: str  # the border of something that can be used
    accent: str
    on_accent: str
    tint: str  # a breath of the accent: chosen rows, questions
    mark: str  # behind a highlighted quote
    warn: str


LIGHT = Colours(
    dark=False,
    paper="#f8f7f4",
    sheet="#ffffff",
    side="#efede8",
    ink="#1f2326",
    muted="#62676c",
    line="#e2dfd8",
    edge="#868a88",
    accent="#17716b",
    on_accent="#ffffff",
    tint="#dcebe8",
    mark="#fbe6a2",
    warn="#9a3412",
)
DARK = Colours(
    dark=True,
    paper="#1a1c1e",
    sheet="#222527",
    side="#151718",
    ink="#e8e7e3",
    muted="#a3a8ab",
    line="#34383b",
    edge="#7b8184",
    accent="#5dbdb3",
    on_accent="#0c1b1a",
    tint="#21403d",
    mark="#5f4d12",
    warn="#f3a27a",
)

_current = LIGHT
_plain_size = 0.0


def colours() -> Colours:
    """Return the scheme in force, for what is painted by hand."""
    return _current


def is_dark(theme: str) -> bool:
    """Tell whether `light`, `dark` or `system` means dark now."""
    if theme in ("light", "dark"):
        return theme == "dark"
    return QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def apply(application: QApplication, *, theme: str, text_size: int) -> None:
    """Dress the whole program; called again when a setting changes, for effect at once."""
    global _current, _plain_size
    if not _plain_size:
        application.setStyle("Fusion")
        _plain_size = max(application.font().pointSizeF(), 10.5)
    _current = DARK if is_dark(theme) else LIGHT
    font = QFont(application.font())
    font.setPointSizeF(_plain_size * min(max(text_size, SMALLEST), LARGEST) / 100)
    application.setFont(font)
    application.setPalette(_palette(_current))
    application.setStyleSheet(_sheet(_current, font.pointSizeF()))


def role(widget: QWidget, name: str) -> None:
    """Give a widget its part in the style sheet: `title`, `muted`, `primary`, `card`."""
    widget.setProperty("role", name)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def _palette(c: Colours) -> QPalette:
    palette = QPalette(QColor(c.sheet), QColor(c.paper))
    groups = QPalette.ColorRole
    for part, colour in {
        groups.Window: c.paper,
        groups.Base: c.sheet,
        groups.AlternateBase: c.paper,
        groups.Button: c.sheet,
        groups.Text: c.ink,
        groups.WindowText: c.ink,
        groups.ButtonText: c.ink,
        groups.BrightText: c.on_accent,
        groups.PlaceholderText: c.muted,
        groups.Highlight: c.accent,
        groups.HighlightedText: c.on_accent,
        groups.Accent: c.accent,
        groups.Link: c.accent,
        groups.LinkVisited: c.accent,
        groups.ToolTipBase: c.ink,
        groups.ToolTipText: c.paper,
        groups.Mid: c.line,
        groups.Midlight: c.line,
        groups.Dark: c.edge,
        groups.Shadow: c.side,
        groups.Light: c.sheet,
    }.items():
        palette.setColor(part, QColor(colour))
    for part in (groups.Text, groups.WindowText, groups.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, part, QColor(c.edge))
    return palette


def _sheet(c: Colours, size: float) -> str:
    """Return the style sheet; sizes follow the text, so that nothing is cut at 250 %."""
    unit = size / 10.5

    def px_of(plain: float) -> int:
        return max(1, round(plain * unit))

    def px(plain: float) -> str:
        return f"{px_of(plain)}px"

    def image(name: str) -> str:
        shade = "dark" if c.dark else "light"
        return f'image: url("{(resources() / "icons" / f"{name}-{shade}.svg").as_posix()}");'

    return f"""
QToolTip {{ background: {c.ink}; color: {c.paper}; border: none; padding: 5px 8px; }}
QLabel[role="title"] {{ font-size: {size * 1.55:.1f}pt; font-weight: 600; }}
QLabel[role="heading"] {{ font-size: {size * 1.15:.1f}pt; font-weight: 600; }}
QLabel[role="muted"], QLabel[role="small"] {{ color: {c.muted}; }}
QLabel[role="small"] {{ font-size: {size * 0.9:.1f}pt; }}
QLabel[role="warn"] {{ color: {c.warn}; }}
QLabel[role="badge"] {{
    background: {c.tint}; color: {c.ink}; border-radius: {px(7)}; padding: 1px {px(8)};
    font-size: {size * 0.9:.1f}pt;
}}
QLabel[role="question"] {{
    background: {c.tint}; border-radius: {px(12)}; padding: {px(9)} {px(14)};
}}
QFrame[role="card"] {{
    background: {c.sheet}; border: 1px solid {c.line}; border-radius: {px(10)};
}}
QFrame[role="card"][pressable="true"]:hover {{ border-color: {c.edge}; }}
QFrame[role="card"][pressable="true"]:focus {{ border: 2px solid {c.accent}; }}
QFrame[role="card"][chosen="true"] {{ background: {c.tint}; }}
QFrame[role="side"] {{ background: {c.side}; }}
QFrame[role="bar"] {{ background: {c.side}; border-top: 1px solid {c.line}; }}
QFrame[role="message"] {{ background: {c.sheet}; border-top: 2px solid {c.warn}; }}
QFrame[role="drop"] {{
    background: {c.sheet}; border: 2px dashed {c.edge}; border-radius: {px(14)};
}}
QFrame[role="drop"][hot="true"] {{ border-color: {c.accent}; background: {c.tint}; }}
QFrame[role="rule"] {{ background: {c.line}; }}
QPushButton {{
    background: {c.sheet}; border: 1px solid {c.edge}; border-radius: {px(5)};
    padding: {px(6)} {px(14)};
}}
QPushButton:hover {{ background: {c.tint}; }}
QPushButton:pressed {{ background: {c.line}; }}
QPushButton:focus {{ border: 2px solid {c.accent}; padding: {px(5)} {px(13)}; }}
QPushButton:disabled {{ border-color: {c.line}; color: {c.edge}; }}
QPushButton[role="primary"] {{
    background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600;
}}
QPushButton[role="primary"]:hover {{ border-color: {c.ink}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {c.ink}; }}
QPushButton[role="primary"]:disabled {{
    background: {c.line}; color: {c.muted}; border-color: {c.line};
}}
QPushButton[role="quiet"] {{
    background: transparent; border: 1px solid transparent; color: {c.muted};
    padding: {px(3)} {px(8)};
}}
QPushButton[role="quiet"]:hover {{ background: {c.tint}; color: {c.ink}; }}
QPushButton[role="quiet"]:focus {{ border: 2px solid {c.accent}; padding: {px(2)} {px(7)}; }}
QPushButton[role="chip"] {{
    background: {c.tint}; border: 1px solid {c.tint}; border-radius: {px(9)};
    padding: {px(2)} {px(10)}; font-size: {size * 0.9:.1f}pt;
}}
QPushButton[role="chip"]:hover {{ border-color: {c.edge}; }}
QPushButton[role="chip"]:focus {{ border: 2px solid {c.accent}; padding: {px(1)} {px(9)}; }}
QPushButton[role="chip"]:disabled {{ color: {c.muted}; }}
QPushButton[role="suggestion"] {{ text-align: left; padding: {px(11)} {px(16)}; }}
QPushButton[role="nav"] {{
    background: transparent; border: 2px solid transparent; text-align: left;
    padding: {px(8)} {px(12)};
}}
QPushButton[role="nav"]:hover {{ background: {c.line}; }}
QPushButton[role="nav"]:checked {{ background: {c.tint}; font-weight: 600; }}
QPushButton[role="nav"]:focus {{ border-color: {c.accent}; }}
QPushButton[role="switch"] {{
    background: transparent; border: 2px solid transparent; padding: {px(4)} {px(11)};
}}
QPushButton[role="switch"]:hover {{ background: {c.line}; }}
QPushButton[role="switch"]:checked {{ background: {c.tint}; }}
QPushButton[role="switch"]:focus {{ border-color: {c.accent}; }}
QLineEdit, QPlainTextEdit[role="composer"] {{
    background: {c.sheet}; border: 1px solid {c.edge}; border-radius: {px(5)};
    padding: {px(5)} {px(9)}; min-height: {px(18)}; selection-background-color: {c.accent};
    selection-color: {c.on_accent};
}}
QLineEdit:focus, QPlainTextEdit[role="composer"]:focus {{
    border: 2px solid {c.accent}; padding: {px(4)} {px(8)};
}}
QPlainTextEdit[role="composer"] {{ border-radius: {px(12)}; }}
QTextBrowser[role="answer"] {{ background: transparent; border: 2px solid transparent; }}
QTextBrowser[role="answer"]:focus {{ border: 2px solid {c.accent}; border-radius: 6px; }}
QPlainTextEdit[role="entry"], QPlainTextEdit[role="others"] {{
    background: {c.sheet}; border: 1px solid {c.line}; border-radius: {px(10)};
    padding: {px(8)};
}}
QPlainTextEdit[role="others"] {{ background: {c.paper}; color: {c.muted}; }}
QPlainTextEdit[role="entry"]:focus, QPlainTextEdit[role="others"]:focus {{
    border: 2px solid {c.accent};
}}
QListView {{ background: transparent; border: 2px solid transparent; outline: none; }}
QListView:focus {{ border-color: {c.accent}; border-radius: 6px; }}
QListView[role="choices"] {{
    background: {c.sheet}; color: {c.ink}; border: 1px solid {c.edge};
    selection-background-color: {c.tint}; selection-color: {c.ink};
}}
QListView[role="aside"]::item {{ padding: {px(5)} {px(8)}; border-radius: {px(6)}; }}
QListView[role="aside"]::item:hover {{ background: {c.line}; }}
QListView[role="aside"]::item:selected {{ background: {c.tint}; color: {c.ink}; }}
QTreeView, QTableWidget {{
    background: {c.sheet}; border: 1px solid {c.line}; border-radius: {px(8)}; outline: none;
    selection-background-color: {c.tint}; selection-color: {c.ink};
}}
QTreeView:focus, QTableWidget:focus {{ border-color: {c.accent}; }}
QTreeView::item {{ padding: {px(3)} {px(4)}; }}
QTableWidget QTableCornerButton::section {{ background: {c.sheet}; border: none; }}
QHeaderView {{ background: {c.sheet}; border: none; }}
QHeaderView::section {{
    background: {c.sheet}; color: {c.muted}; border: none; padding: {px(4)} {px(8)};
}}
QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
QTabBar::tab {{
    background: transparent; color: {c.muted}; padding: {px(6)} {px(12)}; border: none;
    border-bottom: 2px solid transparent;
}}
QTabBar::tab:selected {{ color: {c.ink}; border-bottom-color: {c.accent}; font-weight: 600; }}
QTabBar::tab:focus {{ color: {c.accent}; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollArea > QWidget > QWidget[role="ground"] {{ background: transparent; }}
QComboBox, QSpinBox {{
    background: {c.sheet}; border: 1px solid {c.edge}; border-radius: {px(5)};
    padding: {px(3)} {px(9)}; min-height: {px(22)}; selection-background-color: {c.accent};
    selection-color: {c.on_accent};
}}
QComboBox:focus, QSpinBox:focus {{ border: 2px solid {c.accent}; padding: {px(2)} {px(8)}; }}
QComboBox QLineEdit, QSpinBox QLineEdit {{
    border: none; padding: 0; background: transparent; min-height: 0;
}}
QComboBox::drop-down {{ border: none; width: {px(26)}; }}
QComboBox::down-arrow {{ {image("down")} width: {px(14)}; height: {px(14)}; }}
QComboBox QAbstractItemView {{
    background: {c.sheet}; border: 1px solid {c.edge}; selection-background-color: {c.tint};
    selection-color: {c.ink}; outline: none;
}}
QSpinBox::up-button, QSpinBox::down-button {{ border: none; width: {px(24)}; }}
QSpinBox::up-arrow {{ {image("up")} width: {px(12)}; height: {px(12)}; }}
QSpinBox::down-arrow {{ {image("down")} width: {px(12)}; height: {px(12)}; }}
QCheckBox, QRadioButton {{ spacing: {px(8)}; padding: 2px; border: 2px solid transparent; }}
QCheckBox:focus, QRadioButton:focus {{ border-color: {c.accent}; border-radius: {px(5)}; }}
QCheckBox::indicator, QRadioButton::indicator {{
    width: {px(14)}; height: {px(14)}; border: 1px solid {c.edge}; background: {c.sheet};
}}
QCheckBox::indicator {{ border-radius: {px(3)}; }}
QCheckBox::indicator:checked {{
    background: {c.accent}; border-color: {c.accent}; {image("tick")}
}}
QRadioButton::indicator {{ border-radius: {(px_of(14) + 2) // 2}px; }}
QRadioButton::indicator:checked {{
    border: {px_of(5)}px solid {c.accent}; background: {c.on_accent};
    width: {px_of(14) + 2 - 2 * px_of(5)}px; height: {px_of(14) + 2 - 2 * px_of(5)}px;
}}
QProgressBar {{
    border: none; background: {c.line}; border-radius: {px(4)}; max-height: {px(8)};
    min-height: {px(8)};
}}
QProgressBar::chunk {{ background: {c.accent}; border-radius: {px(4)}; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar::handle:vertical {{
    background: {c.edge}; border-radius: 4px; margin: 2px; min-height: 32px;
}}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle:horizontal {{
    background: {c.edge}; border-radius: 4px; margin: 2px; min-width: 32px;
}}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: transparent; }}
"""
