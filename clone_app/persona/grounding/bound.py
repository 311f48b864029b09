"""Tell whether what belongs to a word in a sentence belongs to it in the text: number, time, direction.

"6 eggs and 12 lemons" holds every word of "12 eggs", and "from Lyon to Nice" every word of "from Nice
to Lyon". Looked at are the words next to each other; where a text has only one number or time, all
goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Moment
from clone_app.memory.words import stem
from clone_app.persona import facts
from clone_app.persona.facts import Day
from clone_app.persona.grounding.align import Fit, Read, Token, stretch
from clone_app.persona.listed import listed

_PART_OF_DAY: Final = listed(
    "morning afternoon evening night noon midnight breakfast lunch dinner supper dawn dusk spring "
    "summer autumn winter christmas easter"
)
_RELATIVE: Final = listed("yesterday today tonight tomorrow ago")
_MARKS = re.compile(r"[,;:—–()。，；：、]|\b(?:and|but|then|while)\b")
_PARTS: Final = listed("half third quarter most some part rest one")
_WRITING: Final = listed("wrote written posted noted mentioned said recorded")
_OPPOSED: Final = tuple(
    frozenset(pair.split())
    for pair in (
        "before after", "from to", "from for", "with without", "under over", "since until",
        "into from", "up down", "on off", "towards from",
    )
)  # fmt: skip
_PREPOSITIONS: Final = frozenset().union(*_OPPOSED) | listed("in at by of about through")
_DETERMINERS: Final = listed("the a an my his her our their your its this that these those")


@dataclass(frozen=True, slots=True)
class _Place:
    """Hold a number or a time in a text: where it stands and what it says."""

    start: int
    end: int
    value: str | tuple[Day, ...]


def bound_alike(said: Read, text: Read, fit: Fit, moment: Moment) -> bool:
    """Tell whether numbers, times and directions go with the same words in both.

    `moment` is that of the text: a sentence may give it to what the text doesn't date otherwise.
    """
    return (
        _numbers(said, text, fit)
        and _times(said, text, fit, facts.day_of(moment))
        and _directions(said, text, fit)
        and _where(said, text, fit)
        and halves_alike(said, text, stretch(text, fit))
    )


def _figures(text: str, start: int, end: int) -> list[_Place]:
    return [
        _Place(each.start, each.end, each.value)
        for each in facts.figures(text)
        if start <= each.start < end
    ]


def _numbers(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether each number counts what it counts in the text, or stands by the word it stands by."""
    theirs = _figures(text.text, *stretch(text, fit))
    mine = _figures(said.text, 0, len(said.text))
    for each in mine:
        same = [place for place in theirs if place.value == each.value]
        if same and all(_of(text, place) for place in same) and not _of(said, each):
            return False
    if len(theirs) < 2:
        return True
    return all(
        _beside(each, word, text, same=[p for p in theirs if p.value == each.value], places=theirs)
        for each in mine
        for word in _neighbours(said, each, mine, fit)[-1:]
    )


def _of(text: Read, place: _Place) -> bool:
    """Tell whether only a part of a number is spoken of: "half of the 600", "5 of the 10 miles"."""
    before = [token.word for token in text.tokens if token.end <= place.start][-3:]
    return (
        "of" in before[-2:]
        and bool(before)
        and (before[0] in _PARTS or bool(facts.numbers(before[0])) or before[-2:-1] == ["half"])
    )


def _times(said: Read, text: Read, fit: Fit, written: Day) -> bool:
    """Tell whether each date and part of a day stands by the words it stands by in the text.

    A sentence may give a thing the day of its item, but not where the item dates it otherwise.
    """
    start, end = stretch(text, fit)
    theirs = [each for each in _dated(text) if start <= each.start < end]
    mine = _dated(said)
    for each in mine:
        same = [place for place in theirs if _same_time(each, place, written)]
        if same and len(theirs) > 1:
            words = _neighbours(said, each, mine, fit)
            if not all(_beside(each, word, text, same=same, places=theirs) for word in words):
                return False
        elif not same and isinstance(each.value, tuple):
            after = {token.word for token in said.tokens if token.start >= each.end}
            if not after & _WRITING and _elsewhen(text, theirs, fit):
                return False
    return True


