"""Tell whether what belongs to a word in a sentence belongs to it in the text: number, time, owner.

"6 eggs and 12 lemons" holds every word of "12 eggs", and "from Lyon to Nice" every word of "from Nice
to Lyon". Looked at are the words next to each other; where a text has only one number or time, all
goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Moment
from clone_app.memory.irregular import base
from clone_app.memory.words import plain, stem
from clone_app.persona import facts
from clone_app.persona.align import LIGHT, Fit, Read, Token
from clone_app.persona.facts import Day


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PART_OF_DAY: Final = _listed(
    "morning afternoon evening night noon midnight breakfast lunch dinner supper dawn dusk spring "
    "summer autumn winter christmas easter"
)
_RELATIVE: Final = _listed("yesterday today tonight tomorrow ago")
_MARKS = re.compile(r"[,;:—–()。，；：、]|\b(?:and|but|then|while)\b")
_HARD = re.compile(r"[;:—–()。；：]")
_WRITING: Final = _listed("wrote written posted noted mentioned said recorded")
_OPPOSED: Final = tuple(
    frozenset(pair.split())
    for pair in (
        "before after", "from to", "from for", "with without", "under over", "since until",
        "into from", "up down", "on off", "towards from",
    )
)  # fmt: skip
_PREPOSITIONS: Final = frozenset().union(*_OPPOSED) | _listed("in at by of about through")
_DETERMINERS: Final = _listed("the a an my his her our their your its this that these those")
_OWNERS: Final = {"his": "he", "her": "she", "their": "they", "its": "it", "my": "I", "our": "I",
                  "your": "you"}  # fmt: skip
_SUBJECTS: Final = {
    **dict.fromkeys(_listed("he he's he'd he'll"), "he"),
    **dict.fromkeys(_listed("she she's she'd she'll"), "she"),
    **dict.fromkeys(_listed("they they're they'd they'll they've"), "they"),
    **dict.fromkeys(_listed("you you're you'd you'll you've"), "you"),
    **dict.fromkeys(_listed("i we i'm i've i'd i'll we're we've we'd we'll"), "I"),
}
_HE: Final = frozenset(
    map(
        stem,
        _listed(
            "father dad daddy papa brother husband son uncle grandfather grandpa granddad nephew "
            "boyfriend fiancé mr sir lord king prince man boy gentleman"
        ),
    )
)
_SHE: Final = frozenset(
    map(
        stem,
        _listed(
            "mother mum mom mummy mama sister wife daughter aunt auntie grandmother grandma granny "
            "niece girlfriend fiancée mrs ms miss lady queen princess woman girl"
        ),
    )
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Hold a number or a time in a text: where it stands and what it says."""

    start: int
    end: int
    value: str | tuple[Day, ...]


def bound_alike(said: Read, text: Read, fit: Fit, moment: Moment) -> bool:
    """Tell whether numbers, times, directions and owners go with the same words in both."""
    return (
        _numbers(said, text, fit)
        and _times(said, text, fit, facts.day_of(moment))
        and _directions(said, text, fit)
        and _owners(said, text, fit)
        and _carried_on(said, text, fit)
        and _light(said, text, fit)
        and _names_once(said, text, fit)
        and _predicates(said, text, fit)
    )


def _range(text: Read, fit: Fit) -> tuple[int, int]:
    """Return where the sentences that a fit touches begin and end."""
    return text.spans[fit.tokens[0].sentence][0], text.spans[fit.tokens[-1].sentence][1]


def _figures(text: str, start: int, end: int) -> list[_Place]:
    return [
        _Place(each.start, each.end, each.value)
        for each in facts.figures(text)
        if start <= each.start < end
    ]


