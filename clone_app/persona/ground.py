"""Compare a drafted sentence with the items it may rest on, and assign its citations.

Nothing a model says about its sources is believed: a sentence is supported where its words stand
together in an item, and no name, number, date or denial in it says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from clone_app.entries import Moment, Sentence
from clone_app.memory.stopwords import STOP_WORDS
from clone_app.memory.words import content_words, negated, plain, sentences, stem, tokens
from clone_app.persona import facts
from clone_app.persona.facts import Day


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Hold what a sentence may rest on: one item's own words, their moment and their author."""

    key: str
    text: str
    moment: Moment
    mine: bool
    author: str = ""


@dataclass(frozen=True, slots=True)
class Strictness:
    """Say how much of a sentence must stand in its item.

    `share` of its content stems stand within `window` neighbouring sentences of one item; where it
    rests on two, each part of it must reach `share_each` in its own. Measured on Pepys' diary with
    sentences of other entries as the false ones: see the tests in tests/real.
    """

    share: float = 0.7
    share_each: float = 0.75
    window: int = 2
    stems: int = 2


STRICT: Final = Strictness()

_QUESTION = re.compile(r"[?？][\"'”’»)\]]*$")
_FIRST_PERSON = """
i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll
"""
_I: Final = frozenset(_FIRST_PERSON.split())
_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
# "Robin wrote to me" says whom a letter was for, not what I did.
_TOLD_ME = re.compile(
    r"\b(?:wrote|told|asked|said|sent|reminded|mailed|emailed|texted|invited|answered|thanked)"
    r"\s+(?:to\s+)?(?:me|us)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"\b(?:not|n[o']t|never|no|nothing)\b.*\b(?:notes?|entr(?:y|ies)|diar(?:y|ies)|wr[io]te|written|"
    r"mention\w*|information|record\w*|details?)\b|"
    r"\b(?:notes?|entr(?:y|ies)|diar(?:y|ies))\b.*\b(?:not|n[o']t|never|no|nothing)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"[,;:—–]\s+(?:and\s+|but\s+|then\s+)?|\s+(?:and|but|while|then|before|after)\s+"
)
_CLAUSE = re.compile(r"[,;:—–()。，；：、]")


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Hold one sentence of an item, read: the stems in it with their places, its numbers."""

    text: str
    places: tuple[tuple[str, int, int], ...]
    stems: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Read:
    """Hold an item's text, read once for all sentences compared with it."""

    stretches: tuple[_Stretch, ...]
    words: frozenset[str]
    exact: frozenset[str]
    numbers: frozenset[str]
    days: tuple[Day, ...]


def is_claim(sentence: str) -> bool:
    """Tell whether a sentence states something that could be false.

    "I see.", a question, and "my notes don't say" claim nothing: they are never supported, carry no
    citation, and don't count when support is weighed.
    """
    if _QUESTION.search(sentence) or (_SAYS_NOTHING.search(sentence) and len(sentence) < 120):
        return False
    return bool(content_words(sentence) or facts.dates(sentence) or facts.numbers(sentence))


def check(
    sentence: str, evidence: Sequence[Evidence], *, strictness: Strictness = STRICT
) -> Sentence:
    """Return the sentence with the keys of the items that carry it, none where they don't.

    Supported means: most of its content stands close together in one item (or, cut in two at a
    joint, in two); every name and date in it stands in a cited item or is its moment; its numbers
    stand beside the words; it denies what the item denies and nothing else; "I" rests only on what
    the user wrote, and what another wrote is told with that author's name.
    """
    if not is_claim(sentence):
        return Sentence(sentence, False, ())
    for each in _ranked(sentence, evidence, strictness.share, strictness):
        return Sentence(sentence, True, (each.key,))
    for first, second in _parts(sentence):
        if not (is_claim(first) and is_claim(second)):
            continue
        one = next(_ranked(first, evidence, strictness.share_each, strictness), None)
        two = next(_ranked(second, evidence, strictness.share_each, strictness), None)
        if one is not None and two is not None and _facts_stand(sentence, (one, two)):
            keys = tuple(dict.fromkeys((one.key, two.key)))
            return Sentence(sentence, True, keys)
    return Sentence(sentence, False, ())


def _ranked(
    sentence: str, evidence: Sequence[Evidence], share: float, strictness: Strictness
) -> Iterator[Evidence]:
    """Yield the items that carry the sentence, the fullest first."""
    found = [
        (reached, -rank, each)
        for rank, each in enumerate(evidence)
        if (reached := _carried(sentence, each, strictness)) >= share
    ]
    found.sort(key=lambda entry: entry[:2], reverse=True)
    yield from (each for _, _, each in found)


def _parts(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a sentence in two at a joint."""
    for match in _JOINT.finditer(sentence):
        yield sentence[: match.start()], sentence[match.end() :]


def _carried(sentence: str, evidence: Evidence, strictness: Strictness) -> float:
    """Return the share of a sentence's content that an item carries; 0 where a fact contradicts."""
    read = _read(evidence.text)
    if not _speaker_fits(sentence, evidence) or not _facts_stand(sentence, (evidence,)):
        return 0.0
    author = frozenset(map(stem, _author(evidence)))
    wanted = frozenset(map(stem, content_words(facts.without_dates(sentence)))) - author
    if not wanted:
        return 0.0
    figures = facts.numbers(sentence)
    best = 0.0
    for at in range(len(read.stretches)):
        window = read.stretches[at : at + strictness.window]
        held: frozenset[str] = frozenset().union(*(each.stems for each in window))
        matched = wanted & held
        reached = len(matched) / len(wanted)
        if reached <= best or not figures <= frozenset().union(*(each.numbers for each in window)):
            continue
        if len(matched) < strictness.stems and not _stands(sentence, matched, window):
            continue
        if _denies_alike(sentence, matched, window):
            best = reached
    return best


def _facts_stand(sentence: str, cited: Sequence[Evidence]) -> bool:
    """Tell whether each name, number and date of a sentence stands in a cited item.

    A date may be the item's own moment instead, and another's item may be told with their name.
    """
    reads = [_read(each.text) for each in cited]
    days: list[Day] = []
    for each, read in zip(cited, reads, strict=True):
        moment = facts.day_of(each.moment)
        days += [moment, *(day.filled(moment) for day in read.days)]
    for dated in facts.dates(sentence):
        if not any(reading.agrees(day) for reading in dated.readings for day in days):
            return False
    if not facts.numbers(sentence) <= frozenset().union(*(read.numbers for read in reads)):
        return False
    words = frozenset().union(*(read.words for read in reads))
    exact = frozenset().union(*(read.exact for read in reads))
    authors = frozenset().union(*(_author(each) for each in cited))
    for name in facts.names(sentence):
        known = name in exact if plain(name) in STOP_WORDS else plain(name) in words
        if not known and plain(name) not in authors:
            return False
    return True


def _speaker_fits(sentence: str, evidence: Evidence) -> bool:
    """Tell whether the sentence says whose words these are: "I" is the user, others are named."""
    if evidence.mine:
        return True
    quoted = _QUOTED.findall(sentence)
    around = (
        _QUOTED.sub(" ", sentence) if all(each in evidence.text for each in quoted) else sentence
    )
    said = {plain(match[0]) for match in tokens(_TOLD_ME.sub(" ", around))}
    if said & _I:
        return False
    return around != sentence or bool(said & (_author(evidence) - STOP_WORDS))


def _author(evidence: Evidence) -> frozenset[str]:
    """Return the words of the author's name: none for the user, who is "I"."""
    return frozenset(plain(match[0]) for match in tokens(_display(evidence)))


def _display(evidence: Evidence) -> str:
    """Return the author's name where it may stand for the item: not for what the user wrote."""
    return "" if evidence.mine else evidence.author.partition("<")[0] or evidence.author


def _stands(sentence: str, matched: frozenset[str], window: Sequence[_Stretch]) -> bool:
    """Tell whether the one word that carries a sentence stands there with the same word before it.

    "I was ill" must not rest on "she fell ill": a lone word is too little without its neighbour.
    """
    said = [plain(match[0]) for match in tokens(sentence)]
    for before, word in pairwise(said):
        if stem(word) in matched:
            phrase = re.compile(rf"\b{re.escape(before)}\W+{re.escape(word)}\b", re.IGNORECASE)
            return any(phrase.search(each.text) for each in window)
    return False


def _denies_alike(sentence: str, matched: frozenset[str], window: Sequence[_Stretch]) -> bool:
    """Tell whether a sentence denies exactly where the words it rests on are denied."""
    left = set(matched)
    denied = False
    for stretch in sorted(window, key=lambda each: len(each.stems & matched), reverse=True):
        places = [place for place in stretch.places if place[0] in left]
        if places:
            denied = denied or negated(_clause(stretch.text, *_tightest(places)))
        left -= stretch.stems
    return negated(sentence) == denied


def _clause(text: str, start: int, end: int) -> str:
    """Return a stretch of text widened to the marks around it."""
    opened = max((mark.end() for mark in _CLAUSE.finditer(text, 0, start)), default=0)
    closed = _CLAUSE.search(text, end)
    return text[opened : closed.start() if closed else len(text)]


def _tightest(places: Sequence[tuple[str, int, int]]) -> tuple[int, int]:
    """Return the shortest stretch (start, end) that holds each of the stems once."""
    needed = len({name for name, _, _ in places})
    best = (places[0][1], places[-1][2])
    for at, (_, start, _) in enumerate(places):
        seen: set[str] = set()
        for name, _, end in places[at:]:
            seen.add(name)
            if len(seen) == needed:
                if end - start < best[1] - best[0]:
                    best = (start, end)
                break
    return best


@lru_cache(maxsize=64)
def _read(text: str) -> _Read:
    """Read an item's text: its sentences with their stems, its words, its dates."""
    stretches = []
    for start, end in sentences(text):
        piece = text[start:end]
        places = tuple(_places(piece))
        held = frozenset(name for name, _, _ in places)
        stretches.append(_Stretch(piece, places, held, facts.numbers(piece)))
    words = [facts.without_possessive(match[0]) for match in tokens(text)]
    days = tuple(day for dated in facts.dates(text) for day in dated.readings)
    return _Read(
        tuple(stretches),
        frozenset(map(plain, words)),
        frozenset(words),
        frozenset().union(*(each.numbers for each in stretches)),
        days,
    )


def _places(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the stems of a text's content words with the place of the word each comes from."""
    for match in tokens(text):
        for word in content_words(match[0]):
            yield stem(word), match.start(), match.end()
