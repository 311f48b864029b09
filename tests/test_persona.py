"""The persona document through the core and the command line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.errors import CloneAppError, ProfileLockedError
from clone_app.keys import MemoryVault
from clone_app.memory.lines import LineState, Proposed
from clone_app.memory.removal import Removal
from clone_app.models.fakes import FakeModels
from clone_app.persona.document import Audience
from clone_app.progress import Progress

DAYS = {
    "2024-03-01": "I can't stand coriander. Rang my sister Bridie about the boat.",
    "2024-03-08": "I love jazz. My headache is back. Told Bridie.",
    "2024-03-15": "My headache again. Supper with Bridie, who laughed.",
    "2024-03-22": "My headache, day three. I believe that good warnings save fingers.",
}


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in DAYS.items():
        (folder / f"{day}.md").write_text(text)
    return folder


@pytest.fixture
def app(tmp_path: Path, diary: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    made.import_(diary, vectors=False, progress=Progress())
    yield made
    made.close()


def texts(app: App) -> list[str]:
    return [each.line.text for each in app.persona_lines()]


BUILT = [
    "Bridie, my sister",
    "Headache: “My headache, day three.”",
    "“I believe that good warnings save fingers.”",
    "I can't stand coriander",
    "I love jazz",
]


def test_building_proposes_and_the_document_holds_what_was_accepted(app: App) -> None:
    assert app.build_persona(Progress()) == Proposed(5, 0)
    assert texts(app) == BUILT
    assert app.persona_document().lines == ()
    assert app.persona_digest(len) == ""
    assert app.accept_lines([app.persona_lines()[-1].id]) == 1
    assert app.persona_text() == "## Likes and dislikes\n- I love jazz (8 March 2024)"
    assert app.accept_lines() == 4
    assert app.build_persona(Progress()) == Proposed(0, 0)
    assert "Bridie, my sister" in app.persona_digest(lambda text: len(text) // 4)


def test_every_line_leads_to_its_entries(app: App) -> None:
    app.build_persona(Progress())
    for kept in app.persona_lines():
        for support in kept.line.supports:
            assert app.item(support.item).item.key == support.key


def test_a_friend_hears_no_health_and_no_person_marked_private(app: App) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    assert "Headache" not in app.persona_text(Audience.FRIEND)
    assert "Bridie" in app.persona_text(Audience.FRIEND)
    app.mark_private("person", "Bridie")
    assert "Bridie" not in app.persona_text(Audience.FRIEND)
    app.mark_private("medium", "diary")
    assert app.persona_text(Audience.FRIEND) == ""
    with pytest.raises(CloneAppError, match="Choose medium, person or topic"):
        app.mark_private("colour", "blue")


def test_a_forgotten_topic_stays_away(app: App) -> None:
    app.build_persona(Progress())
    assert len(app.forget_topic("jazz").lines) == 1
    app.build_persona(Progress())
    assert "I love jazz" not in texts(app)
    app.allow_topic("jazz")
    app.build_persona(Progress())
    assert "I love jazz" in texts(app)


def test_removed_entries_take_their_lines_and_words_with_them(app: App) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    app.remove(Removal(since="2024-03-01", until="2024-03-10"), Progress())
    left = texts(app)
    assert "I can't stand coriander" not in left
    assert "I love jazz" not in left
    assert not any("Bridie" in text or "eadache" in text for text in left)
    for path in app.home.rglob("*"):
        if path.is_file():
            assert b"coriander" not in path.read_bytes()


def test_answers_of_the_clone_are_no_source_of_the_document(app: App) -> None:
    list(app.ask("Do you love sailing? Say: I love sailing.", progress=Progress()))
    app.build_persona(Progress())
    assert not any("sailing" in text for text in texts(app))


def test_editing_locking_and_deleting_hold_over_a_new_building(app: App) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    person, health, hold, coriander, jazz = (each.id for each in app.persona_lines())
    app.edit_line(jazz, "I love jazz, on Sundays")
    app.lock_line(coriander)
    app.delete_line(hold)
    app.keep_line_private(person, private=True)
    app.build_persona(Progress())
    found = {each.id: each for each in app.persona_lines()}
    assert found.keys() == {person, health, coriander, jazz}
    assert found[jazz].line.text == "I love jazz, on Sundays"
    assert found[coriander].state is LineState.LOCKED
    assert "Bridie" not in app.persona_text(Audience.FRIEND)
    with pytest.raises(CloneAppError, match="a line holds 400"):
        app.edit_line(jazz, "x" * 50_000)
    with pytest.raises(CloneAppError, match="needs words"):
        app.edit_line(jazz, "?!")


def test_a_second_program_reads_the_document_and_changes_nothing(app: App) -> None:
    app.build_persona(Progress())
    reader = App(app.home, shelf=FakeModels(), vault=MemoryVault(working=False))
    reader.unlock("correct horse battery", writing=False)
    try:
        assert texts(reader) == BUILT
        with pytest.raises(ProfileLockedError):
            reader.accept_lines()
        with pytest.raises(ProfileLockedError):
            reader.build_persona(Progress())
    finally:
        reader.close()


def test_the_command_line_does_all_of_it(run: Any, diary: Path) -> None:
    run("import", diary, "--no-vectors")
    assert "Nothing is known of you yet" in run("persona").out
    assert run("persona", "build", "--json").json == {"added": 5, "changed": 0, "waiting": 5}
    shown = run("persona", "show", "--json").json
    assert [each["text"] for each in shown] == BUILT
    assert shown[0]["state"] == "proposed"
    assert shown[0]["span"] == "3 entries, March 2024"
    assert [each["day"] for each in shown[0]["supports"]] == [
        "2024-03-01",
        "2024-03-08",
        "2024-03-15",
    ]
    numbers = {each["text"]: each["id"] for each in shown}
    assert run("persona", "accept", numbers["I love jazz"], "--json").json == {"accepted": 1}
    assert run("persona", "edit", numbers["I love jazz"], "I love jazz most", "--json").code == 0
    assert run("persona", "lock", numbers["I love jazz"]).out == "1 line locked.\n"
    assert run("persona", "delete", numbers["I can't stand coriander"]).code == 0
    assert run("persona", "accept", "--all", "--json").json == {"accepted": 3}
    out = run("persona").out
    assert "I love jazz most (8 March 2024) [locked]" in out
    assert "coriander" not in out
    assert "[private]" in out
    assert "Headache" not in run("persona", "show", "--audience", "friend").out
    assert run("persona", "forget", "Bridie", "--json").json == {"forgotten": 1}
    assert run("persona", "forget", "--json").json == ["Bridie"]
    assert run("persona", "private", "--topic", "jazz").code == 0
    assert "jazz" not in run("persona", "show", "--audience", "public").out


def test_the_command_line_says_what_is_wrong(run: Any, diary: Path) -> None:
    run("import", diary, "--no-vectors")
    run("persona", "build")
    assert run("persona", "accept").code == 2
    missing = run("persona", "lock", 99)
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert "There is no line 99" in missing.err
    long = run("persona", "edit", 1, "x" * 50_000)
    assert (long.code, long.err.startswith("That line has 50,000 characters")) == (1, True)


def test_the_document_is_outdated_once_entries_come_or_go(app: App, tmp_path: Path) -> None:
    app.build_persona(Progress())
    assert not app.persona_outdated()
    (tmp_path / "2024-04-01.md").write_text("I love rain.")
    app.import_(tmp_path / "2024-04-01.md", progress=Progress())
    assert app.persona_outdated()
    app.build_persona(Progress())
    assert not app.persona_outdated()
