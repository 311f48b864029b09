"""Stretches of a person's own writing that show how they sound, for the front of a prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from clone_app.entries import Item
from clone_app.memory.words import sentences
from clone_app.persona.nearness import cosine, ngrams
from clone_app.persona.remarks import BLANK, own_text, telling
from clone_app.persona.voice import HEADING, Register, register_of, words_of


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
    like: str = "",
    number: int = 3,
) -> tuple[Exemplar, ...]:
    """Return stretches of 15 to 60 of the user's own words that sound most like the register's whole.

    `like` prefers those that share words with it: an example on the subject shows more.
    """
    offered: list[Exemplar] = []
    for item in telling(items):
        if register_of(item.medium) is not register:
            continue
        offered.extend(
            Exemplar(item.key, item.moment.day(), text) for text in _stretches(own_text(item, me))
        )
    if not offered:
        return ()
    grams = [ngrams(each.text) for each in offered]
    whole: Counter[str] = Counter()
    for each in grams:
        whole.update(each)
    wanted = set(words_of(like))
    scored = sorted(
        (
            (
                cosine(gram, whole) + 0.1 * len(wanted & set(words_of(each.text))),
                each,
            )
            for gram, each in zip(grams, offered, strict=True)
        ),
        key=lambda pair: (-pair[0], pair[1].key, pair[1].text),
    )
    chosen: list[Exemplar] = []
    for _, best in scored:
        if all(best.key != other.key for other in chosen):
            chosen.append(best)
        if len(chosen) == number:
            break
    return tuple(chosen)


def _stretches(text: str) -> Iterator[str]:
    """Yield runs of whole sentences inside a paragraph, 15 to 60 words long, nothing blanked in them."""
    for paragraph in re.split(r"\n\s*\n", text):
        begun, words = -1, 0
        for start, end in sentences(paragraph):
            if BLANK in paragraph[start:end] or HEADING.match(paragraph[start:end]):
                begun, words = -1, 0
                continue
            begun = start if begun < 0 else begun
            words = len(words_of(paragraph[begun:end]))
            if words >= 15:
                if words <= 60:
                    yield " ".join(paragraph[begun:end].split())
                begun = -1
