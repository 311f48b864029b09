"""Know kin and the like by their other words: who asks of a grandmother is told of a nan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clone_app.memory.chinese import KIN
from clone_app.memory.words import stem

_ALIKE: Final = (
    "father dad daddy papa pa",
    "mother mum mom mam mummy mama ma",
    "brother", "sister", "wife", "husband", "son", "daughter", "uncle", "aunt auntie",
    "grandmother grandma gran granny nan", "grandfather grandpa granddad", "cousin", "niece",
    "nephew", "boyfriend", "girlfriend", "fiancé fiancée", "boss", "landlord", "landlady",
    "neighbour neighbor", "dentist", "doctor", "teacher", "colleague",
    *KIN,
)  # fmt: skip
# The stem of each word for somebody who is named by what they are, and the stems that may stand for it.
KINS: Final[Mapping[str, frozenset[str]]] = {
    stem(word): frozenset(map(stem, line.split())) for line in _ALIKE for word in line.split()
}


def also(word: str) -> tuple[str, ...]:
    """Return the other words for somebody who is named by what they are, () for any other word.

    None of a single character: looked up, that is whatever begins with it.
    """
    return tuple(
        each
        for line in _ALIKE
        if word in line.split()
        for each in line.split()
        if len(each) > 1 or each == word
    )
