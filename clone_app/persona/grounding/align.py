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

from clone_app.memory.irregular import base
from clone_app.memory.words import content_words, denies, negated, plain, sentences, stem, tokens
from clone_app.persona import facts, numerals
from clone_app.persona.facts import Day
from clone_app.persona.listed import listed

FIRST: Final = listed("i we i'm i've i'd i'll we're we've we'd we'll")
_THEY: Final = listed(
    "he she they it you who which he's she's he'd she'd they'd they're it's somebody someone everybody "
    "everyone nobody anybody anyone else"
)
_MINE: Final = listed("my our")
_THEIRS: Final = listed("his her their whose him them")  # "his dog", and "let her learn"
HELPING: Final = listed(
    "do did does don't didn't doesn't had has have hadn't haven't hasn't was were is are am wasn't "
    "weren't isn't aren't be been will would shall should could can may might must won't wouldn't "
    "shouldn't couldn't can't cannot"
)
# Verbs that are no words of content, but somebody does what they say.
LIGHT: Final = listed(
    "get gets got gotten getting go goes went gone going make makes made making take takes took taken "
    "taking come comes came coming"
)
_BETWEEN: Final = listed("not never also so very much then now just only still always often all")
_OBJECTS: Final = listed("me him us them it you myself himself herself")
# Pasts that look like nouns or are the same in the present.
PAST_TOO: Final = listed(
    "saw bit lay rose hit cut put let set shut hurt cost cast split spread quit read beat burst bet "
    "ground wound bore bid shed rid thrust upset sat ran"
)
_OWNED: Final = listed("the a an my his her our their your this that every each some")
_AFTER: Final = listed(
    "to at from in of with by on for into through about near after before over under"
)
# What parts two statements within a sentence; a comma alone may part the members of a list.
_HARD = re.compile(r"[;:—–。；：]|,\s+(?:but|while|whereas|though|although|and)\s")
_PAST = re.compile(r"(?:ed|ing)$")
_CLAUSE = re.compile(r"[,;:—–()。，；：、]")
_LABEL = re.compile(r"[*_]{0,2}[:：]")
# Behind these a denial is of something else: "carried it home and would not take a penny".
_JOINED = re.compile(r"\s(?:and|but|or|without)\s")


@dataclass(frozen=True, slots=True)
class Token:
    """Hold a word of a text: as written, plain, its stem ("" for function words), where it stands.

    `doer` says who does it, or whose it is, as far as the words before it tell: "I", "they", or ""
    for unknown. `by` is the stem of the noun or name that stands there as the doer, "" for a pronoun
    or none; with "N and I" the doer is unknown and `by` is N.
    """

    raw: str
    word: str
    stem: str
    start: int
    end: int
    sentence: int
    doer: str
    by: str = ""


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


def stretch(text: Read, fit: Fit) -> tuple[int, int]:
    """Return where the sentences that a fit touches begin and end."""
    return text.spans[fit.tokens[0].sentence][0], text.spans[fit.tokens[-1].sentence][1]


@lru_cache(maxsize=128)
def read(text: str) -> Read:
    """Return a text read into words, sentences, numbers and dates."""
    spans = tuple(sentences(text))
    bare = facts.without_dates(text)  # "4 September 1666" does nothing and owns nothing
    found: list[Token] = []
    for number, (start, end) in enumerate(spans):
        found.extend(_tokens(text, bare, start, end, number))
    words = [facts.without_possessive(match[0]) for match in tokens(text)]
    return Read(
        text,
        tuple(found),
        spans,
        tuple(numerals.numbers(text[start:end]) for start, end in spans),
        frozenset(map(plain, words)),
        frozenset(words),
        tuple(day for dated in facts.dates(text) for day in dated.readings),
    )


def _tokens(text: str, bare: str, start: int, end: int, number: int) -> Iterator[Token]:
    """Yield the words of one sentence; a run of CJK as its pairs."""
    before: list[Token] = []
    for match in tokens(text[start:end]):
        at, to = start + match.start(), start + match.end()
        for content in content_words(match[0]) or [""]:
            word, root = plain(match[0]), stem(content) if content else ""
            idle = bare[at:to].isspace() or not (content or word in LIGHT)
            doer, by = ("", "") if idle else _doer(bare, before, at, word)
            token = Token(match[0], word, root, at, to, number, doer, by)
            before.append(token)
            yield token


