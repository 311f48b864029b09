"""Read in Chinese what no longer holds: how an entry says that something ended, and how it is denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clone_app.memory import chinese
from clone_app.memory.words import asked_words, findable
from clone_app.persona.slices import Asked

_HAN: Final = "[\u4e00-\u9fff]"
ENDED: Final = re.compile(
    "不再|再也不|再也没|没(?:有)?再|(?:已经|早就|早已|现在|如今)不|"
    # "不抽了", "不去游泳了"; but neither "不得了" nor "少不了".
    "(?<![受忘少免大差])不(?!得了|见了|错|行|知|早|多|小|远|对|动|少|够|住|完|好|一样|同)"
    f"{_HAN}{{1,6}}?了|"
    "戒(?:了|掉|烟|酒|糖)|辞(?:了|掉|去|职)|离职|搬(?:走|出|离|家|了)|分(?:了)?手|离(?:了)?婚|散伙|"
    "退(?:了|出|休|学|租|群|掉|订)|卖(?:了|掉)|送人|扔(?:了|掉)|停(?:了|掉|办)|断了|放弃|取消|注销|改(?:了)?主意|"
    "最后一(?:次|天|回|节|趟)"
)
# What says that it is so again, or yet.
_AGAIN: Final = re.compile(
    "重新|又(?:开始|回|去|来|在|买|找)|恢复|还在|还是在|照样|回来了|复(?:工|婚|学)"
)
# What asks how something went on, or whether it still is so.
COURSE: Final = re.compile("还|现在|如今|一直|以前|从前|后来|变|不再|当初|起初|怎么看|觉得")
# Wished, planned, feared, asked or supposed, it has not ended.
_NOT_SO: Final = re.compile(
    "想|要|打算|准备|如果|要是|假如|希望|建议|劝|应该|该|可能|也许|会不会|别|[吗？?]|快(?:要)?|差点|没想"
)
_OTHERS: Final = re.compile("他|她|它|人家|别人|大家|你")
_CLAUSE: Final = re.compile("[，,。；;：:！!？?、…\n—]")
_PREMISE: Final = re.compile(
    "^(?:那么?|所以|那你|对了)?[，,]?你(?:现在|如今|平时|最近|到底)?(?:还|仍然|仍|依然|依旧)(?:是)?"
    "(?P<rest>[^，,。？?]{1,24}?)(?:了)?(?:吗|嗎|么|嘛|没有|吧|不)?[？?。 ]*$"
)


def ending(said: str, asked: Asked) -> bool:
    """Tell whether a sentence says that what is asked about ended, as a fact of nobody else."""
    wider = _by_character(asked)
    for clause, marked in _clauses(said):
        match = ENDED.search(clause)
        if match is None or _NOT_SO.search(clause[: match.start()]) or marked in "？?":
            continue
        if _anothers(clause[: match.start()], asked):
            continue
        if wider.share(clause) >= 0.5:
            return True
    return False


def again(said: str, asked: Asked) -> bool:
    """Tell whether a sentence says that what is asked about is so again, or is so yet."""
    return any(
        _AGAIN.search(clause)
        and not ENDED.search(clause)
        and _by_character(asked).share(clause) >= 0.5
        for clause, _ in _clauses(said)
    )


def corrected(question: str, said: str, day: str) -> str:
    """Return a question's premise denied in the first person, "" where that can't be said safely.

    Only where the sentence that tells the ending holds every word of it: "你还和老王跑步吗？" → "我不再和
    老王跑步了，2024年5月3日我写过。"
    """
    match = _PREMISE.match(question.strip())
    if match is None:
        return ""
    rest = match["rest"]
    held = findable(said)
    if not all(word in held or held & _characters(word) for word in asked_words(rest)):
        return ""
    rest = rest.replace("你", "我")
    if rest.startswith("有"):
        denied = f"我已经没{rest}了"
    elif rest.startswith(("是", "在")):
        denied = f"我已经不{rest}了"
    else:
        denied = f"我不再{rest}了"
    return f"{denied}，{day}我写过。"


def _clauses(said: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a sentence, each with the mark behind it."""
    start = 0
    for mark in _CLAUSE.finditer(said):
        yield said[start : mark.start()], mark[0]
        start = mark.end()
    yield said[start:], ""


def _anothers(before: str, asked: Asked) -> bool:
    """Tell whether what stands before an ending names somebody who isn't asked about."""
    about = frozenset().union(*(held for _, held in asked.weights))
    if any(name not in about for name in chinese.people(before)):
        return True
    if any(word in before and word not in about for line in chinese.KIN for word in line.split()):
        return not about & {word for line in chinese.KIN for word in line.split() if word in before}
    return bool(_OTHERS.search(before)) and "我" not in before


def _by_character(asked: Asked) -> Asked:
    """Return what is asked about with a verb and its object standing for both: 烟 for 抽烟."""
    return Asked(
        tuple(
            (weight, held.union(*(_characters(word) for word in held)))
            for weight, held in asked.weights
        )
    )


def _characters(word: str) -> frozenset[str]:
    """Return the characters of a word of two."""
    return frozenset(word) if len(word) == 2 and chinese.is_chinese(word) else frozenset()
