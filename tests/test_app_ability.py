"""A model from a file is tried once; one that invents is left to quotations, unless it is set free."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Mode
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels
from clone_app.progress import Progress

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "Who broke the blue lamp?"
FAILED = "this model failed its reading test"


class FiledChat(FakeChat):
    """A fake that says it was read from a file."""

    def __init__(self, path: Path, *replies: str) -> None:
        super().__init__(*replies, name=path.stem)
        self.path = path


def opened(tmp_path: Path, chat: FakeChat) -> App:
    app = App(
        tmp_path / "profile",
        now=lambda: NOW,
        shelf=FakeModels(chat),
        vault=MemoryVault(working=False),
    )
    app.create("correct horse battery", home_zone="UTC")
    (tmp_path / "2024-03-01.md").write_text("The van cost 300 euros and Robin broke the blue lamp.")
    app.import_(tmp_path / "2024-03-01.md", progress=Progress())
    return app


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF, as far as a fake cares")
    return path


@pytest.fixture
def inventing(tmp_path: Path, weights: Path) -> Iterator[App]:
    app = opened(tmp_path, FiledChat(weights, *["I flew to Mars."] * 20))
    yield app
    app.close()


def answered(app: App) -> Answer:
    last = list(app.ask(QUESTION, progress=Progress()))[-1]
    assert isinstance(last, Answer)
    return last


def test_the_first_answer_does_not_wait_for_the_test(inventing: App) -> None:
    assert inventing.model_untried()
    first = answered(inventing)
    assert first.model == "tiny"
    assert first.reason == "your entries don't carry what the model drafted"
    assert inventing.ability() is None


def test_a_model_that_invents_is_asked_no_more_and_the_answer_says_why(inventing: App) -> None:
    assert str(inventing.try_model(Progress())) == "reads 0 of 6 test notes right"
    assert not inventing.model_untried()
    answer = answered(inventing)
    assert answer.mode is Mode.QUOTE
    assert answer.model == ""
    assert answer.reason == FAILED
    assert inventing.turns(answer.conversation or 0)[0].answer == answer
    assert inventing.doctor()["language model"] == (
        "tiny reads 0 of 6 test notes right: answers are quotations"
    )


def test_who_wants_the_models_own_words_gets_them_all_the_same(inventing: App) -> None:
    inventing.try_model(Progress())
    inventing.change_settings(answer_style="free")
    assert answered(inventing).mode is Mode.FREE
    inventing.change_settings(answer_style="quotes")
    assert answered(inventing).reason == ""


def test_other_weights_under_the_same_name_are_tried_anew(inventing: App, weights: Path) -> None:
    inventing.try_model(Progress())
    weights.write_bytes(b"GGUF of other weights")
    assert inventing.model_untried()


def test_a_model_that_reads_goes_on_drafting(tmp_path: Path, weights: Path) -> None:
    told = (
        "The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
        "I bought a second-hand cello for 300 pounds, and my brother carried it home.",
        "Ana left because the rehearsals are too late for her.",
    )
    app = opened(tmp_path, FiledChat(weights, *told, *["I flew to Mars."] * 4))
    assert str(app.try_model(Progress())) == "reads 3 of 6 test notes right"
    assert answered(app).model == "tiny"
    assert app.doctor()["language model"] == "tiny reads 3 of 6 test notes right: it drafts"
    app.close()


def test_a_model_that_is_no_file_is_taken_at_its_word(tmp_path: Path) -> None:
    app = opened(tmp_path, FakeChat())
    assert not app.model_untried()
    app.try_model(Progress())
    assert app.ability() is None
    assert app.doctor()["language model"] == "fake-chat, not tried yet"
    app.close()
