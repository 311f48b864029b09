"""Figures as tables: a heat map of question types, and two runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from clone_app.evaluation.report import Compared
from clone_app.ui import theme


class Table(QTableWidget):
    """Be a table to read: nothing in it can be edited, it is as high as its rows."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalHeader().setHighlightSections(False)

    def write(
        self, columns: Sequence[str], rows: Sequence[str], cells: Sequence[Sequence[str]]
    ) -> None:
        """Fill the table anew."""
        self.clear()
        self.setRowCount(len(rows))
        self.setColumnCount(len(columns))
        self.setHorizontalHeaderLabels(list(columns))
        self.setVerticalHeaderLabels(list(rows))
        for down, row in enumerate(cells):
            for across, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                self.setItem(down, across, item)
        metrics = self.fontMetrics()
        high = round(metrics.lineSpacing() * 1.8)
        self.verticalHeader().setDefaultSectionSize(high)
        for place, name in enumerate(columns):
            texts = [name, *(row[place] for row in cells)]
            wide = max(metrics.horizontalAdvance(text) for text in texts)
            self.setColumnWidth(place, wide + 3 * metrics.averageCharWidth() + 24)
        self.setFixedHeight(high * (len(rows) + 1) + metrics.lineSpacing() + 4)


class HeatTable(Table):
    """Show a figure by group and arm, the better the darker the cell."""

    def show_groups(
        self,
        arms: Sequence[str],
        groups: Mapping[str, Mapping[str, tuple[float, int]]],
        scale: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """Take {group: {arm: (value, questions)}}, and what the values reach from and to."""
        counts = {
            name: max((count for _, count in held.values()), default=0)
            for name, held in groups.items()
        }
        self.write(
            arms,
            [f"{name.replace('_', ' ')} ({counts[name]})" for name in groups],
            [
                [f"{held[arm][0]:.2f}" if arm in held else "–" for arm in arms]
                for held in groups.values()
            ],
        )
        c = theme.colours()
        for down, held in enumerate(groups.values()):
            for across, arm in enumerate(arms):
                if arm in held:
                    share = (held[arm][0] - scale[0]) / (scale[1] - scale[0])
                    self._paint(self.item(down, across), share, c)

    def _paint(self, item: QTableWidgetItem | None, value: float, c: theme.Colours) -> None:
        if item is None:
            return
        ground, accent = QColor(c.sheet), QColor(c.accent)
        share = max(0.0, min(1.0, value))
        mixed = QColor.fromRgbF(
            ground.redF() + (accent.redF() - ground.redF()) * share,
            ground.greenF() + (accent.greenF() - ground.greenF()) * share,
            ground.blueF() + (accent.blueF() - ground.blueF()) * share,
        )
        item.setBackground(mixed)
        item.setForeground(QColor(c.on_accent if share > 0.5 else c.ink))


class ComparisonTable(Table):
    """Show a figure of two runs side by side, and whether the difference is more than chance."""

    def show_difference(self, one: str, other: str, found: Mapping[str, Compared]) -> None:
        """Take, by arm, both values and the paired difference (one minus other)."""
        cells = [[_number(each.ours), _number(each.theirs), *_gap(each)] for each in found.values()]
        self.write(
            [one, other, "difference", "95 % interval", "more than chance?"], list(found), cells
        )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _gap(compared: Compared) -> tuple[str, str, str]:
    gap = compared.gap
    if gap is None:
        return "–", compared.why, "–"
    sure = gap.low > 0 or gap.high < 0
    return (
        f"{gap.mean:+.3f}",
        f"{gap.low:+.3f} to {gap.high:+.3f}",
        "yes" if sure else "may be chance",
    )
