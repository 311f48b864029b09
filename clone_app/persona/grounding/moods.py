"""Tell what German, Chinese, French or Spanish tells as wished, conditional, nearly so or another's word.

As `asserted` does for English by what stands before a word; here the verb stands at a clause's end as
often, so a word marks its whole clause, and an "if" the sentence. Where such a text holds none of
these words, its own words alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from clone_app.memory.stopwords import EACH_LANGUAGE, ENGLISH
from clone_app.memory.words import CJK, plain, tokens


class Mark(Enum):
    """Say in which way a word isn't told as a plain fact of its writer's."""

    MAYBE = auto()
    """Wished, conditional, possible."""
    COMING = auto()
    """Meant or said to happen, and not yet."""
    UNDONE = auto()
    """Nearly, refused, given up: named, but not so."""
    THAN = auto()
    """What something else is preferred or compared to."""
    ASKED = auto()
    REPORTED = auto()
    """Another's saying or thinking, or in quotation marks."""


class _Reach(Enum):
    CLAUSE = auto()
    ONWARD = auto()
    """From the word to the end of its sentence."""
    SENTENCE = auto()


_GERMAN: Final = (
    (Mark.MAYBE, _Reach.SENTENCE, r"wenn|falls|sofern|(?<!\S)(?:hätte|wäre|würde)n?(?:st)?(?= (?:ich|er|"
     r"sie|es|wir)\b)"),
    (Mark.MAYBE, _Reach.CLAUSE, r"(?:hätt|wär|würd|könnt|möcht|müsst|sollt|wollt|dürft)e(?:n|st|t)?|"
     r"ob|will|vielleicht|wohl|womöglich|möglicherweise|vermutlich|wahrscheinlich|eventuell"),
    (Mark.MAYBE, _Reach.ONWARD, r"hoff\w+|wünsch\w+|träum\w+|als ob|angenommen"),
    (Mark.COMING, _Reach.CLAUSE, r"plan(?:e|en|te|ten)|beabsichtig\w+|vor(?:habe|hatte)"),
    (Mark.UNDONE, _Reach.CLAUSE, r"fast|beinahe?|um ein haar|nahezu|kaum|statt|anstatt"),
    (Mark.UNDONE, _Reach.ONWARD, r"vergessen|vergaß|aufgehört|versäumt\w*|weiger\w+|geweigert"),
    (Mark.REPORTED, _Reach.ONWARD, r"angeblich|gerücht\w*|heißt es|"
     r"(?<!\bich )(?:sag|mein|glaub|behaupt|erzähl|find|schreib)(?:t|te|ten|en)(?! ich)|"
     r"(?<!\bich )(?:sagt|meint|glaubt|behauptet|erzählt|schrieb|fand)e?n?(?! ich)"),
)  # fmt: skip
_FRENCH: Final = (
    (Mark.MAYBE, _Reach.SENTENCE, r"si|s['’](?=ils?\b)"),
    (Mark.MAYBE, _Reach.CLAUSE, r"\w{2,}r(?:ais|ait|ions|iez|aient)|peut-être|probablement|"
     r"(?:veux|voulais|voulait|espère|espérais|rêve|souhaite)"),
    (Mark.COMING, _Reach.CLAUSE, r"compte|prévois|vais(?= \w+(?:er|ir|re)\b)"),
    (Mark.UNDONE, _Reach.CLAUSE, r"failli|presque|oublié|refus[ée]\w*"),
    (Mark.REPORTED, _Reach.ONWARD, r"(?<!\bje )(?:dit|pense|croit|prétend|raconte|trouve) (?:que|qu['’])|"
     r"paraît"),
)  # fmt: skip
_SPANISH: Final = (
    (Mark.MAYBE, _Reach.SENTENCE, r"si"),
    (Mark.MAYBE, _Reach.CLAUSE, r"\w{2,}[aei]r(?:ía[sn]?|íamos)|(?:habr|podr|tendr|querr|har|dir|vendr|"
     r"saldr|pondr)ía[sn]?|quizás?|tal vez|ojalá|quisiera|quier[eo]|quería|espero|esperaba"),
    (Mark.COMING, _Reach.CLAUSE, r"voy a|vamos a|pienso"),
    (Mark.UNDONE, _Reach.CLAUSE, r"casi|olvid[éo]|por poco"),
    (Mark.REPORTED, _Reach.ONWARD, r"(?:dice|dijo|cree|piensa|opina) que"),
)  # fmt: skip
# In the order of EACH_LANGUAGE, after English.
_RULES: Final = tuple(
    tuple((mark, reach, re.compile(rf"\b(?:{words})(?!\w)")) for mark, reach, words in rules)
    for rules in (_GERMAN, _FRENCH, _SPANISH)
)
_CHINESE: Final = tuple(
    (mark, reach, re.compile(words))
    for mark, reach, words in (
        (Mark.MAYBE, _Reach.SENTENCE,
         r"如果|假如|假使|倘若|若是|要是|万一|(?<!不)只要|除非|的话(?![题])|早知道"),
        (Mark.MAYBE, _Reach.CLAUSE,
         r"也许|或许|说不定|可能(?!性)|大概|恐怕|应该|想要|(?<![思理梦没料幻])想(?![法到起念出不象])|希望|但愿|恨不得|"
         r"宁愿|巴不得|是否|是不是|梦见|梦到"),
        (Mark.COMING, _Reach.CLAUSE, r"打算|计划|准备|决定要|将要|(?<![体领误社开聚机不])会(?![议员计上])"),
        (Mark.UNDONE, _Reach.CLAUSE, r"差点|差一点|险些|几乎|忘了|忘记|拒绝|放弃|未能|没能"),
        (Mark.REPORTED, _Reach.ONWARD, r"据说|听说|传说|"
         r"(?<![小虽再按难])说(?![明话服起实不])|认为|觉得|以为|告诉"),
    )
)  # fmt: skip
# What opens a clause whose saying or thinking is the writer's, or nobody's who is named.
_MY_SAYING = re.compile(
    r"(?:(?:今天|昨天|后来|然后|其实|当时|刚才|晚上|早上|但|可|而|就|又|也|所以|因为|不过|于是)*(?:我们?|$)|[跟对和向])"
    r"[^他她它你您听妈爸]*\Z"
)
# German glue that is English too, or Spanish: left out of the lists of function words.
_GERMAN_TOO: Final = frozenset(
    ("am", "in", "an", "so", "was", "die", "das", "der", "den", "hat", "war", "will")
)
_UMLAUT: Final = frozenset("äöüß")
_ENDS = re.compile(r"[,;:—–()，；：、。.!?！？\n]")
_CJK = re.compile(f"[{CJK}]")