def _numbers(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether each number stands by the words it stands by in the text."""
    theirs = _figures(text.text, *_range(text, fit))
    if len(theirs) < 2:
        return True
    mine = _figures(said.text, 0, len(said.text))
    return all(
        _beside(each, word, (said, mine), (text, [p for p in theirs if p.value == each.value], theirs))
        for each in mine
        for word in _neighbours(said, each, mine, fit)
    )


def _times(said: Read, text: Read, fit: Fit, written: Day) -> bool:
    """Tell whether each date and part of a day stands by the words it stands by in the text.

    A sentence may give a thing the day of its item, but not where the item dates it otherwise.
    """
    start, end = _range(text, fit)
    theirs = [each for each in _dated(text) if start <= each.start < end]
    mine = _dated(said)
    for each in mine:
        same = [place for place in theirs if _same_time(each, place, written)]
        if same and len(theirs) > 1:
            words = _neighbours(said, each, mine, fit)
            if not all(_beside(each, word, (said, mine), (text, same, theirs)) for word in words):
                return False
        elif not same and isinstance(each.value, tuple):
            after = {token.word for token in said.tokens if token.start >= each.end}
            if not after & _WRITING and _elsewhen(text, theirs, fit):
                return False
    return True


def _elsewhen(text: Read, theirs: Sequence[_Place], fit: Fit) -> bool:
    """Tell whether a text dates what it tells there by a day of its own or from the day of writing."""
    start, end = _range(text, fit)
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


def _neighbours(
    said: Read, place: _Place, places: Sequence[_Place], fit: Fit
) -> Iterator[Token]:
    """Yield the nearest shared word of content before and behind a place, in its clause."""
    taken = [(each.start, each.end) for each in places]
    content = [
        token
        for token in said.tokens
        if token.stem in fit.matched and not any(a <= token.start < b for a, b in taken)
    ]
    before = [token for token in content if token.end <= place.start][-1:]
    behind = [token for token in content if token.start >= place.end][:1]
    for token in (*before, *behind):
        first, last = sorted((place, token), key=lambda each: each.start)
        between = said.text[first.end : last.start]
        if _MARKS.search(between) or any(first.end <= a < last.start for a, _ in taken):
            continue
        yield token


def _beside(
    place: _Place,
    word: Token,
    here: tuple[Read, Sequence[_Place]],
    there: tuple[Read, Sequence[_Place], Sequence[_Place]],
) -> bool:
    """Tell whether a word goes with a number or time in the text as it does in the sentence.

    `there` holds the text, the places that say the same, and all of them: none may stand between. In
    the other order nothing may part the two, and nothing else may stand right behind the number.
    """
    text, same, all_places = there
    for other in same:
        for token in text.tokens:
            if token.stem != word.stem:
                continue
            first, last = sorted((other, token), key=lambda each: each.start)
            if any(first.end <= each.start < last.start for each in all_places):
                continue
            if (other.start < token.start) == (place.start < word.start):
                return True
            between = text.text[first.end : last.start]
            apart = between.strip(" ,:") and _MARKS.search(between)
            if not apart and not _counts_another(text, other, token):
                return True
    return False


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
            if other.stem == token.stem and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        ]
        if theirs and all(frozenset((mine, each)) in _OPPOSED for each in theirs):
            return False
    return True


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


def _owners(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether nobody of the other sex does or owns a shared word."""
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched:
            continue
        mine = _owner(said, at)
        if not mine:
            continue
        theirs = {
            _owner(text, number) or _gender(other.by)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        }
        if theirs and "" not in theirs and not theirs & {mine}:
            return False
    return True


def _owner(text: Read, at: int) -> str:
    """Return which pronoun directly before a word, an adjective apart, owns or does it."""
    before = text.tokens[max(0, at - 2) : at]
    for token in reversed(before):
        found = _OWNERS.get(token.word) or _SUBJECTS.get(token.word, "")
        if found or not token.stem:
            return found
    return ""


def _gender(by: str) -> str:
    return "he" if by in _HE else "she" if by in _SHE else ""


def _carried_on(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether what is joined by "and" to what one did is not another's deed in the text.

    "I gave Piet the keys and lost them" says that I lost them; and where a diary's sentence opens with
    a verb, it is the writer who does it: "Bought the lamp" is not "he bought the lamp".
    """
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched:
            continue
        mine = _actor(said, at)
        if not mine:
            continue
        theirs = {
            _actor(text, number)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        }
        if theirs and "" not in theirs and mine not in theirs:
            return False
    return True


def _actor(text: Read, at: int) -> str:
    """Return "I" or "they": who does what a verb in the past says; "" where that isn't plain."""
    token = text.tokens[at]
    if token.doer:
        subject = text.tokens[at - 1].word if at else ""
        return token.doer if subject in _SUBJECTS or token.by else ""
    if base(token.word) == token.word and not token.word.endswith("ed"):
        return ""
    opened = [other for other in text.tokens[:at] if other.sentence == token.sentence]
    if not opened:
        return "I"
    if opened[-1].word not in ("and", "then", "but"):
        return ""
    for other in reversed(opened):
        if other.doer and not other.word.endswith("ing"):
            return other.doer
        if _HARD.search(text.text[other.end : token.start]):
            return ""
    return ""


def _light(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether those who got, went or took in a sentence are those who do in the text.

    Verbs so common carry no content and so are in no fit.
    """
    start, end = _range(text, fit)
    for token in said.tokens:
        if token.word not in LIGHT or not (token.doer or token.by):
            continue
        theirs = [
            other
            for other in text.tokens
            if start <= other.start < end and base(other.word) == base(token.word)
        ]
        if theirs and not any(_same_actor(token, other, text) for other in theirs):
            return False
    return True


def _same_actor(mine: Token, other: Token, text: Read) -> bool:
    """Tell whether two verbs may have one doer: unknown, the same noun, or a pronoun for it.

    Where a diary's sentence opens with the verb, it is the writer.
    """
    if not (other.doer or other.by):
        opens = other.start == text.spans[other.sentence][0] and base(other.word) != other.word
        return not opens or (mine.doer == "I")
    if mine.by and other.by:
        return mine.by == other.by
    return (mine.doer or "they") == (other.doer or "they")


def _names_once(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no name stands more often in a sentence than there: "Joel paid Joel" is no answer."""
    start, end = _range(text, fit)
    words = [plain(facts.without_possessive(t.raw)) for t in text.tokens if start <= t.start < end]
    named = [plain(name) for name in facts.names(said.text)]
    return all(named.count(name) < 2 or named.count(name) <= words.count(name) for name in named)


def _predicates(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether what is said first of "I" or "she" is carried, and of "she" as another's.

    The rest of a sentence may be the item's, word for word, and its verb or its subject made up.
    """
    for at, token in enumerate(said.tokens):
        who = _SUBJECTS.get(token.word)
        if not who or who == "you":
            continue
        told = next((other for other in said.tokens[at + 1 : at + 9] if other.stem), None)
        if told is None or _MARKS.search(said.text[token.end : told.start]):
            continue
        if told.stem not in fit.matched:
            return False
        there = [other for other in fit.tokens if other.stem == told.stem]
        if who != "I" and not any(_of_another(text, other) for other in there):
            return False
    return True


def _of_another(text: Read, token: Token) -> bool:
    """Tell whether before a word, in its sentence, stands somebody other than "I" as who does it."""
    before = [t for t in text.tokens if t.end <= token.start and t.sentence == token.sentence]
    subjects = [_SUBJECTS[t.word] for t in before if t.word in _SUBJECTS]
    if token.by or (token.doer == "they" and subjects[-1:] != ["you"]):
        return True
    if subjects:
        return subjects[-1] not in ("I", "you")
    return any(
        t.stem
        and t.raw[0].isupper()
        and (at or base(t.word) == t.word)
        and not _MARKS.search(text.text[t.end : token.start])
        for at, t in enumerate(before)
    )
