"""Colours that can be read, text that scales."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel

from clone_app.ui import theme
from clone_app.ui.theme import DARK, LIGHT, Colours


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2: 1 to 21."""

    def light(colour: str) -> float:
        parts = QColor(colour).getRgbF()[:3]
        red, green, blue = (
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("c", [LIGHT, DARK], ids=["light", "dark"])
def test_all_text_reaches_the_contrast_of_wcag_aa(c: Colours) -> None:
    for ink in (c.ink, c.muted, c.warn, c.accent):
        for ground in (c.paper, c.sheet):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for ink, ground in (
        (c.ink, c.tint),
        (c.ink, c.mark),
        (c.ink, c.side),
        (c.muted, c.side),
        (c.on_accent, c.accent),
    ):
        assert contrast(ink, ground) >= 4.5, (ink, ground)


@pytest.mark.parametrize("c", [LIGHT, DARK], ids=["light", "dark"])
def test_edges_and_focus_can_be_seen(c: Colours) -> None:
    for line in (c.edge, c.accent):
        for ground in (c.paper, c.sheet):
            assert contrast(line, ground) >= 3.0, (line, ground)


def test_text_scales_from_the_plain_size_however_often_it_changes(dressed: QApplication) -> None:
    plain = dressed.font().pointSizeF()
    theme.apply(dressed, theme="light", text_size=250)
    assert dressed.font().pointSizeF() == pytest.approx(plain * 2.5)
    theme.apply(dressed, theme="light", text_size=75)
    assert dressed.font().pointSizeF() == pytest.approx(plain * 0.75)
    theme.apply(dressed, theme="light", text_size=100)
    assert dressed.font().pointSizeF() == pytest.approx(plain)


def test_a_scheme_reaches_widgets_that_are_there_already(dressed: QApplication) -> None:
    label = QLabel("text")
    label.ensurePolished()
    theme.apply(dressed, theme="dark", text_size=100)
    assert label.palette().window().color() == QColor(DARK.paper)
    assert theme.colours() is DARK
    theme.apply(dressed, theme="light", text_size=100)
    assert label.palette().window().color() == QColor(LIGHT.paper)
