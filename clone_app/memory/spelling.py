"""Look a word up by spelling where memory does not hold it: "parmesan" for a diary's "Parmazan".

Old, foreign and mistyped spellings differ in vowels, doubled letters and letters that sound alike;
words of another meaning ("internet", "interest") differ in the consonants that make them. So a
neighbour is a word that is equal once the sound-alikes are folded, with one slip for each four letters,
or, among long words, any one slip away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

SHORTEST = 5
SHORTEST_FOR_A_SLIP = 8
LETTERS_A_SLIP = 4
NEIGHBOURS = 3

_SOUNDS = (
    (re.compile(r"ph"), "f"),
    (re.compile(r"(?<!^)gh"), ""),
    (re.compile(r"sch|sh"), "s"),
    (re.compile(r"ck|qu|q|k"), "c"),
    (re.compile(r"[zs]|c(?=[eiy])"), "s"),
    (re.compile(r"(?<!^)h"), ""),
    (re.compile(r"w"), "v"),
    (re.compile(r"[aeiouyj]+"), "a"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def neighbours(word: str, vocabulary: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a vocabulary that are this word spelled otherwise, nearest first."""
    if len(word) < SHORTEST or not word.isalpha():
        return ()
    sound = sounds(word)
    found = []
    for other in vocabulary:
        if abs(len(other) - len(word)) > 3 or not other.isalpha():
            continue
        slips = DamerauLevenshtein.distance(word, other, score_cutoff=3)
        alike = (
            slips <= len(word) // LETTERS_A_SLIP
            and len(sound) >= SHORTEST
            and sounds(other) == sound
        )
        slip = slips == 1 and min(len(word), len(other)) >= SHORTEST_FOR_A_SLIP
        if alike or slip:
            found.append((slips + (0 if alike else 1), other))
    return tuple(other for _, other in sorted(found)[:NEIGHBOURS])


@lru_cache(maxsize=65536)
def sounds(word: str) -> str:
    """Return a word with the letters that sound alike folded into one."""
    for pattern, letter in _SOUNDS:
        word = pattern.sub(letter, word)
    return word
