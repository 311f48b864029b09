"""Look through what is remembered."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from clone_app.entries import Filters
from clone_app.memory.store import Stored
from clone_app.ui.memories import dates
from clone_app.ui.memories.delegate import cut
from clone_app.ui.memories.model import PAGE, PAGES_KEPT, MemoriesModel, Wish
from clone_app.ui.memories.page import MemoriesPage
from clone_app.ui.workspace import LastQuestion, Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(memories: MemoriesPage) -> MemoriesPage:
    return memories


def first(page: MemoriesPage) -> str:
    row = page.model.row(page.model.index(0))
    return "" if row is None else row.when


def test_the_newest_stands_first_with_date_medium_and_text(page: MemoriesPage) -> None:
    row = page.model.row(page.model.index(0))
    assert row is not None
    assert (row.when, row.medium) == ("10 January 2024", "Diary")
    assert row.snippet.startswith("Day 9.")
    assert page.count.text() == "10 entries"


def test_a_hundred_thousand_are_fetched_only_where_one_looks(
    make_workspace: Callable[[object], Workspace], fake: SimpleNamespace, waited: Waited
) -> None:
    app = fake.App()
    one = fake.entry(1)
    app.stored = [Stored(number, one) for number in range(100_000)]
    model = MemoriesModel(make_workspace(app))
    model.show(Wish())
    waited(lambda: model.rowCount() == 100_000)
    far = model.index(99_999)
    assert model.row(far) is None
    assert model.data(far) == "…"
    waited(lambda: model.row(far) is not None)
    row = model.row(far)
    assert row is not None
    assert row.item_id == 0
    assert app.calls.count("items") == 2
    for number in range(PAGES_KEPT + 5):
        model.data(model.index(number * PAGE))
        waited(lambda number=number: model.row(model.index(number * PAGE)) is not None)
    assert len(model._pages) <= PAGES_KEPT


def test_the_list_of_a_hundred_thousand_is_laid_out_without_a_hold_up(
    make_workspace: Callable[[object], Workspace],
    fake: SimpleNamespace,
    waited: Waited,
    qtbot: QtBot,
) -> None:
    app = fake.App()
    one = fake.entry(1)
    app.stored = [Stored(number, one) for number in range(100_000)]
    page = MemoriesPage(make_workspace(app))
    qtbot.addWidget(page)
    page.show()
    waited(lambda: page.model.rowCount() == 100_000)
    begun = time.process_time()
    page.list.doItemsLayout()
    page.list.scrollToBottom()
    page.list.grab()
    assert time.process_time() - begun < 1.0


def test_typing_searches_after_a_pause_and_ranks_by_recall(
    page: MemoriesPage, app: SimpleNamespace, waited: Waited, qtbot: QtBot
) -> None:
    qtbot.keyClicks(page.search, "day 3")
    assert "search day 3" not in app.calls
    waited(lambda: page.count.text() == "1 entry found, best first")
    assert first(page) == "4 January 2024"
    assert sum(call.startswith("search") for call in app.calls) == 1
    page.search.clear()
    waited(lambda: page.model.rowCount() == 10)


def test_what_is_not_there_is_said(page: MemoriesPage, waited: Waited) -> None:
    page.search.setText("smartphone")
    waited(lambda: page.count.text() == "Nothing found")


def test_dates_filter_to_their_inclusive_ends(page: MemoriesPage, waited: Waited) -> None:
    page.since.setText("2024-01-03")
    page.until.setText("2024-01-05")
    waited(lambda: page.model.rowCount() == 3)
    assert first(page) == "5 January 2024"
    page.search.setText("harbour")
    waited(lambda: page.count.text() == "3 entries found, best first")


def test_a_date_that_is_none_is_answered_with_how_to_write_one(
    page: MemoriesPage, waited: Waited
) -> None:
    page.since.setText("spring")
    waited(lambda: "2020-05" in page.count.text())
    assert page.model.rowCount() == 10


def test_kinds_filter(
    page: MemoriesPage,
    app: SimpleNamespace,
    workspace: Workspace,
    waited: Waited,
    fake: SimpleNamespace,
) -> None:
    app.stored.append(Stored(11, fake.entry(20, medium="mail", title="The lease")))
    workspace.memory_changed.emit()
    waited(lambda: page.medium.count() == 3)
    assert [page.medium.itemText(place) for place in range(3)] == [
        "All kinds",
        "Diary (10)",
        "Mail (1)",
    ]
    page.medium.setCurrentIndex(2)
    page.medium.activated.emit(2)
    waited(lambda: page.model.rowCount() == 1)


def test_choosing_an_entry_shows_it_whole(page: MemoriesPage, waited: Waited) -> None:
    page.list.setCurrentIndex(page.model.index(1))
    waited(page.entry.isVisible)
    assert page.entry.text.toPlainText().startswith("Day 8. Walked to the harbour")
    assert page.entry.date.text() == "9 January 2024"
    assert page.entry.locator.text() == "From: diary/2024-01-09.md"


def test_where_there_is_no_room_for_both_the_entry_takes_the_lists_place_and_escape_leads_back(
    page: MemoriesPage, waited: Waited, qtbot: QtBot
) -> None:
    page.resize(300, 700)
    page.list.setCurrentIndex(page.model.index(1))
    assert page.list.isVisible()
    page.list.activated.emit(page.model.index(1))
    waited(page.entry.isVisible)
    assert not page.list.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    waited(page.list.isVisible)
    assert not page.entry.isVisible()
    page.resize(1000, 700)
    waited(lambda: not page.back.isVisible())


def test_what_was_found_is_highlighted_in_the_entry(page: MemoriesPage, waited: Waited) -> None:
    page.search.setText("day 3")
    waited(lambda: page.model.rowCount() == 1)
    page.list.setCurrentIndex(page.model.index(0))
    waited(page.entry.isVisible)
    assert page.entry.highlighted().startswith("Day 3.")


def test_an_entry_that_was_removed_meanwhile_is_a_sentence(
    page: MemoriesPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    said: list[str] = []
    workspace.jobs.failed.connect(said.append)
    app.stored.clear()
    page.list.setCurrentIndex(page.model.index(0))
    waited(lambda: bool(said))
    assert said == ["That entry has been removed. Search again."]


def test_an_empty_memory_leads_to_the_import_page(
    make_workspace: Callable[[object], Workspace],
    fake: SimpleNamespace,
    waited: Waited,
    qtbot: QtBot,
) -> None:
    workspace = make_workspace(fake.App())
    page = MemoriesPage(workspace)
    qtbot.addWidget(page)
    page.show()
    waited(page.empty.isVisible)
    wanted: list[str] = []
    workspace.page_wanted.connect(wanted.append)
    page.empty.findChild(QPushButton).click()
    assert wanted == ["import"]


@pytest.mark.parametrize(
    ("typed", "since", "until"),
    [
        ("1666", "1666-01-01", "1667-01-01"),
        ("2020-12", "2020-12-01", "2021-01-01"),
        ("2020-2", "2020-02-01", "2020-03-01"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("  ", None, None),
    ],
)
def test_a_date_means_the_whole_of_what_it_names(
    typed: str, since: str | None, until: str | None
) -> None:
    assert dates.since(typed) == since
    assert dates.until(typed) == until


@pytest.mark.parametrize("typed", ["spring", "2023-02-29", "2020-13", "20", "9999"])
def test_what_is_no_date_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        dates.until(typed)


def test_what_is_listed_by_kind_or_period_can_be_forgotten_after_its_count_was_shown(
    page: MemoriesPage, app: SimpleNamespace, waited: Waited
) -> None:
    assert page.forget.isHidden()
    page.since.setText("2024-01-05")
    waited(page.forget.isVisible)
    page.forget.click()
    waited(lambda: page.findChild(QMessageBox, "confirm-removal") is not None)
    box = page.findChild(QMessageBox, "confirm-removal")
    assert box.text() == "Remove everything from 5 January 2024 on: 6 entries from your memory?"
    next(button for button in box.buttons() if button.text() == "Remove").click()
    waited(lambda: "remove" in app.calls)


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        ("2024-01-05", "2024-01-09", "everything from 5 January 2024 to 9 January 2024"),
        ("2024-01-05", "2024-01-05", "everything of 5 January 2024"),
        ("", "2024-01", "everything up to 31 January 2024"),
    ],
)
def test_the_period_that_would_be_forgotten_is_named_by_its_first_and_last_day(
    page: MemoriesPage, waited: Waited, since: str, until: str, said: str
) -> None:
    page.since.setText(since)
    page.until.setText(until)
    waited(page.forget.isVisible)
    page.forget.click()
    waited(lambda: page.findChild(QMessageBox, "confirm-removal") is not None)
    assert said in page.findChild(QMessageBox, "confirm-removal").text()


def test_who_looks_for_what_was_missing_is_told_at_once_why(
    page: MemoriesPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    asked = Filters(whose="mine")
    workspace.last_question = LastQuestion("Where was the boat?", None, asked)
    page.look_for_missing()
    assert "Where was the boat?" in page.seek.text.text()
    waited(lambda: page.model.rowCount() == 10)
    page._choose(page.model.index(2))
    waited(lambda: "Found: it is number 8" in page.why.text.toPlainText())
    assert app.filters[-1] == asked
    page.seek.hide()
    page._choose(page.model.index(3))
    waited(lambda: page.why.isVisible() and page.why.text.isHidden())


def test_in_a_narrow_list_the_dates_stand_below(page: MemoriesPage, waited: Waited) -> None:
    page.resize(1600, 700)
    waited(lambda: page.since.y() == page.medium.y())
    page.bar.setFixedWidth(300)
    waited(lambda: page.since.y() > page.medium.y())


def test_a_line_of_the_list_is_cut_as_qt_counts_it() -> None:
    text = "Oh no 😿 take all the time"
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(10_000)
    layout.endLayout()
    assert cut(text, line.textStart(), line.textLength()) == text
    assert cut(text, 9, 4) == "take"
    assert cut(text, 9) == "take all the time"
