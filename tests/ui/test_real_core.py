"""The window on the program's own core, only the models faked: the main job from end to end."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from clone_app.app import App
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.ui.frame import Frame
from clone_app.ui.memories.dialog import EntryDialog
from clone_app.ui.start.beginning import BeginningPage
from clone_app.ui.start.blocked import Blocked
from clone_app.ui.start.first import FirstStart
from clone_app.ui.start.unlock import Unlock
from clone_app.ui.window import Window

Waited = Callable[[Callable[[], bool]], None]
Open = Callable[[], Window]
PHRASE = "correct horse battery"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """Three days of an invented life."""
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in {
        "2024-05-01": "Buried the parmesan cheese in the garden, deep, beside the wall.",
        "2024-05-02": "Rain. Read all day about lighthouses and their keepers.",
        "2024-05-03": "Dug for the parmesan cheese with Ruth and found only the wall.",
    }.items():
        (folder / f"{day}.md").write_text(text + "\n", "utf-8")
    return folder


@pytest.fixture
def open_window(
    dressed: QApplication, tmp_path: Path, waited: Waited, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Open windows on one profile folder, and end them with the test."""
    monkeypatch.setattr(QApplication, "quit", staticmethod(lambda: None))
    monkeypatch.delenv("CLONE_APP_PASSPHRASE", raising=False)
    monkeypatch.setenv("CLONE_APP_HOME", str(tmp_path / "profile"))
    windows: list[Window] = []

    def build(home: Path) -> App:
        return App(
            home,
            now=lambda: datetime(2024, 6, 1, 12, tzinfo=UTC),
            shelf=FakeModels(),
            vault=MemoryVault(working=False),
        )

    def make() -> Window:
        window = Window(home=tmp_path / "profile", build=build)
        windows.append(window)
        window.show()
        return window

    yield make
    for window in windows:
        end(window, waited)
        window.deleteLater()


def end(window: Window, waited: Waited) -> None:
    window.close()
    waited(lambda: window.jobs is None or window.jobs._closed)
    assert window.ended_well


def at(window: Window, kind: type[Any], waited: Waited) -> Any:
    waited(lambda: isinstance(window.stack.currentWidget(), kind))
    return window.stack.currentWidget()


def create(window: Window, waited: Waited) -> Frame:
    page = at(window, FirstStart, waited)
    for field in page.findChildren(QLineEdit):
        if field.accessibleName().startswith("Passphrase"):
            field.setText(PHRASE)
    page._go.click()
    at(window, BeginningPage, waited).own.click()
    frame = at(window, Frame, waited)
    assert isinstance(frame, Frame)
    return frame


def import_folder(frame: Frame, folder: Path, waited: Waited) -> None:
    page: Any = frame.pages["import"]
    page.take([folder])
    waited(lambda: page.preview is not None)
    page.preview.go.click()
    waited(lambda: page.report is not None and bool(page.sources.cards))


def test_the_fake_core_has_the_methods_of_the_real_one(fake: SimpleNamespace) -> None:
    for name, method in inspect.getmembers(fake.App, inspect.isfunction):
        if name.startswith("_"):
            continue
        real = inspect.signature(getattr(App, name)).parameters
        mine = inspect.signature(method).parameters
        named = {key for key, value in mine.items() if value.kind is not value.VAR_KEYWORD}
        assert named <= set(real), name
        for key in named & set(real):
            assert mine[key].kind == real[key].kind, (name, key)


def test_import_ask_look_and_remove(
    open_window: Open, diary: Path, waited: Waited, qtbot: QtBot
) -> None:
    window = open_window()
    frame = create(window, waited)
    import_folder(frame, diary, waited)
    report: Any = frame.pages["import"]
    assert report.report.summary.text() == "3 entries added."

    frame.go("chat")
    chat: Any = frame.pages["chat"]
    chat.ask("Where did I bury the parmesan cheese?")
    waited(lambda: chat.job is None)
    turn = chat.transcript.turns[0]
    assert turn.answer is not None, turn.fault.text()
    assert not turn.answer.abstained
    quotes = " ".join(card.source.quote for card in chat.sources.cards)
    assert "parmesan" in quotes
    cited = {key for sentence in turn.answer.sentences for key in sentence.citations}
    assert cited <= {card.source.key for card in chat.sources.cards}

    qtbot.keyClick(chat.sources.cards[0], Qt.Key.Key_Return)
    waited(lambda: frame.findChild(EntryDialog) is not None)
    dialog = frame.findChild(EntryDialog)
    waited(lambda: dialog.view.item is not None)
    assert dialog.view.highlighted() == chat.sources.cards[0].source.quote
    QDialog.reject(dialog)

    frame.go("memories")
    memories: Any = frame.pages["memories"]
    waited(lambda: memories.count.text() == "3 entries")
    memories.search.setText("lighthouses")
    waited(lambda: memories.count.text().endswith("best first"))
    assert memories.model.row(memories.model.index(0)).when == "2 May 2024"

    frame.go("import")
    report.sources.cards[0].remove.click()
    waited(lambda: report.findChild(QMessageBox, "confirm-removal") is not None)
    box = report.findChild(QMessageBox, "confirm-removal")
    assert "3 entries" in box.text()
    next(button for button in box.buttons() if button.text() == "Remove").click()
    waited(lambda: report.sources.cards == [])
    frame.go("chat")
    chat.new_conversation()
    waited(chat.empty.go.isVisible)


def test_the_next_start_asks_for_the_passphrase_and_shows_what_was_said(
    open_window: Open, diary: Path, waited: Waited
) -> None:
    window = open_window()
    frame = create(window, waited)
    import_folder(frame, diary, waited)
    frame.go("chat")
    chat: Any = frame.pages["chat"]
    chat.ask("Where did I bury the parmesan cheese?")
    waited(lambda: chat.job is None)
    said = chat.transcript.turns[0].view.plain()
    end(window, waited)

    again = open_window()
    page = at(again, Unlock, waited)
    page.field.setText("wrong horse battery")
    page.button.click()
    waited(lambda: bool(page.fault.text()) and page.button.isEnabled())
    page.field.setText(PHRASE)
    page.button.click()
    frame = at(again, Frame, waited)
    chat = frame.pages["chat"]
    waited(lambda: chat.conversations.model.rowCount() == 1)
    chat.open_conversation(1)
    waited(lambda: bool(chat.transcript.turns))
    assert chat.transcript.turns[0].view.plain() == said


def test_a_profile_that_another_program_writes_to_is_a_sentence(
    open_window: Open, tmp_path: Path, waited: Waited
) -> None:
    other = App(tmp_path / "profile", vault=MemoryVault(working=False), shelf=FakeModels())
    other.create(PHRASE, home_zone="UTC")
    window = open_window()
    page = at(window, Unlock, waited)
    page.field.setText(PHRASE)
    page.button.click()
    blocked = at(window, Blocked, waited)
    assert "Close that one first" in blocked.sentence.text()
    other.close()
    blocked.retry.click()
    page = at(window, Unlock, waited)
    page.field.setText(PHRASE)
    page.button.click()
    at(window, Frame, waited)
