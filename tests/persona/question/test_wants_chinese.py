"""What a Chinese question asks for, and whether a text holds it."""

from __future__ import annotations

import pytest

from clone_app.persona.question.kinds import Kind
from clone_app.persona.question.wants import holds, kind_of, tells_story, uncalled, wants
from clone_app.persona.question.wants_chinese import asks_theirs


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("你跟谁去的？", Kind.PERSON),
        ("那位老师姓什么？", Kind.PERSON),
        ("猫叫什么名字？", Kind.PERSON),
        ("自行车花了多少钱？", Kind.MONEY),
        ("房租多少？", Kind.MONEY),
        ("外孙女多大了？", Kind.AMOUNT),
        ("你游了几趟？", Kind.AMOUNT),
        ("这几个星期你都做什么了？", Kind.OPEN),
        ("你什么时候搬的家？", Kind.DATE),
        ("小邵是哪一年结的婚？", Kind.DATE),
        ("几号交房租？", Kind.DATE),
        ("你住在哪里？", Kind.PLACE),
        ("伞落在哪儿了？", Kind.PLACE),
        ("说法差在哪里？", Kind.OPEN),
        ("你为什么辞职？", Kind.REASON),
        ("他怎么会怕水的？", Kind.REASON),
        ("自行车是什么颜色的？", Kind.COLOUR),
        ("你喜欢哪个歌手？", Kind.WHICH),
        ("你还抽烟吗？", Kind.YES_NO),
        ("你是不是搬家了？", Kind.YES_NO),
        ("那笔钱还给你没有？", Kind.YES_NO),
        ("你喜不喜欢她？", Kind.YES_NO),
        ("你去过哪里吗？", Kind.YES_NO),
        ("你还记得那辆车是什么颜色的吗？", Kind.COLOUR),
        ("你知道是谁说的吗？", Kind.PERSON),
        ("你做什么？", Kind.OPEN),
        ("你的MacBook Pro多少钱？", Kind.MONEY),
        ("Where did you meet 阮青?", Kind.PLACE),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question: str, kind: Kind) -> None:
    assert kind_of(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        (Kind.AMOUNT, "四十趟，五十二分钟。", True),
        (Kind.AMOUNT, "一起去了一下。", False),
        (Kind.MONEY, "付了三千两百块。", True),
        (Kind.MONEY, "房租涨到4500。", True),
        (Kind.MONEY, "天花板一块黄，滴了十四滴。", False),
        (Kind.PERSON, "罗峥送我回来的。", True),
        (Kind.PERSON, "是妈叫我去的。", True),
        (Kind.PERSON, "有人送我回来的。", False),
        (Kind.COLOUR, "买了辆绿的。", True),
        (Kind.COLOUR, "喝了白开水。", False),
        (Kind.PLACE, "搬到柳条巷十四号。", True),
        (Kind.PLACE, "很累。", False),
        (Kind.REASON, "因为太吵。", True),
        (Kind.REASON, "睡得早。", False),
    ],
)
def test_a_text_holds_a_kind_of_answer_or_does_not(kind: Kind, text: str, held: bool) -> None:
    assert holds(kind, text) is held


def test_what_the_question_names_does_not_answer_it() -> None:
    assert not holds(Kind.PERSON, "罗峥来了。", asked=frozenset({"罗峥"}))
    assert not holds(Kind.AMOUNT, "十二瓶水。", asked=frozenset({"十二"}))


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        ("外孙女几岁了？", "外孙女六岁了。", True),
        ("外孙女几岁了？", "外孙女吃了六个饺子。", False),
        ("你游了多久？", "游了五十二分钟。", True),
        ("你游了多久？", "游了四十趟。", False),
        ("你游了几趟？", "游了四十趟。", True),
    ],
)
def test_an_amount_is_of_what_the_question_measures(question: str, text: str, held: bool) -> None:
    assert holds(Kind.AMOUNT, text, question=question) is held


def test_each_clause_that_asks_is_a_question_of_its_own() -> None:
    found = wants("戴师傅那十七本记录后来归谁管，现在搁在哪儿？")
    assert [(each.kind, each.text) for each in found] == [
        (Kind.PERSON, "戴师傅那十七本记录后来归谁管"),
        (Kind.PLACE, "现在搁在哪儿？"),
    ]
    assert found[0].stems == {"戴师傅", "十七", "记录", "归", "管"}
    (one,) = wants("阮青借的那笔钱，最后还给你没有？")
    assert one.kind is Kind.YES_NO


def test_and_opens_no_sub_question_of_its_own_words() -> None:
    assert [each.text for each in wants("房租是多少，还有谁和你住？")] == [
        "房租是多少",
        "谁和你住？",
    ]


def test_two_clauses_told_before_asking_make_a_story_and_so_does_a_supposition() -> None:
    assert tells_story("夜里漏水你上楼去敲，人家亮着灯，为什么不开门？")
    assert tells_story("要是你签了字，今天会怎么样？")
    assert not tells_story("漏水的那天，为什么不开门？")


def test_a_name_that_is_called_is_no_part_of_the_question() -> None:
    assert uncalled("砚秋，你住在哪里？") == "你住在哪里？"
    assert uncalled("去年，你住在哪里？") == "去年，你住在哪里？"


def test_what_another_thinks_is_told_from_what_the_user_thinks() -> None:
    assert asks_theirs("戴师傅怎么看这台机器？")
    assert asks_theirs("她听了什么反应？")
    assert not asks_theirs("你怎么看这台机器？")
