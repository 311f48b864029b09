"""Drop or choose, look before importing, follow it, read what went wrong, remove."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from clone_app.importers.recognise import Preview, Recognised
from clone_app.memory.ingest import ImportReport
from clone_app.protocols import Question
from clone_app.ui.imports.drop import KindsDialog
from clone_app.ui.imports.page import ImportPage
from clone_app.ui.imports.preview import PreviewView, identity
from clone_app.ui.imports.report import summary
from clone_app.ui.imports.work import import_sample
from clone_app.ui.status import StatusArea
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]
MAIL = Path("/archive/mail.mbox")


@pytest.fixture
def page(workspace: Workspace, qtbot: QtBot) -> ImportPage:
    page = ImportPage(workspace)
    qtbot.addWidget(page)
    page.resize(900, 800)
    page.show()
    return page


def texts(page: ImportPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def drop(page: ImportPage, *urls: QUrl) -> bool:
    """Drag urls over the zone and let go; tell whether they were welcome."""
    mime = QMimeData()
    mime.setUrls(list(urls))
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    action = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), action, mime, left, none)
    enter.ignore()
    page.drop.dragEnterEvent(enter)
    if not enter.isAccepted():
        return False
    page.drop.dropEvent(QDropEvent(QPointF(5, 5), action, mime, left, none))
    return True


def test_a_dropped_file_is_looked_into_and_nothing_imported_yet(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    assert drop(page, QUrl.fromLocalFile(str(MAIL)))
    waited(lambda: "mail.mbox: Mail (mbox)" in texts(page))
    shown = texts(page)
    assert "3 entries, from 1 January 2024 to 4 March 2024, 1 of them written by you." in shown
    assert "LICENSE: a licence, no entry" in shown
    assert "import" not in app.calls


def test_an_address_of_the_web_is_not_welcome(page: ImportPage) -> None:
    assert not drop(page, QUrl("https://tracker.example/archive.zip"))


def test_names_are_asked_for_as_plain_text_and_the_ticked_ones_become_mine(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    boxes = [box for _, box in page.preview.names]
    assert [box.text() for box in boxes] == ["ada@example.org (2)", "<b>Bob</b> && Co (1)"]
    assert not any(box.isChecked() for box in boxes)
    boxes[0].click()
    page.preview.go.click()
    waited(lambda: page.report is not None)
    assert app.identities == {"ada@example.org"}


def test_names_known_as_mine_are_ticked_already(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    app.identities = {"ada@example.org"}
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    assert page.preview.me() == ("ada@example.org",)


def test_importing_ends_with_a_report_and_the_source_in_the_list(
    page: ImportPage, app: SimpleNamespace, workspace: Workspace, waited: Waited
) -> None:
    changed: list[bool] = []
    workspace.memory_changed.connect(lambda: changed.append(True))
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    assert page.preview.go.text() == "Import 3 entries"
    page.preview.go.click()
    waited(lambda: page.report is not None and len(page.sources.cards) == 1)
    assert page.report is not None
    assert page.report.summary.text() == "3 entries added. 1 place could not be read."
    assert page.report.problems.toPlainText() == (
        "mail.mbox#4: the message has no end\nLICENSE: a licence, no entry"
    )
    assert changed == [True]
    assert page.preview is None
    waited(lambda: app.pending == 0)
    assert app.calls.count("finish_vectors") == 1


def test_not_importing_leaves_everything_as_it_was(
    page: ImportPage, app: SimpleNamespace, waited: Waited
) -> None:
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    page.preview.declined.emit()
    assert page.preview is None
    assert "import" not in app.calls


def test_several_files_come_one_after_the_other(page: ImportPage, waited: Waited) -> None:
    page.take([MAIL, Path("/archive/more.mbox")])
    waited(lambda: page.preview is not None and page.preview.path == MAIL)
    assert page.preview is not None
    page.preview.go.click()
    waited(lambda: page.preview is not None and page.preview.path.name == "more.mbox")
    assert page.report is not None


def test_what_nothing_recognises_is_a_sentence_and_the_next_file_follows(
    page: ImportPage, waited: Waited
) -> None:
    page.take([Path("/archive/photo.bin"), MAIL])
    waited(lambda: page.preview is not None)
    assert page.fault.text() == (
        "photo.bin is no source. “What can be read?” above says what to choose."
    )
    assert page.fault.isVisible()


def test_the_status_area_shows_time_left_and_cancel_stops_keeping_what_is_there(
    page: ImportPage, app: SimpleNamespace, workspace: Workspace, waited: Waited, qtbot: QtBot
) -> None:
    status = StatusArea(workspace.jobs)
    qtbot.addWidget(status)
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    app.go_on.clear()
    page.preview.go.click()
    waited(lambda: bool(status.rows()))
    row = status.rows()[0]
    waited(lambda: row.title.text() == "Importing mail.mbox: Mail (mbox)")
    assert row.left.text() == "0 of 3"
    assert row.cancel.accessibleName() == "Cancel: Importing mail.mbox"
    row.cancel.click()
    waited(lambda: page.working is None)
    app.go_on.set()
    assert page.report is None
    assert not page.fault.isVisible()
    waited(lambda: status.rows() == [])
    assert not status.isVisible()


def test_removing_a_source_shows_the_count_first_and_asks(
    page: ImportPage, app: SimpleNamespace, waited: Waited, qtbot: QtBot
) -> None:
    page.take([MAIL])
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    page.preview.go.click()
    waited(lambda: len(page.sources.cards) == 1)
    page.sources.cards[0].remove.click()
    waited(lambda: page.findChild(QMessageBox, "confirm-removal") is not None)
    box = page.findChild(QMessageBox, "confirm-removal")
    assert box.text() == "Remove “Mail (mbox)”: 3 entries from your memory?"
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert box.defaultButton().text() == "Keep"
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert "remove" not in app.calls
    waited(lambda: page.findChild(QMessageBox, "confirm-removal") is None)
    page.sources.cards[0].remove.click()
    waited(lambda: page.findChild(QMessageBox, "confirm-removal") is not None)
    box = page.findChild(QMessageBox, "confirm-removal")
    next(button for button in box.buttons() if button.text() == "Remove").click()
    waited(lambda: page.sources.cards == [])
    assert app.kept_sources == []


def test_files_and_folders_can_be_chosen_without_a_mouse(
    page: ImportPage, monkeypatch: pytest.MonkeyPatch, waited: Waited
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", staticmethod(lambda *_: ([str(MAIL)], "")))
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", staticmethod(lambda *_: "/archive/diary")
    )
    page.drop.file.click()
    page.drop.folder.click()
    waited(lambda: page.preview is not None)
    assert page.preview is not None
    assert page.preview.path == MAIL
    assert page.waiting == [Path("/archive/diary")]


def test_the_sample_life_is_imported_as_her_who_wrote_it(
    workspace: Workspace,
    app: SimpleNamespace,
    waited: Waited,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "me.txt").write_text("ada@example.org\n@ada@example.org\n", "utf-8")
    monkeypatch.setattr(app, "sample_life", lambda: tmp_path)
    job = import_sample(workspace)
    waited(lambda: job.finished)
    assert app.identities == {"ada@example.org", "@ada@example.org"}
    assert app.kept_sources[0].path == str(tmp_path)


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("Ada Lovelace <ada@example.org>", "ada@example.org"),
        ("ada@example.org", "ada@example.org"),
        ("Ada <3 trains", "Ada <3 trains"),
    ],
)
def test_an_address_says_who_somebody_is_whatever_name_stands_before_it(
    name: str, known_as: str
) -> None:
    assert identity(name) == known_as


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (ImportReport(seen=1, added=1), "1 entry added."),
        (
            ImportReport(seen=320, unchanged=283, duplicates=37),
            "0 entries added, 283 already known, 37 duplicates.",
        ),
        (ImportReport(seen=3, added=3, undated=2), "3 entries added. 2 of them undated."),
    ],
)
def test_a_report_is_summed_up_in_words(report: ImportReport, said: str) -> None:
    assert summary(report) == said


def test_what_the_files_leave_open_is_asked_before_importing(qtbot: QtBot) -> None:
    question = Question(
        "whatsapp.order", "Which day is 03/04/24?", (("dmy", "3 April"), ("mdy", "4 March"))
    )
    preview = Preview(
        recognised=(Recognised("whatsapp", "WhatsApp", 1.0, 1, question),),
        items=3,
        mine=0,
        undated=3,
        first=None,
        last=None,
        samples=(),
        authors=(),
        skipped=(),
        problems=(),
    )
    view = PreviewView(Path("chat.txt"), preview, frozenset())
    qtbot.addWidget(view)
    assert view.answers() == {}
    ((name, box),) = view.asked
    assert name == "whatsapp.order"
    box.setCurrentIndex(box.findData("dmy"))
    assert view.answers() == {"whatsapp.order": "dmy"}


def shown_of(qtbot: QtBot, **changes: object) -> str:
    nothing: dict[str, object] = {
        "recognised": (Recognised("mbox", "Mail (mbox)", 1.0, 1),), "items": 9, "mine": 9, "undated": 0,
        "first": None, "last": None, "samples": (), "authors": (), "skipped": (), "problems": (),
    }  # fmt: skip
    view = PreviewView(Path("all.mbox"), Preview(**{**nothing, **changes}), frozenset())  # type: ignore[arg-type]
    qtbot.addWidget(view)
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_what_will_be_kept_as_others_words_is_said_with_whose_it_is(
    dressed: object, qtbot: QtBot
) -> None:
    by = tuple((f"n{number}@x.org", 9 - number) for number in range(7))
    said = shown_of(qtbot, mine=2, others=7, quoting=1, by=by, authors=by)
    assert "Kept as others' words" in said
    assert (
        "7 entries that you did not write and what is quoted or forwarded in 1 entry: searches find "
        "them, the clone never speaks them. Those of names that you tick above become yours."
        in said
    )
    assert (
        "By n0@x.org (9), n1@x.org (8), n2@x.org (7), n3@x.org (6), n4@x.org (5) and 2 more."
        in said
    )


def test_quotations_alone_are_said_and_without_others_words_there_is_no_such_part(
    dressed: object, qtbot: QtBot
) -> None:
    said = shown_of(qtbot, quoting=3)
    assert "What is quoted or forwarded in 3 entries: searches find them" in said
    assert "tick above" not in said
    assert "By " not in said
    assert "others' words" not in shown_of(qtbot)


def test_every_kind_is_listed_with_where_to_get_it(page: ImportPage, qtbot: QtBot) -> None:
    page.drop.kinds.click()
    dialog = page.drop.findChild(KindsDialog)
    assert dialog is not None
    assert "Mail (mbox)\nWhere one gets it." in dialog.list.toPlainText()
    dialog.reject()