def _elsewhen(text: Read, theirs: Sequence[_Place], fit: Fit) -> bool:
    """Tell whether a text dates what it tells there by a day of its own or from the day of writing."""
    start, end = stretch(text, fit)
    words = {token.word for token in text.tokens if start <= token.start < end}
    return bool(words & _RELATIVE) or any(isinstance(place.value, tuple) for place in theirs)


def _dated(text: Read) -> list[_Place]:
    """Return the dates and parts of days of a text in order."""
    found = [_Place(each.start, each.end, each.readings) for each in facts.dates(text.text)]
    found += [
        _Place(token.start, token.end, token.word)
        for token in text.tokens
        if token.word in _PART_OF_DAY
    ]
    return sorted(found, key=lambda place: place.start)


def _same_time(one: _Place, other: _Place, written: Day) -> bool:
    if isinstance(one.value, str) or isinstance(other.value, str):
        return one.value == other.value
    days = [day.filled(written) for day in other.value]
    return any(reading.agrees(day) for reading in one.value for day in days)


def _neighbours(said: Read, place: _Place, places: Sequence[_Place], fit: Fit) -> list[Token]:
    """Return the nearest shared word of content before and behind a place, in its clause."""
    taken = [(each.start, each.end) for each in places]
    content = [
        token
        for token in said.tokens
        if token.stem in fit.matched and not any(a <= token.start < b for a, b in taken)
    ]
    before = [token for token in content if token.end <= place.start][-1:]
    behind = [token for token in content if token.start >= place.end][:1]
    found = []
    for token in (*before, *behind):
        start, end = _gap(place, token)
        if not _MARKS.search(said.text[start:end]) and not any(start <= a < end for a, _ in taken):
            found.append(token)
    return found


def _beside(
    place: _Place, word: Token, text: Read, *, same: Sequence[_Place], places: Sequence[_Place]
) -> bool:
    """Tell whether a word goes with a number or time in the text as it does in the sentence.

    Of the `places` there, which say `same` and which don't, none may stand between. In the other order
    nothing may part the two, and nothing else may stand right behind the number.
    """
    for other in same:
        for token in text.tokens:
            if token.stem != word.stem:
                continue
            start, end = _gap(other, token)
            if any(start <= each.start < end for each in places):
                continue
            if (other.start < token.start) == (place.start < word.start):
                return True
            between = text.text[start:end]
            apart = between.strip(" ,:") and _MARKS.search(between)
            if not apart and not _counts_another(text, other, token):
                return True
    return False


def _gap(place: _Place, word: Token) -> tuple[int, int]:
    """Return where what lies between a place and a word begins and ends, whichever comes first."""
    return min(place.end, word.end), max(place.start, word.start)


def _counts_another(text: Read, place: _Place, word: Token) -> bool:
    """Tell whether right behind a number stands a noun, other than the word: what it counts."""
    following = [token for token in text.tokens if token.start >= place.end][:1]
    return bool(following) and bool(following[0].stem) and following[0].stem != word.stem


