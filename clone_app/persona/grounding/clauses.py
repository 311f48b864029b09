"""Tell whether what one clause of a sentence joins is joined in the text too.

"The soup was salty and the bread stale" holds every word of "the soup was stale". So a clause must be
told in one clause there; what that lacks may come only from others that say nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from clone_app.memory.words import plain
from clone_app.persona.grounding.align import HELPING, LIGHT, PAST_TOO, Fit, Read, Token, stretch
from clone_app.persona.grounding.asserted import past
from clone_app.persona.grounding.heads import BEFORE_A_NOUN
from clone_app.persona.listed import listed

# "I" and "me" carry no content, but in a clause of another they are somebody.
_ME: Final = listed("i me we us myself i'm i've i'd i'll we're we've we'd we'll")
_OTHERS: Final = listed(
    "he she they it him her them his their its he's she's they're it's who which that this those there"
)
# Within so many words a clause has its subject.
_OPENING: Final = 3
_OBJECTS: Final = listed("it him her them")
# What follows these belongs to the clause before, or to the next where none is before.
_LEADING: Final = listed(
    "to at from in of with by on for into through about near after before over under without until "
    "since during like than as who which whose whom where not no especially including even"
)
_PARTS = re.compile(
    r"[,;:—–()。，；：、]|\b(?:and|but|then|while|whereas|though|although|because|or|nor|so)\b"
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """Hold the stems of a clause, "I" among them where it is the user's, and which of them are verbs.

    `linked` says that a pronoun opens it, `stands_for` that one is an object in it.
    """

    sentence: int
    stems: frozenset[str]
    verbs: frozenset[str]
    linked: bool
    stands_for: bool


def same_clauses(said: Read, text: Read, fit: Fit, author: frozenset[str]) -> bool:
    """Tell whether no clause of a sentence joins words of two clauses that each say something else.

    A pronoun there may stand for a noun or name here, and its author, whose stems are given, for "I".
    """
    start, end = stretch(text, fit)
    there = list(_clauses([t for t in text.tokens if start <= t.start < end], text.text))
    if len(there) < 2:
        return True
    here = list(_clauses(said.tokens, said.text))
    held = frozenset().union(*(clause.stems for clause in there))
    whole = frozenset().union(*(clause.stems for clause in here))
    whole |= {"I"} if any(token.word in ("my", "our") for token in said.tokens) else set()
    pure = [clause for clause in there if clause.stems <= whole]
    subjects = {token.by for token in said.tokens if token.by} | _leading(said)
    subjects |= {token.stem for token in said.tokens if token.raw[0].isupper()}
    things = {each.stem for before, each in pairwise(said.tokens) if before.word in BEFORE_A_NOUN}
    return all(
        any(
            _holds(
                there,
                at,
                (clause.stems & held) - author,
                pure=_reached(there[at], pure, whole),
                subjects=subjects,
                things=things,
            )
            for at in range(len(there))
        )
        for clause in here
    )


def _reached(clause: _Clause, pure: Sequence[_Clause], whole: frozenset[str]) -> frozenset[str]:
    """Return what may be added to a clause: of another sentence nothing where its verb isn't told.

    "At noon she rang. She hates circles." doesn't say what she hates at noon.
    """
    near = clause.verbs <= whole
    return frozenset().union(
        *(each.stems for each in pure if near or each.sentence == clause.sentence)
    )


def _holds(
    there: Sequence[_Clause],
    at: int,
    wanted: frozenset[str],
    *,
    pure: frozenset[str],
    subjects: set[str],
    things: set[str],
) -> bool:
    """Tell whether a clause has what is wanted, with what those have that say nothing else.

    What a pronoun stands for may be named: the subject, or one thing, in it or in the clause after it.
    """
    rest = wanted - subjects
    if there[at].linked and rest - {"I"}:
        wanted = rest
    missing = wanted - there[at].stems - pure
    if len(missing) != 1 or not missing <= things:
        return not missing
    behind = there[at + 1] if at + 1 < len(there) else None
    spoken = behind is not None and behind.stands_for and missing <= behind.stems
    return there[at].stands_for or spoken


def _leading(said: Read) -> set[str]:
    """Return the stems before the first verb of a sentence, none where no verb is plain."""
    for at, token in enumerate(said.tokens):
        if _is_verb(token):
            return {other.stem for other in said.tokens[:at]}
    return set()


def _clauses(words: Sequence[Token], text: str) -> Iterator[_Clause]:
    """Yield the clauses of words in order; one without a verb has that of the one before it.

    What begins with a preposition belongs to the clause before it, and what opens a sentence so, without
    a verb, to the one behind it.
    """
    before: _Clause | None = None
    for part in _parted(words, text):
        clause = _clause(part)
        if before is not None and not any(map(_is_verb, part)):
            verbs, stands_for = before.verbs, clause.stands_for or before.stands_for
            clause = replace(clause, stems=clause.stems | verbs, verbs=verbs, stands_for=stands_for)
        yield clause
        before = clause


def _parted(words: Sequence[Token], text: str) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in words:
        last = part[-1] if part else token
        same = token.sentence == last.sentence
        parted = not same or _PARTS.search(text[last.start : token.start])
        adverbial = part and part[0].word in _LEADING and not any(map(_is_verb, part))
        says = any(each.stem or each.word in _ME for each in part)
        if parted and says and not (same and (token.word in _LEADING or adverbial)):
            yield part
            part = []
        part.append(token)
    if part:
        yield part


def _is_verb(token: Token) -> bool:
    return past(token.word) or token.word in HELPING | LIGHT | PAST_TOO


def _clause(part: Sequence[Token]) -> _Clause:
    found = {token.stem for token in part if token.stem}
    if any(token.word in _ME for token in part):
        found.add("I")
    words = [plain(token.word) for token in part]
    return _Clause(
        part[0].sentence,
        frozenset(found),
        frozenset(token.stem for token in part if token.stem and _is_verb(token)),
        any(word in _OTHERS for word in words[:_OPENING]),
        any(word in _OBJECTS for word in words[1:]),
    )
