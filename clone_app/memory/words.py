"""Read text without understanding it: sentences, words that carry content, stems.

Pure functions over strings. Sentences are offsets, so that a sentence always stands verbatim in
its text; words are compared by their English stem with accents taken off; scripts without spaces
are read as pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import snowballstemmer

from clone_app.memory import chinese
from clone_app.memory.irregular import base
from clone_app.memory.stopwords import (
    AMBIGUOUS,
    CJK_STOP_PHRASES,
    ENGLISH,
    FOREIGN,
    NEGATIONS,
    STOP_WORDS,
)

CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3041-\u30ff\uac00-\ud7af"
_CJK_RUN = re.compile(f"[{CJK}]+")
_CJK_STOP = re.compile("|".join(map(re.escape, CJK_STOP_PHRASES)))
# A number with its separators, a run of CJK, or a word with apostrophes inside.
_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)*|[{CJK}]+|[^\W\d_{CJK}]+(?:['’][^\W\d_{CJK}]+)*|[^\W_]+")
# Endings and words that deny in scripts that aren't cut into words: Chinese, Japanese, Korean, Hindi.
_CJK_DENIAL = re.compile(
    "[不没沒未無无冇唔]|ない|なかった|なくて|ません|ずに|않|없|아니|(?<![가-힣])[안못] |नहीं"
)
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)'(?=\w)")

# What may end a sentence, found by one look at a letter; then the whole of it.
_MARK = re.compile("[.!?…。！？｡\n]")
_STOP = re.compile(r"(?P<stop>[.!?…]+|[。！？｡]+)(?P<close>[\"'”’»)\]」』）]*)")
_BREAK = re.compile(r"\n\s*")
_SOUND = re.compile(r"[^\W_]")
_BULLET = re.compile(r"(?:[-*+•‣◦–—]|\(?\d{1,3}[.)]|#{1,6}|>+|\[[ xX]\])[ \t]+")
_I_SAID = re.compile(r"I (?:said|asked|cried|thought|replied|answered|shouted)\b")
_LAST_WORD = re.compile(r"(?:\w+\.)*\w+$")
_FIRST_WORD = re.compile(r"[\"'“‘«(\[]*(\w+)")


def _listed(text: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(text.split())


# Never the end of a sentence: something always follows.
_TITLES: Final = _listed(
    """
    mr mrs ms mx dr st capt col lt prof rev gen sgt cpl maj cmdr adm gov pres rep sen hon mme mlle
    mgr
    fr bro ste messrs vs cf e.g eg i.e ie viz al fig vol pp ca approx ph sr sra srta dña don z.b d.h
    u.a bzw hr frl evtl ggf vgl nr art p.ej comm
    """
)
# The end of a sentence only before a word that starts one.
_SHORT: Final = _listed(
    """
    etc a.m p.m Jr Inc Ltd Co Corp Dept Ed Ave Blvd Rd u.s u.k usw usf oz lb ft hrs
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
    Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
    """
)
_SHORTENED: Final = _TITLES | {"no"} | {word.lower() for word in _SHORT}
_MONTHS: Final = _listed(
    """
    january february march april may june july august september october november december
    januar februar märz mai juni juli oktober dezember jänner
    """
)
_STARTERS: Final = _listed(
    """
    the a an i he she it we you they then and but so there this that these those my his her our
    their after before when while in on at by for from if as what why how who where not no yes now
    up to with thence here one some all having being about
    """
)
_LETTER = re.compile(r"[^\W\d_a-zI]")  # "W. Penn"; but "so did I."
_INITIALS = re.compile(r"(?:\w\.)+\w")
_UNIT = re.compile(r"\d*[^\W\d_]{1,2}")  # "20l.", "3 s."
# A line of ordinary mail is broken by its program between these widths.
_WRAP = range(45, 101)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences of a text in order as (start, end), without space or bullet around."""
    found: list[tuple[int, int]] = []
    start = 0
    behind = 0
    for mark in _MARK.finditer(text):
        at = mark.start()
        if at < behind:
            continue
        if text[at] == "\n":
            end, after = at, _end(_BREAK, text, at)
            while end > behind and text[end - 1].isspace():
                end -= 1
            behind = after
            if not _breaks(text, start, end, after):
                continue
        elif _plain_stop(text, start, at):
            end = behind = at + 1
        else:
            match = _STOP.match(text, at)
            assert match is not None
            end = behind = match.end()
            if not _stops(text, start, match):
                continue
        _keep(text, start, end, found)
        start = behind
    _keep(text, start, len(text), found)
    return found


