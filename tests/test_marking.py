"""Marks and forgotten topics through the core: what they mean, what they keep back, how they are undone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.entries import Answer, SourcesFound
from clone_app.keys import MemoryVault
from clone_app.memory.lines import LineState
from clone_app.memory.removal import Removal
from clone_app.models.fakes import FakeModels
from clone_app.persona.declined import FROM_ABOUT
from clone_app.persona.document import Audience
from clone_app.progress import Progress

MAIL = """From bridie@example.org Sat Mar  2 10:00:00 2024
From: Bridie Marsh <bridie@example.org>
To: Ada <ada@example.org>
Date: Sat, 2 Mar 2024 10:00:00 +0000
Message-ID: <1@example.org>
Subject: Supper

Come on Sunday.

"""
DAYS = {
    "2024-03-01": "Rang Bridie about the boat.",
    "2024-03-08": "I love jazz. Rain all day.",
    "2024-03-15": "I love jazz more than rain. I can't stand coriander.",
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    folder = tmp_path / "life"
    folder.mkdir()
    for day, text in DAYS.items():
        (folder / f"{day}.md").write_text(text)
    (folder / "a.mbox").write_text(MAIL)
    made.import_(folder, me=("ada@example.org",), vectors=False, progress=Progress())
    made.build_persona(Progress())
    made.accept_lines()
    yield made
    made.close()


def heard(app: App, question: str) -> str:
    """Return what a friend is told and shown."""
    *_, answer = app.ask(question, audience=Audience.FRIEND, progress=Progress())
    return repr(answer)


def test_a_person_from_people_is_private_under_every_name(app: App) -> None:
    assert "Rang Bridie" in heard(app, "Who did I ring about the boat?")
    app.mark_private("person", "Bridie Marsh")
    marks = app.private_marks()
    assert marks.people == {"Bridie Marsh", "Bridie", "bridie@example.org"}
    assert app.marked() == (("person", "Bridie Marsh"),)
    assert "Rang Bridie" not in heard(app, "Who did I ring about the boat?")
    app.mark_private("person", "Bridie Marsh", private=False)
    assert app.private_marks().people == frozenset()


def test_the_effect_of_marks_is_counted_as_things_stand(app: App, tmp_path: Path) -> None:
    before = app.withheld(Progress())
    assert (before.entries, before.friend, before.public) == (4, 0, 4)
    app.mark_private("person", "Bridie Marsh")
    app.mark_private("topic", "rain")
    app.mark_private("medium", "mail")
    found = app.withheld(Progress())
    assert found.friend == 4
    assert found.marks == {
        ("person", "Bridie Marsh"): 2,
        ("topic", "rain"): 2,
        ("medium", "mail"): 1,
    }
    (tmp_path / "2024-04-01.md").write_text("Rain again, and a headache: the hospital.")
    app.import_(tmp_path / "2024-04-01.md", vectors=False, progress=Progress())
    later = app.withheld(Progress())
    assert (later.entries, later.friend, later.marks["topic", "rain"]) == (5, 5, 3)
    app.remove(Removal(since="2024-03-10"), Progress())
    assert app.withheld(Progress()).entries == 3


def test_before_a_topic_is_forgotten_it_is_said_how_much_speaks_of_it(app: App) -> None:
    assert app.count_topic("jazz", Progress()) == (1, 2)
    assert app.count_topic("zebras", Progress()) == (0, 0)


def test_forgetting_can_be_undone_and_everything_is_as_it_was(app: App) -> None:
    app.lock_line(next(each.id for each in app.persona_lines() if "jazz" in each.line.text))
    before = app.persona_lines()
    gone = app.forget_topic("jazz")
    assert app.forgotten_topics() == ("jazz",)
    assert len(app.persona_lines()) == len(before) - 1
    app.bring_back(gone)
    assert app.persona_lines() == before
    assert any(each.state is LineState.LOCKED for each in before)
    assert app.forgotten_topics() == ()


def test_undoing_does_not_allow_what_had_been_forgotten_before(app: App) -> None:
    app.forget_topic("jazz")
    app.bring_back(app.forget_topic("jazz"))
    assert app.forgotten_topics() == ("jazz",)


def test_a_line_whose_entry_was_removed_meanwhile_does_not_come_back(app: App) -> None:
    gone = app.forget_topic("coriander")
    assert len(gone.lines) == 1
    app.remove(Removal(since="2024-03-15"), Progress())
    app.bring_back(gone)
    assert not any("coriander" in each.line.text for each in app.persona_lines())
    assert app.forgotten_topics() == ()


def test_the_command_line_lists_marks_with_what_they_cover(run: Any, tmp_path: Path) -> None:
    (tmp_path / "2024-03-01.md").write_text("Rang Bridie about the boat.")
    run("import", tmp_path / "2024-03-01.md", "--no-vectors")
    assert run("persona", "private", "--list").out == (
        "Nothing is marked as private.\nOf 1 entry a friend doesn't hear of 0, the public of 1.\n"
    )
    run("persona", "private", "--topic", "boats", "--medium", "mail")
    assert run("persona", "private", "--list").out == (
        "medium  mail: 0 entries\n"
        "topic   boats: 1 entry\n"
        "Of 1 entry a friend doesn't hear of 1, the public of 1.\n"
    )
    listed = run("persona", "private", "--list", "--json").json
    assert listed["marks"] == [
        {"kind": "medium", "name": "mail", "entries": 0},
        {"kind": "topic", "name": "boats", "entries": 1},
    ]
    assert (listed["entries"], listed["friend"], listed["public"]) == (1, 1, 1)


def test_a_friend_is_not_shown_the_days_of_what_is_kept_back_nor_an_address(
    app: App, tmp_path: Path
) -> None:
    folder = tmp_path / "ill"
    folder.mkdir()
    (folder / "2023-05-04.md").write_text("The chemotherapy began.")
    (folder / "2023-06-01.md").write_text("Bridie painted the boat green.")
    app.import_(folder, vectors=False, progress=Progress())
    question = "What did Bridie paint after the chemotherapy began?"

    def shown(audience: Audience) -> list[Any]:
        found, *_, answer = app.ask(question, audience=audience, progress=Progress())
        assert isinstance(found, SourcesFound)
        assert isinstance(answer, Answer)
        assert (found.times, found.people) == (answer.times, answer.people)
        return [*(each.start for each in found.times), *(each.name for each in found.people)]

    assert shown(Audience.PRIVATE) == ["2023-05-05", "Bridie Marsh"]
    assert shown(Audience.FRIEND) == ["Bridie"]
    assert "2023-05-05" not in heard(app, question)


def test_what_one_likes_is_answered_from_about_me_as_the_listener_may_hear_it(app: App) -> None:
    def told(audience: Audience) -> Answer:
        events = app.ask("What do you like?", audience=audience, progress=Progress())
        (answer,) = (each for each in events if isinstance(each, Answer))
        return answer

    answer = told(Audience.PRIVATE)
    assert answer.reason == FROM_ABOUT
    assert "jazz" in answer.text
    cited = {key for each in answer.sentences for key in each.citations}
    assert cited == {each.key for each in answer.sources}
    assert all(each.supported for each in answer.sentences)
    assert "jazz" in told(Audience.FRIEND).text
    (jazz,) = (each for each in app.persona_lines() if "jazz" in each.line.text)
    app.keep_line_private(jazz.id, private=True)
    assert "jazz" in told(Audience.PRIVATE).text
    assert "jazz" not in told(Audience.FRIEND).text
    app.forget_topic("jazz")
    assert "jazz" not in told(Audience.PRIVATE).text


def test_what_one_likes_is_left_to_entries_while_about_me_is_behind_them(
    app: App, tmp_path: Path
) -> None:
    def reason() -> str:
        *_, answer = app.ask("Do you like jazz?", progress=Progress())
        assert isinstance(answer, Answer)
        return answer.reason

    assert reason() == FROM_ABOUT
    (tmp_path / "life" / "2024-04-01.md").write_text("I can't stand jazz now.")
    app.import_(tmp_path / "life", me=("ada@example.org",), vectors=False, progress=Progress())
    assert reason() != FROM_ABOUT
    app.build_persona(Progress())
    assert reason() == FROM_ABOUT
