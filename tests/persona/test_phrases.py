"""What the clone says in words of its own is in the question's language."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clone_app.entries import Item, Mode, Moment, Precision
from clone_app.persona.phrases import CHINESE, ENGLISH, chinese_day, phrases_of

from .scripted import Scripted, finished, hit, recalled

ITEM = Item(
    key="k", medium="diary", moment=Moment.on(date(2024, 5, 3)), text="", mine=True, locator="a"
)


def test_a_chinese_question_has_chinese_phrases_every_other_one_english() -> None:
    assert phrases_of("你还抽烟吗？") is CHINESE
    assert phrases_of("Do you still smoke?") is ENGLISH
    assert phrases_of("Who is 阮青, whom you met at the pool?") is ENGLISH
    assert phrases_of("まだ煙草を吸いますか") is ENGLISH


@pytest.mark.parametrize(
    ("item", "framed"),
    [
        (ITEM, "2024年5月3日，我写道：“烟戒了。”"),
        (replace(ITEM, medium="calendar"), "2024年5月3日，我记下：“烟戒了。”"),
        (replace(ITEM, mine=False, author="阮青"), "2024年5月3日，阮青写道：“烟戒了。”"),
        (replace(ITEM, mine=False, author="Tom <t@x.org>"), "2024年5月3日，Tom 写道：“烟戒了。”"),
        (replace(ITEM, mine=False), "2024年5月3日，别人写道：“烟戒了。”"),
        (replace(ITEM, moment=Moment.unknown()), "我写道：“烟戒了。”"),
    ],
)
def test_a_quotation_stands_under_its_day_and_author(item: Item, framed: str) -> None:
    assert CHINESE.framed(item, "烟戒了。") == framed


def test_a_day_is_said_at_its_precision() -> None:
    month = replace(ITEM.moment, precision=Precision.MONTH)
    assert chinese_day(month) == "2024年5月"
    assert chinese_day(replace(month, precision=Precision.YEAR)) == "2024年"


def test_what_is_left_out_is_said_in_one_sentence_of_the_question_s_language() -> None:
    said = phrases_of("Do you drink coffee?").left_out(("coffee", "tea"))
    assert said == (
        "What I wrote about “coffee” and “tea” is left out of me, as you wished; that is changed in "
        "About me, under What is left out of me."
    )
    assert phrases_of("你喝咖啡吗？").left_out(("咖啡",)).startswith("按你的意愿，我不谈“咖啡”")


def test_silence_to_a_chinese_question_is_chinese_and_shows_the_nearest() -> None:
    near = hit("戴师傅戴着老花镜看记录。", cosine=0.5)
    found = recalled(near, terms=("阮青", "咖啡"))
    done = finished(found, Scripted(), question="阮青喝咖啡吗？")
    assert done.answer.mode is Mode.NONE
    never, nearest, *_ = (each.text for each in done.answer.sentences)
    assert never == "我写下的东西里找不到明确的答案。"
    assert nearest == "最接近的是：1666年9月14日，我写道：“戴师傅戴着老花镜看记录。”"
