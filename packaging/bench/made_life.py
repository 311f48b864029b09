"""Make up a long archive: passages recombined from the sample life, names and rare words drawn anew.

Sentences are real prose, so their embeddings lie where prose lies; the words put into them follow
Zipf's law over a large invented vocabulary, so that postings grow as a real archive's do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\b[a-z]{4,}\b")
_SYLLABLES = [a + b for a in "bcdfghjklmnprstvwz" for b in ("a", "e", "i", "o", "u", "ar", "en")]
START = datetime(1995, 1, 1)  # noqa: DTZ001 - a wall clock
VOCABULARY = 200_000
EXPONENT = 1.05
CHANGED = 0.12  # the share of longer words put in anew


@dataclass(frozen=True)
class MadeLife:
    """Hold what passages are made of: the sentences of a folder of diary days, and a seed."""

    folder: Path
    seed: int = 7

    @cached_property
    def sentences(self) -> list[str]:
        """Return every sentence of the folder's Markdown files, in the files' order."""
        found = []
        for path in sorted(self.folder.rglob("*.md")):
            for line in path.read_text("utf-8").splitlines():
                if line and not line.startswith(("#", "---", "![")):
                    found += [each for each in _SENTENCE.split(line) if 20 < len(each) < 300]
        return found

    def passages(self, count: int, *, start: int = 0) -> Iterator[str]:
        """Yield passages by number: the same number gives the same passage."""
        for number in range(start, start + count):
            dice = random.Random(self.seed * 1_000_003 + number)
            chosen = dice.choices(self.sentences, k=dice.randint(2, 5))
            yield " ".join(self._changed(each, dice) for each in chosen)

    def questions(self, count: int) -> list[str]:
        """Return questions of four to nine words out of the life's own sentences."""
        dice = random.Random(self.seed)
        found = []
        while len(found) < count:
            words = re.findall(r"[A-Za-z']+", dice.choice(self.sentences))
            if len(words) >= 6:
                at = dice.randrange(len(words) - 4)
                found.append("What about " + " ".join(words[at : at + dice.randint(4, 9)]) + "?")
        return found

    def moment(self, number: int, total: int) -> datetime:
        """Return when a passage was written: evenly over thirty years, to the minute."""
        return START + timedelta(minutes=number * (30 * 365 * 1440 // total))

    def _changed(self, sentence: str, dice: random.Random) -> str:
        def change(match: re.Match[str]) -> str:
            return _invented(dice) if dice.random() < CHANGED else match[0]

        return _WORD.sub(change, sentence)


def _invented(dice: random.Random) -> str:
    """Return an invented word; the n-th comes about n**-EXPONENT times as often as the first.

    Drawn by the inverse of the distribution function of a Pareto law cut off at the vocabulary's size.
    """
    far = float(VOCABULARY) ** (1 - EXPONENT)
    return word_of(int((1.0 + dice.random() * (far - 1.0)) ** (1 / (1 - EXPONENT))))


def word_of(rank: int) -> str:
    """Return the invented word of a rank: short ones for the frequent."""
    parts: list[str] = []
    number = rank + len(_SYLLABLES)
    while number:
        number, part = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[part])
    return "".join(reversed(parts))
