"""The starter model held to options: by a grammar, and by how likely each is."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from clone_app.errors import Cancelled, ModelError
from clone_app.models.catalogue import starter_chat
from clone_app.models.llama import LlamaChat
from clone_app.progress import Progress
from clone_app.protocols import Chooser, Message, Sampling

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("starter_models")]

CAPITAL = [
    Message("system", "You answer in one sentence."),
    Message("user", "What is the capital of France?"),
]
ANSWERS = ["The capital of France is Paris.", "The capital of France is Berlin.", "Bananas grow."]


@pytest.fixture(scope="module")
def chat() -> Iterator[LlamaChat]:
    model = LlamaChat(starter_chat().path, context=512)
    yield model
    model.close()


def say(chat: LlamaChat, sampling: Sampling) -> str:
    return "".join(chat.stream(CAPITAL, sampling, Progress()))


def test_the_likeliest_reply_is_the_true_one_whatever_was_asked_before(chat: LlamaChat) -> None:
    assert isinstance(chat, Chooser)
    found = chat.likelihoods(CAPITAL, ANSWERS, Progress())
    assert found[0] > found[1] > found[2]
    assert all(each < 0 for each in found)
    greedy = Sampling(max_tokens=12, temperature=0.0)
    before = say(chat, greedy)
    assert chat.likelihoods(CAPITAL, ANSWERS[::-1], Progress()) == pytest.approx(
        found[::-1], abs=0.01
    )
    assert say(chat, greedy) == before  # weighing left no trace in the cache


def test_an_empty_option_is_never_chosen_and_a_long_one_is_weighed(chat: LlamaChat) -> None:
    found = chat.likelihoods(CAPITAL, ["", "Paris. " * 2000], Progress())
    assert found[0] == -math.inf
    assert -20 < found[1] < 0


def test_a_reply_is_one_of_the_choices(chat: LlamaChat) -> None:
    for choices in (("A", "B", "C"), ('say "yes"', "back\\slash"), ("是", "否")):
        said = say(chat, Sampling(max_tokens=12, temperature=0.0, choices=choices))
        assert said in choices


def test_a_fresh_prompt_is_read_whole(chat: LlamaChat) -> None:
    say(chat, Sampling(max_tokens=4))
    say(chat, Sampling(max_tokens=4, fresh=True))
    assert chat.last_usage is not None
    assert chat.last_usage.prompt_tokens_read == chat.last_usage.prompt_tokens


def test_weighing_stops_and_says_what_does_not_fit(chat: LlamaChat) -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        chat.likelihoods(CAPITAL, ANSWERS, stopped)
    with pytest.raises(ModelError, match="The prompt takes"):
        chat.likelihoods([Message("user", "market " * 600)], ["a"], Progress())