def _doer(text: str, before: Sequence[Token], at: int, word: str) -> tuple[str, str]:
    """Return who does what the next word says, or whose it is, and the noun that says so.

    Judged by the words before it; see `Token` for what comes back.
    """
    helped = False
    place = len(before) - 1
    while place >= 0 and before[place].word in HELPING | _BETWEEN:
        helped = helped or before[place].word in HELPING
        at = before[place].start
        place -= 1
    if place < 0:
        return "", ""
    last = before[place]
    if last.word in FIRST or (not helped and last.word in _MINE):
        together = (
            place > 1
            and last.word == "i"
            and before[place - 1].word == "and"
            and not _has_verb(text, before[: place - 2], before[place - 2])
        )
        return ("", before[place - 2].stem) if together else ("I", "")
    if last.word in _THEY or (not helped and last.word in _THEIRS):
        return "they", ""
    if (
        not last.stem
        or text[last.start : last.end].isspace()
        or _CLAUSE.search(text[last.end : at])
    ):
        return "", ""
    opening = before[place - 1].word if place else ""
    if opening in _OWNED or (place and before[place - 1].raw.endswith(("'s", "’s"))):
        further = before[place - 2].word if place > 1 else ""
        return ("", "") if further in _AFTER else ("they", last.stem)
    if opening in _AFTER:
        verbal = helped or word in LIGHT or word.endswith("ed") or base(word) != word
        return _from_somewhere(text, before[: place - 1]) if verbal else ("", "")
    if helped or (last.raw[0].isupper() and place):
        return "they", last.stem
    # "Robin came", but not "Bought cheese": a diary leaves out its I.
    opens = not place and last.raw[0].isupper() and not _PAST.search(last.word)
    return ("", last.stem) if opens and base(last.word) == last.word else ("", "")


def _has_verb(text: str, before: Sequence[Token], last: Token) -> bool:
    """Tell whether a verb stands before a word since the last mark: "Kim got ill and I got the bill"."""
    for token in reversed(before):
        if _CLAUSE.search(text[token.end : last.start]):
            return False
        if (
            token.word in HELPING | LIGHT
            or token.word.endswith("ed")
            or base(token.word) != token.word
        ):
            return True
    return False


def _from_somewhere(text: str, before: Sequence[Token]) -> tuple[str, str]:
    """Return who does what follows "a couple from Kiel": the couple, where nothing goes before it."""
    if len(before) < 2 or not before[-1].stem or before[-2].word not in _OWNED:
        return "", ""
    opened = len(before) == 2 or _CLAUSE.search(text[before[-3].end : before[-2].start])
    return ("they", before[-1].stem) if opened else ("", "")


