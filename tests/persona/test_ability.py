"""A model is measured once: can it answer from notes, or does it invent?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from clone_app.entries import Dial
from clone_app.errors import Cancelled, ModelError
from clone_app.persona.ability import Ability, Effect, measure
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling
from clone_app.settings import AnswerStyle


class Writes:
    """A model that answers each question with the sentences given for a word in it."""

    name = "writes"
    context = 2048

    def __init__(self, **replies: str) -> None:
        self.replies = replies
        self.read: list[str] = []

    def load(self, progress: Progress) -> None:
        progress.check()

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        self.read.append("\n".join(each.text for each in messages))
        question = messages[-1].text.rpartition("\n")[2]
        yield next(
            (reply for word, reply in self.replies.items() if word in question), "I flew to Mars."
        )


HONEST = Writes(
    flat="The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
    carried="I bought a second-hand cello for 300 pounds, and my brother carried it home.",
    choir="Ana left because the rehearsals are too late for her.",
    sugar="I gave up sugar in my coffee. The first week was dreadful and then it was easy.",
    reservoir="No, my brother can't swim and stayed on the bank with the coats.",
    music="A girl from the music school came for the cello and paid 340 pounds.",
)


def measured(chat: Writes, *, fresh: bool = False) -> Ability:
    return measure(chat, clock=lambda: 0.0, progress=Progress(), fresh=fresh)


def score(ability: Ability) -> tuple[int, int]:
    return ability.answered, ability.asked


def effect(ability: Ability, dial: Dial) -> tuple[int, int, int]:
    """Return how many answers were right, how many of how many sentences were carried."""
    found = ability.effect(dial)
    assert found is not None
    assert found.asked == 6
    return found.right, found.carried, found.sentences


def test_a_model_that_tells_what_the_notes_say_may_use_its_own_words() -> None:
    assert score(measured(HONEST)) == (6, 6)
    assert measured(HONEST).style is AnswerStyle.CHECKED


def test_a_model_that_invents_is_left_to_quotations() -> None:
    assert score(measured(Writes())) == (0, 6)
    assert measured(Writes()).style is AnswerStyle.QUOTES
    liar = Writes(
        carried="The cello cost 900 pounds.",
        choir="Ana never left the choir.",
        reservoir="Yes, he did.",
        music="The retired postman came for the cello and paid 300 pounds.",
    )
    assert score(measured(liar)) == (0, 6)


def test_what_another_note_says_is_no_answer() -> None:
    astray = Writes(music="I bought a second-hand cello for 300 pounds from a retired postman.")
    assert score(measured(astray)) == (0, 6)


def test_each_stop_of_the_dial_has_what_it_made_of_the_test() -> None:
    half = Writes(
        flat="The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
        carried="I bought a second-hand cello for 300 pounds, and my brother carried it home.",
        choir="Ana left because the rehearsals are too late for her.",
    )
    found = measured(half)
    assert effect(found, Dial.FREE) == (3, 3, 6)  # three inventions are shown as well
    assert effect(found, Dial.CHECKED)[0] == 6  # in their place the right notes are quoted
    right, carried, sentences = effect(found, Dial.QUOTES)
    assert (right, carried) == (6, sentences)
    assert found.effect(Dial.FRESH) is None  # asked only where it is wanted


def test_a_model_that_failed_is_left_to_quotations_and_so_is_what_checked_did() -> None:
    found = measured(Writes())
    assert effect(found, Dial.FREE) == (0, 0, 6)
    assert effect(found, Dial.CHECKED) == effect(found, Dial.QUOTES)
    assert effect(found, Dial.CHECKED)[0] == 6


def test_without_notes_the_model_reads_none_and_what_it_says_is_judged_by_them() -> None:
    guesses = Writes(
        flat="The flat at Harrow Lane has four rooms and a lemon tree on the stairs.",
    )
    found = measured(guesses, fresh=True)
    assert effect(found, Dial.FRESH) == (1, 1, 6)
    told, bare = guesses.read[:6], guesses.read[6:]
    secrets = ("lemon", "300", "rehearsals", "dreadful", "coats", "340")
    assert all(secret in text for secret, text in zip(secrets, told, strict=True))
    assert len(bare) == 6
    for text in bare:
        for secret in (*secrets, "notes"):
            assert secret not in text


def test_the_seconds_of_an_answer_are_those_of_the_clock() -> None:
    ticks = iter(range(100))
    found = measure(HONEST, clock=lambda: float(next(ticks)), progress=Progress())
    assert found.effect(Dial.CHECKED) is not None
    assert [each.seconds for each in found.effects] == [1.0, 1.0, 1.0]


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
    assert Ability.read('{"answered": 1}') is None


def test_what_the_stops_made_of_it_is_kept_with_it() -> None:
    effect = Effect(dial=Dial.FREE, right=1, asked=4, carried=3, sentences=8, seconds=1.25)
    assert Ability.read(Ability(1, 4, (effect,)).kept()) == Ability(1, 4, (effect,))


def test_the_measuring_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        measure(HONEST, clock=lambda: 0.0, progress=progress)
