"""A page generated from the settings: nothing on it is named by hand."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
)
from pytestqt.qtbot import QtBot

from clone_app.settings import AnswerStyle, Settings, Theme
from clone_app.ui.preferences.advice import EmbedderAdvice
from clone_app.ui.preferences.field import editor, limits
from clone_app.ui.preferences.page import PreferencesPage, groups
from clone_app.ui.workspace import Workspace
from clone_app.ui.zones import ZoneBox

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(workspace: Workspace, qtbot: QtBot) -> PreferencesPage:
    page = PreferencesPage(workspace)
    qtbot.addWidget(page)
    page.show()
    return page


def widget(page: PreferencesPage, name: str, kind: type[Any]) -> Any:
    found = page.editors[name].focus
    assert isinstance(found, kind)
    return found


def test_every_setting_has_its_title_sentence_and_accessible_name(page: PreferencesPage) -> None:
    shown = {label.text() for label in page.findChildren(QLabel)}
    assert set(page.editors) == set(Settings.model_fields)
    for name, field in Settings.model_fields.items():
        assert field.title in shown
        assert field.description in shown
        assert page.editors[name].focus.accessibleName() == field.title
    assert set(groups()) <= shown


def test_the_kind_of_a_setting_decides_its_editor(page: PreferencesPage) -> None:
    widget(page, "home_zone", ZoneBox)
    widget(page, "chat_model", QLineEdit)
    box = widget(page, "sources_shown", QSpinBox)
    assert (box.minimum(), box.maximum()) == (3, 20)
    choice = widget(page, "answer_style", QComboBox)
    assert [choice.itemText(place) for place in range(choice.count())] == [
        "Checked",
        "Only my words",
        "Free",
    ]


def test_a_setting_of_a_kind_that_is_not_used_yet_has_an_editor_too(
    dressed: object, qtbot: QtBot
) -> None:
    class Later(BaseModel):
        loud: bool = Field(False, title="Loud")
        level: Annotated[int, Field(gt=0, lt=10)] = 1
        name: str = ""

    got: list[object] = []
    box = editor(Later.model_fields["loud"], False, got.append).focus
    line = editor(Later.model_fields["name"], "", got.append).focus
    qtbot.addWidget(box)
    qtbot.addWidget(line)
    assert isinstance(box, QCheckBox)
    assert isinstance(line, QLineEdit)
    box.click()
    line.setText("Ada ")
    line.editingFinished.emit()
    assert got == [True, "Ada"]
    assert limits(Later.model_fields["level"]) == (1, 9)


def test_a_change_is_saved_at_once_and_told(
    page: PreferencesPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    told: list[Settings] = []
    workspace.settings_changed.connect(told.append)
    choice = widget(page, "answer_style", QComboBox)
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    waited(lambda: bool(told))
    assert app.settings.answer_style is AnswerStyle.QUOTES
    assert told == [app.settings]


def test_turning_a_number_through_its_values_is_one_change(
    page: PreferencesPage, app: SimpleNamespace, waited: Waited
) -> None:
    box = widget(page, "sources_shown", QSpinBox)
    for number in range(9, 15):
        box.setValue(number)
    waited(lambda: app.settings.sources_shown == 14)
    assert app.calls.count("change_settings") == 1


def test_how_the_window_looks_is_saved_even_while_an_import_runs(
    page: PreferencesPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    from clone_app.ui.jobs import Lane

    app.go_on.clear()
    running = workspace.jobs.run(app._wait, lane=Lane.WRITING)
    choice = widget(page, "theme", QComboBox)
    choice.setCurrentIndex(2)
    choice.activated.emit(2)
    waited(lambda: app.settings.theme is Theme.DARK)
    assert not running.finished
    app.go_on.set()


def test_choosing_the_value_that_is_set_saves_nothing(
    page: PreferencesPage, app: SimpleNamespace
) -> None:
    choice = widget(page, "theme", QComboBox)
    choice.activated.emit(choice.currentIndex())
    assert "change_settings" not in app.calls


def test_a_model_file_is_chosen_by_its_ending(
    page: PreferencesPage,
    app: SimpleNamespace,
    waited: Waited,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[object, ...]] = []

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(arguments)
        return "/models/qwen.gguf", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(choose))
    page.editors["chat_model"].widget.findChild(QPushButton).click()
    waited(lambda: app.settings.chat_model == "/models/qwen.gguf")
    assert asked[0][-1] == "*.gguf"


def test_only_a_known_time_zone_is_taken(
    page: PreferencesPage, app: SimpleNamespace, waited: Waited
) -> None:
    zone = widget(page, "home_zone", ZoneBox)
    line = zone.lineEdit()
    line.setText("Atlantis/Capital")
    line.editingFinished.emit()
    line.setText("Europe/Berlin")
    line.editingFinished.emit()
    waited(lambda: app.settings.home_zone == "Europe/Berlin")
    assert app.calls.count("change_settings") == 1


def test_the_wheel_over_a_field_scrolls_the_page_and_changes_nothing(
    page: PreferencesPage, qtbot: QtBot
) -> None:
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent

    box = widget(page, "sources_shown", QSpinBox)
    page.setFocus()
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, wheel)
    assert box.value() == 8
    assert not wheel.isAccepted()


def test_the_check_shows_what_it_found(page: PreferencesPage, waited: Waited) -> None:
    page.check.click()
    waited(page.findings.isVisible)
    assert page.findings.toPlainText() == "version: 0.1.0\ndatabase: sound"


def test_what_the_memorys_languages_ask_for_stands_beside_the_models(
    page: PreferencesPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    note = page.findChildren(EmbedderAdvice)[0]
    assert note.isHidden()
    app.advice = "Much isn't in English. Choose another embedder."
    workspace.memory_changed.emit()
    waited(lambda: not note.isHidden())
    assert note.text.text() == app.advice
    app.advice = ""
    workspace.settings_changed.emit(app.settings)
    waited(note.isHidden)


def test_a_folder_is_chosen_as_one(
    page: PreferencesPage, app: SimpleNamespace, waited: Waited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "/models/e5")
    whole = page.editors["embedder_folder"].widget
    browse = next(each for each in whole.findChildren(QPushButton) if each.text() == "Choose…")
    browse.click()
    waited(lambda: app.settings.embedder_folder == "/models/e5")