def fits(
    said: Read,
    text: Read,
    wanted: frozenset[str],
    *,
    window: int,
    spread: int,
    author: frozenset[str] = frozenset(),
) -> list[Fit]:
    """Return where at least one of the wanted stems stands, the fullest and tightest first.

    A fit reaches over at most `window` neighbouring sentences and `spread` words of content.
    `author` holds the stems of the name of whoever says "I" in the text, where that is not the user.
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
    return [
        fit
        for _, fit in ordered
        if _same_doers(said, text, fit, author)
        and _same_denials(said, text, fit)
        and _names_beside(said, text, fit)
    ]


def _same_doers(said: Read, text: Read, fit: Fit, author: frozenset[str]) -> bool:
    """Tell whether nobody in the sentence does or owns what in the text is somebody else's.

    A doer who is named ("the bookseller bought") must be the one who does it there: the same noun
    before it, or a pronoun after it. That the text leaves the doer out doesn't help: in a diary
    that is the writer.
    """
    near = {token.sentence for token in fit.tokens}
    for token in said.tokens:
        if not token.stem or not (token.by or token.stem in fit.matched):
            continue
        there = [other for other in fit.tokens if other.stem == token.stem] or [
            other for other in text.tokens if other.stem == token.stem and other.sentence in near
        ]
        if token.by and not any(_does(token.by, each, text, author) for each in there):
            return False
        if token.doer and not token.by:
            doers = {"they" if each.by and not each.doer else each.doer for each in there}
            together = any(each.by and not each.doer for each in there) and _together(text, there)
            if doers and not together and "" not in doers and token.doer not in doers:
                return False
    return True


def _does(name: str, token: Token, text: Read, author: frozenset[str]) -> bool:
    """Tell whether in a text the bearer of a noun or name may be the doer of a word."""
    if token.by == name or (name in author and token.doer in ("I", "")):
        return True
    if token.doer == "I":
        return False
    if _described(name, token, text):
        return True
    if (heads := antecedents(token, text)) is not None:
        return name in heads
    pronoun = token.doer == "they" and not token.by
    for at, other in enumerate(text.tokens):
        if _LABEL.match(text.text, other.end):
            continue  # "Robin: he was very clear": it is Robin who says so
        if other.stem == name and other.start < token.start:
            if pronoun and other.sentence >= token.sentence - 2:
                return True
            if other.sentence == token.sentence and _opens_clause(text, at):
                return True
    return False


def antecedents(token: Token, text: Read) -> frozenset[str] | None:
    """Return the nouns that a "who" or "which" may stand for, None where none does what a word says.

    They stand right before it: "showed Mum the book, who laughed" is of Mum or the book, but behind
    "Mum showed it to the nurse, who" there is only the nurse.
    """
    before = [each for each in text.tokens if each.end <= token.start]
    while before and before[-1].word in HELPING | _BETWEEN:
        before.pop()
    if not before or before[-1].word not in ("who", "which"):
        return None
    found = set()
    for each in reversed(before[:-1]):
        verbal = base(each.word) != each.word or _PAST.search(each.word) or each.word in PAST_TOO
        if each.sentence != token.sentence or verbal or each.word in HELPING | _THEY | FIRST:
            break
        found.add(each.stem)
    return frozenset(found - {""})


def _described(name: str, token: Token, text: Read) -> bool:
    """Tell whether a word stands before a noun and others between: "an old pan", "an old red pan".

    What may be a verb is none, or "the dog bit" would be said of the dog catcher.
    """
    verbal = base(token.word) != token.word or token.word in PAST_TOO
    if verbal or token.word.endswith(("ed", "s", "ing")):
        return False
    behind = next((each.word for each in text.tokens if each.start >= token.end), "")
    if behind in _OWNED or behind in _OBJECTS:
        return False
    for other in reversed([each for each in text.tokens if each.end <= token.start][-4:]):
        owner = other.raw.endswith(("'s", "’s"))
        if not other.stem or owner or _CLAUSE.search(text.text, other.end, token.start):
            return False
        if other.stem == name:
            return True
    return False


def _opens_clause(text: Read, at: int) -> bool:
    """Tell whether nothing but an article stands between a noun and the mark before it.

    "The bookseller came, and bought …" is about him, "met the bookseller, and bought …" isn't.
    """
    token = text.tokens[at]
    start = text.spans[token.sentence][0]
    for mark in _CLAUSE.finditer(text.text, start, token.start):
        start = mark.end()
    return all(
        other.word in _OWNED or other.raw[0].isupper() or other.word in ("and", "but", "then")
        for other in text.tokens[:at]
        if other.start >= start
    )


def _together(text: Read, there: Sequence[Token]) -> bool:
    """Tell whether one of these words is done by somebody and the writer: "Penn and I did dig"."""
    starts = {each.start: at for at, each in enumerate(text.tokens)}
    for each in there:
        at = starts[each.start]
        before = [other.word for other in text.tokens[max(0, at - 6) : at]]
        if each.by and "i" in before and "and" in before:
            return True
    return False


def _names_beside(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether each name of the sentence stands in the text beside what it stands beside here.

    "I run with Tom" must not rest on "Tom moved away; I run alone now".
    """
    names = {stem(name) for name in facts.names(said.text)}
    for at, token in enumerate(said.tokens):
        if token.stem not in names & fit.matched:
            continue
        if not at or said.tokens[at - 1].word not in _AFTER:
            continue
        beside = [
            other.stem
            for other in reversed(said.tokens[:at])
            if other.stem in fit.matched - names and other.sentence == token.sentence
        ][:1]
        if beside and not _beside(text, fit, token.stem, beside[0]):
            return False
    return True


def _beside(text: Read, fit: Fit, name: str, word: str) -> bool:
    """Tell whether a name and a word stand in one clause of a text somewhere near the fit."""
    near = {token.sentence for token in fit.tokens}
    places = [token for token in text.tokens if token.sentence in near]
    for one in places:
        for other in places:
            if one.stem == name and other.stem == word and one.sentence == other.sentence:
                between = text.text[min(one.end, other.end) : max(one.start, other.start)]
                if len(_HARD.findall(between)) == 0:
                    return True
    return False


def _same_denials(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether the sentence denies exactly what is denied where its words stand."""
    start, end = fit.tokens[0].start, fit.tokens[-1].end
    start, further = clause(text, start, end)
    joined = _JOINED.search(text.text, end, further)
    told = {token.stem for token in said.tokens if token.stem}
    if joined and not any(
        each.stem in told for each in text.tokens if joined.end() <= each.start < further
    ):
        end = joined.start()
    else:
        end = further
    around = [token for token in text.tokens if start <= token.start and token.end <= end]
    here, there = _denied(said, said.tokens), _denied(text, around)
    if here - {""} != there & fit.matched:
        return False
    return negated(said.text) == negated(text.text[start:end])


def _denied(text: Read, words: Sequence[Token]) -> frozenset[str]:
    """Return what denials among these words deny: the next word of content, "" for none near.

    French "n'aime" holds both.
    """
    found = set()
    for at, token in enumerate(words):
        if denies(token.raw, text.text[token.end : token.end + 1]):
            elided = token.stem if token.raw.casefold().startswith(("n'", "n’")) else ""
            near = [other.stem for other in words[at + 1 : at + 6] if other.stem]
            found.add(elided or (near[0] if near else ""))
    return frozenset(found)


def clause(text: Read, start: int, end: int) -> tuple[int, int]:
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
