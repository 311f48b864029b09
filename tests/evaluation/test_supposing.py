"""The arm for which a language model writes a line as the diary might say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING
from clone_app.errors import CloneAppError
from clone_app.evaluation.arms import ARMS
from clone_app.models.fakes import FakeChat
from clone_app.persona.supposed import TOKENS
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

from .conftest import Writer, life, new_app, plan

NOTES = {
    "flat": "The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
    "cello cost": "I bought a second-hand cello for 300 pounds. My brother carried it home.",
    "choir": "Ana left the choir because the rehearsals are too late for her.",
    "sugar": "I gave up sugar in my coffee. The first week was dreadful and then it was easy.",
}


class Reads(FakeChat):
    """Read the notes of the test right, and suppose the same line for every question."""

    def __init__(self, line: str = "Walked along the harbour, gulls everywhere.") -> None:
        super().__init__()
        self.line = line

    @property
    def supposed(self) -> list[str]:
        """The questions a line was asked for."""
        asked = zip(self.prompts, self.samplings, strict=True)
        return [prompt[-1].text for prompt, sampling in asked if sampling.max_tokens == TOKENS]

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        text = messages[-1].text
        told = (note for word, note in NOTES.items() if word in text.rpartition("\n")[2])
        self._replies = [self.line if sampling.max_tokens == TOKENS else next(told, "Nothing.")]
        return super().stream(messages, sampling, progress)


@pytest.fixture
def reads(tmp_path: Path) -> Iterator[tuple[App, Reads]]:
    chat = Reads()
    app = new_app(tmp_path / "reads", chat)
    yield app, chat
    app.close()


def test_it_is_run_only_where_it_is_chosen() -> None:
    (arm,) = (each for each in ARMS if each.supposes)
    assert arm.name == "supposing"
    assert arm.retrieves
    assert arm.name not in RETRIEVING
    assert arm.recipe["supposed"] == 0.5


def test_each_question_is_supposed_once_and_the_run_says_by_which_model(
    reads: tuple[App, Reads], life_file: Writer
) -> None:
    app, chat = reads
    arms = ("situations", "supposing")
    report = app.evaluate(plan(life_file(life()), arms=arms), Progress())
    assert len(chat.supposed) == 4
    assert sum("red bicycle" in text for text in chat.supposed) == 1
    assert report.run.facts["supposing"]["model"] == "fake-chat"
    found = {each.question: each.found for each in report.arm("supposing").answers}
    plain = {each.question: each.found for each in report.arm("situations").answers}
    # What the line is like stands higher, where it could be seen: q1 is asked before it was written.
    assert found["q4"].index("t5") < plain["q4"].index("t5")
    assert "t5" not in found["q1"]


def test_without_that_arm_nobody_is_asked_for_a_line(
    reads: tuple[App, Reads], life_file: Writer
) -> None:
    app, chat = reads
    report = app.evaluate(plan(life_file(life()), arms=("situations",)), Progress())
    assert chat.prompts == []
    assert "supposing" not in report.run.facts


def test_a_model_that_invents_freely_is_not_asked(tmp_path: Path, life_file: Writer) -> None:
    chat = FakeChat(*["I flew to Mars."] * 8)
    app = new_app(tmp_path / "invents", chat)
    with pytest.raises(CloneAppError, match=r"leave out the arm “supposing”\.$"):
        app.evaluate(plan(life_file(life()), arms=("supposing",)), Progress())
    assert all(each.max_tokens != TOKENS for each in chat.samplings)
    app.close()


def test_how_long_it_takes_is_told_beforehand(reads: tuple[App, Reads], life_file: Writer) -> None:
    app, chat = reads
    told = app.estimate_run(plan(life_file(life()), arms=("supposing",)), Progress())
    assert told.answers == 8
    assert len(chat.supposed) == 1
