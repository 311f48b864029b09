"""The page "About me": reading, deciding, editing in place, opening what a line rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from clone_app.errors import CloneAppError
from clone_app.memory.lines import KeptLine, Line, LineState, Proposed, Section, Support
from clone_app.persona.style.nearness import HeldOut
from clone_app.ui.persona.page import PersonaPage
from clone_app.ui.persona.row import SUPPORTS_SHOWN, LineRow
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]


def line(text: str, section: Section = Section.LIKES, supports: int = 1) -> Line:
    return Line(
        section=section,
        topic=text,
        text=text,
        supports=tuple(
            Support(f"k{n}", date(2024, 1, 1 + n), n == 0, "diary", n + 1) for n in range(supports)
        ),
    )


class Document:
    """Behave like the document's part of the core."""

    def __init__(self, app: Any) -> None:
        self.kept: list[KeptLine] = []
        self.built: tuple[KeptLine, ...] = ()
        self.calls: list[str] = []
        for name in ("persona_lines", "build_persona", "accept_lines", "reject_lines", "edit_line",
                     "lock_line", "keep_line_private", "delete_line"):  # fmt: skip
            setattr(app, name, getattr(self, name))

    def persona_lines(self) -> tuple[KeptLine, ...]:
        return tuple(self.kept)

    def build_persona(self, _: object) -> Proposed:
        self.kept.extend(self.built)
        return Proposed(len(self.built), 0)

    def accept_lines(self, ids: list[int] | None) -> int:
        self.calls.append(f"accept {ids}")
        self.kept = [
            replace(each, state=LineState.ACCEPTED, offered=None)
            if ids is None or each.id in ids
            else each
            for each in self.kept
        ]
        return 1

    def reject_lines(self, ids: list[int] | None) -> int:
        self.calls.append(f"reject {ids}")
        self.kept = [each for each in self.kept if ids is not None and each.id not in ids]
        return 1

    def edit_line(self, number: int, text: str) -> None:
        if len(text) > 400:
            raise CloneAppError("That line has too many characters. Shorten it.")
        self.kept = [
            replace(each, line=replace(each.line, text=text), state=LineState.EDITED)
            if each.id == number
            else each
            for each in self.kept
        ]

    def lock_line(self, number: int, *, locked: bool) -> None:
        self.calls.append(f"lock {number} {locked}")

    def keep_line_private(self, number: int, *, private: bool) -> None:
        self.calls.append(f"private {number} {private}")

    def delete_line(self, number: int) -> None:
        self.kept = [each for each in self.kept if each.id != number]


@pytest.fixture
def document(app: Any) -> Document:
    made = Document(app)
    made.kept = [
        KeptLine(1, line("I like tea"), LineState.ACCEPTED),
        KeptLine(2, line("I hate rain", supports=12), LineState.PROPOSED),
        KeptLine(3, line("Tom", Section.PEOPLE, 3), LineState.PROPOSED),
        KeptLine(4, line("I live in Leeds", Section.PLACES), LineState.ACCEPTED, "I live in York"),
    ]
    return made


@pytest.fixture
def page(document: Document, workspace: Workspace, qtbot: QtBot, waited: Waited) -> PersonaPage:
    page = PersonaPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    waited(lambda: len(page.rows) == len(document.kept))
    return page