def _directions(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no shared word comes after the opposite preposition: "to" for "from"."""
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched:
            continue
        mine = _preposition(said.tokens[:at])
        if not mine:
            continue
        theirs = [
            _preposition(text.tokens[:number])
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem
            and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        ]
        if theirs and all(frozenset((mine, each)) in _OPPOSED for each in theirs):
            return False
    return True


def _where(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether a place or person behind a preposition goes with the word it goes with there.

    "Slept in Lund, woke in Lyon" doesn't tell that I slept in Lyon.
    """
    start, end = stretch(text, fit)
    theirs = [token for token in text.tokens if start <= token.start < end]
    for at, token in enumerate(said.tokens):
        if not _named(said.tokens, at) or token.stem not in fit.matched:
            continue
        words = [other for other in said.tokens[:at] if other.stem in fit.matched]
        if not words or words[-1].raw[0].isupper() or words[-1].sentence != token.sentence:
            continue
        pairs = [
            (one, other)
            for one, word in enumerate(theirs)
            for other, name in enumerate(theirs)
            if word.stem == words[-1].stem and name.stem == token.stem
        ]
        if pairs and not any(_goes_with(text, theirs, *pair) for pair in pairs):
            return False
    return True


def _named(words: Sequence[Token], at: int) -> bool:
    """Tell whether a word is a name right behind a preposition."""
    before = words[at - 1].word if at else ""
    return bool(words[at].stem) and words[at].raw[0].isupper() and before in _PREPOSITIONS


def _goes_with(text: Read, words: Sequence[Token], word: int, name: int) -> bool:
    """Tell whether no other name with a statement of its own stands between a word and a name."""
    first, last = sorted((word, name))
    between = range(first + 1, last)
    if name < word:
        return not _MARKS.search(text.text[words[first].end : words[last].start])
    other = next((at for at in between if _named(words, at)), last)
    return not any(words[at].stem and words[at].raw[0].islower() for at in range(other + 1, last))


def _preposition(before: Sequence[Token]) -> str:
    """Return the preposition that a word with these before it belongs to, "" for none near."""
    passed = 0
    for token in reversed(before[-4:]):
        if token.word in _PREPOSITIONS:
            return token.word
        if token.word in _DETERMINERS:
            continue
        passed += 1
        if passed > 1 or not token.stem:
            return ""
    return ""


def halves_alike(said: Read, text: Read, within: tuple[int, int]) -> bool:
    """Tell whether of two people who each have their part of a sentence none has the other's there.

    `within` is where in the text that is looked for.
    "Lotte got the house and Arne the boat" holds every word of "Lotte got the boat and Arne the house".
    """
    named = {stem(name) for name in facts.names(said.text)}
    halves: list[tuple[str, frozenset[str]]] = []
    for part in _parts(said.tokens, said.text):
        who = next((t.stem for at, t in enumerate(part) if _person(part, at, named)), "")
        if who:
            halves.append((who, frozenset(token.stem for token in part) - {who, ""}))
    if len(halves) != 2 or halves[0][0] == halves[1][0]:
        return True
    (one, mine), (other, theirs) = halves
    people, shared = {one, other}, mine & theirs
    start, end = within
    there = [
        frozenset(token.stem for token in part)
        for part in _parts([t for t in text.tokens if start <= t.start < end], text.text)
    ]

    def has(who: str, what: frozenset[str]) -> bool:
        return any(part & people == {who} and part & (what - shared - people) for part in there)

    def only(who: str, what: frozenset[str], against: str) -> bool:
        return any(has(who, frozenset({w})) and not has(against, frozenset({w})) for w in what)

    if only(one, theirs, other) and only(other, mine, one):
        return False
    crossed = has(one, theirs) or has(other, mine)
    return not crossed or has(one, mine) or has(other, theirs)


def _person(part: Sequence[Token], at: int, named: set[str]) -> bool:
    """Tell whether a word names somebody: a name, or "sister" behind "my"."""
    owned = at > 0 and part[at - 1].word in ("my", "our")
    return bool(part[at].stem) and (owned or part[at].stem in named)


def _parts(words: Sequence[Token], text: str) -> list[list[Token]]:
    """Return words in order, cut at marks and at "and", "but", "while" and the like."""
    found: list[list[Token]] = [[]]
    last: Token | None = None
    for token in words:
        if last and (
            token.sentence != last.sentence or _MARKS.search(text[last.start : token.start])
        ):
            found.append([])
        found[-1].append(token)
        last = token
    return found
