"""People's words are plain text: nothing in them is fetched, opened or set as markup."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from clone_app.ui.plain import PlainLabel, QuietBrowser, wrapped

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
