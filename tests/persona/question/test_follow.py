"""A follow-up is looked up with what was asked before; a question that stands alone is left alone."""

from __future__ import annotations

import pytest

from clone_app.persona.question.follow import resolved


@pytest.mark.parametrize(
    ("earlier", "question", "looked"),
    [
        (["Who is Hazel?"], "And where does she work?", "And where does she work? Hazel"),
        (["Who is Hazel?"], "And what about her?", "And what about her? Hazel"),
        (["Do you trust Bridie?"], "And Tom?", "And Tom? trust"),
        (["Did you bury the cheese?"], "Why?", "Why? bury cheese"),
        (["Did you bury the cheese?"], "Where was it?", "Where was it? bury cheese"),
        (["Who is Hazel?"], "How was the market in May?", "How was the market in May?"),
        (["Who is Hazel?"], "What did Sam say to her?", "What did Sam say to her?"),
        (["Did you sell the boat?"], "And the car?", "And the car?"),
        (["Did you like the car?"], "Why?", "Why? car"),
        ([], "And what about her?", "And what about her?"),
        (["What is the book about?"], "Is she happy there?", "Is she happy there?"),
    ],
)
def test_what_is_missing_is_filled_in(earlier: list[str], question: str, looked: str) -> None:
    assert resolved(question, earlier) == looked


def test_a_chain_of_follow_ups_keeps_its_subject() -> None:
    earlier = ["Who is Hazel?", "And where does she work?"]
    assert resolved("Since when?", earlier).startswith("Since when? Hazel")


def test_a_new_subject_ends_the_chain() -> None:
    earlier = ["Who is Hazel?", "What did the book press cost?"]
    assert "Hazel" not in resolved("And how heavy is it?", earlier)


@pytest.mark.parametrize("question", ["", "???", "她呢？"])
def test_any_question_can_follow(question: str) -> None:
    assert resolved(question, ["Who is Hazel?"]).startswith(question)


def test_chinese_follow_ups_are_filled_in_too() -> None:
    assert resolved("她住在哪里？", ["阮青现在做什么工作？"]) == "她住在哪里？ 阮青"
    assert resolved("那老王呢？", ["小邵什么时候结婚？"]) == "那老王呢？ 结婚"
    assert resolved("为什么？", ["你戒烟了吗？"]) == "为什么？ 戒烟"
    assert resolved("你还抽烟吗？", ["阮青做什么工作？"]) == "你还抽烟吗？"
