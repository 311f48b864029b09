"""Real exports of note and diary programs, with counts verified by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

pytestmark = pytest.mark.real


def read(place: Path, *, only: str = "") -> list[Found]:
    """Return what lies there, from one source alone if it is named."""
    with open_tree(place) as tree:
        recognition = recognise(tree)
        sources = {one.importer for one in recognition.recognised}
        assert not only or sources == {only}
        return list(read_all(recognition, Reading(), Progress()))


def items(found: list[Found]) -> list[Item]:
    kept = [one for one in found if isinstance(one, Item)]
    assert all(one.mine for one in kept)
    return kept


def problems(found: list[Found]) -> list[str]:
    return [one.locator for one in found if isinstance(one, ImportProblem)]


def skipped(found: list[Found]) -> dict[str, str]:
    return {one.locator: one.reason for one in found if isinstance(one, Skipped)}


def test_a_day_one_export_has_one_entry_and_a_file_that_breaks_off(shared_data: Path) -> None:
    found = read(shared_data / "social" / "dayone-kulapard", only="dayone")
    (item,) = items(found)
    assert (item.key, item.text) == ("5BA8A0499775E5B7AB050CE5A5A32F87", "test text")
    assert item.moment.iso() == "2018-04-21T18:57:04+01:00"
    assert problems(found) == ["invalid.json#0"]


def test_classic_day_one_folders_hold_eight_entries(shared_data: Path) -> None:
    found = read(shared_data / "social" / "jrnl-dayone-classic")
    classic = [one for one in items(found) if one.locator.endswith(".doentry")]
    assert len(classic) == 8
    moments = {one.locator.split("/")[-1][:4]: one.moment.iso() for one in classic}
    assert moments == {
        "D04D": "2020-08-29T11:11:00-07:00",
        "FC8A": "2020-08-31T14:32:00-07:00",
        "FD8A": "2020-09-24T09:14:00-07:00",
        "B40E": "2013-10-27T03:27:27+01:00",
        "044F": "2013-05-17T11:39:20-07:00",
        "0BDD": "2013-06-17T20:38:29+02:00",
        "422B": "2013-07-17T11:38:08-07:00",
        "4BB1": "2013-01-17T18:37:50+00:00",
    }
    assert [one for one in problems(found) if one.endswith(".doentry")] == [
        "journals/bug153.dayone/entries/B40EE704E15846DE8D45C44118A4D512.doentry"
    ]
    assert [one for one in skipped(found) if one.endswith(".doentry")] == [
        "journals/bug780.dayone/entries/48A25033B34047C591160A4480197D8B.doentry"
    ]


def test_jrnl_text_in_all_its_layouts_holds_31_entries(shared_data: Path) -> None:
    found = read(shared_data / "social" / "jrnl-dayone-classic")
    entries = [one for one in items(found) if not one.locator.endswith(".doentry")]
    counts: dict[str, int] = {}
    for one in entries:
        name = one.locator.removeprefix("journals/").split("#")[0].removesuffix(".journal")
        counts[name] = counts.get(name, 0) + 1
    assert counts == {
        "basic_folder/2020/08/29.txt": 1,
        "basic_folder/2020/08/31.txt": 1,
        "basic_folder/2020/09/24.txt": 1,
        "basic_onefile": 3,
        "brackets": 1,
        "deletion": 3,
        "deletion_filters": 5,
        "little_endian_dates": 2,
        "markdown-headings-335": 1,
        "mostlyreadabledates": 3,
        "multiline": 1,
        "multiline-tags": 1,
        "simple": 2,
        "simple_jrnl-1-9-5": 2,
        "simple_jrnl-1-9-5_little_endian_dates": 2,
        "tags": 2,
        "tags-216": 1,
        "tags-237": 1,
        "unreadabledates": 1,
    }
    assert [one.locator for one in entries if one.moment.local is None] == [
        "journals/unreadabledates.journal#0"
    ]
    one_file = [one.moment.iso() for one in entries if "basic_onefile" in one.locator]
    assert one_file == ["2020-08-29T11:11", "2020-08-31T14:32", "2020-09-24T09:14"]
    assert [one for one in problems(found) if one.endswith(".journal")] == [
        f"journals/{name}.journal"
        for name in (
            "basic_encrypted", "encrypted", "encrypted_jrnl-1-9-5", "encrypted_v3",
            "encrypted_v3_legacy_header",
        )
    ]  # fmt: skip


def test_google_keep_holds_fourteen_notes_and_a_broken_one(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "keep")
    notes = [one for one in items(found) if one.key.startswith("keep:")]
    assert len(notes) == len({one.key for one in notes}) == 14
    assert problems(found) == ["broken-json-note.json"]
    days = sorted(str(one.moment.day()) for one in notes)
    assert (days[0], days[-1]) == ("2023-07-26", "2023-08-11")
    (trashed,) = (one for one in notes if "trashed" in one.labels)
    assert trashed.moment.iso() == "2023-08-11T01:47:19+00:00"
    (checklist,) = (one for one in notes if one.title == "Checklist note")
    assert checklist.text.startswith("- [ ] First item\n- [ ] Second item and #hashtag\n")


def test_evernote_holds_86_notes_of_which_two_are_clipped(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "evernote")
    notes = [one for one in found if isinstance(one, Item) and one.medium == "note"]
    notes = [one for one in notes if one.key.startswith("evernote:")]
    assert len(notes) == 86  # as `grep -c "<note>"` counts
    assert all(one.moment.local for one in notes)
    assert {one.locator for one in notes if not one.mine} == {
        "source-of-webclip.enex#0", "yarle/test-image-dataUrl.enex#0",
    }  # fmt: skip
    assert problems(found) == ["yarle/test-encryption.enex#0"]
    of = {one.locator: one for one in notes}
    assert of["yarle/test-noteWithTags.enex#0"].labels == ("tag1", "tag2")
    assert of["yarle/test-things-to-do.enex#0"].text == (
        "- [ ] Simple task\n- [x] Done\n- [ ] Task with due date\n- [ ] Task with a flag\n"
        "- [ ] Task with a reminder"
    )


def test_notion_in_both_forms_and_zips_within_zips(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "notion")
    notes = [one for one in items(found) if not one.key.startswith("diary:")]
    markdown = [one for one in notes if one.locator.startswith("Notion.Test.Export.zip!")]
    # 270 of the 278 pages are days of a table with 269 rows; of those called "Last Friday" and the
    # like all have the day of their row, save an "@Today" of which there are many alike.
    assert len(markdown) == len({one.key for one in markdown}) == 278
    assert not any(one.key.startswith("notion:") for one in markdown)
    assert sum(one.moment.local is not None for one in markdown) == 270
    days = {one.title: one.moment.iso() for one in markdown}
    assert (days["Last Friday"], days["Yesterday"]) == ("2025-08-01", "2025-08-05")
    (walk,) = (one for one in markdown if one.title == "A Peaceful Forest Walk")
    assert walk.moment.iso() == "2024-10-04"
    html = {one.title: one for one in notes if one not in markdown}
    assert set(html) == {
        "Attachment Tests", "Block Reference", "Espresso machine", "Formatting Tests",
        "Notion-Testspace",
    }  # fmt: skip
    assert html["Espresso machine"].labels == ("home office", "coffee")
    assert html["Espresso machine"].moment.local is None
    assert not any("152bb52ee2b5" in one.text for one in notes)
    assert problems(found) == []


def test_apple_journal_holds_two_entries(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "journal")
    one, two = (one for one in items(found) if one.key.startswith("apple-journal:"))
    assert (one.moment.iso(), one.title) == ("2023-12-17", "Complex Metadata Entry")
    assert (one.text, one.context) == ("Entry body text.", "How was your day?")
    assert (two.moment.iso(), two.text) == ("2024-11-03", "Paragraph one.\n\nParagraph two.")


def test_bear_backups_hold_18_notes_and_two_encrypted_ones(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "bear")
    notes = [one for one in items(found) if not one.key.startswith("diary:")]
    counts = {
        name: sum(one.locator.startswith(f"{name}.bear2bk!") for one in notes)
        for name in ("backup", "backup-2", "markdown-samples", "tags")
    }
    assert counts == {"backup": 5, "backup-2": 6, "markdown-samples": 5, "tags": 2}
    assert all(one.moment.local for one in notes)
    assert [one.rpartition("/")[0].rpartition("/")[2] for one in problems(found)] == [
        "Encrypted File.textbundle", "Encrypted File.textbundle",
    ]  # fmt: skip
    of = {one.title: one for one in notes}
    assert of["Trashed file"].labels == ("trashed",)
    assert of["Trashed file"].moment.iso() == "2023-10-11T08:10:15+00:00"
    assert of["Tag forms Bear writes"].labels == ("two words", "项目 计划", "中文，标签", "bad!tag")


def test_textbundles_of_other_programs_are_six_undated_notes(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "textbundle")
    notes = [one for one in items(found) if not one.locator.startswith("expected/")]
    assert len(notes) == 6
    assert not any(one.moment.local for one in notes)
    assert problems(found) == []


def test_daygram_holds_two_days(shared_data: Path) -> None:
    found = read(shared_data / "social" / "dayone-daygram")
    one, two = (one for one in items(found) if one.key.startswith("daygram:"))
    assert (one.moment.iso(), two.moment.iso()) == ("2020-03-23", "2020-03-24")
    assert one.text == "Today's a fine day. nothing special happened. \n\nSecond line of the day."


def test_roam_holds_28_pages_with_words_and_two_without(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "roam")
    pages = [one for one in items(found) if not one.key.startswith("diary:")]
    assert len(pages) == 28
    assert sum(reason == "a page with nothing on it" for reason in skipped(found).values()) == 2
    days = sorted(one.moment.iso() or "" for one in pages if len(one.moment.iso() or "") == 10)
    assert days == ["2021-01-01", "2021-02-01", "2021-10-07", "2023-02-10"]
    assert problems(found) == []


def test_tomboy_holds_eleven_notes_and_a_template(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-importer" / "tomboy")
    notes = [one for one in items(found) if one.locator.endswith(".note")]
    assert len(notes) == 11
    assert list(skipped(found).values()) == ["a template for notes"]
    (todo,) = (one for one in notes if one.title == "TODO Liste")
    assert todo.moment.iso() == "2025-09-04T22:54:02+02:00"
    assert todo.text.startswith("- Erst das erledigen\n- dann das\n- und dann das\n\nSpäter\n")
