"""The commands about a model on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def profile(run: Any, tmp_path: Path) -> Path:
    note = tmp_path / "2024-03-02.md"
    note.write_text("I walked to the harbour with Robin.")
    run("import", note)
    return tmp_path


def test_a_server_is_set_shown_agreed_to_and_left_again(run: Any, profile: Path) -> None:
    assert run("remote", "show", "Where?").code == 1
    named = run("remote", "set", "http://127.0.0.1:9/v1", "--model", "big")
    assert "Nothing is sent yet" in named.out
    shown = run("remote", "show", "Where did I walk with Robin?", "--json").json
    assert shown[0]["role"] == "system"
    assert "harbour" in shown[-1]["text"]
    assert "Nothing has left" in run("remote", "log").out
    assert run("remote", "agree").code == 0
    asked = run("ask", "Where did I walk with Robin?")
    assert "127.0.0.1:9 failed" in asked.out
    (line,) = run("remote", "log", "--json").json
    assert (line["host"], line["sent"]) == ("127.0.0.1:9", False)
    assert "a question  not sent, no connection" in run("remote", "log").out
    assert "this machine again" in run("remote", "off").out
    assert run("settings", "remote_server", "--json").json == {"remote_server": ""}


def test_without_a_keyring_the_key_is_taken_from_the_environment_and_not_kept(
    run: Any, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLONE_APP_SERVER_KEY", "s3cret")
    named = run("remote", "set", "http://127.0.0.1:9/v1")
    assert "no keyring" in named.out
    assert "s3cret" not in named.out
    kept = [path for path in (profile / "profile").rglob("*") if path.is_file()]
    assert not any(b"s3cret" in path.read_bytes() for path in kept)


def test_an_unsafe_address_is_a_sentence(run: Any, profile: Path) -> None:
    refused = run("remote", "set", "http://models.example.org/v1")
    assert refused.code == 1
    assert "https://" in refused.err
