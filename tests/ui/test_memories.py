"""Look through what is remembered."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from clone_app.entries import Filters, NamedPerson, NamedTime
from clone_app.memory.people import Handle, Person
from clone_app.memory.situations import Situation
from clone_app.memory.store import Stored
from clone_app.ui.memories import dates
from clone_app.ui.memories.delegate import cut
from clone_app.ui.memories.dialog import EntryDialog
from clone_app.ui.memories.entry import SHOWN_AT_ONCE, SHOWN_UNBROKEN, EntryView
from clone_app.ui.memories.model import PAGE, PAGES_KEPT, MemoriesModel, Wish
from clone_app.ui.memories.page import MemoriesPage
from clone_app.ui.workspace import LastQuestion, Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(workspace: Workspace, qtbot: QtBot, waited: Waited) -> MemoriesPage:
    page = MemoriesPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    waited(lambda: page.model.rowCount() == 10)
    return page


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


def test_others_words_stand_apart_and_hold_the_highlight_where_it_is_theirs(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show()
    view.show_item(
        fake.entry(1, medium="mail", text="Yes.", context="> Shall we meet?", author="Ada"),
        "Shall we meet",
    )
    assert view.text.toPlainText() == "Yes."
    assert view.context.isVisible()
    assert view.highlighted() == "Shall we meet"
    assert view.people.text() == "By Ada (you)"
    view.show_item(fake.entry(2))
    assert not view.context.isVisible()
    assert view.highlighted() == ""


def test_a_quote_is_highlighted_after_emoji_and_hard_spaces(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text="👨‍👩‍👧 one\u00a0two\nthree four"), "two\nthree")
    assert view.highlighted() == "two\nthree"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("مرحبا، هذا يوم جميل في المدينة.\nEmail: ada@example.org", True),
        ("English first, then مرحبا", False),
        ("שלום עולם", True),
        ("今天天气很好。", False),
        ("日本語の日記です。", False),
        ("2024-03-02 :-)", False),
        ("", False),
    ],
)
def test_a_text_stands_at_the_side_its_own_letters_start_at(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace, text: str, right: bool
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.show_item(fake.entry(1, text=text, title=text))
    wanted = Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
    assert view.text.layoutDirection() is wanted
    assert view.title.layoutDirection() is wanted
    assert (view.text.cursorRect().x() > view.text.viewport().width() / 2) is right
    assert view.text.toPlainText() == text
    view.show_item(fake.entry(2, text="Back to English."))
    assert view.text.layoutDirection() is Qt.LayoutDirection.LeftToRight


def test_a_quote_in_arabic_is_highlighted_where_it_stands(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text="مرحبا، هذا يوم جميل في المدينة."), "يوم جميل")
    assert view.highlighted() == "يوم جميل"


def test_an_entry_is_plain_text_whatever_it_holds(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    hostile = '<h1>Hi</h1><img src="https://tracker.example/x.png">'
    view = EntryView()
    qtbot.addWidget(view)
    view.show_item(fake.entry(1, text=hostile, title=hostile, author=hostile))
    assert view.text.toPlainText() == hostile
    assert view.title.text() == hostile
    for label in view.findChildren(QLabel):
        assert label.textFormat() is not Qt.TextFormat.RichText
        if hostile in label.text():
            assert label.textFormat() is Qt.TextFormat.PlainText


def test_an_enormous_line_does_not_hold_up_the_window(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    view.show()
    text = "x" * 9_000_000 + " needle " + "y" * 1_000_000
    begun = time.process_time()
    view.show_item(fake.entry(1, text=text), "needle")
    assert time.process_time() - begun < 1
    assert len(view.text.toPlainText()) == SHOWN_UNBROKEN
    assert view.highlighted() == "needle"
    assert "of 10,000,008" in view.cut.text()


def test_a_long_text_is_shown_whole_up_to_a_limit(
    dressed: object, qtbot: QtBot, fake: SimpleNamespace
) -> None:
    view = EntryView()
    qtbot.addWidget(view)
    whole = "word " * (SHOWN_AT_ONCE // 5)
    view.show_item(fake.entry(1, text=whole))
    assert view.text.toPlainText() == whole
    assert view.cut.text() == ""
    view.show_item(fake.entry(1, text=whole + "needle"), "needle")
    assert view.highlighted() == "needle"
    assert view.cut.text() == "Shown: letters 180,001 to 200,006 of 200,006."


def test_a_source_opens_in_a_window_that_escape_closes(
    workspace: Workspace, waited: Waited, qtbot: QtBot
) -> None:
    dialog = EntryDialog(workspace, 4, "harbour")
    dialog.show()
    waited(lambda: dialog.view.item is not None)
    assert dialog.windowTitle() == "Entry of 4 January 2024"
    assert dialog.view.highlighted() == "harbour"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


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


def grouped(page: MemoriesPage, *sizes: int) -> None:
    """Give the core situations of these sizes, one behind the other."""
    at = 0
    for size in sizes:
        page.app.groups.append(  # type: ignore[attr-defined]
            Situation(
                id=at + 1,
                title=f"Harbour, move {at}",
                first="2024-01-01",
                last="2024-01-03",
                people=("Ida", "Bob"),
                items=size,
                opening="Walked to the harbour",
            )
        )
        at += size


@pytest.fixture
def situations(page: MemoriesPage, waited: Waited) -> MemoriesPage:
    """The page with two situations listed."""
    grouped(page, 3, 2)
    page.show_situations.click()
    waited(lambda: page.situations.model.rowCount() == 2)
    return page


def test_situations_are_listed_with_title_span_people_and_number(
    situations: MemoriesPage,
) -> None:
    row = situations.situations.model.row(situations.situations.model.index(0))
    assert row is not None
    assert (row.when, row.medium) == ("1–3 January 2024", "3 entries")
    assert row.title == "Harbour, move 0"
    assert row.snippet == "With Ida, Bob — Walked to the harbour"
    assert situations.count.text() == "2 situations"
    assert situations.situations.groups.isVisible()
    assert not situations.search.isVisible()


def test_a_situation_opens_its_entries_and_an_entry_is_read_beside_them(
    situations: MemoriesPage, waited: Waited
) -> None:
    pane = situations.situations
    pane.groups.clicked.emit(pane.model.index(0))
    waited(lambda: pane.inside.rowCount() == 3 and pane.entries.isVisible())
    assert pane.title.text() == "Harbour, move 0"
    assert situations.count.text() == "3 entries"
    pane.entries.setCurrentIndex(pane.inside.index(1))
    waited(lambda: situations.entry.item is not None)
    assert situations.entry.item is not None
    assert situations.entry.item.text.startswith("Day 1.")
    assert situations.entry.isVisible()
    pane.back.click()
    assert pane.groups.isVisible()
    assert situations.count.text() == "2 situations"


def test_going_back_to_entries_lists_them_again(situations: MemoriesPage, waited: Waited) -> None:
    situations.show_entries.click()
    waited(lambda: situations.count.text() == "10 entries")
    assert situations.list.isVisible()
    assert not situations.situations.isVisible()


def test_without_situations_the_page_says_when_there_will_be_some(
    page: MemoriesPage, waited: Waited
) -> None:
    page.show_situations.click()
    waited(lambda: page.situations.hint.isVisible())
    assert "search by meaning" in page.situations.hint.text()
    assert page.count.text() == ""


def test_many_situations_are_fetched_a_page_at_a_time(page: MemoriesPage, waited: Waited) -> None:
    grouped(page, *[2] * 500)
    page.show_situations.click()
    waited(lambda: page.situations.model.rowCount() == 500)
    far = page.situations.model.index(499)
    assert page.situations.model.data(far) == "…"
    waited(lambda: page.situations.model.row(far) is not None)
    row = page.situations.model.row(far)
    assert row is not None
    assert row.title == "Harbour, move 998"


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


def test_an_entry_leads_to_its_situation(
    page: MemoriesPage, app: SimpleNamespace, waited: Waited, workspace: Workspace
) -> None:
    grouped(page, 2, 4)
    opened: list[Situation] = []
    workspace.situation_wanted.connect(opened.append)
    page.search.setText("day 3.")
    waited(lambda: page.count.text() == "1 entry found, best first")
    row = page.model.row(page.model.index(0))
    assert row is not None
    assert row.medium == "Diary  ·  +3 of that time"
    page._choose(page.model.index(0))
    waited(lambda: page.beside.isVisible())
    assert page.beside.button.words().startswith("3 more entries of that time")
    page.beside.button.click()
    assert opened == [app.groups[1]]
    page.open_situation(opened[0])
    waited(lambda: page.situations.inside.rowCount() == 4)
    assert page.show_situations.isChecked()
    assert page.situations.title.text() == "Harbour, move 2"
    assert page.situations.about.text() == "1–3 January 2024  ·  With Ida, Bob"


def test_an_entry_alone_names_no_situation(page: MemoriesPage, waited: Waited) -> None:
    page._choose(page.model.index(0))
    waited(lambda: page.entry.item is not None)
    assert page.beside.isHidden()


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
