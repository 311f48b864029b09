"""Understand a follow-up: "and what about her?" is looked up with what was asked before.

The question itself stays as it was asked; only what recall looks for is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clone_app.memory import chinese
from clone_app.memory.words import asked_words, stem
from clone_app.persona import facts
from clone_app.persona.question.wants import uncalled

_PERSONAL: Final = re.compile(
    r"\b(?:he|she|him|her|his|hers|they|them|their)\b|[他她]", re.IGNORECASE
)
_POINTING: Final = re.compile(
    r"\b(?:it|its|that|this|those|these|one|ones|there|then|same)\b|^(?:and|but|so|or|what about|"
    r"how about|why|since when|when|where|who|how)\b[^\w]*(?:\w+\W*)?$|"
    r"[它那这]|^(?:还有|为什么|什么时候|在?哪里|谁|怎么)",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"^\W*(?:(?:and|but|so|or|what about|how about|also)\b|那么?|还有)", re.IGNORECASE
)


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
    names = _names(question)
    own = [word for word in asked_words(bare) if stem(word) not in set(map(stem, names))]
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
    named = facts.names(bare[:1].lower() + bare[1:])
    return list(
        dict.fromkeys([*named, *(chinese.people(bare) if chinese.is_chinese(bare) else ())])
    )


def _content(text: str) -> list[str]:
    names = _names(text)
    taken = {name.casefold() for name in names}
    return [*names, *(w for w in dict.fromkeys(asked_words(text)) if w not in taken)]


def _without_names(text: str) -> list[str]:
    taken = {stem(name) for name in _names(text)}
    return [word for word in dict.fromkeys(asked_words(text)) if stem(word) not in taken]
