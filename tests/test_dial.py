"""The memory dial through the core and the command line: four stops, each kept with its answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Dial, Mode, SourcesFound
from clone_app.errors import ModelError
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels
from clone_app.persona.document import Audience
from clone_app.progress import Progress

QUESTION = "Who broke the blue lamp?"
SECRETS = ("Robin", "lamp was", "sister", "Bridie", "Quill")
LIFE = "My sister Bridie came. Robin broke the blue lamp was what she saw. I love jazz."


class Filed(FakeChat):
    """A fake that says it was read from a file, so that what it can is kept."""

    def __init__(self, path: Path, *replies: str) -> None:
        super().__init__(*replies, name=path.stem)
        self.path = path


@pytest.fixture
def chat(tmp_path: Path) -> FakeChat:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF, as far as a fake cares")
    return Filed(path)


@pytest.fixture
def app(tmp_path: Path, chat: FakeChat) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(chat),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    made.add_me("Quill")
    (tmp_path / "2024-03-01.md").write_text(LIFE)
    made.import_(tmp_path / "2024-03-01.md", progress=Progress())
    made.build_persona(Progress())
    made.accept_lines()
    yield made
    made.close()


def asked(app: App, question: str = QUESTION, **how: Any) -> Answer:
    *_, last = app.ask(question, progress=Progress(), **how)
    assert isinstance(last, Answer)
    return last


def read(chat: FakeChat) -> str:
    """Return all that reached the model."""
    return "\n".join(message.text for prompt in chat.prompts for message in prompt)


def test_at_fresh_nothing_of_memory_reaches_the_model(app: App, chat: FakeChat) -> None:
    asked(app)
    assert any(secret in read(chat) for secret in SECRETS)  # else this test could not fail
    chat.prompts.clear()
    for audience in Audience:
        for at in (None, "2024-03-05"):
            events = list(
                app.ask(QUESTION, dial=Dial.FRESH, audience=audience, at=at, progress=Progress())
            )
            assert SourcesFound(()) in events
            assert isinstance(events[-1], Answer)
            assert events[-1].mode is Mode.FRESH
            assert events[-1].sources == ()
    assert len(chat.prompts) == 6
    assert QUESTION in read(chat)
    assert "5 March 2024" in read(chat)
    for secret in SECRETS:
        assert secret not in read(chat)


def test_at_fresh_nothing_is_looked_up_or_noted_as_found(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("memory was looked at")

    for name in ("_recall", "persona_digest", "_meaning"):
        monkeypatch.setattr(app, name, never)
    answer = asked(app, dial=Dial.FRESH)
    (turn,) = app.turns(answer.conversation or 0)
    assert app.found_for(turn.id) == ()


def test_what_was_said_from_memory_is_not_told_to_the_model_alone_nor_the_other_way_round(
    app: App, chat: FakeChat
) -> None:
    first = asked(app)
    chat.prompts.clear()
    chat._replies[:] = ["Zebras did it.", "Zebras again."]
    for question in ("And who else?", "And then?"):
        asked(app, question, conversation=first.conversation, dial=Dial.FRESH)
    for secret in (*SECRETS, QUESTION):
        assert secret not in read(chat)
    assert [each.text for each in chat.prompts[1]][1:] == [
        "And who else?",
        "Zebras did it.",
        "And then?",
    ]
    chat.prompts.clear()
    asked(app, "Who broke it?", conversation=first.conversation)
    assert chat.prompts
    assert "Zebras" not in read(chat)
    assert QUESTION in read(chat)


def test_a_follow_up_at_fresh_does_not_change_what_a_later_one_is_looked_up_with(
    app: App, chat: FakeChat
) -> None:
    alone = asked(app, "What is a zebra?", dial=Dial.FRESH)
    chat.prompts.clear()
    asked(app, QUESTION, conversation=alone.conversation)
    assert "zebra" not in read(chat)


def test_every_answer_is_kept_with_its_stop(app: App, chat: FakeChat) -> None:
    chat._replies[:] = ["I flew to Mars."] * 3
    made = {dial: asked(app, dial=dial) for dial in Dial}
    assert {dial: answer.mode for dial, answer in made.items()} == {
        Dial.FRESH: Mode.FRESH,
        Dial.FREE: Mode.FREE,
        Dial.CHECKED: Mode.QUOTE,
        Dial.QUOTES: Mode.QUOTE,
    }
    for dial, answer in made.items():
        assert answer.dial is dial
        (turn,) = app.turns(answer.conversation or 0)
        assert turn.answer is not None
        assert turn.answer.dial is dial


def test_without_a_stop_the_settings_decide(app: App) -> None:
    assert asked(app).dial is Dial.CHECKED
    app.change_settings(answer_style="quotes")
    assert asked(app).dial is Dial.QUOTES
    assert asked(app, dial=Dial.FREE).mode is Mode.FREE


def test_a_model_that_failed_its_test_is_left_to_quotations_at_checked_alone(
    app: App, chat: FakeChat
) -> None:
    chat._replies[:] = ["I flew to Mars."] * 9
    app.try_model(Progress())
    checked = asked(app, dial=Dial.CHECKED)
    assert (checked.mode, checked.reason) == (Mode.QUOTE, "this model failed its reading test")
    assert asked(app, dial=Dial.FREE).mode is Mode.FREE
    assert asked(app, dial=Dial.FRESH).mode is Mode.FRESH


def test_without_a_model_fresh_is_no_quotation_but_a_sentence_that_says_what_to_do(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_chat", lambda: None)
    with pytest.raises(ModelError, match="Choose one in Preferences"):
        asked(app, dial=Dial.FRESH)


def test_what_the_stops_did_is_measured_once_and_kept_with_the_model(
    app: App, chat: FakeChat
) -> None:
    assert app.ability() is None
    app.try_model(Progress())
    tried = app.ability()
    assert tried is not None
    assert {effect.dial for effect in tried.effects} == {Dial.FREE, Dial.CHECKED, Dial.QUOTES}
    app.try_model(Progress(), fresh=True)
    full = app.ability()
    assert full is not None
    assert {effect.dial for effect in full.effects} == set(Dial)


def test_holding_an_answer_against_none_tells_the_model_nothing_either(
    app: App, chat: FakeChat
) -> None:
    app.without_memory(QUESTION, Progress(), at="2024-05-01")
    assert QUESTION in read(chat)
    assert "Today is 1 May 2024." in read(chat)  # as the answer it is held against
    for secret in SECRETS:
        assert secret not in read(chat)


def test_ask_takes_the_stop_and_says_with_which_it_was_answered(run: Any, tmp_path: Path) -> None:
    (tmp_path / "2024-03-01.md").write_text(LIFE)
    run("import", tmp_path / "2024-03-01.md")
    alone = run("ask", QUESTION, "--memory", "fresh")
    assert "nothing of your memory was looked at" in alone.out
    assert "(The clone's answer; memory fresh, fake-chat.)" in alone.out
    assert "[not in your entries]" not in alone.out
    quoted = run("ask", QUESTION, "--memory", "quotes", "--json").json
    assert (quoted["memory"], quoted["mode"]) == ("quotes", "quote")
    assert run("ask", QUESTION, "--json").json["memory"] == "checked"
    assert run("ask", QUESTION, "--memory", "much").code == 2


def test_the_stops_are_shown_with_what_was_measured_or_that_nothing_was(
    run: Any, tmp_path: Path
) -> None:
    (tmp_path / "2024-03-01.md").write_text(LIFE)
    run("import", tmp_path / "2024-03-01.md")
    shown = run("dial").out
    assert shown.count("not measured yet") == 4
    assert "`clone-app dial --measure`" in shown
    assert run("dial", "--json").json == dict.fromkeys(map(str, Dial))
    measured = run("dial", "--measure").out
    assert "not measured yet" not in measured
    only_mine = measured.splitlines()[-2]
    right, _, asked, *_ = only_mine.split()
    assert int(right) == int(asked) > 0
    assert "Measured with fake-chat on this machine" in measured
