"""People as a person uses them: merged, split, forgotten with all that rested on them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Drafted, SourcesFound
from clone_app.keys import MemoryVault
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.database import rows
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

ADA = "Ada <ada@example.org>"


def letter(number: int, sender: str, to: str, text: str) -> str:
    return (
        f"From x@example.org Sat Mar  {number} 10:00:00 2024\nFrom: {sender}\nTo: {to}\n"
        f"Date: Sat, {number} Mar 2024 10:00:00 +0000\nMessage-ID: <{number}@example.org>\n"
        f"Subject: Letter {number}\n\n{text}\n\n"
    )


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    letters = (
        letter(1, "Tom <tom@example.org>", ADA, "The harbour wall broke in the storm."),
        letter(2, ADA, "Tom <tom@example.org>", "I carried sandbags to the harbour wall."),
        letter(3, "Tom <tom@work.example>", ADA, "The lamp is blue."),
        letter(4, "Ann <ann@example.org>", ADA, "Bread with seeds."),
        letter(5, "tommy@example.org", ADA, "Chess on Friday?"),
    )
    (tmp_path / "mail.mbox").write_text("".join(letters))
    made = App(
        tmp_path / "profile",
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
        now=lambda: datetime(2025, 1, 10, tzinfo=UTC),
    )
    made.create("correct horse battery", home_zone="Europe/Berlin")
    made.import_(tmp_path / "mail.mbox", me=("ada@example.org",), progress=Progress())
    yield made
    made.close()


def left(app: App) -> list[str]:
    return sorted(stored.item.title for stored in app.items())


def test_a_person_is_forgotten_with_every_name_and_address(app: App) -> None:
    app.merge_people("tom@example.org", "tom@work.example")
    app.merge_people("tom@example.org", "tommy@example.org")
    app.remove(app.removal(who=("Tom",)), Progress())
    assert left(app) == ["Letter 4"]


def test_one_of_a_persons_addresses_is_forgotten_alone(app: App) -> None:
    app.merge_people("tom@example.org", "tom@work.example")
    app.remove(app.removal(who=("TOM@work.example",)), Progress())
    assert left(app) == ["Letter 1", "Letter 2", "Letter 4", "Letter 5"]


def test_a_key_stands_for_itself_alone_even_where_it_is_a_name_others_go_by(app: App) -> None:
    removal = app.removal(handles=("tom@work.example",))
    assert removal.who == {"tom@work.example"}
    assert app.count_removal(removal).items == 1


def test_a_program_killed_while_forgetting_has_forgotten_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: AddressBook) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(AddressBook, "prune", killed)
    with pytest.raises(KeyboardInterrupt):
        app.remove(app.removal(who=("ann@example.org",)), Progress())
    assert "Letter 4" in left(app)


def test_an_answer_that_is_under_way_while_its_entries_are_forgotten_is_not_kept(app: App) -> None:
    events = app.ask("What broke in the storm?", progress=Progress())
    assert isinstance(next(events), SourcesFound)
    app.remove(app.removal(who=("tom@example.org",)), Progress())
    *_, answer = events
    assert isinstance(answer, Answer)
    assert answer.sources
    assert answer.conversation is not None
    (turn,) = app.turns(answer.conversation)
    assert (turn.question, turn.answer, turn.draft) == ("What broke in the storm?", None, "")


def test_what_was_drafted_while_its_entries_are_forgotten_is_not_kept(app: App) -> None:
    events = app.ask("What broke in the storm?", progress=Progress())
    assert isinstance(next(events), SourcesFound)
    assert isinstance(next(events), Drafted)
    app.remove(app.removal(who=("tom@example.org",)), Progress())
    events.close()
    (conversation, *_) = app.conversations()[0]
    (turn,) = app.turns(conversation)
    assert (turn.answer, turn.draft) == (None, "")


def test_who_was_forgotten_is_in_no_table_any_more(app: App) -> None:
    app.merge_people("tom@example.org", "tommy@example.org")
    app.part_people("tom@work.example", "ann@example.org")
    app.call_person("tom@example.org", "Captain")
    for question in ("What broke in the storm?", "Which colour has the lamp?"):
        for _ in app.ask(question, progress=Progress()):
            pass
    app.build_persona(Progress())
    app.add_own("What did I carry?", "sandbags", entry="2@example.org")
    app.remove(app.removal(who=("Captain", "tom@work.example")), Progress())
    db = app._store().base.db()
    for table in db.table_names():
        kept = str(rows(db, f'SELECT * FROM "{table}"')) if table != "passage_words" else ""
        for word in ("tom@", "tommy@", "Captain", "sandbags", "lamp is blue"):
            assert word not in kept, table
