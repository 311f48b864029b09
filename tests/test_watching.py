"""Live folders: what changes in a watched folder changes in the memory, and nothing is lost."""

from __future__ import annotations

import mailbox
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.errors import CloneAppError
from clone_app.importers.signature import signature
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: NOW,
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="Europe/Berlin")
    yield made
    made.close()


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    folder = tmp_path / "diary"
    folder.mkdir()
    (folder / "2024-03-01.md").write_text("We moved house today. Robin broke the blue lamp.")
    (folder / "2024-04-02.md").write_text("I regret the move. The flat is cold.")
    return folder


@pytest.fixture
def watched(app: App, diary: Path) -> int:
    app.import_(diary, progress=Progress())
    number = app.sources()[0].id
    app.watch(number)
    app.refresh_watched(progress=Progress())
    return number


def texts(app: App) -> dict[str, str]:
    return {str(stored.item.moment.iso()): stored.item.text for stored in app.items()}


def write(path: Path, text: str) -> None:
    path.write_text(text)
    later = path.stat().st_mtime + 5  # as if some seconds had passed
    os.utime(path, (later, later))


def test_a_watched_folder_is_said_to_be_one_until_it_is_no_more(app: App, watched: int) -> None:
    assert [(source.id, source.watched) for source in app.sources()] == [(watched, True)]
    app.unwatch(watched)
    assert [source.watched for source in app.sources()] == [False]
    assert app.count_items() == 2


def test_nothing_is_read_while_nothing_changes(app: App, watched: int, diary: Path) -> None:
    assert app.changed_sources() == ()
    assert app.refresh_watched(progress=Progress()) == ()
    (diary / ".editor-state").write_text("open: 2024-03-01.md")
    assert app.changed_sources() == ()


def test_a_new_file_comes_in_and_is_found_by_meaning(app: App, watched: int, diary: Path) -> None:
    (diary / "2024-09-05.md").write_text("I love this flat now. The harbour wakes me with gulls.")
    assert app.changed_sources() == (watched,)
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.report.added, done.report.unchanged, done.edited, done.gone) == (1, 2, 0, 0)
    assert app.search("harbour gulls")[0].item.moment.iso() == "2024-09-05"
    assert app.vectors_pending() == 0
    assert app.changed_sources() == ()


def test_an_edited_entry_takes_the_place_of_what_it_was(
    app: App, watched: int, diary: Path
) -> None:
    before = {stored.item.moment.iso(): stored for stored in app.items()}["2024-04-02"]
    write(diary / "2024-04-02.md", "I regret nothing. The flat is warm.")
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.report.added, done.report.updated, done.edited, done.gone) == (0, 1, 1, 0)
    after = app.item(before.id)
    assert (after.item.key, after.item.text) == (
        before.item.key,
        "I regret nothing. The flat is warm.",
    )
    assert app.count_items() == 2
    assert all("cold" not in hit.passage for hit in app.search("cold flat"))
    assert app.import_(diary, progress=Progress()).unchanged == 2


def test_an_edited_entry_among_others_in_one_file_is_told_by_its_day(
    app: App, tmp_path: Path
) -> None:
    file = tmp_path / "2024.md"
    file.write_text("## 2024-03-01\n\nFirst day.\n\n## 2024-03-02\n\nSecond day.\n")
    app.import_(file, progress=Progress())
    app.watch(app.sources()[0].id)
    app.refresh_watched(progress=Progress())
    write(file, "## 2024-03-01\n\nFirst day.\n\n## 2024-03-02\n\nSecond day, late.\n")
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.edited, done.gone) == (1, 0)
    assert texts(app) == {"2024-03-01": "First day.", "2024-03-02": "Second day, late."}


def test_a_deleted_file_is_reported_and_stays_until_the_user_says_so(
    app: App, watched: int, diary: Path
) -> None:
    (diary / "2024-03-01.md").unlink()
    (done,) = app.refresh_watched(progress=Progress())
    assert done.gone == 1
    assert app.sources()[0].gone == 1
    assert [stored.item.moment.iso() for stored in app.gone_items(watched)] == ["2024-03-01"]
    assert app.count_items() == 2
    assert app.remove_gone(watched, Progress()) == 1
    assert texts(app) == {"2024-04-02": "I regret the move. The flat is cold."}
    assert app.sources()[0].gone == 0


def test_a_file_that_comes_back_is_no_longer_gone(app: App, watched: int, diary: Path) -> None:
    file = diary / "2024-03-01.md"
    text = file.read_text()
    file.unlink()
    app.refresh_watched(progress=Progress())
    file.write_text(text)
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.gone, done.report.added, app.sources()[0].gone) == (0, 0, 0)


def test_an_emptied_folder_takes_nothing_along(app: App, watched: int, diary: Path) -> None:
    for file in diary.iterdir():
        file.unlink()
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.gone, app.count_items()) == (2, 2)


def test_a_folder_that_is_not_there_is_a_disk_not_connected(
    app: App, watched: int, diary: Path
) -> None:
    away = diary.rename(diary.with_name("away"))
    assert app.changed_sources() == (watched,)
    assert app.refresh_watched(progress=Progress()) == ()
    source = app.sources()[0]
    assert source.fault.startswith(f"{diary} can't be looked at")
    assert (source.gone, app.count_items()) == (0, 2)
    assert app.changed_sources() == ()  # said once, not every minute
    with pytest.raises(CloneAppError, match="connect its disk"):
        app.refresh_source(watched, progress=Progress())
    away.rename(diary)
    app.refresh_watched(progress=Progress())
    assert app.sources()[0].fault == ""


