"""Times told by what happened: "before the move", "when I lived in Leeds", 搬家之前.

Pure: whoever asks gives the function that finds an event's days in memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Protocol

from clone_app.memory.when import VAGUE_DAYS, Interval
from clone_app.memory.words import CJK, content_words

# How far "before" and "after" reach: what is asked about stands near the event.
REACH: Final = timedelta(days=90)
AROUND: Final = timedelta(days=7)
SEVERAL_AT_MOST = 3
LASTED_AT_LEAST = 3
LONGEST = 6  # words that tell what happened

_DAY = timedelta(days=1)
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+"
_ENDS = (
    r"(?:did|do|does|what|how|who|whom|why|when|where|which|and|but|or|would|could|should|can|will|so|"
    r"because|if|that|than|then|i|you|we|he|she|they|it)\b"
)
_BEGINS_NONE = r"(?:was|were|is|are|am|had|has|have)\b"
_WHAT = (
    rf"(?P<what>(?!{_ENDS}|{_BEGINS_NONE})(?:{_WORD})"
    rf"(?: (?!{_ENDS})(?:{_WORD})){{0,{LONGEST - 1}}})"
)
_HAPPENED = re.compile(
    rf"\b(?P<how>before|after|since|until|till|during|(?:around|at) the time of)\s+"
    rf"(?:(?:the|my|our|his|her|their)\s+)(?!\d){_WHAT}",
    re.IGNORECASE,
)
_DID = re.compile(
    rf"\b(?P<how>before|after|since|until|till)\s+(?:i|we|you)(?:'d| had)?\s+{_WHAT}", re.IGNORECASE
)
_LASTED = re.compile(
    r"\b(?P<how>when|while|since|before|after)\s+(?:i|we|you)\s+"
    r"(?:(?:(?:was|were)(?:\s+(?:living|working|staying|studying))?|lived|worked|stayed|studied|taught)"
    rf"\s+(?:at|in)|(?:(?:was|were)\s+working|worked)\s+(?:for|with)|attended)\s+"
    rf"(?:(?:the|my|our|a|an)\s+)?{_WHAT}",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?:我们?|你们?|在|那次|住在|自从)*(?P<what>[{CJK}]{{2,8}}?)"
    r"(?P<how>之前|以前|之后|以后|期间|那段时间|那时候?|的时候)"
)
_STAYED = re.compile(r"^(?:住在?|在|工作于|就读于?)")
_HOW: Final = {
    "之前": "before", "以前": "before", "之后": "after", "以后": "after", "期间": "during",
    "那段时间": "during", "那时": "during", "那时候": "during", "的时候": "during",
    "till": "until", "when": "during", "while": "during", "at the time of": "around",
    "around the time of": "around",
}  # fmt: skip
# What is no event by itself.
_GENERAL: Final = frozenset(
    """
    time times day days week weeks month months year years end beginning start first last past rest
    moment while night morning evening weekend start future present whole same next other fact way
    """.split()  # noqa: SIM905 - a list of words reads best as text
)


@dataclass(frozen=True, slots=True)
class Days:
    """Hold when something happened, as memory has it: local days, `start` in and `end` out.

    `sure` where next to nothing else that was written could be meant.
    """

    start: date
    end: date
    sure: bool = False


class Finds(Protocol):
    """Find an event's days by its words; `lasting` says that it was no single day."""

    def __call__(self, what: str, *, lasting: bool) -> Sequence[Days]:
        """Return the days, the likeliest first."""
        ...


def occasions(
    text: str, asked_at: date, known: Sequence[Interval], finds: Finds
) -> tuple[Interval, ...]:
    """Return the times a text tells by what happened, none after the day of asking.

    Several days that `finds` gives are several events that may be meant, and then none is taken by
    the day. What lies within the
    words of a time `known` already is left alone: "before last summer" is told by the calendar.
    """
    taken = [(text.find(each.phrase), each.phrase) for each in known]
    found: list[Interval] = []
    spent: list[tuple[int, int]] = []
    for pattern in (_LASTED, _HAPPENED, _DID, _CHINESE):
        for match in pattern.finditer(text):
            here = match.span()
            if any(here[0] < end and start < here[1] for start, end in spent):
                continue
            if any(here[0] < at + len(phrase) and at < here[1] for at, phrase in taken):
                continue
            what = _told(match["what"])
            if not what:
                continue
            spent.append(here)
            how = match["how"].lower()
            how = _HOW.get(how, how)
            lasted = pattern is _LASTED or how == "during" or bool(_STAYED.match(match[0]))
            some = list(finds(what, lasting=lasted))[:SEVERAL_AT_MOST]
            for days in some:
                interval = _interval(how, days, asked_at, match[0])
                if interval is not None:
                    vague = interval.vague or len(some) > 1 or not days.sure
                    found.append(
                        Interval(interval.start, interval.end, match[0], vague=vague, event=True)
                    )
    return tuple(found)


def _told(what: str) -> str:
    """Return the words that tell an event, empty where they tell none."""
    words = [word for word in content_words(what) if word not in _GENERAL]
    return what if words else ""


def _interval(how: str, days: Days, asked_at: date, phrase: str) -> Interval | None:
    match how:
        case "before" | "until":
            start, end = days.start - REACH, days.start
        case "after":
            start, end = days.end, days.end + REACH
        case "since":
            start, end = days.start, asked_at + _DAY
        case "around":
            start, end = days.start - AROUND, days.end + AROUND
        case _:
            # The words themselves find a day on which it is told; a stretch tells more.
            if (days.end - days.start).days < LASTED_AT_LEAST:
                return None
            start, end = days.start, days.end
    end = min(end, asked_at + _DAY)
    if start >= end:
        return None
    vague = end > asked_at and (end - start).days >= VAGUE_DAYS
    return Interval(start, end, phrase, vague=vague)
