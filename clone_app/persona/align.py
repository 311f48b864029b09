"""Lay a sentence over a text: where its words stand together, who does what there, what is denied.

Bags of words lie: over a page of diary any sentence finds its words somewhere. So the words must
stand close together, in neighbouring sentences, with the same doer and the same denial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clone_app.memory.stopwords import NEGATIONS
from clone_app.memory.words import content_words, negated, plain, sentences, stem, tokens
from clone_app.persona import facts
from clone_app.persona.facts import Day


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_I: Final = _listed("i we i'm i've i'd i'll we're we've we'd we'll")
_THEY: Final = _listed("he she they it you who which he's she's he'd she'd they'd they're it's")
_MINE: Final = _listed("my our")
_THEIRS: Final = _listed("his her their him them")  # "his dog", and "let her learn"
_HELPING: Final = _listed(
    "do did does don't didn't doesn't had has have hadn't haven't hasn't was were is are am wasn't "
    "weren't isn't aren't be been will would shall should could can may might must won't wouldn't "
    "shouldn't couldn't can't cannot"
)
_BETWEEN: Final = _listed("not never also so very much then now just only still always often all")
_OWNED: Final = _listed("the a an my his her our their your this that every each some")
_AFTER: Final = _listed(
    "to at from in of with by on for into through about near after before over under"
)
_CLAUSE = re.compile(r"[,;:—–()。，；：、]")


@dataclass(frozen=True, slots=True)
class Token:
    """Hold a word of a text: as written, plain, its stem ("" for function words), where it stands.

    `doer` says who does it, or whose it is, as far as the words before it tell: "I", "they", or ""
    for unknown.
    """

    raw: str
    word: str
    stem: str
    start: int
    end: int
    sentence: int
    doer: str


@dataclass(frozen=True, slots=True)
class Read:
    """Hold a text read once: its words in order, and per sentence its place and its numbers."""

    text: str
    tokens: tuple[Token, ...]
    spans: tuple[tuple[int, int], ...]
    figures: tuple[frozenset[str], ...]
    words: frozenset[str]
    exact: frozenset[str]
    days: tuple[Day, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """Return all numbers of the text."""
        return frozenset().union(*self.figures)


@dataclass(frozen=True, slots=True)
class Fit:
    """Hold where a sentence's words stand together: which, and the words from first to last."""

    matched: frozenset[str]
    tokens: tuple[Token, ...]


@lru_cache(maxsize=128)
def read(text: str) -> Read:
    """Return a text read into words, sentences, numbers and dates."""
    spans = tuple(sentences(text))
    found: list[Token] = []
    for number, (start, end) in enumerate(spans):
        found.extend(_tokens(text, start, end, number))
    words = [facts.without_possessive(match[0]) for match in tokens(text)]
    return Read(
        text,
        tuple(found),
        spans,
        tuple(facts.numbers(text[start:end]) for start, end in spans),
        frozenset(map(plain, words)),
        frozenset(words),
        tuple(day for dated in facts.dates(text) for day in dated.readings),
    )


def _tokens(text: str, start: int, end: int, number: int) -> Iterator[Token]:
    """Yield the words of one sentence; a run of CJK as its pairs."""
    before: list[Token] = []
    for match in tokens(text[start:end]):
        at, to = start + match.start(), start + match.end()
        for content in content_words(match[0]) or [""]:
            doer = _doer(text, before, at) if content else ""
            word = plain(match[0])
            token = Token(match[0], word, stem(content) if content else "", at, to, number, doer)
            before.append(token)
            yield token


