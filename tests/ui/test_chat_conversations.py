"""Conversations in the window: begun, gone on with, left, opened again; and before the first question."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from clone_app.persona.document import Audience
from clone_app.progress import Progress
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(chat: ChatPage) -> ChatPage:
    return chat


def test_a_second_question_goes_on_with_the_conversation(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    for question in ("one", "two"):
        page.ask(question)
        waited(lambda: page.job is None)
    assert [turn.question for turn in app.talks[1]] == ["one", "two"]


def test_a_new_conversation_starts_empty_and_the_old_one_can_be_opened_again(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.ask("one")
    waited(lambda: page.job is None)
    page.conversations.new.click()
    assert page.transcript.turns == []
    assert page.empty.isVisible()
    page.ask("two")
    waited(lambda: page.job is None and page.conversations.model.rowCount() == 2)
    assert set(app.talks) == {1, 2}
    page.conversations.list.setCurrentIndex(page.conversations.model.index(0, 0))
    page.conversations.list.clicked.emit(page.conversations.model.index(0, 0))
    waited(lambda: page.conversation == 1 and bool(page.transcript.turns))
    turn = page.transcript.turns[0]
    assert turn.question == "one"
    assert turn.view.plain().startswith("I thought about the move on New Year's Day. [1]")
    assert len(page.sources.cards) == 2


def test_an_answer_that_fails_after_its_conversation_was_left_harms_nothing(
    page: ChatPage, app: SimpleNamespace, waited: Waited, fake: SimpleNamespace
) -> None:
    crashes: list[object] = []
    page.jobs.crashed.connect(crashes.append)

    def dies_when_cancelled(progress: Progress) -> None:
        if not app.go_on.is_set():
            while not progress.cancelled:
                app.go_on.wait(0.005)
            raise fake.STOPPED

    app._wait = dies_when_cancelled
    app.go_on.clear()
    page.ask("one")
    waited(lambda: bool(page.sources.cards))
    page.new_conversation()
    waited(lambda: page.job is None)
    assert crashes == []
    assert page.transcript.turns == []
    app.go_on.set()


def test_an_earlier_question_without_an_answer_can_be_asked_again(
    page: ChatPage, app: SimpleNamespace, waited: Waited, fake: SimpleNamespace
) -> None:
    app.script = [fake.STOPPED]
    page.ask("one")
    waited(lambda: page.job is None)
    page.new_conversation()
    page.open_conversation(1)
    waited(lambda: bool(page.transcript.turns))
    assert page.transcript.turns[0].button.text() == "Ask again"


def test_three_questions_are_suggested_and_a_press_asks_one(page: ChatPage, waited: Waited) -> None:
    waited(lambda: page.empty.suggestions[0].isVisible())
    assert len(page.empty.suggestions) == 3
    text = page.empty.suggestions[0].text()
    page.empty.suggestions[0].click()
    waited(lambda: page.job is None and bool(page.transcript.turns))
    assert page.transcript.turns[0].question == text


def test_an_empty_memory_leads_to_the_import_page(
    make_workspace: Callable[[object], Workspace],
    fake: SimpleNamespace,
    waited: Waited,
    qtbot: QtBot,
) -> None:
    workspace = make_workspace(fake.App())
    page = ChatPage(workspace)
    qtbot.addWidget(page)
    page.show()
    wanted: list[str] = []
    workspace.page_wanted.connect(wanted.append)
    waited(page.empty.go.isVisible)
    assert not page.empty.suggestions[0].isVisible()
    page.empty.go.click()
    assert wanted == ["import"]


def test_who_listens_goes_with_the_question_and_a_change_begins_anew(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.ask("What about the move?")
    waited(lambda: page.job is None)
    page.audience.setCurrentIndex(1)
    page.audience.activated.emit(1)
    assert page.transcript.turns == []
    page.ask("What about the move?")
    waited(lambda: page.job is None and bool(page.transcript.turns))
    assert app.audiences == [Audience.PRIVATE, Audience.FRIEND]


def test_a_conversation_is_deleted_after_a_question_and_what_is_shown_of_it_goes(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.ask("one")
    waited(lambda: page.job is None)
    waited(lambda: page.conversations.model.rowCount() == 1)

    def answered(text: str) -> None:
        page.conversations.list.setCurrentIndex(page.conversations.model.index(0, 0))
        page.conversations.delete.trigger()
        (box,) = (
            each
            for each in page.conversations.findChildren(QMessageBox, "confirm-conversation")
            if each.isVisible()
        )
        (button,) = (each for each in box.buttons() if each.text() == text)
        button.click()

    answered("Keep")
    assert list(app.talks) == [1]
    answered("Delete")
    waited(lambda: page.conversations.model.rowCount() == 0)
    assert app.talks == {}
    assert page.conversation is None
    assert page.transcript.turns == []
