"""Sentences for the world's faults, reports for ours."""

from __future__ import annotations

import sys

import PySide6
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from clone_app.errors import Cancelled
from clone_app.ui.messages import CrashDialog, MessageBar, catch_all, crash_report

SECRET = "I kissed her behind the mill"


def crash() -> BaseException:
    try:
        try:
            {}[SECRET]
        except KeyError as fault:
            raise ValueError(f"cannot store {SECRET}") from fault
    except ValueError as fault:
        return fault
    raise AssertionError


def test_the_report_names_versions_and_places_but_nothing_a_person_wrote() -> None:
    report = crash_report(crash())
    assert f"PySide6 {PySide6.__version__}" in report
    assert "builtins.ValueError" in report
    assert "caused by\nbuiltins.KeyError" in report
    assert "test_messages.py:" in report
    assert SECRET not in report
    assert "/home" not in report


def test_the_report_says_which_name_of_the_program_was_missing() -> None:
    with pytest.raises(AttributeError) as caught:
        sys.no_such_name  # noqa: B018
    assert "builtins.AttributeError: no_such_name" in crash_report(caught.value)


def test_the_dialog_copies_its_report(dressed: object, qtbot: QtBot) -> None:
    dialog = CrashDialog()
    qtbot.addWidget(dialog)
    dialog.tell(crash())
    assert dialog.isVisible()
    buttons = {button.text(): button for button in dialog.findChildren(QPushButton)}
    buttons["Copy report"].click()
    assert QGuiApplication.clipboard().text() == dialog.report.toPlainText()
    buttons["Go on"].click()
    assert not dialog.isVisible()


def test_a_second_crash_joins_the_open_report(dressed: object, qtbot: QtBot) -> None:
    dialog = CrashDialog()
    qtbot.addWidget(dialog)
    dialog.tell(crash())
    dialog.tell(RuntimeError())
    assert "builtins.RuntimeError" in dialog.report.toPlainText()
    assert "builtins.ValueError" in dialog.report.toPlainText()
    dialog.close()


def test_nobody_shows_cancelling(dressed: object, qtbot: QtBot) -> None:
    dialog = CrashDialog()
    qtbot.addWidget(dialog)
    dialog.tell(Cancelled())
    assert not dialog.isVisible()


def test_exceptions_that_nobody_caught_are_told_without_their_message(capsys: object) -> None:
    told: list[BaseException] = []
    before = sys.excepthook
    release = catch_all(told.append)
    fault = crash()
    sys.excepthook(type(fault), fault, fault.__traceback__)
    release()
    assert told == [fault]
    assert sys.excepthook is before
    assert SECRET not in capsys.readouterr().err  # type: ignore[attr-defined]


def test_a_message_stays_until_it_is_closed_and_is_plain_text(
    dressed: object, qtbot: QtBot
) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    assert bar.text() == ""
    bar.say("The file <b>a</b> is damaged. Choose another.")
    assert bar.text() == "The file <b>a</b> is damaged. Choose another."
    bar.findChild(QPushButton).click()
    assert bar.text() == ""
