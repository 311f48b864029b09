"""A model on a server, in the window: nothing is sent before the user has seen what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from clone_app.memory.sent import Departure
from clone_app.settings import Settings
from clone_app.ui.chat.agreement import AgreementDialog
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.preferences.server import ServerRows
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(workspace: Workspace, app: Any, qtbot: QtBot) -> ChatPage:
    app.settings = Settings(remote_server="http://house.local:8080/v1")
    page = ChatPage(workspace)
    qtbot.addWidget(page)
    page.show()
    return page


def dialog_of(page: ChatPage, waited: Waited) -> AgreementDialog:
    waited(lambda: bool(page.findChildren(AgreementDialog)))
    (dialog,) = page.findChildren(AgreementDialog)
    waited(lambda: "Notes." in dialog.text.toPlainText())
    return dialog


def test_the_first_question_shows_word_for_word_what_would_be_sent(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    page.ask("Where do I live?")
    dialog = dialog_of(page, waited)
    assert dialog.text.toPlainText() == "Instructions\nYou are Ada.\n\nYou\nNotes. Where do I live?"
    assert "ask" not in app.calls
    dialog.send.click()
    waited(lambda: page.job is None and bool(page.transcript.turns))
    assert app.calls.index("agree_to_send") < app.calls.index("ask")


def test_once_agreed_later_questions_go_straight_on(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    app.agreed = True
    page.ask("Where do I live?")
    waited(lambda: page.job is None and bool(page.transcript.turns))
    assert page.findChildren(AgreementDialog) == []


def test_this_machine_can_answer_instead(page: ChatPage, app: Any, waited: Waited) -> None:
    page.ask("Where do I live?")
    dialog_of(page, waited).here.click()
    waited(lambda: page.job is None and bool(page.transcript.turns))
    assert not app.agreed


def test_closing_the_dialog_keeps_the_question_and_asks_nobody(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    page.ask("Where do I live?")
    dialog_of(page, waited).reject()
    waited(lambda: page.composer.text() == "Where do I live?")
    assert "ask" not in app.calls


@pytest.fixture
def rows(workspace: Workspace, app: Any, qtbot: QtBot) -> ServerRows:
    app.settings = Settings(remote_server="http://house.local:8080/v1")
    rows = ServerRows(workspace)
    qtbot.addWidget(rows)
    rows.show()
    return rows


def test_where_there_is_no_keyring_the_key_lives_until_the_end(
    rows: ServerRows, app: Any, waited: Waited
) -> None:
    rows.take_key("s3cret")
    waited(lambda: "until you quit" in rows.state.text())
    assert app.server_key == "s3cret"


def test_what_left_is_listed_and_that_nothing_did_is_said(
    rows: ServerRows, app: Any, waited: Waited
) -> None:
    rows.list.click()
    waited(lambda: "Nothing has left" in rows.sent.toPlainText())
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    line = Departure(at=moment, host="house.local:8080", purpose="a question", bytes=5120)
    app.departures.append(line)
    rows.list.click()
    waited(lambda: "house.local:8080   a question   5,120 bytes" in rows.sent.toPlainText())
    lost = Departure(at=moment, host="h:1", purpose="a question", bytes=9, failed=True)
    app.departures.append(lost)
    rows.list.click()
    waited(lambda: "h:1   a question   not sent, no connection" in rows.sent.toPlainText())
