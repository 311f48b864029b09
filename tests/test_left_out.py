"""What is left out of the clone takes no part in its answers; what is private reaches nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Mode
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels
from clone_app.persona.declined import LEFT_OUT
from clone_app.persona.document import Audience
from clone_app.progress import Progress

DAYS = {
    "2023-12-24": "Christmas Eve. The goose burned.",
    "2024-03-01": "I drink strong coffee. Set type for the almanac with Tom.",
    "2024-03-08": "I love strong coffee. My heart raced. Mended the press with Tom.",
    "2024-03-15": "Coffee at the harbour. My heart raced again.",
    "2024-03-22": "The heart is dull! I see Tom at the harbour. My heart raced.",
}
OTHERWISE = "left out of me, as you wished; that is changed in About me"


@pytest.fixture
def chat() -> FakeChat:
    return FakeChat()


@pytest.fixture
def app(tmp_path: Path, chat: FakeChat) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(chat),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    folder = tmp_path / "life"
    folder.mkdir()
    for day, text in DAYS.items():
        (folder / f"{day}.md").write_text(text)
    made.import_(folder, vectors=False, progress=Progress())
    made.build_persona(Progress())
    made.accept_lines()
    yield made
    made.close()


def asked(
    app: App,
    question: str,
    *,
    conversation: int | None = None,
    audience: Audience = Audience.PRIVATE,
) -> Answer:
    *_, answer = app.ask(
        question, conversation=conversation, audience=audience, progress=Progress()
    )
    assert isinstance(answer, Answer)
    return answer


def said(answer: Answer) -> str:
    """Return what is told and shown, without the question."""
    return repr((answer.text, answer.sources)).casefold()


def test_asked_straight_the_user_is_told_that_it_is_left_out_and_where_that_is_changed(
    app: App, chat: FakeChat
) -> None:
    assert "coffee" in said(asked(app, "Do you drink coffee?"))
    gone = app.forget_topic("coffee")
    chat.prompts.clear()
    answer = asked(app, "Do you drink coffee?")
    assert OTHERWISE in answer.text
    assert (answer.sources, len(answer.sentences), answer.reason) == ((), 1, LEFT_OUT)
    assert chat.prompts == []
    app.bring_back(gone)
    assert "strong coffee" in said(asked(app, "Do you drink coffee?"))


def test_no_answer_prompt_or_digest_holds_it_while_the_rest_of_its_entries_does(
    app: App, chat: FakeChat
) -> None:
    assert "coffee" in app.persona_digest(len)
    app.forget_topic("coffee")
    chat.prompts.clear()
    answer = asked(app, "What do you do with Tom?")
    assert "almanac" in said(answer)
    assert "coffee" not in said(answer)
    assert chat.prompts
    assert "coffee" not in repr(chat.prompts).casefold()
    assert "coffee" not in app.persona_digest(len)


def test_search_and_memories_still_find_it(app: App) -> None:
    before = app.search("coffee")
    app.forget_topic("coffee")
    assert app.search("coffee") == before
    assert any("strong coffee" in hit.item.text for hit in before)


def test_what_was_said_of_it_before_is_not_told_the_model_again(app: App, chat: FakeChat) -> None:
    first = asked(app, "Do you drink coffee?")
    app.forget_topic("coffee")
    chat.prompts.clear()
    asked(app, "What do you do with Tom?", conversation=first.conversation)
    assert chat.prompts
    assert "coffee" not in repr(chat.prompts).casefold()


def test_a_follow_up_on_it_is_told_the_same(app: App) -> None:
    app.forget_topic("coffee")
    first = asked(app, "Do you drink coffee?")
    assert OTHERWISE in asked(app, "And why?", conversation=first.conversation).text
    assert OTHERWISE not in asked(app, "Who is Tom?", conversation=first.conversation).text


@pytest.mark.parametrize("audience", [Audience.FRIEND, Audience.PUBLIC])
def test_others_are_answered_as_of_what_was_never_written(app: App, audience: Audience) -> None:
    app.forget_topic("coffee")
    left_out = asked(app, "Do you like coffee?", audience=audience)
    unknown = asked(app, "Do you like zebras?", audience=audience)
    assert left_out.mode is unknown.mode is Mode.NONE
    assert left_out.text == unknown.text
    assert left_out.reason == ""
    assert "coffee" not in said(left_out)


def test_a_friend_hears_nothing_of_a_private_line_and_all_else_of_the_same_entries(
    app: App,
) -> None:
    (heart,) = [each for each in app.persona_lines() if each.line.text.startswith("Heart")]
    answer = asked(app, "How is your heart?", audience=Audience.FRIEND)
    assert answer.abstained
    assert "heart" not in said(answer)
    tom = said(asked(app, "Where do you see Tom?", audience=Audience.FRIEND))
    assert "i see tom at the harbour" in tom
    assert "heart" not in tom
    found = app.withheld(Progress())
    assert (found.friend, found.partly) == (0, 3)
    app.keep_line_private(heart.id, private=False)
    assert app.withheld(Progress()).partly == 0
    assert "dull" in said(asked(app, "How is your heart?", audience=Audience.FRIEND))
    app.forget_topic("heart")
    app.forget_topic("coffee")  # with both, nothing of one entry is left
    after = app.withheld(Progress())
    assert (after.friend, after.partly) == (1, 3)


def test_others_are_not_told_in_which_year_christmas_was_written_about(app: App) -> None:
    def shown(audience: Audience) -> list[tuple[str, str]]:
        answer = asked(app, "How did you spend Christmas?", audience=audience)
        return [(each.phrase, each.start[:4]) for each in answer.times]

    assert shown(Audience.PRIVATE) == [("Christmas", "2023")]
    assert shown(Audience.FRIEND) == [("Christmas", "")]
