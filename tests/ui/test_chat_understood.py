"""What a question was understood as, what narrows it, and why an entry was found or missed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from clone_app.entries import (
    Dial,
    Filters,
    NamedPerson,
    NamedTime,
    Part,
    SourcesFound,
)
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.chat.question import Question
from clone_app.ui.chat.sources import SourceCard
from clone_app.ui.chips import chips
from clone_app.ui.memories.dialog import EntryDialog
from clone_app.ui.workspace import LastQuestion, Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(chat: ChatPage) -> ChatPage:
    return chat


def test_what_of_the_question_is_missing_is_told(
    page: ChatPage, app: SimpleNamespace, waited: Waited, fake: SimpleNamespace
) -> None:
    *before, answer = fake.spoken("What did the press cost?")
    parts = (Part("press", True, ("k",)), Part("an amount", False))
    app.script = [*before, replace(answer, parts=parts)]
    page.ask("What did the press cost?")
    waited(lambda: page.job is None)
    turn = page.transcript.turns[0]
    assert turn.parts.text() == "✓ found: press   ✗ missing: an amount"
    app.script = [*before, replace(answer, parts=parts[:1])]
    page.ask("And the press?")
    waited(lambda: page.job is None)
    assert page.transcript.turns[1].parts.isHidden()


def test_what_was_asked_can_be_explained_entry_by_entry(
    page: ChatPage, workspace: Workspace, app: SimpleNamespace, waited: Waited, qtbot: QtBot
) -> None:
    before = EntryDialog(workspace, 1, "")
    qtbot.addWidget(before)
    assert before.why.isHidden()
    page.ask("What about the move?")
    waited(lambda: page.job is None)
    dialog = EntryDialog(workspace, 1, "")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.why.button.click()
    waited(lambda: not dialog.why.text.isHidden())
    assert dialog.why.text.toPlainText().splitlines()[:2] == [
        "Asked: “What about the move?”",
        "Found: it is number 1 of the 8 entries the answer is made from.",
    ]


TIMES = (
    NamedTime("2024-03-01", "2024-06-01", "last spring"),
    NamedTime("2024-03-02", "2024-03-03", "the day we moved", vague=True),
    NamedTime("2024-05-01", "2024-05-02", "on Monday", searched=("2024-04-24", "2024-05-09")),
)
PEOPLE = (NamedPerson("Mum", "Jane Doe"), NamedPerson("Bob", "Bob"))


def understanding(app: SimpleNamespace, fake: SimpleNamespace) -> None:
    found = SourcesFound(fake.SOURCES, TIMES, PEOPLE)
    app.script = [found, *fake.spoken("q")[1:]]


def test_what_was_understood_is_shown_and_asked_anew_without_what_is_taken_away(
    page: ChatPage, app: SimpleNamespace, waited: Waited, fake: SimpleNamespace
) -> None:
    understanding(app, fake)
    page.ask("What was last spring like?")
    waited(lambda: page.job is None)
    first = page.transcript.turns[0]
    assert first.understood.texts() == [
        "“last spring”: 1 March – 31 May 2024",
        "“the day we moved”: about 2 March 2024",
        "“on Monday”: widened to 24 April – 8 May 2024",
        "“Mum” = Jane Doe",
        "“Bob”, the person",
    ]
    assert "Nothing was written 1 May 2024" in first.understood.buttons[2].toolTip()
    app.script = None
    first.understood.buttons[0].click()
    waited(lambda: page.job is None and len(page.transcript.turns) == 2)
    assert app.filters[-1] == Filters(plain=("last spring",))
    second = page.transcript.turns[1]
    assert second.question == first.question
    assert second.understood.texts() == ["“last spring”: plain words"]
    second.understood.buttons[0].click()
    waited(lambda: page.job is None and len(page.transcript.turns) == 3)
    assert app.filters[-1] == Filters()


def test_taking_something_away_while_an_answer_comes_stops_that_one(
    page: ChatPage, app: SimpleNamespace, waited: Waited, fake: SimpleNamespace
) -> None:
    app.script = [SourcesFound(fake.SOURCES, TIMES, PEOPLE), None, *fake.spoken("q")[1:]]
    page.ask("What was last spring like?")
    waited(lambda: bool(page.transcript.turns[0].understood.buttons))
    app.script = None
    waited(lambda: not app.go_on.is_set())  # the other one thinks now
    app.go_on.set()
    page.transcript.turns[0].understood.buttons[3].click()
    waited(lambda: page.job is None and len(page.transcript.turns) == 2)
    assert app.filters[-1] == Filters(plain=("Mum",))
    assert page.transcript.turns[1].answer is not None


@pytest.mark.parametrize("leave", [ChatPage.stop, ChatPage.new_conversation])
def test_what_was_to_be_asked_next_is_dropped_when_the_answer_is_stopped_or_left(
    page: ChatPage,
    app: SimpleNamespace,
    waited: Waited,
    fake: SimpleNamespace,
    leave: Callable[[ChatPage], None],
) -> None:
    app.script = [SourcesFound(fake.SOURCES, TIMES, PEOPLE), None, *fake.spoken("q")[1:]]
    page.ask("What was last spring like?")
    waited(lambda: bool(page.transcript.turns[0].understood.buttons))
    page.transcript.turns[0].understood.buttons[3].click()
    leave(page)
    waited(lambda: page.job is None)
    assert app.filters == [Filters()]


def test_a_word_that_is_a_month_and_a_name_says_that_both_are_taken_away() -> None:
    month = NamedTime("2024-04-01", "2024-05-01", "April")
    first, second = chips(Filters(), times=(month,), people=(NamedPerson("April", "April Lane"),))
    assert first.text == "“April”: 1–30 April 2024"
    assert (
        first.tip
        == second.tip
        == ("Take these words as they stand, neither as a time nor as somebody you know")
    )
    assert first.filters == second.filters == Filters(plain=("April",))
    (alone,) = chips(Filters(), times=(month,))
    assert alone.tip == "Take these words as they stand, not as a time"


def test_of_days_that_must_not_be_told_only_the_words_of_the_question_are_shown() -> None:
    (chip,) = chips(Filters(), times=(NamedTime("", "", "Christmas"),))
    assert chip.text == "“Christmas”, the time"
    assert chip.filters == Filters(plain=("Christmas",))


def test_a_question_is_asked_of_what_others_wrote_until_that_is_taken_away(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    place = page.whose.findText("By others")
    page.whose.setCurrentIndex(place)
    page.whose.activated.emit(place)
    assert page.narrowed.texts() == ["Written by others"]
    page.ask("What about the move?")
    waited(lambda: page.job is None)
    assert app.filters[-1] == Filters(whose="others")
    assert page.transcript.turns[0].understood.texts() == ["Written by others"]
    page.narrowed.buttons[0].click()
    assert page.narrowed.isHidden()
    assert page.whose.currentText() == "By anybody"
    page.ask("And then?")
    waited(lambda: page.job is None)
    assert app.filters[-1] == Filters()


def test_who_misses_an_entry_is_led_to_it_with_the_question_kept_in_mind(
    page: ChatPage, app: SimpleNamespace, waited: Waited, workspace: Workspace
) -> None:
    wanted: list[bool] = []
    workspace.missing_wanted.connect(lambda: wanted.append(True))
    page.ask("What about the move?")
    waited(lambda: page.job is None)
    page.ask("And the boat?")
    waited(lambda: page.job is None)
    page.transcript.turns[0].missing.click()
    assert wanted == [True]
    assert workspace.last_question == LastQuestion("What about the move?")
    page.transcript.turns[1].missing.click()
    assert workspace.last_question == LastQuestion(
        "And the boat?", earlier=("What about the move?",)
    )


def test_a_source_says_in_plain_words_what_it_was_found_by(
    dressed: object, fake: SimpleNamespace, qtbot: QtBot
) -> None:
    card = SourceCard(1, replace(fake.SOURCES[0], found_by=("meaning", "near", "words")))
    qtbot.addWidget(card)
    said = [label.text() for label in card.findChildren(QLabel)]
    assert "Found by its meaning, what was written around it and its words" in said
    plain = SourceCard(1, fake.SOURCES[0])
    qtbot.addWidget(plain)
    assert not any("Found by" in label.text() for label in plain.findChildren(QLabel))


def test_the_model_alone_is_asked_without_filters(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    place = page.whose.findText("By me")
    page.whose.setCurrentIndex(place)
    page.whose.activated.emit(place)
    page._ask(Question("What is a zeppelin?", Filters(whose="mine"), None, Dial.FRESH))
    waited(lambda: page.job is None)
    assert app.filters[-1] == Filters()
