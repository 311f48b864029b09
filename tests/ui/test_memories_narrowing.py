"""The list of memories narrowed by whose, kind and period, and by what a search was understood as."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from clone_app.entries import Filters, NamedPerson, NamedTime
from clone_app.memory.people import Handle, Person
from clone_app.memory.store import Stored
from clone_app.ui.memories.page import MemoriesPage
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(memories: MemoriesPage) -> MemoriesPage:
    return memories


def person(name: str, key: str) -> Person:
    return Person(name=name, handles=(Handle(key=key, shown=key, wrote=3),))


def letters(app: SimpleNamespace, fake: SimpleNamespace) -> None:
    """Add a letter from Jane, one to her, and one of somebody else."""
    jane = "jane@example.org"
    for number, (mine, author, to) in enumerate(
        ((False, jane, ()), (True, "", (jane,)), (False, "shop@example.org", ())), 11
    ):
        app.stored.append(
            Stored(number, fake.entry(number, mine=mine, author=author, recipients=to))
        )


@pytest.fixture
def lettered(
    app: SimpleNamespace,
    fake: SimpleNamespace,
    workspace: Workspace,
    qtbot: QtBot,
    waited: Waited,
) -> MemoriesPage:
    app.folk = (person("Jane Doe", "jane@example.org"),)
    letters(app, fake)
    page = MemoriesPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    waited(lambda: page.model.rowCount() == 13 and page.whose.findText("With Jane Doe") > 0)
    return page


def choose_whose(page: MemoriesPage, text: str) -> None:
    place = page.whose.findText(text)
    page.whose.setCurrentIndex(place)
    page.whose.activated.emit(place)


def test_mine_others_and_one_person_narrow_the_list_and_a_chip_takes_it_back(
    lettered: MemoriesPage, waited: Waited
) -> None:
    page = lettered
    for text, many, said in (
        ("By me", 11, "Written by you"),
        ("By others", 2, "Written by others"),
        ("With Jane Doe", 2, "With Jane Doe"),
    ):
        choose_whose(page, text)
        waited(lambda many=many: page.model.rowCount() == many)
        assert page.bar.chips.texts() == [said]
    page.bar.chips.buttons[0].click()
    waited(lambda: page.model.rowCount() == 13)
    assert page.bar.chips.isHidden()
    assert page.whose.currentText() == "By anybody"


def test_whose_kind_period_and_search_are_one_filter(
    lettered: MemoriesPage, app: SimpleNamespace, waited: Waited
) -> None:
    page = lettered
    choose_whose(page, "By others")
    page.since.setText("2024-01-13")
    page.search.setText("harbour")
    waited(lambda: page.count.text() == "1 entry found, best first")
    assert app.filters[-1] == Filters(whose="others", since="2024-01-13")


def test_what_is_listed_by_whose_it_is_is_not_offered_to_be_forgotten(
    lettered: MemoriesPage, waited: Waited
) -> None:
    page = lettered
    page.since.setText("2024-01-02")
    waited(lambda: page.forget.isVisible())
    choose_whose(page, "By others")
    waited(lambda: page.model.rowCount() == 2)
    assert page.forget.isHidden()


def test_a_time_understood_is_taken_away_and_brought_back(
    page: MemoriesPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.times = (NamedTime("2024-01-01", "2024-02-01", "day"),)
    app.named = (NamedPerson("harbour", "The Harbour Master"),)
    page.search.setText("harbour and thought")
    waited(lambda: len(page.bar.chips.buttons) == 2)
    assert page.bar.chips.texts() == [
        "“day”: 1–31 January 2024",
        "“harbour” = The Harbour Master",
    ]
    page.bar.chips.buttons[1].click()
    waited(lambda: page.bar.chips.texts()[-1] == "“harbour”: plain words")
    assert app.filters[-1] == Filters(plain=("harbour",))
    page.bar.chips.buttons[-1].click()
    waited(lambda: page.bar.chips.texts()[-1] == "“harbour” = The Harbour Master")
    page.bar.chips.buttons[1].click()
    waited(lambda: page.bar.chips.texts()[-1] == "“harbour”: plain words")
    page.search.setText("thought")  # what is no longer said needs no chip
    waited(lambda: app.filters[-1] == Filters())