def shown(page: PersonaPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def click(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_proposals_stand_above_the_document_with_their_number(page: PersonaPage) -> None:
    texts = shown(page)
    assert "3 proposals from your entries, for you to decide" in texts
    assert texts.index("I hate rain") < texts.index("I like tea")
    assert {"People", "Likes and dislikes", "Places"} <= set(texts)
    assert page.count.text() == "2 lines"


def test_a_line_shows_from_when_to_when_it_is_known(page: PersonaPage) -> None:
    assert page.rows[2].dates.text() == "12 entries, January 2024"
    assert page.rows[1].dates.text() == "1 January 2024"


def test_a_new_wording_is_shown_below_the_old_one(page: PersonaPage) -> None:
    assert "I live in York" in shown(page)
    assert "− Leeds   + York" in shown(page)


def test_how_well_the_voice_is_known_stands_above_how_i_write(page: PersonaPage) -> None:
    diary = KeptLine(9, line("Diary: short sentences", Section.WRITING), LineState.ACCEPTED)
    page.fill((diary,), 3, HeldOut(0.9, 0.7, 40, 2))
    (told,) = (each for each in page.findChildren(QLabel) if "Held-out" in each.text())
    assert "in 80 of 100 cases (by chance 50): 40 of yours against 2 others" in told.text()


def test_accepting_one_and_all(
    page: PersonaPage, document: Document, qtbot: QtBot, waited: Waited
) -> None:
    click(qtbot, page.rows[2].accept)
    waited(lambda: page.count.text() == "3 lines")
    click(qtbot, page.accept_all)
    waited(lambda: page.count.text() == "4 lines")
    assert document.calls == ["accept [2]", "accept None"]
    assert not any("proposal" in text for text in shown(page))


def test_rejecting_takes_a_proposal_away(
    page: PersonaPage, document: Document, qtbot: QtBot, waited: Waited
) -> None:
    click(qtbot, page.rows[3].reject)
    waited(lambda: 3 not in page.rows)
    assert document.calls == ["reject [3]"]


def test_a_line_is_edited_in_its_place(page: PersonaPage, qtbot: QtBot, waited: Waited) -> None:
    row = page.rows[1]
    click(qtbot, row.edit)
    assert row.editor is not None
    row.editor.setPlainText("I like strong tea")
    row.save()
    waited(lambda: "I like strong tea" in shown(page))
    assert "Your words" in shown(page)


def test_leaving_an_edit_changes_nothing(page: PersonaPage, qtbot: QtBot) -> None:
    row = page.rows[1]
    row.begin_edit()
    assert row.editor is not None
    row.editor.setPlainText("something else")
    qtbot.keyClick(row.editor, Qt.Key.Key_Escape)
    assert row.editor is None
    assert row.text.isVisible()


def test_what_cant_be_a_line_is_said_and_the_field_stays(
    page: PersonaPage, workspace: Workspace, waited: Waited
) -> None:
    said: list[str] = []
    workspace.jobs.failed.connect(said.append)
    row = page.rows[1]
    row.begin_edit()
    assert row.editor is not None
    row.editor.setPlainText("x" * 50_000)
    row.save()
    waited(lambda: said == ["That line has too many characters. Shorten it."])
    assert row.editor is not None


def test_locking_hiding_and_deleting_are_in_the_menu(
    page: PersonaPage, document: Document, waited: Waited
) -> None:
    actions = {each.text(): each for each in page.rows[1].more.menu().actions()}
    assert list(actions) == ["Lock", "Keep private", "Delete", "Leave its topic out…"]
    actions["Lock"].trigger()
    actions["Keep private"].trigger()
    waited(lambda: document.calls == ["lock 1 True", "private 1 True"])
    waited(lambda: not page.jobs.active())
    {each.text(): each for each in page.rows[1].more.menu().actions()}["Delete"].trigger()
    waited(lambda: 1 not in page.rows)


def test_a_locked_line_offers_unlocking_and_no_editing(qtbot: QtBot) -> None:
    row = LineRow(KeptLine(9, line("I like tea"), LineState.LOCKED))
    qtbot.addWidget(row)
    assert not row.edit.isEnabled()
    assert row.more.menu().actions()[0].text() == "Unlock"


def test_the_entries_of_a_line_open_with_its_words_marked(
    page: PersonaPage, app: Any, workspace: Workspace, qtbot: QtBot, waited: Waited
) -> None:
    app.stored[0] = replace(
        app.stored[0], item=replace(app.stored[0].item, text="Wet. I hate  rain, I do.")
    )
    opened: list[tuple[int, str]] = []
    workspace.entry_wanted.connect(lambda number, quote: opened.append((number, quote)))
    row = page.rows[2]
    click(qtbot, row.dates)
    assert [button.text() for button in row.supports][:2] == [
        "1 January 2024, Diary",
        "12 January 2024, Diary",
    ]
    assert len(row.supports) == SUPPORTS_SHOWN + 1
    assert row.supports[-1].text() == "and 4 more"
    click(qtbot, row.supports[0])
    waited(lambda: opened == [(1, "I hate  rain")])
    click(qtbot, row.dates)
    assert row.supports == []


def test_building_runs_as_a_job_and_says_what_is_new(
    page: PersonaPage, document: Document, workspace: Workspace, qtbot: QtBot, waited: Waited
) -> None:
    said: list[str] = []
    workspace.said.connect(said.append)
    document.built = (KeptLine(5, line("I like plums"), LineState.PROPOSED),)
    click(qtbot, page.build)
    assert not page.build.isEnabled()
    waited(lambda: 5 in page.rows)
    assert said == ["1 new line and 0 new wordings."]
    assert page.build.isEnabled()


def test_with_nothing_known_the_page_says_what_to_do(
    document: Document, workspace: Workspace, qtbot: QtBot, waited: Waited
) -> None:
    document.kept = []
    page = PersonaPage(workspace)
    qtbot.addWidget(page)
    page.show()
    waited(lambda: "Nothing is known of you yet." in shown(page))
    assert page.begin is not None
    assert page.begin.text() == "Read my entries"
    document.built = (KeptLine(5, line("I like plums"), LineState.PROPOSED),)
    page.begin.click()
    waited(lambda: 5 in page.rows)


def test_with_nothing_remembered_it_leads_to_the_import(
    make_workspace: Callable[[Any], Workspace], fake: SimpleNamespace, qtbot: QtBot, waited: Waited
) -> None:
    app = fake.App()
    Document(app)
    workspace = make_workspace(app)
    wanted: list[str] = []
    workspace.page_wanted.connect(wanted.append)
    page = PersonaPage(workspace)
    qtbot.addWidget(page)
    page.show()
    waited(lambda: page.begin is not None)
    assert page.begin is not None
    page.begin.click()
    assert wanted == ["import"]


def test_what_new_entries_say_is_read_in_the_background_once(
    workspace: Workspace, app: Any, qtbot: QtBot
) -> None:
    app.outdated = True
    with qtbot.waitSignal(workspace.lines_proposed, timeout=20_000):
        workspace.finish_vectors()
    workspace.finish_vectors()
    qtbot.wait(100)
    assert app.calls.count("build_persona") == 1
