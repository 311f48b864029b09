"""Mail from a server and watched folders, in the Import page."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QCheckBox, QPushButton

from clone_app.app.watching import Refreshed
from clone_app.memory.ingest import ImportReport
from clone_app.ui.imports.mailbox import MailboxDialog
from clone_app.ui.imports.page import ImportPage
from clone_app.ui.watching import LiveFolders
from clone_app.ui.workspace import Workspace

from .invented import source_row

Waited = Callable[[Callable[[], bool]], None]


@pytest.fixture
def page(qtbot, workspace: Workspace) -> ImportPage:  # type: ignore[no-untyped-def]
    made = ImportPage(workspace)
    qtbot.addWidget(made)
    return made


def opened(page: ImportPage, waited: Waited, *, password: str = "blue") -> MailboxDialog:
    page.drop.mail.click()
    dialog = page.mail.dialog
    assert dialog is not None
    dialog.user.setText("ada@example.org")
    dialog.password.setText(password)
    dialog.go.click()
    waited(lambda: dialog.job is None)
    return dialog


def test_the_server_is_guessed_from_the_address_until_one_types_another(
    page: ImportPage,
) -> None:
    page.drop.mail.click()
    dialog = page.mail.dialog
    assert dialog is not None
    dialog.user.setText("ada@gmail.com")
    assert dialog.host.text() == "imap.gmail.com"
    dialog.user.setText("ada@example.org")
    assert dialog.host.text() == "imap.example.org"
    dialog.host.setText("mail.example.org")
    dialog.host.textEdited.emit("mail.example.org")
    dialog.user.setText("ada@web.de")
    assert dialog.host.text() == "mail.example.org"
    dialog.reject()


def test_no_encryption_is_warned_of_except_on_this_computer(page: ImportPage) -> None:
    page.drop.mail.click()
    dialog = page.mail.dialog
    assert dialog is not None
    dialog.user.setText("ada@example.org")
    dialog.security.setCurrentIndex(2)
    assert "can be read by whoever is on the way" in dialog.unsafe.text()
    dialog.host.setText("127.0.0.1")
    dialog.host.textEdited.emit("127.0.0.1")
    assert dialog.unsafe.text() == ""
    dialog.reject()


def test_folders_are_offered_and_the_usual_ones_are_imported(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    dialog = opened(page, waited)
    assert [box.text() for _, box in dialog.folders] == [
        "INBOX (1,200)",
        "Gesendete && Rest (300)",
        "Papierkorb (40)",
    ]
    assert [box.text() for _, box in dialog.names] == [
        "ada@example.org",
        "ada@old.example (280 sent)",
    ]
    assert dialog.go.text() == "Import 1,500 messages"
    assert "import_mail" not in app.calls
    dialog.names[1][1].setChecked(False)
    dialog.go.click()
    waited(lambda: page.report is not None and len(page.sources.cards) == 1)
    account, password, more = app.mail
    assert (account.host, password) == ("imap.example.org", "blue")
    assert more["folders"] == ("INBOX", "Gesendete & Rest")
    assert more["me"] == ("ada@example.org",)
    assert more["remember"] is False  # this computer has no keyring


def test_a_wrong_password_is_said_in_the_dialog(page: ImportPage, waited: Waited) -> None:
    dialog = opened(page, waited, password="red")
    assert dialog.fault.text() == ("imap.example.org did not accept the password. Type it again.")
    assert dialog.go.text() == "Look into it"
    assert dialog.go.isEnabled()
    dialog.reject()


def test_new_mail_is_fetched_with_the_password_asked_for(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.kept_sources = [source_row(importer="imap", path="imaps://ada%40x.org@imap.x.org:993")]
    page.refresh()
    waited(lambda: len(page.sources.cards) == 1)
    page.sources.cards[0].mail.click()
    waited(lambda: page.mail.password is not None)
    asked = page.mail.password
    assert asked is not None
    asked.field.setText("blue")
    asked.field.returnPressed.emit()
    waited(lambda: page.report is not None)
    assert app.calls.count("fetch_new_mail") == 2


def test_a_source_is_watched_and_no_longer_by_its_box(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.kept_sources = [source_row()]
    page.refresh()
    waited(lambda: len(page.sources.cards) == 1)
    page.sources.cards[0].watch.click()
    waited(lambda: page.sources.cards[0].source.watched)
    assert "watch" in app.calls
    page.sources.cards[0].watch.click()
    waited(lambda: not page.sources.cards[0].source.watched)


def test_what_is_gone_goes_only_after_a_question(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.kept_sources = [source_row(watched=True, gone=2)]
    page.refresh()
    waited(lambda: len(page.sources.cards) == 1)
    card = page.sources.cards[0]
    button = next(b for b in card.findChildren(QPushButton) if b.text() == "Remove these…")
    button.click()
    box = page.findChild(object, "confirm-gone")
    assert "Remove 2 entries" in box.text()  # type: ignore[attr-defined]
    assert "remove_gone" not in app.calls
    next(b for b in box.buttons() if b.text() == "Remove").click()  # type: ignore[attr-defined]
    waited(lambda: "remove_gone" in app.calls)


def test_mail_servers_have_no_box_for_watching(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.kept_sources = [source_row(importer="imap")]
    page.refresh()
    waited(lambda: len(page.sources.cards) == 1)
    assert page.sources.cards[0].findChildren(QCheckBox) == []


def test_changed_folders_are_read_and_what_is_gone_is_said(
    app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    looks: list[str] = []
    said: list[str] = []
    workspace.said.connect(said.append)
    workspace.memory_changed.connect(lambda: looks.append("changed"))
    app.changed_sources = lambda: (1,) if not looks else ()
    app.refresh_watched = lambda **_: (
        Refreshed(
            source_id=1,
            title="Diary",
            report=ImportReport(seen=3, added=1),
            edited=0,
            gone=2,
            newly_gone=2,
        ),
    )
    live = LiveFolders(workspace)
    live.look()
    waited(lambda: live.job is None)
    assert looks == ["changed"]
    assert said == [
        "2 entries of “Diary” are no longer in its files. They stay in your memory; the Import page "
        "lets you take them out."
    ]
    live.look()
    waited(lambda: live.job is None)
    assert looks == ["changed"]
    assert live._timer.isActive()
