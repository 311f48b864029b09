"""Tell whether what goes with a subject in a sentence goes with the same one in the text.

`align` and `doers` compare who does what the next word says. What stands further on is compared here:
in "I have two sons and a daughter" the daughter is mine, in "I have two sons. Ines has a daughter" not;
"I ate the pie and Ulla the fish" leaves the second verb out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from clone_app.memory.irregular import base
from clone_app.persona.grounding.align import FIRST, LIGHT, Fit, Read, Token, stretch
from clone_app.persona.grounding.asserted import past
from clone_app.persona.listed import listed

_THEY: Final = listed(
    "he she they he's she's they're he'd she'd they'd he'll she'll they'll they've"
)
_RELATIVE: Final = listed("who which whom whose")
_ME: Final = FIRST | listed("me us my our mine ours myself ourselves")
_THEM: Final = listed("him her them his their hers theirs")
_BOTH: Final = listed("we us our together both each")
_OWNED: Final = listed("the a an my his her our their your this that")
_HELPING: Final = listed(
    "am is are was were has have had do does did can could will would shall should may might must "
    "isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't"
)
# "… and Ulla the fish": behind a name stands what it did something to.
_GAPPED: Final = listed("the a an his her their")
_BETWEEN: Final = listed("not never also so then just only still always often already all both")
_PREPOSITIONS: Final = listed(
    "to at from in of with by on for into through about near after before over under without like than"
)
_MARKS = re.compile(r"[,;:—–()。，；：、]|\b(?:and|but|then|while|or)\b")
_PRESENT = re.compile(r"^[a-z]+[^s\W]s$")  # "Ines sells", "the cat wants a"
_PARTED = re.compile(r"[;:—–()]")


@dataclass(frozen=True, slots=True)
class _Subject:
    """Hold a subject: the user or not, the stem of its noun ("" for a pronoun), and where it stands."""

    mine: bool
    noun: str
    at: int


def same_subjects(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no shared word that goes with one subject here goes only with others there."""
    start, end = stretch(text, fit)
    places = [at for at, token in enumerate(text.tokens) if start <= token.start < end]
    for at, token in enumerate(said.tokens):
        if not token.stem:
            continue
        subject = _subject(said, at)
        if subject is None or subject.noun == token.stem:
            continue
        there = [number for number in places if text.tokens[number].stem == token.stem]
        if there and not any(_may_be(subject, text, number) for number in there):
            return False
    return True


def _may_be(subject: _Subject, text: Read, at: int) -> bool:
    """Tell whether a word in a text may go with a subject: with the same, with none, or both take part."""
    theirs = _subject(text, at)
    if theirs is None or theirs.noun == text.tokens[at].stem:
        return True
    beside = [*text.tokens[theirs.at : at], *_clause(text, at)]
    words = {token.word for token in beside}
    if subject.mine:
        return theirs.mine or not words.isdisjoint(_ME)
    if theirs.mine or (subject.noun and theirs.noun):
        named = subject.noun and subject.noun in {token.stem for token in beside}
        same = not theirs.mine and theirs.noun == subject.noun
        return bool(named) or same or _beside_me(beside)
    return True


def _beside_me(words: Sequence[Token]) -> bool:
    """Tell whether another takes part who isn't named there: "we", "together", "with her"."""
    return any(token.word in _BOTH for token in words) or any(
        before.word in _PREPOSITIONS and token.word in _THEM for before, token in pairwise(words)
    )


def _subject(text: Read, at: int) -> _Subject | None:
    """Return the nearest subject before a word in its sentence, None where none is plain."""
    token = text.tokens[at]
    for place in range(at - 1, -1, -1):
        other = text.tokens[place]
        if other.sentence != token.sentence or _PARTED.search(text.text[other.end : token.start]):
            return None
        if other.word in _RELATIVE:
            return _before_aside(text, place, token)
        if other.word in FIRST:
            return None if _joined(text, place) else _Subject(True, "", place)
        if other.word in _THEY:
            return _Subject(False, "", place)
        if other.stem and _is_subject(text, place, at):
            return _Subject(False, other.stem, place)
    return None


def _before_aside(text: Read, at: int, token: Token) -> _Subject | None:
    """Return the subject that an aside follows: "Vera, who is ill, wrote"; None where it isn't plain."""
    aside = text.text[text.tokens[at].end : token.start]
    if not at or ", " not in aside:
        return None
    noun = text.tokens[at - 1]
    before = [other for other in text.tokens[:at] if other.sentence == noun.sentence]
    acting = any(
        past(o.word) or o.word in _HELPING or o.word in LIGHT or o.word in FIRST for o in before
    )
    if acting or not noun.stem or re.search(r"\b(?:and|but)\b", aside):
        return None
    closed = text.tokens[at].end + aside.rindex(",")
    behind = next(place for place, other in enumerate(text.tokens) if other.start >= closed)
    return _Subject(False, noun.stem, behind)


def _joined(text: Read, at: int) -> bool:
    """Tell whether "I" is joined to another who does it too: "Vera and I", but not "Vera left and I"."""
    if not at or text.tokens[at - 1].word != "and":
        return False
    for token in reversed(text.tokens[: at - 1]):
        between = text.text[token.end : text.tokens[at - 1].start]
        if token.sentence != text.tokens[at].sentence or _MARKS.search(between):
            return True
        if token.word in _HELPING or token.word in LIGHT or past(token.word):
            return False
    return True


def _is_subject(text: Read, at: int, until: int) -> bool:
    """Tell whether a noun or name has its verb behind it, or left out: "and Ulla the fish"."""
    token = text.tokens[at]
    before = text.tokens[at - 1] if at else None
    if before is not None and before.sentence != token.sentence:
        before = None
    owned = before is not None and before.word in _OWNED
    named = token.raw[0].isupper() and token.raw.isalpha()
    leading = text.tokens[at - 2] if owned and at > 1 else before
    if leading is not None and leading.word in _PREPOSITIONS:
        return False
    opens = before is None or bool(_MARKS.search(text.text[before.start : token.start]))
    verb = _verb_behind(text, at)
    if verb is None:
        following = text.tokens[at + 1].word if at + 1 < len(text.tokens) else ""
        return (named or owned) and opens and before is not None and following in _GAPPED
    if verb >= until and not owned and not named:
        return False
    return owned or (named and (before is not None or base(token.word) == token.word))


def _verb_behind(text: Read, at: int) -> int | None:
    """Return where right behind a word, an adverb apart, its verb stands, None for none."""
    for place in range(at + 1, min(at + 3, len(text.tokens))):
        token, before = text.tokens[place], text.tokens[place - 1]
        if token.sentence != before.sentence or _MARKS.search(text.text[before.end : token.end]):
            return None
        behind = text.tokens[place + 1].word if place + 1 < len(text.tokens) else ""
        plain = text.tokens[at].raw[0].isupper() or behind in _OWNED | _PREPOSITIONS
        present = plain and _PRESENT.search(token.raw)
        if token.word in _HELPING or token.word in LIGHT or past(token.word) or present:
            return place
        if token.word not in _BETWEEN and not token.word.endswith("ly"):
            return None
    return None


def _clause(text: Read, at: int) -> Iterator[Token]:
    """Yield the words of the clause that a word stands in, marks and "and" being its bounds."""
    token = text.tokens[at]
    for other in text.tokens:
        if other.sentence != token.sentence:
            continue
        first, last = sorted((other, token), key=lambda each: each.start)
        if not _MARKS.search(text.text[first.end : last.start]):
            yield other
