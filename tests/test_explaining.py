"""Why something was found: over the program's core and on the command line; what recall bears."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.entries import Answer
from clone_app.errors import CloneAppError, ModelError
from clone_app.keys import MemoryVault
from clone_app.memory.reasons import Verdict
from clone_app.models.catalogue import EMBEDDER
from clone_app.models.fakes import FakeEmbedder, FakeModels
from clone_app.progress import Progress

DAYS = {
    "2024-03-01": "We moved house today. The van cost 300 euros and Robin broke the blue lamp.",
    "2024-04-02": "I regret the move. The flat by the harbour is cold and the neighbours shout.",
    "2024-09-05": "去年春天我们去了海边，天气很好。",
}


class English(FakeEmbedder):
    """Go by the name of the embedder that comes along."""

    @property
    def name(self) -> str:
        return f"{EMBEDDER.name}@12345678"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in DAYS.items():
        (folder / f"{day}.md").write_text(text, "utf-8")
    return folder


@pytest.fixture
def app(tmp_path: Path, diary: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(embedder=English()),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    made.import_(diary, progress=Progress())
    yield made
    made.close()


def answered(app: App, question: str) -> Answer:
    last = list(app.ask(question, progress=Progress()))[-1]
    assert isinstance(last, Answer)
    return last


def number(app: App, word: str) -> int:
    (stored,) = app.items(text=word)
    return stored.id


def test_an_entry_says_why_it_was_found_or_not(app: App) -> None:
    told = app.why("Who broke the lamp?", number(app, "lamp"))
    assert told.verdict is Verdict.FOUND
    assert told.rank == 1
    assert {each.ranker for each in told.found} >= {"meaning", "words"}
    earlier = app.why("Who broke the lamp?", number(app, "lamp"), at="2024-02-01")
    assert earlier.verdict is Verdict.LATER


def test_a_follow_up_is_explained_with_what_was_asked_before(app: App) -> None:
    alone = app.why("And who broke it?", number(app, "lamp"))
    assert alone.words == ("broke",)
    told = app.why("And who broke it?", number(app, "lamp"), earlier=["Where is the blue lamp?"])
    assert set(told.words) == {"broke", "blue", "lamp"}


def test_an_entry_that_is_not_there_is_said(app: App) -> None:
    with pytest.raises(CloneAppError, match="There is no entry 99"):
        app.why("Who broke the lamp?", 99)


def test_an_answer_keeps_what_was_found_for_it(app: App) -> None:
    answer = answered(app, "Who broke the lamp?")
    assert answer.conversation is not None
    (turn,) = app.turns(answer.conversation)
    kept = app.found_for(turn.id)
    assert [each.place for each in kept] == list(range(1, len(kept) + 1))
    assert kept[0].item_id == number(app, "lamp")
    assert kept[0].found


def test_looking_twice_is_a_setting_and_kept_with_the_answer(app: App) -> None:
    app.change_settings(thorough=True)
    answer = answered(app, "Who broke the lamp?")
    assert answer.conversation is not None
    (turn,) = app.turns(answer.conversation)
    found = app.found_for(turn.id)
    assert "rerank" in {each.ranker for hit in found for each in hit.found}


def test_a_folder_without_a_reranker_is_not_kept(app: App, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"config\.json"):
        app.change_settings(reranker_model=str(tmp_path))
    assert app.settings.reranker_model == ""


def test_a_script_the_embedder_can_not_read_is_said_once_and_words_still_find(app: App) -> None:
    first = answered(app, "海边怎么样？")
    assert "reads English" in first.note
    assert [source.quote for source in first.sources][:1] == [DAYS["2024-09-05"]]
    assert "reads English" not in answered(app, "海边的天气怎么样？").note


def test_an_english_question_says_nothing_of_languages(app: App) -> None:
    assert "reads English" not in answered(app, "Who broke the lamp?").note


def test_an_embedder_of_other_dimensions_leaves_words_until_vectors_are_made(
    app: App, tmp_path: Path
) -> None:
    app.close()
    other = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(embedder=FakeEmbedder(32)),
        vault=MemoryVault(working=False),
    )
    other.unlock("correct horse battery")
    assert "lamp" in other.search("the blue lamp")[0].item.text
    assert other.search("the blue lamp")[0].cosine is None
    other.finish_vectors(Progress())
    assert other.search("the blue lamp")[0].cosine is not None
    other.close()


def test_the_command_says_it_in_words_and_as_json(run: Any, diary: Path) -> None:
    run("import", diary)
    lamp = next(item["id"] for item in run("items", "--json").json if "lamp" in item["text"])
    said = run("why", "Who broke the lamp?", lamp).out
    assert said.startswith("Found: it is number 1")
    assert "It holds words of the question" in said
    told = run("why", "Who broke the lamp?", lamp, "--json").json
    assert told["verdict"] == "found"
    assert told["words"] == ["broke", "lamp"]
    assert run("why", "Who broke the lamp?", 99).code == 1


def test_found_says_later_what_an_answer_had_found_and_through_what(run: Any, diary: Path) -> None:
    run("import", diary)
    assert "Nothing was asked yet." in run("found").out
    answer = run("ask", "Who broke the lamp?", "--json").json
    (talk,) = run("found", "--json").json
    assert (talk["conversation"], talk["question"]) == (
        answer["conversation"],
        "Who broke the lamp?",
    )
    assert "Who broke the lamp?" in run("found").out
    question, first, *_ = run("found", talk["conversation"]).out.splitlines()
    assert question == "Who broke the lamp?"
    assert first.startswith("   1. entry ")
    assert "its words" in first
    (kept,) = run("found", talk["conversation"], "--json").json
    assert kept["found"][0]["found"][0]["probe"] == "the question"
    assert run("found", 99).code == 1


def test_a_conversation_is_deleted_with_all_that_was_asked(app: App) -> None:
    *_, answer = app.ask("Where was the harbour?", progress=Progress())
    assert isinstance(answer, Answer)
    assert answer.conversation is not None
    app.delete_conversation(answer.conversation)
    assert app.conversations() == ()
    with pytest.raises(CloneAppError, match="There is no conversation"):
        app.turns(answer.conversation)
    with pytest.raises(CloneAppError, match="There is no conversation"):
        app.delete_conversation(answer.conversation)


def test_an_answer_whose_conversation_is_deleted_while_it_comes_is_kept_nowhere(app: App) -> None:
    events = app.ask("Where was the harbour?", progress=Progress())
    next(events)
    app.delete_conversation(app.conversations()[0][0])
    *_, answer = events
    assert isinstance(answer, Answer)
    assert app.conversations() == ()
