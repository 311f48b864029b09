"""Understand a follow-up: "and what about her?" is looked up with what was asked before.

The question itself stays as it was asked; only what recall looks for is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clone_app.memory.words import content_words, stem
from clone_app.persona import facts
from clone_app.persona.wants import uncalled

_PERSONAL: Final = re.compile(r"\b(?:he|she|him|her|his|hers|they|them|their)\b", re.IGNORECASE)
_POINTING: Final = re.compile(
    r"\b(?:it|its|that|this|those|these|one|ones|there|then|same)\b|^(?:and|but|so|or|what about|"
    r"how about|why|since when|when|where|who|how)\b[^\w]*(?:\w+\W*)?$",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(r"^\W*(?:and|but|so|or|what about|how about|also)\b", re.IGNORECASE)


def resolved(question: str, earlier: Sequence[str]) -> str:
    """Return the words to look up for a question after earlier ones of its conversation, in order.

    A question that stands alone comes back as it is. Filled in are the names where somebody is "she",
    all that carries content where the question carries none of its own, and what was asked of somebody
    else where only the name is new ("and Tom?").
    """
    looked = ""
    for each in [*earlier, question]:
        looked = _resolved(each, looked)
    return looked


def _resolved(question: str, before: str) -> str:
    if not before:
        return question
    bare = uncalled(question)
    names = facts.names(bare[:1].lower() + bare[1:])
    own = [word for word in content_words(bare) if stem(word) not in set(map(stem, names))]
    if names and not own and (_ABOUT.search(bare) or len(bare.split()) <= 3):
        return f"{question} {' '.join(_without_names(before))}".strip()
    if not own and not names:
        return f"{question} {' '.join(_content(before))}".strip()
    if names:
        return question
    if _PERSONAL.search(bare):
        people = _names(before)
        return f"{question} {' '.join(people)}".strip() if people else question
    if _POINTING.search(bare) and len(own) <= 2:
        return f"{question} {' '.join(_content(before))}".strip()
    return question


def _names(text: str) -> list[str]:
    bare = uncalled(text)
    return list(dict.fromkeys(facts.names(bare[:1].lower() + bare[1:])))


def _content(text: str) -> list[str]:
    names = _names(text)
    taken = {name.casefold() for name in names}
    return [*names, *(w for w in dict.fromkeys(content_words(text)) if w not in taken)]


def _without_names(text: str) -> list[str]:
    taken = {stem(name) for name in _names(text)}
    return [word for word in dict.fromkeys(content_words(text)) if stem(word) not in taken]
