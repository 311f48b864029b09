"""What commands say to a newcomer: right counts, whole sentences, and what to do next."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.cli import commands
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels

MAIL = """From ada@example.org Sat Mar  2 10:00:00 2024
From: Ada <ada@example.org>
To: Jane Poe <jane@example.org>
Date: Sat, 2 Mar 2024 10:00:00 +0000
Message-ID: <1@example.org>
Subject: Harbour

I walked to the harbour.
"""


@pytest.fixture
def mailed(run: Any, tmp_path: Path) -> Any:
    """A profile that holds one mail by somebody not known to be the user."""
    (tmp_path / "a.mbox").write_text(MAIL)
    return run("import", tmp_path / "a.mbox", "--no-vectors")


def test_one_is_counted_in_the_singular(mailed: Any, run: Any, tmp_path: Path) -> None:
    assert "1 passage can't be found by meaning yet; the next question" in mailed.out
    assert "0 duplicates, 0 problems." in mailed.out
    (tmp_path / "bad.json").write_text('{"metadata": {"version": "1.0"}, "entries": [{"text"')
    assert ", 1 problem. " in run("import", tmp_path / "bad.json", "--as", "dayone").out
    assert " 1 item   Mail" in run("sources").out
    assert run("sources", "remove", 1).out == "1 item removed.\n"


def test_an_import_with_nothing_of_the_users_says_how_to_name_oneself(
    mailed: Any, run: Any, tmp_path: Path
) -> None:
    assert "None of it is yours." in mailed.out
    assert "--me" in mailed.out
    again = run("import", tmp_path / "a.mbox", "--me", "ada@example.org")
    assert "1 yours." in again.out
    assert "--me" not in again.out


@pytest.mark.parametrize("words", [["ask", " "], ["search", ""]])
def test_an_empty_question_is_wrong_usage(mailed: Any, run: Any, words: list[str]) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert "It is empty. Write words to look for" in ran.err


def test_an_empty_path_is_not_the_folder_one_stands_in(run: Any) -> None:
    ran = run("import", "")
    assert ran.code == 1
    assert ran.err == "There is nothing at “”. Check the path and try again.\n"


def test_items_and_search_show_the_numbers_that_why_takes(mailed: Any, run: Any) -> None:
    (item,) = run("items", "--json").json
    assert run("items").out.split()[0] == str(item["id"])
    assert run("search", "harbour").out.split()[0] == str(item["id"])
    assert run("why", "harbour", item["id"]).code == 0
    assert run("items", "--medium", "diary").out == "Nothing found.\n"


def test_forgetting_what_fits_nothing_says_so(mailed: Any, run: Any) -> None:
    for more in ([], ["--dry-run"]):
        ran = run("forget", "--medium", "diary", *more)
        assert ran.out.startswith("Nothing to remove: no item fits")
    assert len(run("items", "--json").json) == 1


def test_a_setting_that_does_not_fit_is_answered_with_what_does(mailed: Any, run: Any) -> None:
    ran = run("settings", "text_size", 9000)
    assert ran.code == 2
    assert "“9000” does not fit text_size. Input should be less than" in ran.err.replace("\n", " ")
    assert (
        "there is no setting “nosuch”. Choose one of: home_zone," in run("settings", "nosuch").err
    )


def test_what_is_kept_private_is_named(mailed: Any, run: Any) -> None:
    assert run("persona", "private").code == 2
    assert run("persona", "private", "--topic", "money").out == "Kept private: topic “money”.\n"
    opened = run("persona", "private", "--topic", "money", "--off")
    assert opened.out == "Open again: topic “money”.\n"
    assert run("persona", "show", "--audience", "public").out == (
        "Nothing of the document is for the public.\n"
    )
    assert run("persona", "forget", "boats").out == (
        "“boats” is never used again; 0 lines went with it.\n"
    )


class FiledChat(FakeChat):
    """A fake that says it was read from a file, so that it is tried after its first answer."""

    def __init__(self, path: Path) -> None:
        super().__init__(*["I flew to Mars."] * 20, name=path.stem)
        self.path = path


def test_a_model_is_tried_after_its_first_answer_and_the_command_ends(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "2024-03-01.md").write_text("The van cost 300 euros and Robin broke the blue lamp.")
    run("import", tmp_path / "2024-03-01.md")
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF, as far as a fake cares")
    shelf = FakeModels(FiledChat(tmp_path / "tiny.gguf"))
    made = functools.partial(App, shelf=shelf, vault=MemoryVault(working=False))
    monkeypatch.setattr(commands, "App", made)
    ran = run("ask", "Who broke the blue lamp?")
    assert ran.code == 0
    assert "The language model reads 0 of 6 test notes right." in ran.err
    assert "From now on answers are quotations." in ran.err
