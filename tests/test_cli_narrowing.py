"""Search, ask, list and explain among some entries alone, and take words as plain words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from clone_app.cli import commands
from clone_app.entries import Filters
from clone_app.packed import answer_json

DIARY = """## 2024-03-01

We moved house today. Robin broke the blue lamp.

## 2024-04-02

I regret the move. The flat by the harbour is cold. The lamp is gone.
"""
MAIL = """From jane@example.org Fri Mar  8 10:00:00 2024
From: Jane Doe <jane@example.org>
To: ada@example.org
Subject: The lamp
Date: Fri, 8 Mar 2024 10:00:00 +0000
Message-ID: <1@example.org>

I have a new lamp for you.

From ada@example.org Sat Mar  9 10:00:00 2024
From: Ada <ada@example.org>
To: Jane Doe <jane@example.org>
Subject: Re: The lamp
Date: Sat, 9 Mar 2024 10:00:00 +0000
Message-ID: <2@example.org>

Bring the lamp on Sunday.

"""


@pytest.fixture
def life(run: Any, tmp_path: Path) -> None:
    (tmp_path / "diary.md").write_text(DIARY)
    (tmp_path / "mail.mbox").write_text(MAIL)
    run("import", tmp_path / "diary.md", "--me", "ada@example.org")
    run("import", tmp_path / "mail.mbox")
    run("people", "call", "jane@example.org", "Mum")


def days(found: Any) -> list[str]:
    return sorted(str(each["when"])[:10] for each in found.json)


NARROWED: tuple[tuple[tuple[str, ...], list[str]], ...] = (
    ((), ["2024-03-01", "2024-03-08", "2024-03-09", "2024-04-02"]),
    (("--whose", "me"), ["2024-03-01", "2024-03-09", "2024-04-02"]),
    (("--whose", "others"), ["2024-03-08"]),
    (("--who", "Mum"), ["2024-03-08", "2024-03-09"]),
    (("--who", "jane@example.org", "--whose", "me"), ["2024-03-09"]),
    (("--whose", "me", "--medium", "diary", "--since", "2024-04"), ["2024-04-02"]),
    (("--medium", "mail", "--until", "2024-03-09"), ["2024-03-08"]),
)


@pytest.mark.usefixtures("life")
def test_search_and_items_are_narrowed_alike(run: Any) -> None:
    for options, expected in NARROWED:
        assert days(run("search", "the lamp", "--json", *options)) == expected, options
        assert days(run("items", "--json", *options)) == expected, options


@pytest.mark.usefixtures("life")
def test_nobody_by_a_name_is_said(run: Any) -> None:
    refused = run("search", "the lamp", "--who", "Nobody")
    assert refused.code == 1
    assert "Nobody goes by “Nobody”" in refused.err


@pytest.mark.usefixtures("life")
def test_what_was_understood_is_said_and_can_be_plain(run: Any) -> None:
    question = "Did Mum bring the lamp in March 2024?"
    said = run("search", question)
    assert "Understood: “March 2024” = 2024-03-01 – 2024-04-01. Not meant?" in said.err
    assert 'Understood: “Mum” = Jane Doe. Not meant? --plain "Mum"' in said.err
    assert "Understood" not in said.out
    left = run("search", question, "--plain", "march 2024", "--plain", "Mum")
    assert "Understood" not in left.err
    friend = run("ask", question, "--audience", "friend")
    assert "Understood: “March 2024” = a time. Not meant?" in friend.err
    wide = run("search", "the lamp in June 2025")
    assert "since nothing was written then" in wide.err


@pytest.mark.usefixtures("life")
def test_an_answer_says_what_was_understood_and_keeps_to_its_filters(run: Any) -> None:
    answer = run("ask", "Did Mum bring the lamp in March 2024?", "--whose", "others", "--json").json
    assert {source["medium"] for source in answer["sources"]} == {"mail"}
    assert [each["phrase"] for each in answer["times"]] == ["March 2024"]
    assert answer["people"] == [{"phrase": "Mum", "name": "Jane Doe"}]
    assert answer["filters"]["whose"] == "others"
    plain = run("ask", "Did Mum bring the lamp in March 2024?", "--plain", "Mum", "--json").json
    assert plain["people"] == []
    assert plain["filters"]["plain"] == ["Mum"]


@pytest.mark.usefixtures("life")
def test_why_says_that_a_filter_leaves_an_entry_out(run: Any) -> None:
    mine = next(each for each in run("items", "--json").json if "blue lamp" in each["text"])
    assert run("why", "the lamp", mine["id"]).out.startswith("Found:")
    for options in (("--whose", "others"), ("--medium", "mail"), ("--since", "2024-04-01")):
        said = run("why", "the lamp", mine["id"], *options).out
        assert said.startswith("Not looked at: the filters of the question leave it out.")


@pytest.mark.usefixtures("life")
def test_a_kept_answer_holds_how_it_was_understood_but_not_who_is_who(run: Any) -> None:
    first = run("ask", "Did Mum bring the lamp in March 2024?", "--whose", "others", "--json").json
    with commands.opened(Path(os.environ["CLONE_APP_HOME"])) as app:
        (turn,) = app.turns(first["conversation"])
    assert turn.answer is not None
    assert answer_json(turn.answer)["times"] == first["times"]
    assert turn.answer.filters == Filters(whose="others")
    assert "people" in turn.answer.sources[0].found_by
    # Who Mum is comes from entries, and these may be removed.
    assert [(each.phrase, each.name) for each in turn.answer.people] == [("Mum", "Mum")]