def _doer(text: str, before: Sequence[Token], at: int) -> str:
    """Return who does what the next word says, or whose it is, judged by the words before it."""
    helped = False
    place = len(before) - 1
    while place >= 0 and before[place].word in _HELPING | _BETWEEN:
        helped = helped or before[place].word in _HELPING
        at = before[place].start
        place -= 1
    if place < 0:
        return ""
    last = before[place]
    if last.word in _I or (not helped and last.word in _MINE):
        return "I"
    if last.word in _THEY or (not helped and last.word in _THEIRS):
        return "they"
    if not last.stem or _CLAUSE.search(text[last.end : at]):
        return ""
    opening = before[place - 1].word if place else ""
    if opening in _OWNED:
        further = before[place - 2].word if place > 1 else ""
        return "" if further in _AFTER else "they"
    if opening in _AFTER:
        return ""
    return "they" if helped or (last.raw[0].isupper() and place) else ""


def fits(said: Read, text: Read, wanted: frozenset[str], *, window: int, spread: int) -> list[Fit]:
    """Return where at least one of the wanted stems stands, the fullest and tightest first.

    A fit reaches over at most `window` neighbouring sentences and `spread` words of content.
    """
    content = [token for token in text.tokens if token.stem]
    found: dict[frozenset[str], tuple[int, Fit]] = {}
    for first, token in enumerate(content):
        if token.stem not in wanted:
            continue
        seen: set[str] = set()
        for last in range(first, min(len(content), first + spread)):
            if content[last].sentence - token.sentence >= window:
                break
            if content[last].stem in wanted and content[last].stem not in seen:
                seen.add(content[last].stem)
                matched = frozenset(seen)
                fit = Fit(matched, tuple(content[first : last + 1]))
                if matched not in found or last - first < found[matched][0]:
                    found[matched] = (last - first, fit)
    ordered = sorted(found.values(), key=lambda each: (-len(each[1].matched), each[0]))
    return [fit for _, fit in ordered if _same_doers(said, fit) and _same_denials(said, text, fit)]


def _same_doers(said: Read, fit: Fit) -> bool:
    """Tell whether nobody in the sentence does or owns what in the text is somebody else's."""
    for token in said.tokens:
        if token.doer and token.stem in fit.matched:
            there = {other.doer for other in fit.tokens if other.stem == token.stem}
            if there and "" not in there and token.doer not in there:
                return False
    return True


def _same_denials(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether the sentence denies exactly what is denied where its words stand."""
    start, end = fit.tokens[0].start, fit.tokens[-1].end
    start, end = _clause(text, start, end)
    around = [token for token in text.tokens if start <= token.start and token.end <= end]
    here, there = _denied(said.tokens), _denied(around)
    if here - {""} != there & fit.matched:
        return False
    return negated(said.text) == negated(text.text[start:end])


def _denied(words: Sequence[Token]) -> frozenset[str]:
    """Return what denials among these words deny: the next word of content, "" for none near."""
    found = set()
    for at, token in enumerate(words):
        if token.word in NEGATIONS or token.word.endswith("n't"):
            near = [other.stem for other in words[at + 1 : at + 6] if other.stem]
            found.add(near[0] if near else "")
    return frozenset(found)


def _clause(text: Read, start: int, end: int) -> tuple[int, int]:
    """Return a stretch widened to the marks around it, within its sentences."""
    opened = max((a for a, b in text.spans if a <= start), default=0)
    closed = min((b for a, b in text.spans if b >= end), default=len(text.text))
    for mark in _CLAUSE.finditer(text.text, opened, start):
        opened = mark.end()
    after = _CLAUSE.search(text.text, end, closed)
    return opened, after.start() if after else closed


def stands(said: Read, text: Read, matched: frozenset[str]) -> bool:
    """Tell whether a word stands in the text between the same neighbours as in the sentence.

    "I was ill" must not rest on "she fell ill": a lone word needs two words beside it.
    """
    words = [token.word for token in said.tokens]
    theirs = [token.word for token in text.tokens]
    length = 3
    runs = {tuple(theirs[at : at + length]) for at in range(len(theirs) - length + 1)}
    for at, token in enumerate(said.tokens):
        if token.stem in matched:
            opened = range(max(0, at - length + 1), min(at, len(words) - length) + 1)
            return any(tuple(words[start : start + length]) in runs for start in opened)
    return False
