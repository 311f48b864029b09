"""Stretches of a person's own writing that show how they sound, for the front of a prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from clone_app.entries import Item
from clone_app.memory.words import sentences
from clone_app.persona.privacy.sensitive import matter
from clone_app.persona.style.nearness import cosine, ngrams
from clone_app.persona.traits.remarks import BLANK, own_text, telling
from clone_app.persona.voice import HEADING, Register, register_of, words_of

SHORTEST: Final = 12
LONGEST: Final = 32
# So many entries of a register, evenly spread, show how it sounds: a life of thousands shows no more.
_LOOKED_AT: Final = 400
# What tells of somebody, some day or some sum: a model might take it for a fact to answer with.
_TELLING = re.compile(r"\d|[@#]\w|(?<=[\w,;:—–-] )[A-Z](?!\b)[\w'-]+")


@dataclass(frozen=True, slots=True)
class Exemplar:
    """Hold a stretch of the user's own writing that sounds like them."""

    key: str
    day: date | None
    text: str


def exemplars(
    items: Iterable[Item],
    register: Register,
    *,
    me: frozenset[str] = frozenset(),
    number: int = 12,
) -> tuple[Exemplar, ...]:
    """Return short stretches of the user's own words in a register, best first.

    Best is what sounds most like the register's whole and names nobody and no number; nothing of a
    sensitive matter is among them. They are spread over the time the register reaches, one from each
    part of it, so that a clone of an earlier day and a narrower audience find some of them too.
    """
    written = [item for item in telling(items) if register_of(item.medium) is register]
    written.sort(key=lambda item: (str(item.moment.local or ""), item.key))
    offered: list[list[Exemplar]] = [[] for _ in range(number)]
    step = max(1, -(-len(written) // _LOOKED_AT))
    shown = written[::step]
    for at, item in enumerate(shown):
        part = offered[at * number // len(shown)]
        part.extend(
            Exemplar(item.key, item.moment.day(), text)
            for text in stretches(item, me)
            if text[0].isalnum() and matter(text) is None
        )
    grams = {each: ngrams(each.text) for part in offered for each in part}
    whole: Counter[str] = Counter()
    for each in grams.values():
        whole.update(each)

    def order(each: Exemplar) -> tuple[int, float, str, str]:
        near = cosine(grams[each], whole)
        return (len(_TELLING.findall(each.text)), -near, each.key, each.text)

    return tuple(sorted((min(part, key=order) for part in offered if part), key=order))


def stretches(item: Item, me: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield runs of the user's whole sentences inside a paragraph, 12 to 32 words, nothing blanked."""
    for paragraph in re.split(r"\n\s*\n", own_text(item, me)):
        begun, words = -1, 0
        for start, end in sentences(paragraph):
            if BLANK in paragraph[start:end] or HEADING.match(paragraph[start:end]):
                begun, words = -1, 0
                continue
            begun = start if begun < 0 else begun
            words = len(words_of(paragraph[begun:end]))
            if words >= SHORTEST:
                if words <= LONGEST:
                    yield " ".join(paragraph[begun:end].split())
                begun = -1
