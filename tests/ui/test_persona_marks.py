"""About me: what is kept private and what is left out, added and taken away, with its effect counted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from clone_app.errors import CloneAppError
from clone_app.memory.lines import Forgotten, KeptLine, Line, LineState, Section, Support
from clone_app.memory.people import Handle, Person
from clone_app.persona.privacy.withheld import Mark, Withheld
from clone_app.progress import Progress
from clone_app.ui.persona.forgetting import ForgetDialog
from clone_app.ui.persona.page import KNOWN, LEFT_OUT, PRIVATE, PersonaPage
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


class Marks:
    """Behave like the part of the core that keeps marks; every mark covers three of a hundred entries."""

    def __init__(self, app: Any) -> None:
        self.marks: set[Mark] = set()
        self.topics: list[str] = []
        self.lines = [kept(1, "I like tea"), kept(2, "I don't like fish"), kept(3, "Heart: “Oh”")]
        for name in ("marked", "mark_private", "withheld", "forgotten_topics", "count_topic",
                     "forget_topic", "bring_back", "allow_topic", "persona_lines",
                     "keep_line_private"):  # fmt: skip
            setattr(app, name, getattr(self, name))
        app.folk = (
            Person(
                name="Bridie Marsh", handles=(Handle(key="b@example.org", shown="b@example.org"),)
            ),
            Person(name="Ada", handles=(Handle(key="ada", shown="Ada", mine=True),)),
        )

    def marked(self) -> tuple[Mark, ...]:
        return tuple(sorted(self.marks))

    def mark_private(self, kind: str, name: str, *, private: bool) -> None:
        (self.marks.add if private else self.marks.discard)((kind, name))

    def withheld(self, progress: Progress) -> Withheld:
        number = 3 * len(self.marks)
        return Withheld(
            entries=100,
            friend=number,
            public=60 + number,
            unmarked=0,
            marks=dict.fromkeys(self.marks, 3),
            names={each: (each[1], "b@example.org") for each in self.marks},
        )

    def forgotten_topics(self) -> tuple[str, ...]:
        return tuple(self.topics)

    def count_topic(self, topic: str, progress: Progress) -> tuple[int, int]:
        return sum(topic in each.line.text for each in self.lines), 14 if topic else 0

    def forget_topic(self, topic: str) -> Forgotten:
        self.topics.append(topic)
        gone = [each for each in self.lines if topic in each.line.text]
        self.lines = [each for each in self.lines if each not in gone]
        return Forgotten(topic, tuple((each,) for each in gone), ())

    def bring_back(self, gone: Forgotten) -> None:
        self.topics.remove(gone.topic)
        self.lines += [row[0] for row in gone.lines]

    def allow_topic(self, topic: str) -> None:
        self.topics.remove(topic)

    def persona_lines(self) -> tuple[KeptLine, ...]:
        return tuple(self.lines)

    def keep_line_private(self, number: int, *, private: bool) -> None:
        self.lines = [each if each.id != number else kept(number, "opened") for each in self.lines]


def kept(number: int, text: str) -> KeptLine:
    line = Line(
        section=Section.LIKES,
        topic=text,
        text=text,
        supports=(Support("k", date(2024, 1, 1), True, "diary", 1),),
        private=text.startswith("Heart"),
    )
    return KeptLine(number, line, LineState.ACCEPTED)


@pytest.fixture
def marks(app: Any) -> Marks:
    return Marks(app)


@pytest.fixture
def page(marks: Marks, workspace: Workspace, qtbot: QtBot, waited: Waited) -> PersonaPage:
    page = PersonaPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    waited(lambda: len(page.rows) == 3)
    return page


def private(page: PersonaPage, waited: Waited) -> Any:
    page.looks[PRIVATE].click()
    waited(lambda: page.private.effect.text().startswith("Of your"))
    return page.private


def test_three_looks_show_one_at_a_time(page: PersonaPage, waited: Waited) -> None:
    assert list(page.looks) == [KNOWN, PRIVATE, LEFT_OUT]
    assert page.rows[1].isVisible()
    private(page, waited)
    assert page.private.isVisible()
    assert not page.rows[1].isVisible()
    page.looks[LEFT_OUT].click()
    assert page.left_out.isVisible()
    assert not page.private.isVisible()
    page.looks[KNOWN].click()
    waited(lambda: page.rows[1].isVisible())


def test_the_effect_is_counted_now_and_anew_after_each_mark(
    page: PersonaPage, marks: Marks, waited: Waited, qtbot: QtBot
) -> None:
    pane = private(page, waited)
    assert pane.effect.text() == (
        "Of your 100 entries, a friend would not hear of none, the public of 60."
    )
    qtbot.keyClicks(pane.topics.field, "the boat")
    qtbot.keyClick(pane.topics.field, Qt.Key.Key_Return)
    waited(lambda: "would not hear of 3, the public of 63" in pane.effect.text())
    assert marks.marks == {("topic", "the boat")}
    assert pane.topics.field.text() == ""
    waited(lambda: pane.topics.rows["the boat"].about.text() == "3 entries · also b@example.org")
    row = pane.topics.rows["the boat"]
    assert row.off.accessibleName() == "Let others hear it: the boat"
    row.off.click()
    waited(lambda: marks.marks == set() and not pane.topics.rows)
    waited(lambda: "would not hear of none" in pane.effect.text())


def test_people_are_completed_from_people_but_never_the_user(
    page: PersonaPage, marks: Marks, waited: Waited, qtbot: QtBot
) -> None:
    pane = private(page, waited)
    completer = pane.people.field.completer()
    completer.setCompletionPrefix("marsh")
    assert completer.completionCount() == 1
    assert completer.currentCompletion() == "Bridie Marsh"
    completer.setCompletionPrefix("Ada")
    assert completer.completionCount() == 0
    assert not pane.people.add.isEnabled()
    pane.people.field.setText("Bridie Marsh")
    pane.people.add.click()
    waited(lambda: "Bridie Marsh" in pane.people.rows)
    assert marks.marks == {("person", "Bridie Marsh")}


def test_a_kind_of_entry_is_ticked(page: PersonaPage, marks: Marks, waited: Waited) -> None:
    pane = private(page, waited)
    box = pane.media["diary"]
    assert box.text() == "Diary (10 entries)"
    box.click()
    waited(lambda: marks.marks == {("medium", "diary")})
    waited(lambda: "would not hear of 3" in pane.effect.text())
    assert box.isChecked()
    box.click()
    waited(lambda: marks.marks == set())


def test_a_private_line_is_listed_and_can_be_opened(page: PersonaPage, waited: Waited) -> None:
    pane = private(page, waited)
    assert list(pane.lines.rows) == ["Heart: “Oh”"]
    pane.lines.rows["Heart: “Oh”"].off.click()
    waited(lambda: not pane.lines.rows)
    assert not pane.lines.isVisible()


def test_taking_the_last_row_away_leaves_the_keyboard_in_its_list(
    page: PersonaPage, marks: Marks, waited: Waited, qtbot: QtBot
) -> None:
    marks.marks.add(("topic", "rain"))
    pane = private(page, waited)
    page.activateWindow()
    pane.topics.rows["rain"].off.setFocus()
    qtbot.keyClick(pane.topics.rows["rain"].off, Qt.Key.Key_Space)
    waited(lambda: not pane.topics.rows)
    assert QApplication.focusWidget() in (pane.topics.field, None)


def dialog_of(page: PersonaPage, waited: Waited) -> ForgetDialog:
    waited(lambda: page.findChild(ForgetDialog) is not None)
    found = page.findChild(ForgetDialog)
    assert isinstance(found, ForgetDialog)
    return found


def test_from_a_line_its_topic_is_left_out_after_its_count_was_seen_and_undone(
    page: PersonaPage, marks: Marks, waited: Waited
) -> None:
    {each.text(): each for each in page.rows[2].more.menu().actions()}[
        "Leave its topic out…"
    ].trigger()
    dialog = dialog_of(page, waited)
    assert dialog.topic() == "fish"
    waited(
        lambda: (
            dialog.count.text()
            == "1 line of the document speaks of it and goes. 14 entries speak of it and stay in your "
            "memory."
        )
    )
    dialog.forget.click()
    waited(lambda: 2 not in page.rows)
    assert marks.topics == ["fish"]
    assert page.undoing.isVisible()
    assert page.undoing.text.text() == "“fish” is left out; 1 line went with it."
    page.undoing.undo.click()
    waited(lambda: 2 in page.rows)
    assert marks.topics == []
    assert not page.undoing.isVisible()


def test_the_count_follows_what_is_typed(page: PersonaPage, waited: Waited, qtbot: QtBot) -> None:
    page.ask_to_forget("tea")
    dialog = dialog_of(page, waited)
    waited(lambda: dialog.count.text().startswith("1 line"))
    dialog.field.clear()
    assert not dialog.forget.isEnabled()
    assert dialog.count.text() == "Write what it is about."
    qtbot.keyClicks(dialog.field, "zebras")
    waited(
        lambda: dialog.count.text().startswith(
            "No line of the document speaks of it, now or later."
        )
    )
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    waited(lambda: page.findChild(ForgetDialog) is None)


def test_topics_that_are_left_out_are_listed_added_and_allowed(
    page: PersonaPage, marks: Marks, waited: Waited, qtbot: QtBot
) -> None:
    page.looks[LEFT_OUT].click()
    assert page.left_out.none.isVisible()
    qtbot.keyClicks(page.left_out.topics.field, "rain")
    qtbot.keyClick(page.left_out.topics.field, Qt.Key.Key_Return)
    dialog_of(page, waited).forget.click()
    waited(lambda: list(page.left_out.topics.rows) == ["rain"])
    waited(lambda: page.left_out.topics.rows["rain"].about.text() == "14 entries speak of it")
    assert not page.left_out.none.isVisible()
    page.left_out.topics.rows["rain"].off.click()
    waited(lambda: not page.left_out.topics.rows)
    assert marks.topics == []
    assert not page.undoing.isVisible()


def failing(*_: object, **__: object) -> None:
    raise CloneAppError("The memory can't be written. Free some space.")


def test_an_undo_that_fails_can_be_tried_again(
    page: PersonaPage, marks: Marks, app: Any, waited: Waited
) -> None:
    page._forget("fish")
    waited(page.undoing.isVisible)
    app.bring_back = failing
    page.undoing.undo.click()
    assert not page.undoing.isVisible()
    waited(page.undoing.isVisible)
    app.bring_back = marks.bring_back
    page.undoing.undo.click()
    waited(lambda: marks.topics == [] and 2 in page.rows)
    assert not page.undoing.isVisible()


def test_what_could_not_be_marked_stays_written(
    page: PersonaPage, marks: Marks, app: Any, waited: Waited, qtbot: QtBot
) -> None:
    pane = private(page, waited)
    told: list[str] = []
    page.jobs.failed.connect(told.append)
    app.mark_private = failing
    qtbot.keyClicks(pane.topics.field, "the  boat")
    qtbot.keyClick(pane.topics.field, Qt.Key.Key_Return)
    waited(lambda: bool(told) and not page.jobs.active())
    assert pane.topics.field.text() == "the  boat"
    app.mark_private = lambda kind, name, private: marks.marks.add((kind, "the boat"))
    qtbot.keyClick(pane.topics.field, Qt.Key.Key_Return)
    waited(lambda: "the boat" in pane.topics.rows)
    assert pane.topics.field.text() == ""


def test_a_count_that_fails_says_so_and_the_next_one_shows_it(
    page: PersonaPage, marks: Marks, app: Any, waited: Waited
) -> None:
    app.withheld = failing
    page.looks[PRIVATE].click()
    waited(lambda: "could not be counted" in page.private.effect.text())
    assert not page.private.unmarked.isVisible()
    app.withheld = marks.withheld
    page.private.refresh()
    waited(lambda: page.private.effect.text().startswith("Of your 100 entries"))


def test_entries_of_which_others_hear_a_part_are_counted_apart(
    page: PersonaPage, waited: Waited
) -> None:
    pane = private(page, waited)
    assert "hear only a part" not in pane.unmarked.text()
    pane.show_effect(
        Withheld(entries=100, friend=3, public=60, unmarked=0, marks={}, names={}, partly=12)
    )
    assert pane.unmarked.text().startswith("Of 12 more, others hear only a part:")


def test_leaving_a_topic_out_promises_no_more_than_it_does(page: PersonaPage) -> None:
    said = [label.text() for label in page.left_out.findChildren(QLabel)]
    assert any("every sentence with all words of one is passed over" in each for each in said)
    assert any("The entries stay in your memory" in each for each in said)
    assert not any("told nothing" in each for each in said)
