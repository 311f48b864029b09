"""Measure how much of a question stands together in an item, said of whom the question says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from clone_app.entries import Hit, Term
from clone_app.memory import chinese
from clone_app.memory.kin import KINS
from clone_app.memory.words import CJK, findable, stem, stems
from clone_app.persona.grounding.align import Read, Token, read
from clone_app.persona.question.wants import stated, uncalled
from clone_app.persona.slices import Asked, around, slice_of

# How much of an item is looked at as one place, in characters.
PLACE: Final = 420
# A question of more words tells a story and need not be met in every part.
SHORT: Final = 8
_WHOLE: Final = 5
_OF_STORY: Final = 3
# How many words of content apart the words of a question may stand: two for each, and so many more.
_SLACK: Final = 6
_FARTHEST: Final = 40
# What stands in the sentence beside is worth so much of what stands in one.
_BESIDE: Final = 0.8
# Where somebody else does what the question says of one, the rest is worth so much.
_OTHERS: Final = 0.5
# A pronoun stands for somebody named so many sentences before.
_BACK: Final = 2
# "My favourite film" is told as the one that is loved.
_LIKED: Final = stems("favourite favorite")
_LIKING: Final = tuple(sorted(stems("favourite favorite love adore like prefer best enjoy")))
_ONE_CJK: Final = re.compile(f"[{CJK}]")
# A word of Chinese with the little ones around it comes in about so many pairs for each of English.
_PAIRS_A_WORD: Final = 3


def meant(question: str, terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms as they are meant.

    Without the name that is only called ("Old Chen, why did you stop?"); kin with its other words: who
    asks of a father is told of a dad, what is a favourite is loved. Without the word for the kind of
    answer that memory doesn't hold (什么反应).
    """
    bare = findable(uncalled(question))
    kinds = chinese.asked_kinds(question)
    spoken = [
        term for term in terms if stem(term.word) in bare and (term.held or term.word not in kinds)
    ] or terms
    return tuple(
        replace(term, spelled=tuple(dict.fromkeys((*term.spelled, *alike))))
        if (alike := KINS.get(stem(term.word)) or _LIKING * (stem(term.word) in _LIKED))
        else term
        for term in spoken
    )


def borne(
    question: str, hit: Hit, terms: Sequence[Term], people: Iterable[frozenset[str]] = ()
) -> float:
    """Return how much of a question's words an item bears, 0 to 1.

    The mean of what stands in one place and what of it stands within two sentences, said of whom the
    question says it: the user, or one of `people`, each the stems that may stand for them. Of a long
    question, which tells a story, only as much need be met as three of its words weigh.
    """
    author = frozenset() if hit.item.mine else stems(hit.item.author.partition("<")[0])
    counted = [
        term.weight
        for term in terms
        # Of a story what memory doesn't know is how a friend puts it.
        if (term.spelled or len(terms) <= SHORT) and stem(term.word) not in author
    ]
    whole = sum(sorted(counted)[-_WHOLE if len(terms) <= SHORT else -_OF_STORY :])
    if not hit.own or not whole:
        return 1.0 if author and hit.own else 0.0
    asked = Asked.of(terms)
    place = slice_of(hit, asked, PLACE)
    near = place.share * asked.total if place else 0.0
    roles = _roles(read(stated(question)), terms, tuple(people), mine=hit.item.mine)
    close = _together(read(around(hit)[0]), terms, roles, author)
    return (min(1.0, close / whole) + min(1.0, near / whole)) / 2


def _roles(
    said: Read, terms: Sequence[Term], people: Sequence[frozenset[str]], *, mine: bool
) -> dict[int, frozenset[str]]:
    """Return who does what each term says, as far as that is a person: of the user the word "I".

    What a thing does ("the fire began", "the book press") may be told of it in many ways.
    """
    numbers = {stem(term.word): number for number, term in enumerate(terms)}
    found: dict[int, frozenset[str]] = {}
    for token in said.tokens:
        number = numbers.get(token.stem)
        if number is None:
            continue
        if token.by:
            named = [each for each in people if token.by in each]
            if named:
                found[number] = named[0]
        elif token.doer == "they" or (token.doer == "I" and mine):
            found[number] = frozenset({token.doer})
    return found


def _together(
    text: Read, terms: Sequence[Term], roles: Mapping[int, frozenset[str]], author: frozenset[str]
) -> float:
    """Return the most weight of terms that stands close together, done by whom the question says."""
    numbers = {
        root: number
        for number, term in enumerate(terms)
        for root in {stem(word) for word in term.spelled}
    }
    spread = min(_FARTHEST, 2 * len(terms) + _SLACK)
    content = [token for token in text.tokens if token.stem]
    held = [numbers.get(token.stem) for token in content]
    if _ONE_CJK.search(text.text):
        spread *= _PAIRS_A_WORD
        held = _held_pairs([token.stem for token in content], numbers)
    done = [
        number is None or number not in roles or _done_by(roles[number], token, text, author)
        for number, token in zip(held, content, strict=True)
    ]
    best = 0.0
    for first, token in enumerate(content):
        if held[first] is None:
            continue
        seen: dict[int, bool] = {}  # term: done by whom the question says
        for at in range(first, min(len(content), first + spread)):
            beside = content[at].sentence - token.sentence
            if beside > 1:
                break
            number = held[at]
            if number is None or seen.get(number):
                continue
            seen[number] = done[at]
            weight = sum(terms[each].weight for each, rightly in seen.items() if rightly)
            weight *= _BESIDE if beside else 1.0
            best = max(best, weight if all(seen.values()) else weight * _OTHERS)
    return best


def _held_pairs(pairs: Sequence[str], numbers: Mapping[str, int]) -> list[int | None]:
    """Return the term at each place of a text that comes in pairs, the longest that begins there.

    A word of three characters is two pairs, one behind the other; one of a single character stands at
    the beginning of a pair, or at the end of the last one before a mark.
    """
    found: list[int | None] = []
    for at, pair in enumerate(pairs):
        run = pair
        for following in pairs[at + 1 : at + chinese.LONGEST - 1]:
            if following[:-1] != run[-1:]:
                break
            run += following[-1]
        ends = len(pair) == 2 and pairs[at + 1 : at + 2] != [] and pairs[at + 1][:1] != pair[1]
        starts = [run[:length] for length in range(len(run), 0, -1)]
        known = (
            numbers[each] for each in (*starts, *(pair[1:] if ends else "")) if each in numbers
        )
        found.append(next(known, None))
    return found


def _done_by(who: frozenset[str], token: Token, text: Read, author: frozenset[str]) -> bool:
    """Tell whether somebody may be who does a word in a text, or whose it is.

    `author` holds the stems of the name of whoever says "I" there, where that is not the user. That a
    text leaves its doer out doesn't tell: in a diary that is the writer.
    """
    if who == {"I"}:
        return token.doer in ("I", "")
    if who == {"they"}:
        return token.doer != "I"
    if token.by in who or (who & author and token.doer in ("I", "")):
        return True
    if token.doer == "I" or (token.by and token.doer == "they"):
        return False
    back = _BACK if token.doer == "they" else 0
    return any(
        other.stem in who and token.sentence - back <= other.sentence and other.start < token.start
        for other in text.tokens
        if other.sentence <= token.sentence
    )
