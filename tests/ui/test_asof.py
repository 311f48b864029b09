"""Asking the clone of an earlier day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from clone_app.entries import Filters
from clone_app.ui.chat.asof import span
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.chat.turn import TurnView
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(workspace: Workspace, app: Any, qtbot: QtBot, waited: Waited) -> ChatPage:
    page = ChatPage(workspace)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    waited(page.asof.isVisible)
    return page


def ask(page: ChatPage, waited: Waited) -> None:
    page.ask("Where do I live?")
    waited(lambda: page.job is None and bool(page.transcript.turns))


def test_a_question_is_asked_of_today_unless_a_day_was_chosen(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    ask(page, waited)
    assert app.asked_at == [None]
    assert page.transcript.turns[0].asof.isHidden()


def test_the_slider_goes_over_the_days_that_are_remembered(page: ChatPage) -> None:
    assert not page.asof.slider.isVisible()
    page.asof.button.click()
    assert page.asof.slider.isVisible()
    assert page.asof.chosen() == date(2024, 1, 10)
    page.asof.slider.setValue(0)
    assert page.asof.chosen() == date(2024, 1, 1)
    assert page.asof.day.text() == "as of 1 January 2024"


def test_the_clone_of_that_day_is_asked_and_the_question_says_so(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    page.asof.button.click()
    page.asof.slider.setValue(2)
    ask(page, waited)
    assert app.asked_at == ["2024-01-03"]
    turn = page.transcript.turns[0]
    assert turn.asof.text() == "asked of 3 January 2024"
    turn.compare.click()  # the model alone is told the same day
    waited(
        lambda: turn.bare.text() == "Without your memory: On 2024-01-03 I liked Where do I live?"
    )


def test_another_day_begins_another_conversation(page: ChatPage, waited: Waited) -> None:
    ask(page, waited)
    assert page.conversation is not None
    page.asof.button.click()
    page.asof.slider.setValue(3)
    waited(lambda: page.conversation is None)
    assert page.transcript.turns == []


def test_back_to_today_is_one_click(page: ChatPage) -> None:
    page.asof.button.click()
    page.asof.slider.setValue(3)
    page.asof.button.click()
    assert page.asof.at() is None


def test_without_two_days_there_is_nothing_to_choose(
    make_workspace: Any, fake: Any, qtbot: QtBot
) -> None:
    app = fake.App(items=1)
    page = ChatPage(make_workspace(app))
    qtbot.addWidget(page)
    page.show()
    assert not page.asof.isVisible()


def test_days_to_come_are_not_offered(fake: Any) -> None:
    app = fake.App(items=10)
    assert span(app, date(2024, 1, 5)) == (date(2024, 1, 1), date(2024, 1, 5))
    assert span(fake.App(), date(2024, 1, 5)) == (None, None)


def asked_of_the_third(page: ChatPage, waited: Waited) -> TurnView:
    """Ask the clone of 3 January, open that again when the slider is back at today, return the turn."""
    page.asof.button.click()
    page.asof.slider.setValue(2)
    ask(page, waited)
    page.asof.button.click()
    waited(lambda: page.conversation is None)
    page.open_conversation(1)
    waited(lambda: bool(page.transcript.turns))
    assert page.asof.at() is None
    return page.transcript.turns[0]


def test_a_reopened_question_says_of_which_day_it_was_asked(
    page: ChatPage, waited: Waited, qtbot: QtBot
) -> None:
    turn = asked_of_the_third(page, waited)
    assert turn.asof.isVisible()
    assert turn.asof.text() == "asked of 3 January 2024"
    exact = TurnView("q", at="2024-01-03T18:30")
    qtbot.addWidget(exact)
    assert exact.asof.text() == "asked of 3 January 2024, 18:30"


def test_what_is_asked_again_is_asked_of_the_same_day(
    page: ChatPage, app: Any, waited: Waited
) -> None:
    turn = asked_of_the_third(page, waited)
    turn.refined.emit(turn, Filters(plain=("may",)))
    waited(lambda: page.job is None and len(page.transcript.turns) == 2)
    assert app.asked_at == ["2024-01-03"] * 2
    assert app.filters[-1] == Filters(plain=("may",))
    turn.remedy_wanted.emit(turn)
    waited(lambda: page.job is None and len(app.asked_at) == 3)
    assert app.asked_at == ["2024-01-03"] * 3
    ask(page, waited)
    assert app.asked_at[-1] is None  # a new question is asked as the page says
