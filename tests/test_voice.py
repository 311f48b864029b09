"""How the user sounds, in the prompt: for the right ears, gone with its entries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.app.ability import _fact
from clone_app.entries import Answer, Cutoff, Dial
from clone_app.keys import MemoryVault
from clone_app.memory.lines import Lines
from clone_app.memory.removal import Removal
from clone_app.models.fakes import FakeChat, FakeModels
from clone_app.persona.ability import Ability
from clone_app.persona.document import DIGEST_TOKENS, Audience, Marks
from clone_app.persona.prompts import instructions
from clone_app.persona.style.manner import Sound
from clone_app.progress import Progress

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = date(2024, 1, 1)
# A sentence an entry, each of its own words, so that an exemplar tells which entry it comes from.
WORDS = (
    "amber", "basket", "candle", "dapple", "ember", "fiddle", "garnet", "hazel", "ivory", "jasmine",
    "kettle", "lantern", "marble", "nettle", "orchard", "pebble", "quarry", "russet", "saddle",
    "thimble", "umber", "velvet", "willow", "yarrow",
)  # fmt: skip


def entry(number: int) -> str:
    word = WORDS[number]
    return f"I sat by the window with the {word} and thought of nothing much; and so to bed, glad of it."


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    folder = tmp_path / "diary"
    folder.mkdir()
    for number in range(len(WORDS)):
        (folder / f"{FIRST + timedelta(days=31 * number)}.md").write_text(entry(number))
    made = App(
        tmp_path / "profile", now=lambda: NOW, shelf=FakeModels(chat=FakeChat("I sat by the window.")),
        vault=MemoryVault(working=False),
    )  # fmt: skip
    made.create("correct horse battery", home_zone="UTC")
    made.import_(folder, vectors=False, progress=Progress())
    yield made
    made.close()


def heard(app: App, audience: Audience = Audience.PRIVATE, *, at: str | None = None) -> Sound:
    return app.voice(audience, app.private_marks(), app.cutoff(at))


def shown(app: App, **more: str) -> list[int]:
    """Return from which entries the exemplars come."""
    told = " ".join(heard(app, **more).exemplars)  # type: ignore[arg-type]
    return [number for number, word in enumerate(WORDS) if word in told]


def last(app: App, question: str, **more: object) -> Answer:
    *_, answer = app.ask(question, progress=Progress(), **more)  # type: ignore[arg-type]
    assert isinstance(answer, Answer)
    return answer


def test_the_voice_is_measured_with_the_persona_document_and_kept(app: App) -> None:
    assert heard(app) == Sound()
    assert app.persona_outdated()
    app.build_persona(Progress())
    assert not app.persona_outdated()
    assert heard(app).line == "long sentences, mostly of 20 to 20 words; often ;; no emoji"
    assert len(shown(app)) == 2
    again = App(app.home, shelf=FakeModels(), vault=MemoryVault(working=False))
    again.unlock("correct horse battery", writing=False)
    try:
        assert heard(again) == heard(app)
    finally:
        again.close()


def test_how_well_the_voice_is_known_is_measured_where_others_write_too(
    app: App, tmp_path: Path
) -> None:
    app.build_persona(Progress())
    assert app.voice_told_apart() is None  # a diary alone tells it from nobody
    lines = [
        f"{day:02}/{month:02}/2024, 10:0{n} - {who}: {said} {month} {day}"
        for month in range(1, 7)
        for day in range(1, 25)
        for n, (who, said) in enumerate(
            (
                ("Quill", "I sat by the window, and so to bed, glad of it, with no more to say of"),
                ("Bob", "lol yeah gonna check out this super cool thing later guys, maybe at"),
            )
        )
    ]
    (tmp_path / "WhatsApp Chat with Bob.txt").write_text("\n".join(lines))
    app.add_me("Quill")
    app.import_(tmp_path / "WhatsApp Chat with Bob.txt", vectors=False, progress=Progress())
    app.build_persona(Progress())
    found = app.voice_told_apart()
    assert found is not None
    assert found.others == 1
    assert found.balanced > 0.8


def test_a_profile_built_before_there_was_a_voice_is_built_again(app: App) -> None:
    app.build_persona(Progress())
    with app._store().base.write() as db:
        db.execute("DELETE FROM facts WHERE name = 'voice'")
    assert app.persona_outdated()


def test_the_clone_of_a_day_sounds_by_nothing_written_later(app: App) -> None:
    app.build_persona(Progress())
    for number in (3, 8, 15):
        day = FIRST + timedelta(days=31 * number)
        assert shown(app, at=day.isoformat())
        assert max(shown(app, at=day.isoformat())) <= number
    assert heard(app, at="2023-12-31") == Sound(heard(app).line)


def test_exemplars_of_removed_entries_vanish_at_once(app: App) -> None:
    app.build_persona(Progress())
    gone = shown(app)
    for number in gone:
        day = FIRST + timedelta(days=31 * number)
        app.remove(
            Removal(since=day.isoformat(), until=(day + timedelta(days=1)).isoformat()), Progress()
        )
    assert shown(app)
    assert not set(shown(app)) & set(gone)
    app.remove(Removal(since="2000-01-01", until="2030-01-01"), Progress())
    assert heard(app).exemplars == ()


def test_no_exemplar_speaks_of_what_the_user_asked_to_forget(app: App) -> None:
    app.build_persona(Progress())
    first = shown(app)
    app.forget_topic(WORDS[first[0]])
    assert first[0] not in shown(app)


def test_friends_and_strangers_hear_no_private_exemplar(app: App) -> None:
    app.build_persona(Progress())
    first = shown(app)
    assert shown(app, audience=Audience.FRIEND) == first  # type: ignore[arg-type]
    assert heard(app, Audience.PUBLIC) == Sound(heard(app).line)
    app.mark_private("topic", WORDS[first[0]])
    assert first[0] not in shown(app, audience=Audience.FRIEND)  # type: ignore[arg-type]
    app.mark_private("medium", "diary")
    assert heard(app, Audience.FRIEND) == Sound(heard(app).line)


def sent(app: App) -> list[str]:
    prompts = app._models().chat().prompts  # type: ignore[attr-defined]
    return [message.text for message in prompts[-1]]


def test_a_talk_reopened_after_a_restart_goes_on_with_the_same_front(app: App) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    first = last(app, "Where did I sit with the amber, by the window?")
    front = sent(app)[0]
    sound = heard(app)
    assert front.startswith(instructions(app._store().usual_author()))
    assert f"How you write: {sound.line}." in front
    assert all(each in front for each in sound.exemplars)
    app.restart_models()
    last(app, "And with the willow, by the window?", conversation=first.conversation)
    assert sent(app)[0] == front
    assert sent(app)[1] == "Where did I sit with the amber, by the window?"
    assert sent(app)[3].endswith("And with the willow, by the window?")


def test_a_turn_set_apart_reads_nothing_of_the_talk_which_then_goes_on_whole(app: App) -> None:
    app.build_persona(Progress())
    asked = [f"Where did I sit with the {word}, by the window?" for word in WORDS[1:5]]
    talk = last(app, asked[0]).conversation
    private = sent(app)[0]
    last(app, asked[1], conversation=talk, audience=Audience.FRIEND)
    assert asked[0] not in "\n".join(sent(app))
    last(app, asked[2], conversation=talk, at="2024-06-01")
    assert not any(each in "\n".join(sent(app)) for each in asked[:2])
    last(app, asked[3], conversation=talk)
    assert sent(app)[0] == private
    assert all(each in "\n".join(sent(app)) for each in asked)


def test_what_was_answered_by_quotation_first_is_told_to_the_model_later(app: App) -> None:
    app.build_persona(Progress())
    first = last(app, "Where did I sit with the amber, by the window?", dial=Dial.QUOTES)
    assert not app._models().chat().prompts  # type: ignore[attr-defined]
    last(app, "And with the willow, by the window?", conversation=first.conversation)
    assert "Where did I sit with the amber, by the window?" in sent(app)
    assert any(each.startswith("On 1 January 2024 I wrote:") for each in sent(app))


class Filed(FakeChat):
    """A model that is read from a file, so that it can be tried."""

    path = Path(__file__)


@pytest.mark.parametrize(
    ("able", "told"),
    [(None, False), (Ability(0, 6), False), (Ability(4, 6), False), (Ability(5, 6), True)],
)
def test_only_a_model_that_reads_well_is_told_how_the_user_sounds(
    app: App, able: Ability | None, told: bool
) -> None:
    app.build_persona(Progress())
    chat = Filed("I sat by the window.")
    app._shelf = FakeModels(chat=chat)
    if able is not None:
        app._writer().set_fact(_fact(chat), able.kept())
    last(app, "Where did I sit with the amber, by the window?", dial=Dial.FREE)
    assert (heard(app).line in sent(app)[0]) is told
    assert sum(each in sent(app)[0] for each in heard(app).exemplars) == (2 if told else 0)


def test_the_digest_of_the_clone_of_a_day_knows_nothing_later(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "2024-02-01.md").write_text("I love jazz.")
    (folder / "2025-02-01.md").write_text("I love opera.")
    app.import_(folder, vectors=False, progress=Progress())
    app.build_persona(Progress())
    app.accept_lines()

    def told(by: date | None) -> str:
        return app.persona_digest(len, before=by) + app.persona_digest(
            lambda text: len(text) // 9, before=by
        )

    assert "jazz" in told(None)
    assert "opera" in told(None)
    assert "jazz" in told(date(2024, 3, 1))
    assert "jazz" in told(date(2024, 2, 2))
    assert "jazz" not in told(date(2024, 2, 1))
    assert "opera" not in told(date(2024, 3, 1))
    jazz = next(each.id for each in app.persona_lines() if "jazz" in each.line.text)
    app.edit_line(jazz, "I love jazz, since 2025 above all")
    assert "jazz" not in told(date(2024, 3, 1))


@pytest.mark.parametrize(
    ("at", "known"),
    [
        ("2024-02-01", True),
        ("2024-02-01T09:00", False),
        ("2024-02-02T09:00", True),
        ("2024-02", True),
    ],
)
def test_a_moment_before_a_days_end_knows_no_line_of_that_day(
    app: App, tmp_path: Path, at: str, known: bool
) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "2024-02-01.md").write_text("I love jazz.")
    app.import_(folder, vectors=False, progress=Progress())
    app.build_persona(Progress())
    app.accept_lines()
    assert ("jazz" in app._digest(Audience.PRIVATE, Marks(), app.cutoff(at))) is known


def test_a_question_reads_the_private_marks_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    reads: list[int] = []
    marked = Lines.marked
    monkeypatch.setattr(Lines, "marked", lambda lines: reads.append(1) or marked(lines))
    last(app, "Where did I sit with the amber, by the window?")
    assert len(reads) == 1


def test_the_digest_is_300_tokens_at_most(app: App) -> None:
    app.build_persona(Progress())
    app.accept_lines()
    assert len(app.persona_digest(lambda text: len(text) // 4)) // 4 <= DIGEST_TOKENS


def test_without_a_cutoff_nothing_from_the_future_is_used(app: App) -> None:
    app.build_persona(Progress())
    early = app.voice(Audience.PRIVATE, Marks(), Cutoff(datetime(2024, 1, 15, tzinfo=UTC)))
    assert [word for word in WORDS if word in " ".join(early.exemplars)] == [WORDS[0]]
