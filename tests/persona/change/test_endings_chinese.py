"""In Chinese too, what an entry says has ended no longer holds, and no other entry ends anything."""

from __future__ import annotations

from datetime import date

import pytest

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.memory.kin import also
from clone_app.memory.words import asked_words
from clone_app.persona.change.chain import change, told

CHANGED = "从2022年3月2日到2024年5月3日，这件事变了。"
DAYS = (date(2022, 3, 2), date(2024, 5, 3), date(2024, 9, 3))


def said(question: str, *texts: str) -> list[str]:
    hits = [
        Hit(
            item_id=1,
            item=Item(
                key=text[:8], medium="diary", moment=Moment.on(day), text=text, mine=True, locator="a"
            ),
            passage=text, start=0, own=True, score=1.0, cosine=None, coverage=1.0, found_by=("words",),
        )
        for text, day in zip(texts, DAYS, strict=False)
    ]  # fmt: skip
    terms = tuple(Term(word, (word, *also(word)), 3.0) for word in asked_words(question))
    found = change(question, terms, hits)
    return [sentence.text for sentence in told(question, found)] if found else []


def test_a_premise_that_no_longer_holds_is_corrected_then_before_now() -> None:
    assert said("你还和老王一起跑步吗？", "早上和老王跑步。", "我不再和老王跑步了。") == [
        "我不再和老王一起跑步了，2024年5月3日我写过。",
        "2022年3月2日，我写道：“早上和老王跑步。”",
        "2024年5月3日，我写道：“我不再和老王跑步了。”",
    ]


@pytest.mark.parametrize(
    ("question", "before", "now", "lead"),
    [
        ("你还抽烟吗？", "在阳台抽烟。", "烟戒了三个月。", "我不再抽烟了，2024年5月3日我写过。"),
        ("你还喝咖啡吗？", "每天喝咖啡。", "从今天起不喝咖啡了。", "我不再喝咖啡了，2024年5月3日我写过。"),
        ("你还有猫吗？", "我有猫了。", "家里再也没有猫了。", "我已经没有猫了，2024年5月3日我写过。"),
        ("你还住在柳条巷吗？", "我住在柳条巷。", "今天搬出柳条巷。", CHANGED),
        ("你爸还抽烟吗？", "爸在门口抽烟。", "爸把烟戒了。", CHANGED),
    ],
)  # fmt: skip
def test_only_what_the_later_entry_holds_is_denied(
    question: str, before: str, now: str, lead: str
) -> None:
    assert said(question, before, now)[0] == lead


@pytest.mark.parametrize(
    "later",
    [
        "他不再喝咖啡了。",
        "罗峥不喝咖啡了。",
        "我想以后不再喝咖啡了。",
        "医生劝我别再喝咖啡了。",
        "还喝咖啡，少不了。",
        "茶不喝了，改喝咖啡。",
        "喝咖啡不错。",
    ],
)
def test_what_another_left_or_was_only_wished_or_is_of_something_else_ended_nothing(
    later: str,
) -> None:
    assert said("你还喝咖啡吗？", "我每天喝咖啡。", later) == []


def test_what_was_taken_up_again_has_not_ended() -> None:
    assert said("你还喝咖啡吗？", "每天喝咖啡。", "不喝咖啡了。", "又开始喝咖啡。") == []


def test_a_question_for_a_fact_has_no_then_and_now() -> None:
    assert said("你买咖啡花了多少钱？", "每天喝咖啡。", "不喝咖啡了。") == []
