"""Charts in the window's own colours: bars with intervals, stages, and a life on a line of time.

pyqtgraph draws them; it takes a quarter of a second to import, so pages import this when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSizePolicy

from clone_app.ui import theme

_LETTERS_LEFT = 17
# Told apart by hue and by lightness, so that they stay apart without colour.
STAGE_INKS = ("#2f8f5b", "#9aa0a6", "#c4493a", "#e39a4f", "#caa92c", "#8a63b5", "#5b8db8")


@dataclass(frozen=True, slots=True)
class Bar:
    """Hold one bar: its name, how long it is, its interval if known."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


class _Chart(pg.PlotWidget):  # type: ignore[misc]
    """Be a still chart that follows scheme and text size; `draw` is what each kind adds."""

    def __init__(self) -> None:
        super().__init__()
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(self.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in another scheme or text size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.redraw()

    def wheelEvent(self, event: QEvent) -> None:
        """Let the page scroll."""
        event.ignore()

    def redraw(self) -> None:
        """Clear and draw what is known now."""
        self.clear()
        c = theme.colours()
        self.setBackground(c.paper)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(c.line))
            axis.setTextPen(pg.mkPen(c.ink))
            axis.setStyle(tickFont=self.font(), tickLength=0 if side == "left" else 4)
        self.draw(c)

    def draw(self, c: theme.Colours) -> None:
        """Add the chart's own items."""

    def rows(self, names: Sequence[str]) -> None:
        """Give each name a row of its own, the first on top, and the chart the height for them."""
        line = self.fontMetrics().lineSpacing()
        self.getAxis("left").setTicks([[(-at, name) for at, name in enumerate(names)]])
        self.getAxis("left").setWidth(self.fontMetrics().averageCharWidth() * _LETTERS_LEFT)
        self.setYRange(-len(names) + 0.4, 0.6, padding=0)
        self.setFixedHeight(round(line * (1.7 * len(names) + 2.4)))


class BarChart(_Chart):
    """Show one figure of several arms as bars, each with its interval and its number."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: tuple[Bar, ...] = ()
        self._scale = (0.0, 1.0)

    def show_bars(self, bars: Sequence[Bar], scale: tuple[float, float] = (0.0, 1.0)) -> None:
        """Take the bars, the first on top, and what their values reach from and to."""
        self._bars = tuple(bars)
        self._scale = scale
        told = "; ".join(f"{bar.name} {bar.value:.3f}" for bar in bars)
        self.setAccessibleName(f"Bars: {told}")
        self.redraw()

    def draw(self, c: theme.Colours) -> None:
        """Draw bars, intervals and numbers."""
        places = -np.arange(len(self._bars), dtype=float)
        self.rows([bar.name for bar in self._bars])
        least, most = self._scale
        wide = most - least
        self.setXRange(least, most + 0.12 * wide, padding=0)
        steps = 5 if least == 0.0 else 4  # so that 0 is among them
        ticks = [least + wide * at / steps for at in range(steps + 1)]
        self.getAxis("bottom").setTicks([[(at, f"{at:g}") for at in ticks]])
        if not self._bars:
            return
        self.addItem(
            pg.BarGraphItem(
                x0=0,
                y=places,
                height=0.62,
                width=[bar.value for bar in self._bars],
                brush=c.accent,
                pen=pg.mkPen(None),
            )
        )
        for place, bar in zip(places, self._bars, strict=True):
            end = bar.value
            if bar.low is not None and bar.high is not None:
                end = bar.high
                self.addItem(
                    pg.ErrorBarItem(
                        x=np.array([bar.value]),
                        y=np.array([place]),
                        left=bar.value - bar.low,
                        right=bar.high - bar.value,
                        beam=0.28,
                        pen=pg.mkPen(c.ink, width=1.4),
                    )
                )
            label = pg.TextItem(f"{bar.value:.3f}", color=c.ink, anchor=(0, 0.5))
            label.setFont(self.font())
            label.setPos(max(end, 0.0) + 0.012 * wide, place)
            self.addItem(label)


class StageChart(_Chart):
    """Show for each arm what share of the questions ended at which stage, side by side to 1."""

    def __init__(self, stages: Sequence[str]) -> None:
        super().__init__()
        self._stages = tuple(stages)
        self._rows: tuple[tuple[str, Mapping[str, int]], ...] = ()

    def show_rows(self, rows: Sequence[tuple[str, Mapping[str, int]]]) -> None:
        """Take (arm, questions by stage), the first on top."""
        self._rows = tuple(rows)
        told = "; ".join(
            f"{arm}: " + ", ".join(f"{stage} {counts[stage]}" for stage in counts)
            for arm, counts in rows
        )
        self.setAccessibleName(f"Where questions ended. {told}")
        self.redraw()

    def draw(self, c: theme.Colours) -> None:
        """Draw each arm's row of stretches, the number of questions in each that has the room."""
        self.rows([arm for arm, _ in self._rows])
        self.setXRange(0, 1.0, padding=0.01)
        self.getAxis("bottom").setTicks([[(at / 4, f"{at * 25} %") for at in range(5)]])
        for at, (_, counts) in enumerate(self._rows):
            start, total = 0.0, sum(counts.values()) or 1
            for stage, ink in zip(self._stages, STAGE_INKS, strict=False):
                share = counts.get(stage, 0) / total
                if not share:
                    continue
                self.addItem(
                    pg.BarGraphItem(
                        x0=[start],
                        y=[-at],
                        height=0.62,
                        width=[share],
                        brush=ink,
                        pen=pg.mkPen(c.paper, width=1),
                    )
                )
                if share > 0.05:
                    label = pg.TextItem(str(counts[stage]), color="#ffffff", anchor=(0.5, 0.5))
                    label.setFont(self.font())
                    label.setPos(start + share / 2, -at)
                    self.addItem(label)
                start += share