def _end(form: re.Pattern[str], text: str, at: int) -> int:
    match = form.match(text, at)
    return at if match is None else match.end()


def _keep(text: str, start: int, end: int, found: list[tuple[int, int]]) -> None:
    """Add a sentence unless nothing but space, bullets or marks is in it."""
    while start < end and text[start].isspace():
        start += 1
    if start < end and text[start].isalpha() and not text[end - 1].isspace():
        found.append((start, end))
        return
    while bullet := _BULLET.match(text, start, end):
        start = bullet.end()
    while end > start and text[end - 1].isspace():
        end -= 1
    if _SOUND.search(text, start, end):
        found.append((start, end))
    elif found and start < end and "\n" not in text[found[-1][1] : start]:
        found[-1] = (found[-1][0], end)  # a lone mark or smiley belongs to what it follows


def _breaks(text: str, start: int, end: int, after: int) -> bool:
    """Tell whether a line's end is a sentence's: not where a mail program wrapped the line."""
    if text.count("\n", end, after) > 1:
        return True
    begun = text.rfind("\n", 0, end) + 1
    line = text[max(start, begun) : end]
    following = text[after : after + 12]
    if not following or (not following[0].isalpha() and _BULLET.match(following)):
        return True
    if line.rstrip().endswith((":", "：")):
        return True
    if len(line) in _WRAP:
        return False
    # The line counts whole here, sentences that ended in it too: "… with us. Let's / make it work."
    return not (following[0].islower() and end - begun >= 30)


def _plain_stop(text: str, start: int, at: int) -> bool:
    """Tell whether a lone full stop surely ends a sentence: most do.

    It stands behind a word of letters that is no short form, and a space and a capital follow.
    """
    if text[at : at + 2] != ". " or not text[at + 2 : at + 3].isupper():
        return False
    window = text[max(start, at - 24) : at]
    last = window[window.rfind(" ") + 1 :]
    return len(last) > 1 and last.isalpha() and last.lower() not in _SHORTENED


