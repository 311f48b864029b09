"""Read the numbers that a Chinese text writes out: 三千两百块 is 3200, 十七本 is 17."""

from __future__ import annotations

import re
from typing import Final

from clone_app.persona import facts

_DIGIT: Final = {each: at for at, each in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_TEN: Final = {"十": 10, "百": 100, "千": 1000}
_GREAT: Final = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}
NUMERAL: Final = "[〇零一二两兩三四五六七八九十百千万萬亿億]"
# What a number counts: measures, units and what is counted without one.
_MEASURE: Final = (
    "[个個位名口只隻条條件张張本台臺辆輛间間所部首款块塊片瓶杯碗盘盒箱袋包斤克吨米寸尺里升岁歲年月天日周秒点點次"
    "回趟遍届层層楼級级度倍份户家套双雙对對副串根支枝把座栋棵朵颗粒滴段句篇封页頁节節门種种类项元毛角分人圈步遭桌列班针趟号號道]|"
    "公斤|公里|厘米|毫米|毫升|小时|小時|分钟|分鐘|钟头|星期|礼拜|美元|欧元"
)
_RUN = re.compile(rf"{NUMERAL}+")
_COUNTING = re.compile(rf"[多来來几幾]?(?:{_MEASURE})")
# Numbers that name a day, a week day or a place in an order, and words that are only written with one.
_NO_AMOUNT = re.compile(
    rf"(?:第|初|周|星期|礼拜|禮拜|大年){NUMERAL}+|{NUMERAL}{{1,3}}月(?:{NUMERAL}{{1,3}}[日号號])?|"
    r"[〇零一二三四五六七八九]{4}年|十分(?!钟|鐘|之)|万一|千万(?![元块人])|一一|三三两两|乱七八糟|七上八下|四处|三心二意|"
    r"一[百千万]?(?:定|起|样|直|般|些|点|下|会儿|边|旦|切|共|再|致|时|面|向|半|味)|万[分事能]|百姓|十字|千瓦"
)


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text outside its dates as digits; 一 alone says "a" and isn't one."""
    found = set(facts.numbers(text))
    bare = _NO_AMOUNT.sub(lambda match: " " * len(match[0]), text)
    for match in _RUN.finditer(bare):
        if match[0] in ("一", "零", "〇"):
            continue
        if len(match[0]) > 1 or _COUNTING.match(bare, match.end()):
            found.add(str(value(match[0])))
    return frozenset(found)


def value(written: str) -> int:
    """Return what a Chinese numeral is worth; digits in a row are read one by one, 二〇二四 as 2024."""
    if all(each in _DIGIT for each in written):
        return int("".join(str(_DIGIT[each]) for each in written))
    whole = section = digit = 0
    last = 1
    for each in written:
        if each in _DIGIT:
            digit = _DIGIT[each]
            last = 10 if digit == 0 else last
        elif each in _TEN:
            section += (digit or 1) * _TEN[each]
            digit, last = 0, _TEN[each]
        else:
            whole = (whole + section + digit or 1) * _GREAT[each]
            section, digit, last = 0, 0, _GREAT[each]
    # 三千二 is 3200, 三千零二 is 3002.
    return whole + section + digit * (last // 10 if last > 10 else 1)
