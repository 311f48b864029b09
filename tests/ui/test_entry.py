"""An entry is shown as it is: plain text, its quote highlighted, whatever its length and letters."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from clone_app.ui.memories.dialog import EntryDialog
from clone_app.ui.memories.entry import SHOWN_AT_ONCE, SHOWN_UNBROKEN, EntryView
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


def test_others_words_stand_apart_and_hold_the_highlight_where_it_is_theirs(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show()
    view.show_item(
        fake.entry(1, medium="mail", text="Yes.", context="> Shall we meet?", author="Ada"),
        "Shall we meet",
    )
    assert view.text.toPlainText() == "Yes."
    assert view.context.isVisible()
    assert view.highlighted() == "Shall we meet"
    assert view.people.text() == "By Ada (you)"
    view.show_item(fake.entry(2))
    assert not view.context.isVisible()
    assert view.highlighted() == ""


def test_a_quote_is_highlighted_after_emoji_and_hard_spaces(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text="👨‍👩‍👧 one\u00a0two\nthree four"), "two\nthree")
    assert view.highlighted() == "two\nthree"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("مرحبا، هذا يوم جميل في المدينة.\nEmail: ada@example.org", True),
        ("English first, then مرحبا", False),
        ("שלום עולם", True),
        ("今天天气很好。", False),
        ("日本語の日記です。", False),
        ("2024-03-02 :-)", False),
        ("", False),
    ],
)
def test_a_text_stands_at_the_side_its_own_letters_start_at(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace, text: str, right: bool
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.show_item(fake.entry(1, text=text, title=text))
    wanted = Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
    assert view.text.layoutDirection() is wanted
    assert view.title.layoutDirection() is wanted
    assert (view.text.cursorRect().x() > view.text.viewport().width() / 2) is right
    assert view.text.toPlainText() == text
    view.show_item(fake.entry(2, text="Back to English."))
    assert view.text.layoutDirection() is Qt.LayoutDirection.LeftToRight


def test_a_quote_in_arabic_is_highlighted_where_it_stands(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text="مرحبا، هذا يوم جميل في المدينة."), "يوم جميل")
    assert view.highlighted() == "يوم جميل"


def test_an_entry_is_plain_text_whatever_it_holds(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    hostile = '<h1>Hi</h1><img src="https://tracker.example/x.png">'
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text=hostile, title=hostile, author=hostile))
    assert view.text.toPlainText() == hostile
    assert view.title.text() == hostile
    for label in view.findChildren(QLabel):
        assert label.textFormat() is not Qt.TextFormat.RichText
        if hostile in label.text():
            assert label.textFormat() is Qt.TextFormat.PlainText


def test_an_enormous_line_does_not_hold_up_the_window(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show()
    text = "x" * 9_000_000 + " needle " + "y" * 1_000_000
    begun = time.process_time()
    view.show_item(fake.entry(1, text=text), "needle")
    assert time.process_time() - begun < 1
    assert len(view.text.toPlainText()) == SHOWN_UNBROKEN
    assert view.highlighted() == "needle"
    assert "of 10,000,008" in view.cut.text()


def test_a_long_text_is_shown_whole_up_to_a_limit(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    whole = "word " * (SHOWN_AT_ONCE // 5)
    view.show_item(fake.entry(1, text=whole))
    assert view.text.toPlainText() == whole
    assert view.cut.text() == ""
    view.show_item(fake.entry(1, text=whole + "needle"), "needle")
    assert view.highlighted() == "needle"
    assert view.cut.text() == "Shown: letters 180,001 to 200,006 of 200,006."


def test_a_source_opens_in_a_window_that_escape_closes(
    workspace: Workspace, waited: Waited, qtbot: QtBot
) -> None:
    dialog = EntryDialog(workspace, 4, "harbour")
    dialog.show()
    waited(lambda: dialog.view.item is not None)
    assert dialog.windowTitle() == "Entry of 4 January 2024"
    assert dialog.view.highlighted() == "harbour"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
