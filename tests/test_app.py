"""The use-cases over fakes: what window and command line build on."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App, ProfileState
from clone_app.entries import Answer, AnswerEvent, Mode, SourcesFound
from clone_app.errors import (
    Cancelled,
    CloneAppError,
    ModelError,
    PassphraseNeededError,
    ProfileError,
    ProfileLockedError,
    UnrecognisedError,
    WrongPassphraseError,
)
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.persona.document import Audience
from clone_app.progress import Progress
from clone_app.settings import Settings

PASSPHRASE = "correct horse battery"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = {
    "2024-03-01": "We moved house today. The van cost 300 euros and Robin broke the blue lamp.",
    "2024-04-02": "I regret the move. The flat by the harbour is cold and the neighbours shout.",
    "2024-09-05": "I love this flat now. The harbour wakes me with gulls, and I would not go back.",
}


def opened(home: Path, **more: object) -> App:
    app = App(home, now=lambda: NOW, shelf=FakeModels(), vault=MemoryVault(working=False), **more)  # type: ignore[arg-type]
    if app.state() is ProfileState.NEW:
        app.create(PASSPHRASE, home_zone="Europe/Berlin")
    else:
        app.unlock(PASSPHRASE)
    return app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = opened(tmp_path / "profile")
    yield made
    made.close()


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in DAYS.items():
        (folder / f"{day}.md").write_text(text)
    return folder


def asked(app: App, question: str, **more: object) -> list[AnswerEvent]:
    return list(app.ask(question, progress=Progress(), **more))  # type: ignore[arg-type]


def answered(app: App, question: str, **more: object) -> Answer:
    last = asked(app, question, **more)[-1]
    assert isinstance(last, Answer)
    return last


def test_a_life_goes_in_and_answers_come_out_with_their_sources(app: App, diary: Path) -> None:
    report = app.import_(diary, progress=Progress())
    assert (report.files, report.seen, report.added, report.vectors_pending) == (3, 3, 3, 0)
    events = asked(app, "Do you regret the move?")
    assert isinstance(events[0], SourcesFound)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.sources
    keys = {source.key for source in answer.sources}
    assert any("2024-04-02" in key for key in keys)
    for sentence in answer.sentences:
        assert set(sentence.citations) <= keys
    assert answer.conversation == app.conversations()[0][0]


def test_what_was_asked_before_something_happened_does_not_know_it(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    answer = answered(app, "Do you love the flat by the harbour?", at="2024-05-01")
    moments = [source.moment.iso() for source in answer.sources]
    assert moments
    assert max(str(moment) for moment in moments) <= "2024-05-01"


def test_something_absent_is_not_answered(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    answer = answered(app, "What do you think of your smartphone?")
    assert answer.mode is Mode.NONE
    assert answer.abstained
    assert answer.text.startswith("I never wrote about that.")
    assert answer.sentences[0].citations == ()


def test_an_import_from_a_copy_elsewhere_adds_nothing(
    app: App, diary: Path, tmp_path: Path
) -> None:
    import shutil

    app.import_(diary, progress=Progress())
    copy = shutil.copytree(diary, tmp_path / "moved" / "diary")
    report = app.import_(copy, progress=Progress())
    assert (report.added, report.updated, report.unchanged) == (0, 0, 3)


def test_removing_a_source_takes_its_items_vectors_and_answers(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    conversation = answered(app, "Do you regret the move?").conversation
    source = app.sources()[0]
    count = app.count_removal(app.removal(source=source.id))
    assert (count.items, count.mine, count.answers) == (3, 3, 1)
    assert app.remove(app.removal(source=source.id), Progress()) == 3
    assert app.items() == ()
    assert app.search("regret the move") == ()
    assert app.sources() == ()
    assert conversation is not None
    turn = app.turns(conversation)[0]
    assert turn.question == "Do you regret the move?"
    assert turn.answer is None
    assert app.check_index() == "sound"


def test_mail_is_the_users_by_their_address(app: App, tmp_path: Path) -> None:
    path = tmp_path / "mail.mbox"
    box = mailbox.mbox(path)
    for sender, other in (
        ("me@example.org", "you@example.org"),
        ("you@example.org", "me@example.org"),
    ):
        box.add(
            f"From: {sender}\nTo: {other}\nSubject: Hello from {sender}\n"
            f"Date: Sat, 02 Mar 2024 10:00:00 +0100\nMessage-ID: <{sender}>\n\nHi, it is {sender}.\n"
        )
    box.close()
    app.import_(path, me=["Me@Example.org"], progress=Progress())
    whose = {each.item.key: each.item.mine for each in app.items()}
    assert whose == {"me@example.org": True, "you@example.org": False}
    assert app.me() == {"me@example.org"}


def test_a_stopped_answer_keeps_its_question_and_what_was_drafted(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    progress = Progress()
    events = app.ask("Do you regret the move?", progress=progress)
    next(events)
    progress.cancel()
    with pytest.raises(Cancelled):
        list(events)
    number, question, _ = app.conversations()[0]
    assert question == "Do you regret the move?"
    assert app.turns(number)[0].answer is None


def test_a_conversation_goes_on_after_a_restart(tmp_path: Path, diary: Path) -> None:
    first = opened(tmp_path / "profile")
    first.import_(diary, progress=Progress())
    number = answered(first, "Do you regret the move?").conversation
    first.close()
    second = opened(tmp_path / "profile")
    answer = answered(second, "And what did the van cost?", conversation=number)
    assert answer.conversation == number
    assert len(second.turns(number or 0)) == 2
    with pytest.raises(CloneAppError, match="no conversation"):
        answered(second, "Hm?", conversation=999)
    second.close()


def test_while_one_program_writes_another_reads(tmp_path: Path, diary: Path, app: App) -> None:
    app.import_(diary, progress=Progress())
    other = App(app.home, now=lambda: NOW, shelf=FakeModels(), vault=MemoryVault(working=False))
    with pytest.raises(ProfileLockedError):
        other.unlock(PASSPHRASE)
    other.unlock(PASSPHRASE, writing=False)
    assert len(other.items()) == 3
    assert answered(other, "Do you regret the move?").conversation is None
    with pytest.raises(ProfileLockedError, match="Close"):
        other.import_(diary, progress=Progress())
    other.close()


def test_a_wrong_passphrase_frees_the_profile_again(tmp_path: Path) -> None:
    opened(tmp_path / "profile").close()
    app = App(tmp_path / "profile", shelf=FakeModels(), vault=MemoryVault(working=False))
    assert app.state() is ProfileState.LOCKED
    with pytest.raises(WrongPassphraseError):
        app.unlock("wrong horse battery")
    with pytest.raises(PassphraseNeededError):
        app.unlock(None)
    app.unlock(PASSPHRASE)
    app.close()


def test_an_index_lost_while_the_program_was_closed_is_made_again(
    tmp_path: Path, diary: Path
) -> None:
    import shutil

    first = opened(tmp_path / "profile")
    first.import_(diary, progress=Progress())
    before = [(hit.item.key, hit.score) for hit in first.search("regret the move")]
    first.close()
    shutil.rmtree(tmp_path / "profile" / "index")
    second = opened(tmp_path / "profile")
    assert [hit.item.key for hit in second.search("regret the move")][:1] == [before[0][0]]
    assert second.finish_vectors(Progress()) == 0
    assert [(hit.item.key, hit.score) for hit in second.search("regret the move")] == before
    second.close()


def test_a_preview_keeps_nothing(app: App, diary: Path) -> None:
    seen = app.preview(diary, progress=Progress())
    assert seen.items == 3
    assert (seen.first, seen.last) == ("2024-03-01", "2024-09-05")
    assert len(seen.samples) == 3
    assert app.items() == ()
    assert app.sources() == ()


def test_what_nothing_recognises_says_what_is_accepted(app: App, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(bytes(range(256)))
    with pytest.raises(UnrecognisedError, match="Mail"):
        app.import_(tmp_path / "x.bin", progress=Progress())
    (tmp_path / "empty").mkdir()
    with pytest.raises(CloneAppError, match="empty"):
        app.import_(tmp_path / "empty", progress=Progress())
    with pytest.raises(CloneAppError):
        app.import_(tmp_path / "nowhere", progress=Progress())


def test_a_new_home_zone_moves_what_a_bare_day_means(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    at = "2024-03-01T00:30+01:00"
    assert len(app.search("moved house", at=at)) == 1
    app.change_settings(home_zone="America/New_York")
    app.finish_vectors(Progress())
    assert app.search("moved house", at=at) == ()
    assert app.items(since="2024-03-01", until="2024-03-02")
    with pytest.raises(CloneAppError, match="time zone"):
        app.change_settings(home_zone="Atlantis/Capital")


def test_a_marker_sentence_is_nowhere_in_the_profile_in_plain(app: App, diary: Path) -> None:
    marker = "The quetzalcoatlus ate my bicycle on Thursday."
    (diary / "2024-10-01.md").write_text(marker)
    app.import_(diary, progress=Progress())
    answer = answered(app, "What did the quetzalcoatlus do with your bicycle?")
    assert "quetzalcoatlus" in answer.text
    app.close()
    for path in app.home.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            assert b"quetzalcoatlus" not in held, path
            assert "quetzalcoatlus".encode("utf-16-le") not in held, path


def test_what_a_source_leaves_open_is_asked_once_and_remembered(app: App, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Ida.txt"
    chat.write_text(
        "03/04/24, 10:00 - Ida: Are you coming?\n"
        "03/04/24, 10:01 - Tom: Yes.\n"
        "05/06/24, 10:02 - Ida: Good.\n"
    )
    (recognised,) = app.preview(chat, progress=Progress()).recognised
    question = recognised.question
    assert question is not None
    (april,) = [value for value, label in question.choices if "2024-04-03" in label]
    answers = {question.name: april}
    app.import_(chat, answers=answers, me=["Tom"], vectors=False, progress=Progress())
    days = [str(stored.item.moment.iso())[:10] for stored in app.items()]
    assert days == ["2024-04-03", "2024-04-03", "2024-06-05"]
    again = app.import_(chat, vectors=False, progress=Progress())
    assert (again.added, again.unchanged) == (0, 3)


def test_a_model_file_is_kept_by_its_whole_path(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match="Choose another"):
        app.change_settings(chat_model="missing.gguf")
    assert app.settings.chat_model == ""
    monkeypatch.setattr("clone_app.app.parts.read_gguf", lambda path: None)
    assert app.change_settings(chat_model="my.gguf").chat_model == str(tmp_path / "my.gguf")


def test_settings_that_can_not_be_kept_do_not_count(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, settings: Settings) -> None:
        raise ProfileError("The disk is full. Free some space.")

    monkeypatch.setattr("clone_app.app.parts.save_settings", full)
    with pytest.raises(ProfileError):
        app.change_settings(sources_shown=12)
    assert app.settings.sources_shown == 8


def test_a_friend_is_not_told_of_sensitive_matters_nor_of_what_was_said_before(
    app: App, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "2024-03-01.md").write_text("The cardiologist at the harbour clinic was kind.")
    (folder / "2024-03-02.md").write_text("Robin and I walked along the harbour wall.")
    app.import_(folder, progress=Progress())
    alone = [*app.ask("What was at the harbour?", progress=Progress())][-1]
    assert isinstance(alone, Answer)
    assert len(alone.sources) == 2
    told = [
        *app.ask(
            "What was at the harbour?",
            conversation=alone.conversation,
            audience=Audience.FRIEND,
            progress=Progress(),
        )
    ][-1]
    assert isinstance(told, Answer)
    assert [source.moment.iso() for source in told.sources] == ["2024-03-02"]
    assert "cardiologist" not in told.text


def test_the_clone_of_an_earlier_day_has_not_heard_what_was_said_to_later_ones(
    app: App, diary: Path
) -> None:
    models = FakeModels()
    app = App(app.home.parent / "other", shelf=models, vault=MemoryVault())
    app.create("long enough", home_zone="UTC")
    app.import_(diary, progress=Progress())
    now = [*app.ask("Do you regret the move?", progress=Progress())][-1]
    assert isinstance(now, Answer)
    models.chat().prompts.clear()
    [*app.ask("And then?", at="2024-03-05", conversation=now.conversation, progress=Progress())]
    sent = [text for prompt in models.chat().prompts for text in map(str, prompt)]
    assert not any("Do you regret" in text for text in sent)
    app.close()


def test_an_answer_can_be_held_against_one_without_memory(app: App, diary: Path) -> None:
    app.import_(diary, progress=Progress())
    before = app.conversations()
    assert app.without_memory("Do you regret the move?", Progress())
    assert app.conversations() == before