@lru_cache(maxsize=512)
def moods(sentence: str) -> tuple[tuple[Mark, int, int], ...]:
    """Return the marks of a sentence that isn't English, each with where it reaches, as offsets."""
    return tuple(_found(sentence))


def _found(sentence: str) -> Iterator[tuple[Mark, int, int]]:
    if _CJK.search(sentence):
        for mark, reach, words in _CHINESE:
            for match in words.finditer(sentence):
                start, end = _clause(sentence, match.start(), match.end())
                before = sentence[start : match.start()]
                mine = mark is Mark.REPORTED and match[0][0] not in "据听传"
                if not (mine and _MY_SAYING.match(before)):
                    yield mark, *_reach(reach, sentence, start, end)
        return
    language = _language(sentence)
    if language is None:
        return
    lowered = sentence.lower()
    for mark, reach, form in _RULES[language]:
        for match in form.finditer(lowered):
            start, end = _clause(sentence, match.start(), match.end())
            if reach is _Reach.ONWARD:
                start = match.start()
            yield mark, *_reach(reach, sentence, start, end)


def _reach(reach: _Reach, sentence: str, start: int, end: int) -> tuple[int, int]:
    if reach is _Reach.SENTENCE:
        return 0, len(sentence)
    return (start, len(sentence)) if reach is _Reach.ONWARD else (start, end)


def _clause(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause around a stretch begins and ends, marks apart."""
    opened = max((mark.end() for mark in _ENDS.finditer(sentence, 0, start)), default=0)
    closed = _ENDS.search(sentence, end)
    return opened, closed.start() if closed else len(sentence)


def _language(sentence: str) -> int | None:
    """Return which of the languages of the rules a sentence is in, None where it may be English."""
    words = [plain(match[0]) for match in tokens(sentence)]
    counts = [sum(word in known for word in words) for known in EACH_LANGUAGE[1:]]
    counts[0] += sum(word in _GERMAN_TOO or not _UMLAUT.isdisjoint(word) for word in words)
    most = max(counts)
    english = sum(word in ENGLISH and word not in _GERMAN_TOO for word in words)
    return counts.index(most) if most > english else None
