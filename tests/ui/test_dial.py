"""The memory dial in Chat: four stops, what was measured at each, which of them an answer was made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from clone_app.entries import Answer, Checked, Dial, Drafted, Mode, Sentence, SourcesFound
from clone_app.errors import ModelError
from clone_app.persona.ability import Ability
from clone_app.ui import words
from clone_app.ui.chat.dial import Measured
from clone_app.ui.chat.page import ChatPage
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]
ALONE = Sentence("Zebras have stripes.", False, ())
FRESH = [
    SourcesFound(()),
    Drafted("Zebras have stripes."),
    Checked(ALONE),
    Answer(
        question="q",
        text=ALONE.text,
        sentences=(ALONE,),
        sources=(),
        mode=Mode.FRESH,
        model="fake",
        seconds=0.5,
        conversation=1,
        dial=Dial.FRESH,
    ),
]


@pytest.fixture
def page(workspace: Workspace, qtbot: QtBot) -> ChatPage:
    page = ChatPage(workspace)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    return page


def opened(page: ChatPage, waited: Waited) -> ChatPage:
    page.dial.button.click()
    waited(lambda: bool(page.dial.measured.model))
    return page


def test_the_dial_is_closed_and_its_button_says_where_it_stands(
    page: ChatPage, qtbot: QtBot, waited: Waited
) -> None:
    assert not page.dial.isVisible()
    assert page.dial.button.text() == "Memory: checked"
    qtbot.waitExposed(page)
    qtbot.keyClick(page, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    waited(page.dial.isVisible)
    qtbot.keyClick(page, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    waited(lambda: not page.dial.isVisible())


def test_it_is_turned_by_keyboard_from_no_memory_to_nothing_but_memory(
    page: ChatPage, waited: Waited, qtbot: QtBot
) -> None:
    opened(page, waited)
    assert [stop.text() for stop in page.dial.stops.values()] == [
        "Fresh",
        "Free",
        "Checked",
        "Only my words",
    ]
    qtbot.keyClick(page.dial.stops[Dial.CHECKED], Qt.Key.Key_Down)
    assert page.dial.chosen() is Dial.QUOTES
    assert page.dial.button.text() == "Memory: only my words"
    assert "Only your own words" in page.dial.does.text()
    for _ in range(3):
        stop = page.dial.stops[page.dial.chosen()]
        qtbot.keyClick(stop, Qt.Key.Key_Up)
    assert page.dial.chosen() is Dial.FRESH


def test_a_question_is_asked_at_the_stop_and_the_conversation_goes_on(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    for dial in (Dial.QUOTES, Dial.FREE):
        page.dial.choose(dial)
        page.ask("q")
        waited(lambda: page.job is None)
    assert app.dials == [Dial.QUOTES, Dial.FREE]
    assert len(page.transcript.turns) == 2
    assert len(app.talks) == 1


def test_it_begins_where_preferences_say_and_follows_them(
    page: ChatPage, workspace: Workspace, app: SimpleNamespace, waited: Waited
) -> None:
    from clone_app.ui.jobs import Lane

    page.dial.choose(Dial.FRESH)
    workspace.change_settings(lane=Lane.READING, text_size=120)
    waited(lambda: app.settings.text_size == 120)
    assert page.dial.chosen() is Dial.FRESH
    workspace.change_settings(lane=Lane.READING, answer_style="quotes")
    waited(lambda: page.dial.chosen() is Dial.QUOTES)


def test_what_was_never_measured_is_said_so_and_measured_at_a_press(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    opened(page, waited)
    assert page.dial.told.text() == "Not measured yet with fake."
    assert page.dial.cells[Dial.FREE, 0].text() == "–"
    assert "Not measured yet." in page.dial.stops[Dial.FREE].accessibleDescription()
    assert page.dial.measure.text() == "Measure now"
    page.dial.measure.click()
    waited(lambda: page.dial.measure.text() == "Measure again")
    assert [page.dial.cells[Dial.FREE, column].text() for column in range(3)] == [
        "1 of 4",
        "1 of 9",
        "0.5",
    ]
    assert "Measured with fake on this machine" in page.dial.told.text()
    described = page.dial.stops[Dial.FREE].accessibleDescription()
    assert "1 of 4 answers right, 1 of 9 sentences carried by the notes, 0.5 seconds" in described


def test_a_trial_in_the_background_leaves_fresh_to_be_measured(
    page: ChatPage, workspace: Workspace, app: SimpleNamespace, waited: Waited
) -> None:
    app.untried = True
    opened(page, waited)
    page.ask("q")
    waited(lambda: page.dial.cells[Dial.QUOTES, 0].text() != "–")
    assert page.dial.cells[Dial.FRESH, 0].text() == "–"
    assert page.dial.told.text().endswith("“Fresh” is not measured yet.")
    assert page.dial.measure.text() == "Measure now"


def test_that_a_model_failed_is_said_where_its_words_would_count(page: ChatPage) -> None:
    page.dial.show_measured(Measured("tiny", Ability(1, 4), triable=True))
    assert "failed its reading test" in page.dial.does.text()
    page.dial.choose(Dial.FREE)
    assert "failed its reading test" not in page.dial.does.text()
    page.dial.show_measured(Measured("good", Ability(3, 4), triable=True))
    page.dial.choose(Dial.CHECKED)
    assert "failed" not in page.dial.does.text()


def test_what_cannot_be_measured_says_why(page: ChatPage) -> None:
    page.dial.show_measured(Measured("on a server"))
    assert page.dial.told.text() == (
        "on a server is not measured: each question of the test would be sent."
    )
    assert not page.dial.measure.isVisibleTo(page.dial)
    page.dial.show_measured(Measured())
    assert "There is no language model" in page.dial.told.text()


def test_at_fresh_the_answer_and_the_panel_say_that_nothing_of_memory_was_used(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.dial.choose(Dial.FRESH)
    assert "without memory" in page.composer.field.placeholderText()
    app.script = [*FRESH[:3], None, FRESH[3]]
    page.ask("q")
    turn = page.transcript.turns[0]
    waited(lambda: not turn.view.is_blank())
    assert turn.view.unsupported() == 0  # nobody looks for it, so nothing is marked as not found
    assert "None of your entries was looked at" in page.sources.hint.text()
    waited(lambda: not app.go_on.is_set())  # the other one thinks now
    app.go_on.set()
    waited(lambda: page.job is None)
    assert turn.legend.text() == "From the model alone: nothing of your memory reached it."
    assert turn.legend.isVisible()
    assert turn.made_by.text() == "Generated by the clone · fresh, the model alone · fake · 0.5 s"
    assert not turn.missing.isVisible()
    assert page.sources.cards == []
    assert page.sources.hint.isVisible()


def test_an_answer_without_memory_is_held_against_one_from_it(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.dial.choose(Dial.FRESH)
    app.script = FRESH
    page.ask("q")
    waited(lambda: page.job is None)
    app.script = None
    turn = page.transcript.turns[0]
    assert turn.compare.text() == "From memory"
    turn.compare.click()
    waited(lambda: page.job is None and len(page.transcript.turns) == 2)
    assert app.dials == [Dial.FRESH, Dial.CHECKED]
    assert page.dial.chosen() is Dial.FRESH  # asked once otherwise, not turned
    assert page.transcript.turns[1].compare.text() == "Without memory"


def test_without_a_model_fresh_says_so_and_keeps_the_question(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.dial.choose(Dial.FRESH)
    app.script = [ModelError("There is no language model. Choose one in Preferences.")]
    page.ask("q")
    waited(lambda: page.job is None)
    turn = page.transcript.turns[0]
    assert turn.fault.text() == "There is no language model. Choose one in Preferences."
    assert page.composer.text() == "q"


@pytest.mark.parametrize(
    ("dial", "mode", "reason", "said"),
    [
        (Dial.CHECKED, Mode.GROUNDED, "", "checked, the model's words"),
        (Dial.CHECKED, Mode.QUOTE, "it failed", "checked, quotations: it failed"),
        (Dial.FREE, Mode.FREE, "", "free, the model's words"),
        (Dial.QUOTES, Mode.QUOTE, "", "only my words"),
        (Dial.CHECKED, Mode.NONE, "", "checked, nothing found"),
        (None, Mode.QUOTE, "", "quotations"),
    ],
)
def test_every_answer_says_its_stop_and_its_mode(
    page: ChatPage,
    app: SimpleNamespace,
    waited: Waited,
    fake: SimpleNamespace,
    dial: Dial | None,
    mode: Mode,
    reason: str,
    said: str,
) -> None:
    answer = replace(fake.spoken("q")[-1], dial=dial, mode=mode, reason=reason)
    app.script = [answer]
    page.ask("q")
    waited(lambda: page.job is None)
    assert f"{words.GENERATED} · {said} · fake" in page.transcript.turns[0].made_by.text()


def test_an_earlier_answer_keeps_the_stop_it_was_made_with(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.script = FRESH
    page.dial.choose(Dial.FRESH)
    page.ask("q")
    waited(lambda: page.job is None)
    page.new_conversation()
    page.dial.choose(Dial.CHECKED)
    page.open_conversation(1)
    waited(lambda: bool(page.transcript.turns))
    turn = page.transcript.turns[0]
    assert "fresh, the model alone" in turn.made_by.text()
    assert turn.view.unsupported() == 0
    assert "None of your entries was looked at" in page.sources.hint.text()


def test_asking_again_asks_at_the_stop_it_was_asked_at(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.dial.choose(Dial.FREE)
    app.script = [ModelError("It failed. Ask again.")]
    page.ask("q")
    waited(lambda: page.job is None)
    app.script = None
    page.dial.choose(Dial.QUOTES)
    page.transcript.turns[0].button.click()
    waited(lambda: page.job is None and page.transcript.turns[0].answer is not None)
    assert app.dials == [Dial.FREE, Dial.FREE]


def test_from_memory_says_that_another_answer_is_coming_and_can_be_pressed_after_it(
    page: ChatPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.dial.choose(Dial.FRESH)
    app.script = FRESH
    page.ask("q")
    waited(lambda: page.job is None)
    turn = page.transcript.turns[0]
    app.script = [None, *FRESH]
    page.ask("another")
    turn.compare.click()
    assert turn.bare.text().startswith("Another answer is coming.")
    waited(lambda: not app.go_on.is_set())  # the other one thinks now
    app.go_on.set()
    waited(lambda: page.job is None)
    app.script = None
    turn.compare.click()
    waited(lambda: page.job is None and len(page.transcript.turns) == 3)
    assert turn.bare.isHidden()
    assert app.dials[-1] is Dial.CHECKED


def test_the_dial_is_reached_by_tab_where_it_stands(page: ChatPage) -> None:
    chain = [page.whose]
    while chain[-1].nextInFocusChain() is not page.whose:
        chain.append(chain[-1].nextInFocusChain())
    assert chain.index(page.dial.button) < chain.index(page.asof.button)
    assert not any(
        each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible()
        for each in chain[1 : chain.index(page.dial.button)]
    )
