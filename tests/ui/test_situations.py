"""Situations in the window: listed, opened, and led to from an entry."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from clone_app.memory.situations import Situation
from clone_app.ui.memories.page import MemoriesPage
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(memories: MemoriesPage) -> MemoriesPage:
    return memories


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


def test_going_back_to_entries_lists_them_again(situations: MemoriesPage, waited: Waited) -> None:
    situations.show_entries.click()
    waited(lambda: situations.count.text() == "10 entries")
    assert situations.list.isVisible()
    assert not situations.situations.isVisible()
