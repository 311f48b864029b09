"""How near a text is to the user's own voice, measured against the others' in the archive."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from clone_app.entries import Item
from clone_app.memory.words import sentences
from clone_app.persona.traits.remarks import BLANK, own_text, telling
from clone_app.persona.voice import words_of

# So many stretches of the user, and of all others together, say enough: each is counted five times over.
MOST: Final = 120
_NAME = re.compile(r"(?<=[a-z0-9,;] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")


def ngrams(text: str, size: int = 3) -> Counter[str]:
    """Return the character n-grams of a text, names and numbers masked: they tell of the subject."""
    masked = re.sub(r"\d+", "0", _NAME.sub("N", " ".join(text.replace("’", "'").split())))
    masked = f" {masked.lower()} "
    return Counter(masked[at : at + size] for at in range(len(masked) - size + 1))


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two sparse vectors, 0 where one is empty."""
    dot = sum(value * other.get(key, 0) for key, value in one.items())
    norm = sqrt(sum(v * v for v in one.values())) * sqrt(sum(v * v for v in other.values()))
    return dot / norm if norm else 0.0


def chunks(texts: Iterable[str], words: int = 150) -> list[str]:
    """Return texts joined and cut to about `words` words, so that style can be measured on each."""
    found: list[str] = []
    gathered: list[str] = []
    held = 0
    for text in texts:
        for start, end in sentences(text):
            piece = " ".join(text[start:end].split())
            gathered.append(piece)
            held += len(words_of(piece))
            if held >= words:
                found.append(" ".join(gathered))
                gathered, held = [], 0
    if held >= words // 2:
        found.append(" ".join(gathered))
    return found


@dataclass(frozen=True, slots=True)
class Voice:
    """Know the user's voice from the others' by their commonest character trigrams.

    Each trigram's frequency is taken in standard deviations from the mean of all chunks, as in
    Burrows's Delta. A text is placed on the line from the others' mean (-1) to the user's (+1).
    """

    grams: tuple[str, ...]
    mean: tuple[float, ...]
    spread: tuple[float, ...]
    along: tuple[float, ...]
    middle: float
    reach: float

    @classmethod
    def fit(
        cls, mine: Sequence[str], others: Mapping[str, Sequence[str]], *, size: int = 1500
    ) -> Voice:
        """Learn from chunks (`chunks`) of the user's text and of each other author's."""
        theirs = [text for texts in others.values() for text in texts]
        counted = [_frequencies(text) for text in (*mine, *theirs)]
        whole: Counter[str] = Counter()
        for each in counted:
            whole.update(each)
        grams = tuple(gram for gram, _ in whole.most_common(size))
        columns = [[each.get(gram, 0.0) for each in counted] for gram in grams]
        mean, spread, along = [], [], []
        own = len(mine)
        middle = reach = 0.0
        for column in columns:
            average = sum(column) / len(column)
            deviation = sqrt(sum((value - average) ** 2 for value in column) / len(column)) or 1.0
            one = (sum(column[:own]) / max(1, own) - average) / deviation
            other = (sum(column[own:]) / max(1, len(theirs)) - average) / deviation
            mean.append(average)
            spread.append(deviation)
            along.append(one - other)
            middle += (one - other) * (one + other) / 2
            reach += (one - other) ** 2 / 2
        return cls(tuple(grams), tuple(mean), tuple(spread), tuple(along), middle, reach or 1.0)

    def nearness(self, text: str) -> float:
        """Return where a text stands between the others' voice (-1) and the user's (+1)."""
        counted = _frequencies(text)
        place = sum(
            (counted.get(gram, 0.0) - average) / deviation * weight
            for gram, average, deviation, weight in zip(
                self.grams, self.mean, self.spread, self.along, strict=True
            )
        )
        return (place - self.middle) / self.reach


@lru_cache(maxsize=4096)
def _frequencies(text: str) -> dict[str, float]:
    counted = ngrams(text)
    total = counted.total() or 1
    return {gram: times / total for gram, times in counted.items()}


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Say how often held-out chunks were told apart: of the user's (`mine`), of others' (`theirs`)."""

    mine: float
    theirs: float
    chunks: int
    others: int

    @property
    def balanced(self) -> float:
        """Return the mean of both shares: 0.5 is chance."""
        return (self.mine + self.theirs) / 2

    def packed(self) -> str:
        """Return it as it is kept."""
        return json.dumps(asdict(self))

    @classmethod
    def unpacked(cls, kept: str | None) -> HeldOut | None:
        """Return what was kept, None where nothing was."""
        return cls(**json.loads(kept)) if kept else None

    def said(self) -> str:
        """Return in a sentence how well the voice is known."""
        whom = "one other" if self.others == 1 else f"{self.others:,} others"
        return (
            f"Held-out stretches are told as yours or as others' in {100 * self.balanced:.0f} of 100 cases "
            f"(by chance 50): {self.chunks:,} of yours against {whom} in the archive."
        )


def held_out(
    mine: Sequence[str], others: Mapping[str, Sequence[str]], *, folds: int = 5
) -> HeldOut | None:
    """Return how well the user's voice is known on chunks it was not learned from; None for too little."""
    others = {name: texts for name, texts in others.items() if len(texts) >= 2}
    if len(mine) < folds or not others:
        return None
    hits = tried = kept = seen = 0
    for fold in range(folds):
        voice = Voice.fit(
            [text for at, text in enumerate(mine) if at % folds != fold],
            {
                name: [text for at, text in enumerate(texts) if at % folds != fold] or texts[:1]
                for name, texts in others.items()
            },
        )
        for at, text in enumerate(mine):
            if at % folds == fold:
                tried += 1
                hits += voice.nearness(text) > 0
        for texts in others.values():
            for at, text in enumerate(texts):
                if at % folds == fold:
                    seen += 1
                    kept += voice.nearness(text) <= 0
    return HeldOut(hits / tried, kept / seen, len(mine), len(others))


def others_chunks(items: Iterable[Item], *, fewest: int = 300) -> dict[str, list[str]]:
    """Return the chunks of each other author who wrote `fewest` words or more."""
    written: dict[str, list[str]] = {}
    for item in items:
        if not item.mine and item.author and item.text.strip():
            written.setdefault(item.author.casefold(), []).append(own_text(item).replace(BLANK, ""))
    return {
        author: chunks(texts)
        for author, texts in written.items()
        if sum(len(words_of(text)) for text in texts) >= fewest
    }


def own_chunks(items: Iterable[Item], me: frozenset[str] = frozenset()) -> list[str]:
    """Return the chunks of the user's own telling."""
    return chunks(own_text(item, me).replace(BLANK, "") for item in telling(items))


def told_apart(items: Sequence[Item], me: frozenset[str] = frozenset()) -> HeldOut | None:
    """Return how well an archive's owner is told from the others in it; None where one wrote too little.

    Of long archives stretches from all of their time, at most `MOST` on either side.
    """
    others = others_chunks(items)
    share = max(2, MOST // len(others)) if others else 0
    return held_out(
        _spread(own_chunks(items, me), MOST),
        {name: _spread(texts, share) for name, texts in list(others.items())[:MOST]},
    )


def _spread(texts: Sequence[str], most: int) -> Sequence[str]:
    return texts[:: -(-len(texts) // most)] if len(texts) > most else texts
