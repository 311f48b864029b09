"""The fakes keep a model's promises, so that a test on them means something."""

from __future__ import annotations

import numpy as np
import pytest

from clone_app.errors import Cancelled
from clone_app.models.fakes import FakeChat, FakeEmbedder, FakeModels
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

ASK = [
    Message("system", "Be brief."),
    Message("user", "- 3 May: Other.\n- 4 September: I buried the parmesan cheese.\n\nWhere?"),
]


def test_vectors_are_unit_float32_and_the_same_everywhere() -> None:
    vectors = FakeEmbedder().embed(["The fire reached the Tower.", "", "日本"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, 64)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.flatnonzero(vectors[1]).tolist() == [0]
    again = FakeEmbedder().embed(["The fire reached the Tower."])
    np.testing.assert_array_equal(again[0], vectors[0])


def test_texts_that_share_words_are_nearer_than_those_that_do_not() -> None:
    base, near, spelled, far = FakeEmbedder().embed(
        [
            "We buried the cheese in the garden",
            "in the garden the cheese was buried",
            "We burried the cheeses in our garden",
            "My accounts are settled with the Exchequer",
        ]
    )
    assert base @ near > 0.75
    assert base @ spelled > 0.4
    assert base @ far < 0.3


def test_no_texts_give_no_vectors() -> None:
    assert FakeEmbedder().embed([]).shape == (0, 64)


def test_without_a_script_the_last_note_comes_back_word_by_word() -> None:
    chat = FakeChat()
    pieces = list(chat.stream(ASK, Sampling(), Progress()))
    assert pieces == ["I", " buried", " the", " parmesan", " cheese."]
    assert chat.prompts == [tuple(ASK)]


def test_without_notes_the_reply_says_so() -> None:
    pieces = FakeChat().stream([Message("user", "Where?")], Sampling(), Progress())
    assert "".join(pieces) == "I did not write about that."


def test_scripted_replies_come_in_turn_and_then_the_notes() -> None:
    chat = FakeChat("One two.", "Three.")
    replies = ["".join(chat.stream(ASK, Sampling(), Progress())) for _ in range(3)]
    assert replies == ["One two.", "Three.", "I buried the parmesan cheese."]


def test_a_reply_is_no_longer_than_asked_for() -> None:
    chat = FakeChat("one two three")
    assert list(chat.stream(ASK, Sampling(max_tokens=2), Progress())) == ["one", " two"]
    assert chat.samplings == [Sampling(max_tokens=2)]


def test_a_cancel_stops_before_the_next_word() -> None:
    progress = Progress()
    stream = FakeChat("one two three").stream(ASK, Sampling(), progress)
    assert next(stream) == "one"
    progress.cancel()
    with pytest.raises(Cancelled):
        next(stream)


def test_what_happens_before_a_word_is_the_tests_to_say() -> None:
    def fall(number: int) -> None:
        if number == 1:
            raise OSError

    stream = FakeChat("one two", before_word=fall).stream(ASK, Sampling(), Progress())
    assert next(stream) == "one"
    with pytest.raises(OSError):  # noqa: PT011 - the very one raised above
        next(stream)


def test_fake_models_note_what_is_asked_of_them() -> None:
    models = FakeModels(FakeChat("Yes.", name="scripted"))
    models.restart()
    models.close()
    assert models.chat_name() == models.chat().name == "scripted"
    assert (models.restarts, models.closed) == (1, True)
    assert models.chat().count("Yes, it is.") == 5