def _stops(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether these stop marks end the sentence that started at `start`."""
    mark, closing = match["stop"], match["close"]
    if mark[0] in "。！？｡":
        return True
    after = text[match.end() : match.end() + 40]
    if after and not after[0].isspace():
        # "3.5", "e.g.", "clone.py"; but people forget the space: "home.Then"
        return mark != "." and not after[0].isalnum() and after[0] not in ",;:-"
    rest = after.lstrip()
    if not rest:
        return True
    first = _FIRST_WORD.match(rest)
    follows = first[1] if first else ""
    if mark in ("...", "…", "....") or closing:
        return not (rest[0].islower() or (closing and _I_SAID.match(rest)))
    if mark != ".":
        return True
    window = text[max(start, match.start() - 24) : match.start()]
    last = window[window.rfind(" ") + 1 :]
    before = match.start() - len(last)
    if not last.isalnum():
        word = _LAST_WORD.search(window)
        if word is None:
            return True
        last, before = word[0], match.start() - len(window) + word.start()
    return _ends_after(last, text[start:before], rest, follows)


def _ends_after(last: str, before: str, rest: str, follows: str) -> bool:
    """Tell whether a full stop after this last word ends the sentence or shortens the word."""
    lower = last.lower()
    capital = follows[:1].isupper()
    begins = capital and follows.lower() in _STARTERS
    if lower in _TITLES:
        return False
    if lower == "no":
        return not follows[:1].isdigit()
    if last in _SHORT or lower in _SHORT or _INITIALS.fullmatch(last) or _LETTER.fullmatch(last):
        if capital:
            return begins and len(before.split()) > 2
        return not (follows[:1].isdigit() or rest[0].islower())
    if last.isdigit() and len(last) <= 3:  # "1. Milk", "14. September"
        return bool(before.strip()) and follows.lower() not in _MONTHS and not rest[0].islower()
    return not (rest[0].islower() and _UNIT.fullmatch(last))


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield words, numbers and CJK runs in order, as matches that know their place."""
    return _TOKEN.finditer(text)


def plain(word: str) -> str:
    """Return a word lower-cased with a straight apostrophe and without a possessive or elision."""
    word = word.casefold().replace("’", "'")
    if word.endswith("'s"):
        return word if word in STOP_WORDS else word[:-2]
    return _ELISION.sub("", word)


def content_words(text: str) -> list[str]:
    """Return the words that carry content: lower-cased, unstemmed, in order, repeats kept.

    Function words and the scaffolding of questions are dropped, numbers stay, CJK runs come as
    bigrams (a run of one character as itself).
    """
    return _content(text, cjk_words)


def asked_words(question: str) -> list[str]:
    """Return the words of a question that carry content, Chinese cut into words instead of bigrams.

    In a text such a word is one of what is `findable` there.
    """
    return _content(question, chinese.words if chinese.is_chinese(question) else cjk_words)


def findable(text: str) -> frozenset[str]:
    """Return what a word of a question may be found as in a text: stems, any stretch of Chinese."""
    found = frozenset(map(stem, content_words(text)))
    return found if text.isascii() else found.union(chinese.stretches(text))


def _content(text: str, cut: Callable[[str], list[str]]) -> list[str]:
    """Return the words that carry content, runs of CJK cut by a function."""
    found: list[str] = []
    bare = [(match[0], plain(match[0])) for match in tokens(text)]
    foreign = _foreign([word for _, word in bare])
    for raw, word in bare:
        if _CJK_RUN.fullmatch(raw):
            found.extend(cut(raw))
            continue
        if word in STOP_WORDS or raw.casefold() in STOP_WORDS or (foreign and word in AMBIGUOUS):
            continue
        if len(word) > 1 or word.isdigit():
            found.append(word)
    return found


def cjk_words(run: str) -> list[str]:
    """Return a run of CJK without its function words, as bigrams; a lone character as itself."""
    found: list[str] = []
    for piece in _CJK_STOP.split(run):
        if len(piece) == 1:
            found.append(piece)
        else:
            found.extend(piece[at : at + 2] for at in range(len(piece) - 1))
    return found


def _foreign(words: list[str]) -> bool:
    """Tell whether a text's function words are another language's rather than English."""
    other = sum(word in FOREIGN for word in words)
    return other > 0 and other > sum(word in ENGLISH for word in words)


_ENGLISH_STEMS = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return what inflected forms of a word share: lower-cased, accents off, the English stem.

    "Ate" comes back as "eat". Other languages' words pass through the English stemmer too: equal
    words stay equal, which is all that comparing needs. CJK and numbers come back as they are.
    """
    word = plain(word)
    if not word.isascii():
        if _CJK_RUN.fullmatch(word):
            return word
        folded = unicodedata.normalize("NFKD", word)
        word = "".join(each for each in folded if not unicodedata.combining(each))
    return str(_ENGLISH_STEMS.stemWord(base(word))) if word.isalpha() else word


def mostly_latin(text: str) -> bool:
    """Tell whether at least half of a text's letters are Latin ones; a text without letters is."""
    letters = [each for each in text if each.isalpha()]
    latin = sum(each.isascii() or "LATIN" in unicodedata.name(each, "") for each in letters)
    return latin * 2 >= len(letters)


def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(map(stem, content_words(text)))


def negated(text: str) -> bool:
    """Tell whether a stretch of text denies something."""
    for match in tokens(text):
        if denies(match[0], text[match.end() : match.end() + 1]):
            return True
    return bool(_CJK_DENIAL.search(text))


def denies(word: str, following: str = "") -> bool:
    """Tell whether a word as written is a denial: "not", "didn't", "niet", and the "n'" of "n'ai".

    `following` is the letter behind it: the "non" of "non-stop" is none.
    """
    word = word.casefold().replace("’", "'")
    if word == "non" and following == "-":
        return False
    return word in NEGATIONS or word.endswith("n't") or (word.startswith("n'") and len(word) > 2)