class CurveChart(_Chart):
    """Show shares over a threshold as lines, looking as `line_looks` says; `None` breaks a line."""

    def __init__(self) -> None:
        super().__init__()
        self._at: tuple[float, ...] = ()
        self._lines: tuple[tuple[str, tuple[float | None, ...]], ...] = ()

    def show_lines(
        self, at: Sequence[float], lines: Sequence[tuple[str, Sequence[float | None]]]
    ) -> None:
        """Take the thresholds and, of each line, its name and a share from 0 to 1 at each of them."""
        self._at = tuple(at)
        self._lines = tuple((name, tuple(shares)) for name, shares in lines)
        self.setAccessibleName("Over the threshold: " + "; ".join(name for name, _ in lines))
        self.redraw()

    def draw(self, c: theme.Colours) -> None:
        """Draw the lines, told apart by ink and by dashes."""
        line = self.fontMetrics().lineSpacing()
        self.setFixedHeight(line * 14)
        self.getAxis("left").setWidth(self.fontMetrics().averageCharWidth() * 9)
        self.getAxis("left").setTicks([[(at / 4, f"{at * 25} %") for at in range(5)]])
        self.setYRange(-0.04, 1.08, padding=0)  # so that the outermost figures have room
        if not self._at:
            return
        self.setXRange(self._at[0], self._at[-1], padding=0.02)
        for (_, shares), (_, ink, style) in zip(self._lines, line_looks(c), strict=False):
            self.plot(
                np.array(self._at),
                np.array([np.nan if each is None else each for each in shares]),
                pen=pg.mkPen(ink, width=2, style=style),
                connect="finite",
            )


def line_looks(c: theme.Colours) -> tuple[tuple[str, str, Qt.PenStyle], ...]:
    """Return how a chart's lines look, in order: in a legend's letters, their ink and their dashes."""
    return (
        ("━━", c.accent, Qt.PenStyle.SolidLine),
        ("╍╍", c.warn, Qt.PenStyle.DashLine),
        ("┈┈", c.ink, Qt.PenStyle.DotLine),
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """Hold one trace on the line of time: gold, retrieved (its rank from 1), both or neither."""

    key: str
    at: datetime
    gold: bool
    rank: int = 0


class TimeLine(_Chart):
    """Show a life's traces over time: evidence above, what was found below, the question's moment.

    Drag to move, turn the wheel to come nearer; a click on a mark tells which trace it is.
    """

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAxisItems({"bottom": pg.DateAxisItem(orientation="bottom", utcOffset=0)})
        self.setMouseEnabled(x=True, y=False)
        self.getAxis("left").setTicks([[(1, "evidence"), (0, "all traces"), (-1, "found")]])
        self._marks: tuple[Mark, ...] = ()
        self._asked: datetime | None = None

    def wheelEvent(self, event: QEvent) -> None:
        """Come nearer or go back."""
        pg.PlotWidget.wheelEvent(self, event)

    def show_marks(self, marks: Sequence[Mark], asked: datetime) -> None:
        """Take the traces and the moment of the question."""
        self._marks, self._asked = tuple(marks), asked
        gold = sum(mark.gold for mark in marks)
        both = sum(mark.gold and mark.rank > 0 for mark in marks)
        self.setAccessibleName(
            f"{len(marks)} traces over time; {gold} are evidence, {both} of them were found"
        )
        self.redraw()
        self.getPlotItem().enableAutoRange(axis="x")

    def draw(self, c: theme.Colours) -> None:
        """Draw all traces small, evidence and found ones large, and when it was asked."""
        line = self.fontMetrics().lineSpacing()
        self.setFixedHeight(line * 8)
        self.getAxis("left").setWidth(self.fontMetrics().averageCharWidth() * 11)
        self.setYRange(-1.7, 1.7, padding=0)
        if self._asked is not None:
            self.addItem(
                pg.InfiniteLine(
                    _seconds(self._asked),
                    angle=90,
                    pen=pg.mkPen(c.muted, style=Qt.PenStyle.DashLine),
                    label="asked",
                    labelOpts={"color": c.muted, "position": 0.94},
                )
            )
        hit, missed, wrong = c.accent, c.warn, c.muted
        small = QColor(c.muted)
        small.setAlpha(110)
        self._scatter(self._marks, 0, 5, small, "o")
        self._scatter([m for m in self._marks if m.gold and m.rank], 1, 13, QColor(hit), "star")
        self._scatter([m for m in self._marks if m.gold and not m.rank], 1, 12, QColor(missed), "x")
        self._scatter([m for m in self._marks if m.rank and m.gold], -1, 11, QColor(hit), "o")
        self._scatter([m for m in self._marks if m.rank and not m.gold], -1, 10, QColor(wrong), "t")

    def _scatter(
        self, marks: Sequence[Mark], row: int, size: int, ink: QColor, symbol: str
    ) -> None:
        if not marks:
            return
        points = pg.ScatterPlotItem(
            x=[_seconds(mark.at) for mark in marks],
            y=[float(row)] * len(marks),
            data=[mark.key for mark in marks],
            size=size,
            symbol=symbol,
            brush=ink,
            pen=pg.mkPen(None),
            hoverable=row != 0,
        )
        if row:
            points.sigClicked.connect(lambda _, hit, __: self.pressed.emit(str(hit[0].data())))
        self.addItem(points)


def _seconds(at: datetime) -> float:
    """Return the axis's number for a naive wall clock: it is shown as it stands."""
    return at.replace(tzinfo=UTC).timestamp()
