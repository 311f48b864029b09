"""A model is measured once: can it answer from notes, or does it invent?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from clone_app.errors import Cancelled, ModelError
from clone_app.persona.ability import Ability, measure
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling
from clone_app.settings import AnswerStyle


class Writes:
    """A model that answers each question with the sentences given for a word in it."""

    name = "writes"
    context = 2048

    def __init__(self, **replies: str) -> None:
        self.replies = replies

    def load(self, progress: Progress) -> None:
        progress.check()

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        question = messages[-1].text.rpartition("\n")[2]
        yield next(
            (reply for word, reply in self.replies.items() if word in question), "I flew to Mars."
        )


HONEST = Writes(
    flat="The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
    cello="I bought a second-hand cello for 300 pounds, and my brother carried it home.",
    choir="Ana left the choir because the rehearsals are too late for her.",
    sugar="I gave up sugar in my coffee. The first week was dreadful and then it was easy.",
)


def measured(chat: Writes) -> Ability:
    return measure(chat, clock=lambda: 0.0, progress=Progress())


def test_a_model_that_tells_what_the_notes_say_may_use_its_own_words() -> None:
    assert measured(HONEST) == Ability(4, 4)
    assert measured(HONEST).style is AnswerStyle.CHECKED


def test_a_model_that_invents_is_left_to_quotations() -> None:
    assert measured(Writes()) == Ability(0, 4)
    assert measured(Writes()).style is AnswerStyle.QUOTES
    liar = Writes(cello="The cello cost 900 pounds.", choir="Ana never left the choir.")
    assert measured(liar) == Ability(0, 4)


def test_what_does_not_run_is_not_measured() -> None:
    class Broken(Writes):
        def load(self, progress: Progress) -> None:
            raise ModelError("Gone. Restart it.")

    with pytest.raises(ModelError, match="Gone"):
        measured(Broken())


def test_what_was_measured_is_kept_as_a_person_reads_it() -> None:
    assert str(Ability(1, 4)) == "reads 1 of 4 test notes right"
    assert Ability.read("reads 1 of 4 test notes right") == Ability(1, 4)
    assert Ability.read("") is None


def test_the_measuring_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        measure(HONEST, clock=lambda: 0.0, progress=progress)
