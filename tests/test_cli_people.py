"""The commands about people and forgetting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

MAIL = """From ada@example.org Sat Mar  2 10:00:00 2024
From: Ada <ada@example.org>
To: Jane Poe <jane@example.org>
Date: Sat, 2 Mar 2024 10:00:00 +0000
Message-ID: <1@example.org>
Subject: Harbour

I walked to the harbour.

From jane@work.example Sun Mar  3 10:00:00 2024
From: Jane Poe <jane@work.example>
To: Ada <ada@example.org>
Date: Sun, 3 Mar 2024 10:00:00 +0000
Message-ID: <2@example.org>
Subject: Re: Harbour

How lovely, dear.

"""


@pytest.fixture(autouse=True)
def memory(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mail.mbox").write_text(MAIL)
    run("import", tmp_path / "mail.mbox", "--me", "ada@example.org")


def test_people_are_proposed_merged_called_and_split(run: Any) -> None:
    assert {person["name"] for person in run("people", "--json").json} == {"Ada", "Jane Poe"}
    (proposal,) = run("people", "proposals", "--json").json
    assert (proposal["one"], proposal["other"]) == ("jane@example.org", "jane@work.example")
    merged = run("people", "merge", proposal["one"], proposal["other"], "--json").json
    assert (merged["wrote"], merged["got"]) == (1, 1)
    assert run("people", "call", "jane poe", "Mum", "--json").json["name"] == "Mum"
    assert run("people", "proposals", "--json").json == []
    split = run("people", "split", "jane@work.example", "--json").json
    assert split["handles"] == ["jane@work.example"]
    assert run("people", "proposals", "--json").json == []


def test_forgetting_says_first_what_would_go(run: Any) -> None:
    told = run("forget", "--who", "jane@work.example", "--dry-run")
    assert "Would remove 1 item (0 yours)" in told.out
    assert len(run("items", "--json").json) == 2
    assert run("forget", "--who", "jane@work.example", "--json").json["items"] == 1
    assert [item["text"] for item in run("items", "--json").json] == ["I walked to the harbour."]


def test_forgetting_nothing_in_particular_is_refused(run: Any) -> None:
    refused = run("forget")
    assert refused.code == 1
    assert "a source, a person, or a period" in refused.err


def test_what_others_wrote_tells_a_terminal_nothing(run: Any, tmp_path: Path) -> None:
    letter = MAIL.partition("\nFrom jane")[0].replace("1@example", "3@example")
    letter = letter.replace("Subject: Harbour", "Subject: =?utf-8?q?=1b]0;x=07Storm=c2=9b?=")
    letter = letter.replace("Jane Poe <", "=?utf-8?q?Evil=1b[2J_Name?= <evil.")
    (tmp_path / "evil.mbox").write_text(letter)
    run("import", tmp_path / "evil.mbox")
    shown = run("people").out + run("items").out + run("search", "harbour").out
    assert "Evil\ufffd[2J Name" in shown
    assert "\x1b" not in shown
    assert "\x9b" not in shown


def test_a_watched_source_that_would_bring_it_back_is_named(run: Any) -> None:
    run("sources", "watch", 1)
    told = run("forget", "--who", "jane@work.example", "--dry-run").out
    assert "1 watched source would bring it back" in told
