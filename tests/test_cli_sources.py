"""The commands for mail servers and watched sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from clone_app.app import App
from clone_app.cli import cli, commands, mail
from clone_app.errors import CloneAppError
from clone_app.importers.mailbox.account import Account, likely_host
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    vault = MemoryVault()

    def make(folder: Path) -> App:
        return App(folder, shelf=FakeModels(), vault=vault)

    monkeypatch.setattr(commands, "App", make)
    monkeypatch.setattr(mail, "App", make)
    monkeypatch.delenv(mail.MAIL_PASSWORD_VARIABLE, raising=False)
    return tmp_path / "profile"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    folder = tmp_path / "diary"
    folder.mkdir()
    (folder / "2024-03-01.md").write_text("We moved house today.")
    (folder / "2024-03-02.md").write_text("Robin broke the blue lamp.")
    return folder


def run(home: Path, *words: str) -> str:
    result = CliRunner().invoke(cli, ["--profile", str(home), *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_source_is_watched_refreshed_and_no_longer_watched(home: Path, diary: Path) -> None:
    run(home, "import", str(diary))
    assert run(home, "sources", "watch", "1") == "Source 1 is watched.\n"
    run(home, "sources", "refresh")
    assert run(home, "sources", "refresh") == "Nothing has changed.\n"
    (diary / "2024-03-01.md").unlink()
    (diary / "2024-03-03.md").write_text("It rained.")
    assert run(home, "sources", "refresh") == (
        "   1 Diary or notes (Markdown, text): 1 added, 0 updated, 1 unchanged, "
        "1 no longer in its files.\n"
    )
    listed = run(home, "sources")
    assert "3 items" in listed
    assert "watched  1 no longer in its files (`sources refresh 1`)" in listed
    (found,) = json.loads(run(home, "sources", "--json"))
    assert (found["watched"], found["gone"]) == (True, 1)
    done = json.loads(run(home, "sources", "refresh", "1", "--remove-gone", "--json"))
    assert done["removed"] == 1
    assert len(json.loads(run(home, "items", "--json"))) == 2
    assert json.loads(run(home, "sources", "unwatch", "1", "--json")) == {"id": 1, "watched": False}


def test_what_can_not_be_looked_at_is_said(home: Path, diary: Path) -> None:
    run(home, "import", str(diary))
    run(home, "sources", "watch", "1")
    diary.rename(diary.with_name("away"))
    result = CliRunner().invoke(cli, ["--profile", str(home), "sources", "refresh"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "connect its disk" in result.stderr


def test_a_mail_server_that_does_not_answer_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(mail.MAIL_PASSWORD_VARIABLE, "blue")
    words = ["--host", "127.0.0.1", "--user", "ada", "--port", "1", "--security", "plain"]
    with pytest.raises(CloneAppError, match=r"Nothing answers at 127\.0\.0\.1, port 1\."):
        run(home, "import-mail", *words)


def test_without_a_password_the_command_says_how_to_give_one(home: Path) -> None:
    with pytest.raises(CloneAppError, match="Set CLONE_APP_MAIL_PASSWORD"):
        run(home, "import-mail", "--host", "127.0.0.1", "--user", "ada")


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("ada@gmail.com", "imap.gmail.com"),
        ("Ada@Web.de ", "imap.web.de"),
        ("ada@example.org", "imap.example.org"),
        ("ada", ""),
        ("ada@localhost", ""),
    ],
)
def test_the_server_is_guessed_from_the_address(address: str, host: str) -> None:
    assert likely_host(address) == host


def test_an_account_is_named_as_its_standard_says() -> None:
    assert Account(host="imap.example.org", user="ada@example.org").url == (
        "imaps://ada%40example.org@imap.example.org:993"
    )
    assert Account(host="::1", user="a", port=7).local
    assert not Account(host="imap.example.org", user="a").local
