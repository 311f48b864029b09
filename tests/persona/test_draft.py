"""A stream becomes sentences one by one, and stops when the model rambles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.persona.draft import Draft, without_yes


def run(text: str, *, size: int = 1, most: int = 5) -> list[str]:
    draft = Draft(most)
    said: list[str] = []
    for at in range(0, len(text), size):
        said += draft.add(text[at : at + size])
    return said + list(draft.finish())


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_sentences_come_alike_whatever_the_pieces(size: int) -> None:
    text = "I met Mr. Hill at 5 p.m. there. Then Sir W. Penn came! It cost 3.50 in all. Good."
    assert run(text, size=size) == [
        "I met Mr. Hill at 5 p.m. there.",
        "Then Sir W. Penn came!",
        "It cost 3.50 in all.",
        "Good.",
    ]


def test_a_sentence_is_given_as_soon_as_the_next_has_begun() -> None:
    draft = Draft()
    assert list(draft.add("I went home.")) == []
    assert list(draft.add(" Then I sl")) == ["I went home."]
    assert list(draft.add("ept.")) == []
    assert list(draft.finish()) == ["Then I slept."]


def test_what_breaks_off_is_dropped_unless_it_is_all() -> None:
    assert run("I went home. Then I wa") == ["I went home."]
    assert run("I went hom") == ["I went hom"]


def test_the_same_sentence_twice_is_said_once_and_a_third_time_ends_it() -> None:
    draft = Draft()
    said = list(draft.add("I ate. I ate. I ate. I ate. I walked away. And more. "))
    assert said == ["I ate."]
    assert draft.full


def test_no_more_than_so_many_sentences_are_taken() -> None:
    assert len(run("I ate. I saw. I came. I went. I sat. I ran. I lay. ", most=5)) == 5


@pytest.mark.parametrize(
    "turn", ["Question: What else?", "User: and?", "Notes k3v: more", "End of notes k3v."]
)
def test_a_model_that_plays_the_other_side_is_stopped(turn: str) -> None:
    draft = Draft()
    said = list(draft.add(f"I ate it all.\n{turn}\nI ate more. And more of it. "))
    assert said == ["I ate it all."]
    assert draft.full


def test_a_loop_inside_a_sentence_ends_the_draft_and_is_not_shown() -> None:
    draft = Draft()
    said = list(
        draft.add("I ate it all. It was a bit of a bit of a bit of a bit of a bit of a bit of")
    )
    assert said == ["I ate it all."]
    assert draft.full
    assert list(draft.finish()) == []


@pytest.mark.parametrize(
    "mark",
    ["<|im_end|>", "<|im_start|>user", "</s>", "<end_of_turn>", "[INST]", "<|eot_id|>", "<think>"],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_mark_of_a_chat_template_ends_the_draft_and_is_not_shown(mark: str, size: int) -> None:
    said = run(f"I ate it all.{mark}\nI flew to Mars. And back. ", size=size)
    assert said == ["I ate it all."]


def test_a_reply_that_is_nothing_but_marks_is_empty() -> None:
    assert run("<|im_start|>assistant<|im_end|>") == []


def test_output_without_an_end_is_cut() -> None:
    draft = Draft()
    said: list[str] = []
    for number in range(10_000):
        said += draft.add(f"word{number} ")
        if draft.full:
            break
    assert draft.full
    assert number < 200
    assert said == []


def test_labels_and_line_breaks_are_taken_off() -> None:
    assert run("Answer: I ate it all.") == ["I ate it all."]


@given(st.text(alphabet="ab .!?\n。Mr", max_size=120), st.integers(1, 9))
def test_nothing_is_given_that_was_not_written(text: str, size: int) -> None:
    squeezed = " ".join(text.split())
    for sentence in run(text, size=size):
        assert sentence in squeezed or sentence.replace(" ", "") in squeezed.replace(" ", "")


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("Yes, I run alone now.", "I run alone now."),
        ("No, my sister sold the boat.", "My sister sold the boat."),
        ("Oh yes, we ran along the canal.", "We ran along the canal."),
        ("Yes, I do.", ""),
        ("No, not any more.", ""),
        ("No one came to the fair.", ""),
        ("Yes.", ""),
    ],
)
def test_what_a_yes_stands_before_is_a_sentence_of_its_own_and_a_bare_one_is_not(
    written: str, given: str
) -> None:
    assert without_yes(written) == given
    assert run(written) == [written]


def test_the_same_with_a_yes_before_it_is_said_once() -> None:
    assert run("I run alone now. Yes, I run alone now.") == ["I run alone now."]


def test_where_the_models_own_words_are_promised_not_even_a_label_is_taken_off() -> None:
    draft = Draft(as_written=True)
    said = [*draft.add("Answer: No, I ate  it all. "), *draft.finish()]
    assert said == ["Answer: No, I ate it all."]
