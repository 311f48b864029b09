"""What is asked badly, or of a memory that is empty or damaged, is answered all the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Mode
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

DAYS = {
    "2024-09-01": "Rain all day.",
    "2024-09-03": "The zeppelin came down in our field behind the house.",
    "2024-09-04": "Nothing more of note.",
}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="UTC")
    yield made
    made.close()


@pytest.fixture
def app(empty: App, tmp_path: Path) -> App:
    (tmp_path / "diary").mkdir()
    for day, text in DAYS.items():
        (tmp_path / "diary" / f"{day}.md").write_text(text)
    empty.import_(tmp_path / "diary", progress=Progress())
    empty.finish_vectors(Progress())
    return empty


def answered(app: App, question: str) -> Answer:
    last = [*app.ask(question, progress=Progress())][-1]
    assert isinstance(last, Answer)
    return last


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_no_question_gets_no_evidence(app: App, question: str) -> None:
    answer = answered(app, question)
    assert (answer.mode, answer.sources) == (Mode.NONE, ())


def test_an_empty_memory_never_wrote_of_anything(empty: App) -> None:
    answer = answered(empty, "Where did the zeppelin come down?")
    assert (answer.mode, answer.sources) == (Mode.NONE, ())
    assert answer.text == "I never wrote about that."
    assert empty.search("zeppelin") == ()


def test_ten_thousand_characters_are_answered_from_what_they_speak_of(app: App) -> None:
    answer = answered(app, "Where did the zeppelin come down in our field? " * 213)
    assert answer.sources[0].quote == DAYS["2024-09-03"]


def test_a_damaged_index_leaves_words_until_it_is_made_anew(app: App) -> None:
    for file in (app.home / "index" / "passages.lance" / "data").iterdir():
        file.write_bytes(file.read_bytes()[:40])
    answer = answered(app, "Where did the zeppelin come down?")
    assert answer.sources[0].quote == DAYS["2024-09-03"]
    assert {name for hit in app.search("zeppelin") for name in hit.found_by} == {"words"}
    assert app.doctor()["index"] == "damaged"
    app.finish_vectors(Progress())
    assert "meaning" in app.search("zeppelin")[0].found_by
    assert app.doctor()["index"] != "damaged"
