"""People's words are plain text: nothing in them is fetched, opened or set as markup."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from clone_app.ui.flow import Flow
from clone_app.ui.plain import ElidedButton, PlainLabel, QuietBrowser, wrapped

HOSTILE = '<b>Bob</b> & <a href="https://tracker.example">me</a> <img src="file:///etc/passwd">'


def test_labels_show_markup_as_it_was_typed(dressed: object, qtbot: QtBot) -> None:
    for label in (PlainLabel(HOSTILE), wrapped(HOSTILE)):
        qtbot.addWidget(label)
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert label.text() == HOSTILE
        assert not label.openExternalLinks()


def test_the_browser_loads_nothing_from_disk_or_network(
    dressed: object, qtbot: QtBot, tmp_path: object
) -> None:
    browser = QuietBrowser()
    qtbot.addWidget(browser)
    picture = tmp_path / "picture.png"  # type: ignore[operator]
    picture.write_bytes(b"x")
    for url in (QUrl.fromLocalFile(str(picture)), QUrl("https://tracker.example/pixel.png")):
        for kind in QTextDocument.ResourceType:
            assert browser.loadResource(kind.value, url) is None
    assert not browser.openLinks()
    assert not browser.openExternalLinks()


def test_a_buttons_words_are_cut_where_the_room_ends_and_its_sign_is_not(
    dressed: object, qtbot: QtBot
) -> None:
    button = ElidedButton("Tom & Ann, and all that was written of them", "chip", sign="✕")
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    whole = button.sizeHint().width()
    assert button.text() == "Tom && Ann, and all that was written of them   ✕"
    button.resize(whole // 2, button.height())
    button.show()
    assert button.text().startswith("Tom && A")
    assert button.text().endswith("…   ✕")
    assert button.sizeHint().width() == whole
    assert button.words() == button.accessibleName()
    button.resize(whole, button.height())
    assert button.text().endswith("of them   ✕")


def test_a_flow_breaks_its_line_where_the_room_ends(dressed: object, qtbot: QtBot) -> None:
    flow = Flow(gap=6)
    qtbot.addWidget(flow)
    parts = [QPushButton(text) for text in ("one", "two", "three")]
    hidden = QPushButton("none")
    hidden.hide()
    for part in (*parts, hidden):
        flow.add(part)
    widest = max(part.sizeHint().width() for part in parts)
    flow.resize(3 * widest + 12, 10)
    flow.show()
    assert len({part.y() for part in parts}) == 1
    line = flow.height()
    flow.resize(2 * widest + 6, 10)
    assert [part.y() > 0 for part in parts] == [False, False, True]
    assert flow.height() > line
    parts[1].hide()
    qtbot.waitUntil(lambda: flow.height() == line)
    assert hidden.isHidden()


def test_what_expands_takes_the_rest_of_its_line(dressed: object, qtbot: QtBot) -> None:
    flow = Flow()
    qtbot.addWidget(flow)
    first, last = QPushButton("one"), QLineEdit()
    flow.add(last)
    flow.add(first, at=0)
    flow.resize(600, 10)
    flow.show()
    assert flow.parts == [first, last]
    assert last.geometry().right() == 599
