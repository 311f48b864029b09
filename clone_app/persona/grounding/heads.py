"""Tell whether a noun means the same thing in a sentence and in the text: a cello is no cello stand.

English puts one noun before another and means only the second. Every word of "the cello cost 300"
stands in "the cello stand cost 300", and another thing is spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clone_app.memory.irregular import base
from clone_app.memory.words import stem
from clone_app.persona import facts
from clone_app.persona.grounding.align import PAST_TOO, Fit, Read, Token, stretch
from clone_app.persona.grounding.asserted import past
from clone_app.persona.listed import listed

BEFORE_A_NOUN: Final = listed(
    "the a an my his her our their your its this that these those some every each another no"
)
_PREPOSITIONS: Final = listed(
    "to at from in of with by on for into through about near after before over under without"
)
# What stands behind a noun and says how it is, when or where something is done to it.
_NO_NOUNS: Final = listed(
    "red green blue yellow white black brown grey gray pink purple orange open closed shut cold hot warm "
    "empty full clean dirty dry wet dead alive free ready sick ill alone good bad better best worse "
    "different big small home abroad outside inside upstairs downstairs indoors outdoors overnight "
    "last next early late first second twice today tonight o'clock am pm please"
)
# "There was a mail: …" says what the item is.
_MEDIA: Final = frozenset(map(stem, listed("mail email letter message post chat")))
_APART = re.compile(r"[^\s-]")


def same_heads(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no shared noun only stands before the noun that it describes in the text.

    In the sentence it must be the thing itself: behind an article, a pronoun or a preposition, with no
    other noun behind it. There another word of content stands right behind it everywhere, that isn't
    in the sentence and that can't be a verb.
    """
    own = {token.stem for token in said.tokens}
    start, end = stretch(text, fit)
    for at, token in enumerate(said.tokens):
        if not token.stem or not _is_thing(said, at):
            continue
        heads = [
            _head(text, number)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem and start <= other.start < end
        ]
        if heads and all(head is not None and head.stem not in own for head in heads):
            return False
    return True


def made_up(said: Read, strange: frozenset[str]) -> bool:
    """Tell whether one of these words, which stand nowhere in the text, is a thing or says which.

    "She asked for a copy of the spoon": one strange verb may be said in other words, a spoon isn't there.
    """
    return any(
        token.stem in strange - _MEDIA and at > 0 and said.tokens[at - 1].word in BEFORE_A_NOUN
        for at, token in enumerate(said.tokens)
    )


def _is_thing(said: Read, at: int) -> bool:
    """Tell whether a word is a noun with none behind it, and before it an article or preposition."""
    token = said.tokens[at]
    if not token.raw.islower() or not token.raw.isalpha() or _head(said, at) is not None:
        return False
    before = [other.word for other in said.tokens[:at] if other.sentence == token.sentence][-2:]
    return bool(before) and (
        before[-1] in BEFORE_A_NOUN | _PREPOSITIONS or before[0] in BEFORE_A_NOUN
    )


def _head(text: Read, at: int) -> Token | None:
    """Return the noun right behind a word, None where what stands there is none or may be a verb."""
    token = text.tokens[at]
    if token.word.endswith("s") and not token.word.endswith("ss"):
        return None  # "the neighbours sing": a plural seldom describes
    head = next(iter(text.tokens[at + 1 : at + 2]), None)
    if head is None or head.sentence != token.sentence or not head.stem:
        return None
    if _APART.search(text.text, token.end, head.start) or not head.raw.islower():
        return None
    verbal = past(head.word) or base(head.word) != head.word or head.word in PAST_TOO - {"shed"}
    if verbal or head.word.endswith(("ing", "ly")) or head.word in _NO_NOUNS:
        return None
    if _does_here(text.tokens, at) or facts.numbers(head.raw):
        return None
    return head


def _does_here(words: Sequence[Token], at: int) -> bool:
    """Tell whether what stands behind a noun may be its verb: "the boat leaks", not "sold the boat hooks".

    A verb of the present ends in "s" here, and none goes before in the sentence.
    """
    if not words[at + 1].word.endswith("s") or words[at + 1].word.endswith("ss"):
        return False
    before = [word for word in words[:at] if word.sentence == words[at].sentence]
    return not any(past(word.word) for word in before)
