"""Who is in the memory, and deciding who is one person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from clone_app.memory.likeness import Proposal
from clone_app.memory.people import Handle, Person
from clone_app.memory.removal import RemovalCount
from clone_app.memory.store import Stored
from clone_app.ui.people.page import PeoplePage
from clone_app.ui.workspace import Workspace

from .invented import entry

Waited = Callable[[Callable[[], bool]], None]

ADA = Person(
    name="Ada",
    handles=(Handle(key="ada@example.org", shown="ada@example.org", wrote=9, mine=True),),
)
TOM = Person(
    name="Tom <b>King</b>",
    handles=(
        Handle(
            key="tom@example.org",
            shown="tom@example.org",
            names=("Tom <b>King</b>",),
            wrote=3,
            got=1,
            first="2024-01-02",
            last="2024-03-04",
        ),
        Handle(key="tommy", shown="tommy", wrote=1),
    ),
)
ANN = Person(name="Ann", handles=(Handle(key="ann", shown="Ann", got=2),))


@pytest.fixture
def page(workspace: Workspace, app: Any, qtbot: QtBot, waited: Waited) -> PeoplePage:
    app.folk = (ADA, TOM, ANN)
    page = PeoplePage(workspace)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    waited(lambda: page.list.count() == 3)
    return page


def choose(page: PeoplePage, row: int) -> None:
    page.list.setCurrentRow(row)


def test_people_are_listed_with_what_they_wrote_or_got(page: PeoplePage) -> None:
    lines = [page.list.item(row).text() for row in range(3)]
    assert lines == [
        "Ada (you)   ·   wrote 9",
        "Tom <b>King</b>   ·   wrote 4, got 1",
        "Ann   ·   got 2",
    ]
    assert page.count.text() == "2 other people in your mails, chats and posts"


def test_one_is_found_by_any_name_or_address(page: PeoplePage) -> None:
    page.filter.setText("TOMMY")
    assert page.list.count() == 1
    assert "King" in page.list.item(0).text()


def test_the_chosen_one_is_shown_with_every_name_and_when_they_were_met(page: PeoplePage) -> None:
    choose(page, 1)
    assert page.view.name.text() == "Tom <b>King</b>"
    assert page.view.met.text() == "Wrote 4 entries and got 1 entry, 2 January 2024 to 4 March 2024"
    splits = [
        button.accessibleName()
        for button in page.view.findChildren(QPushButton)
        if button.text() == "Split off"
    ]
    assert splits == ["Split off tom@example.org", "Split off tommy"]


def test_a_handle_is_split_off_with_a_click(page: PeoplePage, app: Any, waited: Waited) -> None:
    choose(page, 1)
    buttons = [each for each in page.view.findChildren(QPushButton) if each.text() == "Split off"]
    buttons[1].click()
    waited(lambda: "split tommy" in app.calls)


def test_what_one_calls_somebody_is_kept(page: PeoplePage, app: Any, waited: Waited) -> None:
    choose(page, 2)
    page.view.call.setText("Mum")
    page.view.keep.click()
    waited(lambda: "call ann Mum" in app.calls)


def test_two_are_merged_by_choosing_the_other(page: PeoplePage, app: Any, waited: Waited) -> None:
    choose(page, 1)
    page.view.other.setCurrentIndex(0)
    page.view.join.click()
    waited(lambda: "merge tom@example.org ann" in app.calls)


def test_the_user_is_offered_neither_merging_nor_splitting(page: PeoplePage) -> None:
    choose(page, 0)
    assert page.view.join.isHidden() or not page.view.join.isVisible()


def test_a_guess_is_asked_with_its_reason_and_decided(
    page: PeoplePage, app: Any, waited: Waited
) -> None:
    app.guesses = (Proposal(TOM, ANN, "the same name", 0.9), Proposal(ANN, TOM, "a guess", 0.5))
    page.refresh()
    waited(page.guesses.isVisible)
    assert "“Tom <b>King</b>, tom@example.org” and “Ann”" in page.guesses.head.text()
    assert page.guesses.about.text() == "Because: the same name. 1 more guess after this."
    page.guesses.later.click()
    assert page.guesses.about.text().startswith("Because: a guess.")
    page.guesses.no.click()
    waited(lambda: "part ann tom@example.org" in app.calls)


def test_without_mails_or_chats_the_page_says_where_people_come_from(
    workspace: Workspace, qtbot: QtBot, waited: Waited
) -> None:
    page = PeoplePage(workspace)
    qtbot.addWidget(page)
    page.show()
    waited(page.empty.isVisible)


def test_everything_from_and_to_somebody_is_forgotten_after_the_count_was_shown(
    page: PeoplePage, app: Any, waited: Waited
) -> None:
    app.stored = [Stored(1, entry(0)), Stored(2, entry(1))]
    choose(page, 2)
    page.view.gone.click()
    waited(lambda: bool(page.findChildren(QMessageBox)))
    (box,) = page.findChildren(QMessageBox)
    assert box.text() == "Remove everything from and to “Ann”: 2 entries from your memory?"
    assert "remove" not in app.calls
    next(each for each in box.buttons() if each.text() == "Remove").click()
    waited(lambda: "remove" in app.calls)


def test_forgetting_somebody_means_their_own_names_and_addresses_never_a_namesake(
    page: PeoplePage, app: Any, waited: Waited, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[object] = []
    removal = app.removal
    monkeypatch.setattr(app, "removal", lambda **more: wanted.append(more) or removal(**more))
    choose(page, 1)
    page.view.gone.click()
    waited(lambda: len(wanted) == 1)
    only = next(
        each
        for each in page.view.findChildren(QPushButton)
        if each.accessibleName() == "Forget everything from and to tommy"
    )
    only.click()
    waited(lambda: len(wanted) == 2)
    assert [each["handles"] for each in wanted] == [("tom@example.org", "tommy"), ("tommy",)]


def test_a_watched_source_that_would_bring_it_back_is_named_before_anything_goes(
    page: PeoplePage, app: Any, waited: Waited, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = RemovalCount(items=2, mine=0, answers=0, shared=0, first="", last="", watched=1)
    monkeypatch.setattr(app, "count_removal", lambda _: count)
    choose(page, 2)
    page.view.gone.click()
    waited(lambda: bool(page.findChildren(QMessageBox)))
    (box,) = page.findChildren(QMessageBox)
    assert "1 watched source would bring them back" in box.informativeText()


def test_what_a_person_wrote_or_got_is_one_click_away(
    page: PeoplePage, workspace: Workspace
) -> None:
    wanted: list[tuple[str, str]] = []
    workspace.person_wanted.connect(lambda key, name: wanted.append((key, name)))
    choose(page, 1)
    page.view.entries.click()
    assert wanted == [("tom@example.org", "Tom <b>King</b>")]