def test_what_another_source_holds_too_stays_as_it_is_there(
    app: App, watched: int, diary: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "2024-04-02.md").write_text((diary / "2024-04-02.md").read_text())
    app.import_(copy, progress=Progress())
    write(diary / "2024-04-02.md", "I regret nothing.")
    app.refresh_watched(progress=Progress())
    assert sorted(stored.item.text for stored in app.items(since="2024-04-01")) == [
        "I regret nothing.",
        "I regret the move. The flat is cold.",
    ]


def test_a_mail_deleted_from_a_mailbox_is_gone_and_not_the_one_that_takes_its_place(
    app: App, tmp_path: Path
) -> None:
    path = tmp_path / "Inbox"

    def fill(*numbers: int) -> None:
        path.unlink(missing_ok=True)
        box = mailbox.mbox(path)
        for number in numbers:
            box.add(
                f"From: a@example.org\nDate: Mon, 5 Jan 2024 10:00:0{number} +0100\n"
                f"Message-ID: <{number}@x>\nSubject: {number}\n\nLetter {number}.\n"
            )
        box.close()
        os.utime(path, (numbers[-1], numbers[-1]))

    fill(1, 2)
    app.import_(path, progress=Progress())
    number = app.sources()[0].id
    app.watch(number)
    app.refresh_watched(progress=Progress())
    fill(2, 3)
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.report.added, done.edited, done.gone) == (1, 0, 1)
    assert sorted(stored.item.title for stored in app.items()) == ["1", "2", "3"]
    assert [stored.item.title for stored in app.gone_items(number)] == ["1"]


def test_only_what_lies_on_this_computer_can_be_watched(
    app: App, watched: int, diary: Path
) -> None:
    diary.rename(diary.with_name("away"))
    with pytest.raises(CloneAppError, match=r"nothing at .* to watch"):
        app.watch(watched)
    with pytest.raises(CloneAppError, match="There is no source 99"):
        app.watch(99)


def test_a_signature_changes_with_names_sizes_and_times_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    (folder / ".Sent" / "cur").mkdir(parents=True)
    file = folder / ".Sent" / "cur" / "1:2,S"
    file.write_text("one")
    first = signature(folder)
    assert signature(folder) == first
    write(file, "two")
    second = signature(folder)
    assert second != first
    file.rename(file.with_name("1:2,RS"))
    assert signature(folder) not in {first, second}


def packed(path: Path, **files: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.md", text)
    later = path.stat().st_mtime + 5
    os.utime(path, (later, later))


def test_what_lies_in_an_archive_that_cant_be_read_for_now_is_not_called_gone(
    app: App, diary: Path
) -> None:
    packed(diary / "old.zip", **{"2019-05-06": "The chestnut blossoms."})
    app.import_(diary, progress=Progress())
    number = app.sources()[0].id
    app.watch(number)
    (diary / "old.zip").write_bytes((diary / "old.zip").read_bytes()[:60])  # still being copied
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.gone, app.gone_items(number)) == (0, ())
    (diary / "old.zip").unlink()
    (done,) = app.refresh_watched(progress=Progress())
    assert done.gone == 1


def test_what_is_there_again_at_an_import_is_gone_no_more(
    app: App, watched: int, diary: Path
) -> None:
    text = (diary / "2024-03-01.md").read_text()
    (diary / "2024-03-01.md").unlink()
    (done,) = app.refresh_watched(progress=Progress())
    assert done.gone == 1
    (diary / "2024-03-01.md").write_text(text)
    app.import_(diary, progress=Progress())
    assert app.gone_items(watched) == ()
    assert app.remove_gone(watched, Progress()) == 0
    assert app.count_items() == 2


def test_a_damaged_archive_is_not_read_again_before_it_has_changed(
    app: App, tmp_path: Path
) -> None:
    export = tmp_path / "export.zip"
    packed(export, **{"2019-05-06": "The chestnut blossoms."})
    app.import_(export, progress=Progress())
    number = app.sources()[0].id
    app.watch(number)
    app.refresh_watched(progress=Progress())
    whole = export.read_bytes()
    export.write_bytes(whole[:60])
    assert app.changed_sources() == (number,)
    assert app.refresh_watched(progress=Progress()) == ()
    assert app.sources()[0].fault
    assert app.changed_sources() == ()
    export.write_bytes(whole)
    (done,) = app.refresh_watched(progress=Progress())
    assert (done.gone, app.sources()[0].fault) == (0, "")


def test_a_watched_folder_that_holds_the_profile_does_not_change_with_it(
    app: App, tmp_path: Path, diary: Path
) -> None:
    app.import_(tmp_path, progress=Progress())
    app.watch(app.sources()[0].id)
    app.refresh_watched(progress=Progress())
    (tmp_path / "profile" / "more.txt").write_text("The profile was written to.")
    assert app.changed_sources() == ()
    write(diary / "2024-03-01.md", "We moved.")
    assert len(app.changed_sources()) == 1
