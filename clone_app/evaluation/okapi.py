"""BM25 as in the textbook, over whole traces: the simple retriever that any other must beat.

Robertson and Zaragoza 2009 with k1 = 1.2 and b = 0.75 (what SQLite and Lucene use), English stems,
pairs of letters where a script has no spaces; a word in more than half of the traces counts nothing.
The program's own lexical ranker (`memory/lexical.py`) works on passages, knows
irregular forms and spelling, and is part of what is measured; this one stays as it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clone_app.memory.chunk import CJK, bigrams
from clone_app.memory.words import stem

K1 = 1.2
B = 0.75
_WORD = re.compile(r"\w+")


class Okapi:
    """Score texts by the words they share with a question."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(_words(text)) for text in texts]
        lengths = np.array([each.total() for each in counts], dtype=np.float64)
        self._size = len(texts)
        self._postings: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        holders: dict[str, list[tuple[int, int]]] = {}
        for place, words in enumerate(counts):
            for word, count in words.items():
                holders.setdefault(word, []).append((place, count))
        scale = K1 * (1 - B + B * lengths / (np.sum(lengths) / max(1, len(texts)) or 1.0))
        for word, held in holders.items():
            places = np.array([place for place, _ in held])
            count_of = np.array([count for _, count in held], dtype=np.float64)
            rarity = max(0.0, math.log((self._size - len(held) + 0.5) / (len(held) + 0.5)))
            self._postings[word] = (
                places,
                rarity * count_of * (K1 + 1) / (count_of + scale[places]),
            )

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return one score a text, 0 for those without a word of the question."""
        found = np.zeros(self._size)
        for word in _words(question):
            if word in self._postings:
                places, worth = self._postings[word]
                found[places] += worth
        return found


def _words(text: str) -> list[str]:
    pairs = bigrams(text).split()
    spaced = CJK.sub(" ", text) if pairs else text
    return [stem(word) for word in _WORD.findall(spaced.casefold())] + pairs
