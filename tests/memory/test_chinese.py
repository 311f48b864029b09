"""A Chinese question is cut into words; a text is looked through for them as runs of characters."""

from __future__ import annotations

import pytest

from clone_app.memory.chinese import asked_kinds, calls, is_chinese, parts, people
from clone_app.memory.lexical import match, understand
from clone_app.memory.store import Store
from clone_app.memory.words import asked_words, content_words, findable

from .conftest import entry, take_in


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("你爸的助听器是什么时候配的？", ["爸", "助听器", "配"]),
        ("你还和老王一起跑步吗？", ["老王", "跑步"]),
        ("小邵是哪一年结的婚？", ["小邵", "结", "婚"]),  # a guess of the segmenter, 邵是, is undone
        ("那条船后来罚了多少钱？", ["船", "罚"]),
        ("你住在哪条巷子？", ["住", "巷子"]),
        ("你用MacBook写什么？", ["macbook"]),
        ("十七本记录归谁管？", ["十七", "记录", "归", "管"]),
    ],
)
def test_words_carry_content_and_neither_ask_nor_glue(question: str, words: list[str]) -> None:
    assert asked_words(question) == words


def test_japanese_is_no_chinese_and_stays_in_pairs() -> None:
    assert not is_chinese("東京で何を食べましたか")
    assert asked_words("東京駅で") == content_words("東京駅で") == ["東京", "京駅", "駅で"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("罗峥跟小邵、方科长和戴师傅都在", ["罗峥", "小邵", "方科长", "戴师傅"]),
        ("李建国昨天来了", ["李建国"]),
        ("谷雨那天师傅过母亲节", []),
        ("我付了钱就走了", []),
    ],
)
def test_people_are_named_by_name_by_surname_and_title_or_for_short(
    text: str, named: list[str]
) -> None:
    assert people(text) == named


def test_a_text_holds_every_run_of_up_to_four_characters() -> None:
    held = findable("爸的助听器，充电")
    assert {"爸", "助听器", "的助听器", "充电"} <= held
    assert "器充" not in held  # across a mark
    assert "爸的助听器" not in held


def test_what_is_asked_for_is_told_from_what_it_is_asked_about() -> None:
    assert asked_kinds("她听了什么反应？") == {"反应"}
    assert asked_kinds("一共用了多少分钟？") == {"分钟"}
    assert asked_kinds("你什么时候回家？") == frozenset()


def test_a_name_is_called_by_its_short_form_too() -> None:
    assert parts("祁砚秋") == ("砚秋", "祁砚")
    assert parts("看电视") == ("电视",)
    assert parts("跑步") == ()


def test_what_is_no_word_before_the_first_comma_is_a_name_that_is_called() -> None:
    assert calls("砚秋")
    assert calls("老王")
    assert not calls("昨天")
    assert not calls("助听器")


def test_a_longer_word_is_looked_for_as_its_pairs_in_a_row_a_lone_one_as_a_beginning() -> None:
    assert match(["助听器", "跑步", "船"]) == 'cjk : "助听 听器" OR cjk : "跑步" OR cjk : "船" *'


def test_memory_is_asked_for_words_and_for_the_parts_of_those_it_lacks(store: Store) -> None:
    take_in(
        store,
        [entry("爸的助听器到了。"), entry("听诊器借来助人，别的器材没有。"), entry("晚上看了电视。")],
    )  # fmt: skip
    hearing, watching, boat = understand(store.base.db(), "助听器和看电视，还有罚单")
    assert (hearing.word, hearing.spelled, hearing.held) == ("助听器", ("助听器",), 1)
    assert (watching.word, watching.spelled, watching.held) == ("看电视", ("电视",), 1)
    assert (boat.word, boat.spelled) == ("罚单", ())


def test_a_single_character_weighs_half(store: Store) -> None:
    take_in(store, [entry("船到了。"), entry("灯塔亮着。"), entry("别的。")])
    lone, whole = understand(store.base.db(), "船和灯塔")
    assert (lone.word, lone.held, whole.held) == ("船", 1, 1)
    assert lone.weight == pytest.approx(whole.weight / 2)
