"""What was dropped is recognised, each file by the importer surest of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from clone_app.entries import Item, Skipped
from clone_app.errors import CloneAppError, UnrecognisedError
from clone_app.importers import IMPORTERS, recognise
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all
from clone_app.importers.recognise import recognise as recognised
from clone_app.progress import Progress
from clone_app.protocols import Reading

from .dropped import MAIL, PERSONA, TWEETS, all_of, folder_of, sources


def test_a_whole_life_in_one_folder_goes_to_its_importers(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "life",
        {
            "diary/2024-03-02.md": "Up.",
            "mail/all.mbox": MAIL.format(sender="a@x", to="b@x", id=1),
            "x/data/tweets.js": TWEETS,
            "yu.json": PERSONA,
        },
    )
    assert sources(tmp_path / "life") == {
        "clonemem": ["yu.json"],
        "mbox": ["mail/all.mbox"],
        "x": ["x/data/tweets.js"],
        "diary": ["diary/2024-03-02.md"],
    }


def test_recognised_sources_are_named_with_their_files_and_sureness(tmp_path: Path) -> None:
    folder_of(tmp_path, {"2024-03-02.md": "Up.", "2024-03-03.md": "Up."})
    with open_tree(tmp_path) as tree:
        found = recognised(tree)
        assert found.recognised == (
            recognise.Recognised("diary", "Diary or notes (Markdown, text)", 0.9, 2),
        )
        assert found.files == 2


def test_files_that_are_no_source_are_listed_with_a_reason(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "life",
        {
            "LICENSE": "x", "LICENSE-MIT": "x", "license.md": "x", "COPYING": "x", "README.md": "x",
            "PROVENANCE.txt": "x", "CHANGELOG.md": "x", "SHA256SUMS": "x", "cat.jpg": "x",
            "noname": b"\x89PNG\r\n\x1a\n", "song.mp3": "x", "scan.pdf": "x", "a.tar.gz": "x",
            "life.sqlite": "x", "data.csv": "a,b", "page.html": "<p>", "strange.json": "{}",
            "people.txt": "a@x.org\n" * 5, "odd.xyz": "x", "nothing.xyz": "",
            "2024-03-02.md": "Up.", ".git/config": "x",
        },
    )  # fmt: skip
    with open_tree(tmp_path / "life") as tree:
        found = recognised(tree)
    assert {one.locator: one.reason for one in found.skipped} == {
        "LICENSE": "a licence",
        "LICENSE-MIT": "a licence",
        "license.md": "a licence",
        "COPYING": "a licence",
        "README.md": "a note on what lies beside it",
        "PROVENANCE.txt": "a note on where the files come from",
        "CHANGELOG.md": "a list of changes",
        "SHA256SUMS": "a list of checksums",
        "cat.jpg": "a picture",
        "noname": "a picture",
        "song.mp3": "a sound or film",
        "scan.pdf": "a document this program does not read",
        "a.tar.gz": "packed in a way this program does not open",
        "life.sqlite": "a database",
        "data.csv": "CSV of a kind this program does not read",
        "page.html": "HTML of a kind this program does not read",
        "strange.json": "JSON of a kind this program does not read",
        "people.txt": "reads like a chat, a mail or a list, not like a diary or notes",
        "odd.xyz": "not a kind this program reads",
        "nothing.xyz": "an empty file",
        ".git": "a hidden folder",
    }
    assert [member.path for one in found.claimed for member in one.members] == ["2024-03-02.md"]


def test_a_note_that_only_sounds_like_a_licence_is_read(tmp_path: Path) -> None:
    folder_of(tmp_path, {"Licence to drive.md": "Passed!", "Readmes I like.md": "x"})
    assert sources(tmp_path) == {"diary": ["Licence to drive.md", "Readmes I like.md"]}


def test_text_without_any_text_in_it_is_said_to_be_that(tmp_path: Path) -> None:
    folder_of(
        tmp_path,
        {
            "all.mbox": MAIL.format(sender="a@x", to="b@x", id=1),
            "empty.txt": "",
        },
    )
    (tmp_path / "binary.txt").write_bytes(bytes(range(32)) * 8)
    set_aside = [one for one in all_of(tmp_path) if isinstance(one, Skipped)]
    assert {one.locator: one.reason for one in set_aside} == {
        "empty.txt": "an empty file",
        "binary.txt": "no text, whatever its ending says",
    }


def test_undated_text_beside_a_mailbox_is_set_aside_and_alone_it_is_a_note(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "a",
        {"all.mbox": MAIL.format(sender="a@x", to="b@x", id=1), "list.txt": "some words"},
    )
    assert sources(tmp_path / "a") == {"mbox": ["all.mbox"]}
    (aside,) = [one for one in all_of(tmp_path / "a") if isinstance(one, Skipped)]
    assert aside.locator == "list.txt"
    assert "beside other sources" in aside.reason
    folder_of(tmp_path / "b", {"list.txt": "some words"})
    assert sources(tmp_path / "b") == {"diary": ["list.txt"]}


def test_naming_the_source_forces_it(tmp_path: Path) -> None:
    folder_of(tmp_path / "a", {"README.md": "My year.", "diary.log": "Up."})
    assert sources(tmp_path / "a", as_source="diary") == {"diary": ["README.md"]}
    folder_of(tmp_path / "b", {"diary.log": "2024-03-02\n\nUp."})
    assert sources(tmp_path / "b" / "diary.log", as_source="Diary") == {"diary": ["diary.log"]}
    with open_tree(tmp_path / "b" / "diary.log") as tree:
        (item,) = read_all(recognised(tree, as_source="diary"), Reading(), Progress())
    assert isinstance(item, Item)
    assert (item.moment.iso(), item.text) == ("2024-03-02", "Up.")


def test_an_unknown_source_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a.md": "x"})
    with open_tree(tmp_path) as tree, pytest.raises(CloneAppError) as caught:
        recognised(tree, as_source="carrier pigeon")
    assert str(caught.value) == (
        "There is no source called “carrier pigeon”. "
        f"Name one of these: {', '.join(importer.name for importer in IMPORTERS)}."
    )


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds no files. Choose one"),
        ({"cat.jpg": "x", "a.json": "{}"}, "of a kind this program reads. It reads: "),
        ({"a.json": "[" * 100_000}, "of a kind this program reads. It reads: "),
    ],
)
def test_nothing_recognised_says_what_is_accepted(
    tmp_path: Path, files: dict[str, str | bytes], words: str
) -> None:
    home = folder_of(tmp_path / "drop", files)
    with open_tree(home) as tree, pytest.raises(UnrecognisedError) as caught:
        recognised(tree)
    assert words in str(caught.value)
    assert all(importer.title in str(caught.value) for importer in IMPORTERS)
    assert str(caught.value).startswith(caught.value.brief)
    assert caught.value.brief.endswith((" holds no files.", " is of a kind this program reads."))
    if files:
        listed = "; ".join(f"{importer.name} – {importer.title}" for importer in IMPORTERS)
        assert listed in str(caught.value)
        assert "--as and the word before the dash" in str(caught.value)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a.xyz": ""})
    with open_tree(tmp_path / "a.xyz") as tree, pytest.raises(UnrecognisedError, match="is empty"):
        recognised(tree)


def test_importers_have_names_of_their_own_and_say_what_a_person_needs() -> None:
    names = [importer.name for importer in IMPORTERS]
    assert names[:7] == ["diary", "mbox", "maildir", "eml", "x", "mastodon", "clonemem"]
    assert len(set(names)) == len(names)
    for importer in IMPORTERS:
        assert importer.title
        assert importer.help.endswith(".")
        assert all(ending == "/" or ending.startswith(".") for ending in importer.endings)
