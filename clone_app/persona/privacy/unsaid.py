"""What an answer passes over, sentence by sentence: topics left out, what private lines are about.

Words decide, since a model would cost every question seconds and might err: a sentence that holds all
words of a topic is about it, whatever else it says. "Coffee table" so goes with "coffee": rather too much
is passed over than a word too little; all of it stays in memory and is found there. What else an entry
says stays, and nothing is quoted across the gap.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from clone_app.entries import Hit, Item
from clone_app.memory.lines import Line, Section
from clone_app.memory.words import findable, sentences, stems
from clone_app.persona.document import subject
from clone_app.persona.lines import lines
from clone_app.persona.privacy.sensitive import matter
from clone_app.persona.slices import around, without_quoted
from clone_app.persona.traits.health import conditions

# A sentence with so much of a private line's words says what the line says.
_MOST: Final = 0.6
# Longer ones are whole entries, which aren't kept in mind.
_SENTENCE: Final = 400
# Stands where a sentence stood: read as a line quoted from others is, so that no stretch runs across it.
_GAP: Final = "\n>x\n"
# What goes on about the sentence before: "It made me shaky." But not "It rained."
_GOES_ON: Final = re.compile(
    r"(?:and |but |so )?(?:it(?! (?:rain|snow|pour|freez|froze|hail|is \d|was \d))|they|that|this|these|"
    r"those)(?=['’ ])|[它这那]",
    re.IGNORECASE,
)
_YOURS: Final = re.compile(r"\byour\b", re.IGNORECASE)
# How one stands to a thing is not what the line is about.
_STANCE: Final = stems(
    "like love hate enjoy prefer stand bear believe think want hope never always mind"
)
_NAMED: Final = (Section.PEOPLE, Section.PLACES, Section.HEALTH, Section.LIKES)


@dataclass(frozen=True, slots=True)
class Unsaid:
    """Hold what an answer passes over.

    `topics` are words, `lines` the stems of private lines: a sentence with most of one's is about it.
    Where `health` is true, so is one that names an ailment but for those `told` of all the same.
    """

    topics: frozenset[str] = frozenset()
    lines: frozenset[frozenset[str]] = frozenset()
    health: bool = False
    told: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether there is anything to pass over."""
        return bool(self.topics or self.lines or self.health)

    def speaks(self, text: str) -> bool:
        """Tell whether a sentence, a title or a name is about any of it."""
        held = _held(text)
        return (
            any(_holds(text, held, topic) for topic in self.topics)
            or any(mostly(len(line & held), line) for line in self.lines)
            or (self.health and bool(conditions(text) - self.told))
        )

    def is_asked(self, question: str) -> bool:
        """Tell whether a question to the user is about any of it."""
        return self.speaks(_YOURS.sub("my", question))

    def within(self, text: str) -> list[tuple[int, int]]:
        """Return which sentences of a text are about any of it, as (start, end), in order.

        With them goes the next that only goes on about it; words of a topic may be shared by two.
        """
        if not self.speaks(text):  # what a text doesn't hold, none of its sentences does
            return []
        spans = sentences(text)
        about = [self.speaks(text[start:end]) for start, end in spans]
        for topic in self.topics:
            wanted = _wanted(topic)
            for at in range(1, len(spans)) if len(wanted) > 1 else ():
                one, two = (wanted & _held(text[slice(*span)]) for span in spans[at - 1 : at + 1])
                if one and two and one | two == wanted:
                    about[at - 1] = about[at] = True
        for at in range(1, len(spans)):
            about[at] |= about[at - 1] and bool(_GOES_ON.match(text, *spans[at]))
        return [span for span, passed in zip(spans, about, strict=True) if passed]


NOTHING: Final = Unsaid()


def private(kept: Iterable[Line], topics: Iterable[str] = ()) -> Unsaid:
    """Return what others than the user don't hear of: topics left out, and what private lines are about.

    A line's subject counts where it offers one, else most of its words. Ailments are private without a
    line too, but for those of lines that others may hear: who takes a line on one out of the document
    doesn't thereby tell everybody.
    """
    found = list(kept)
    hidden = [line for line in found if line.private]
    health = [line for line in hidden if line.section is Section.HEALTH]
    about = {_subject(line) for line in hidden} - {""}
    told = {
        each
        for line in found
        if line.section is Section.HEALTH and not line.private
        for each in conditions(line.text)
    }
    return Unsaid(
        topics=frozenset({*topics, *about}),
        lines=frozenset(said for line in hidden if (said := stems(line.text) - _STANCE)),
        health=True,
        told=frozenset(told - {each for line in health for each in conditions(line.text)}),
    )


def _subject(line: Line) -> str:
    """Return what a private line is about in a word or a name, "" where its words must do.

    One of a sensitive matter is kept back by that matter's words, an ailment by all words for it.
    """
    if line.section not in _NAMED or (line.section is Section.LIKES and matter(line.text)):
        return ""
    if line.section is Section.HEALTH and conditions(line.text):
        return ""
    found = subject(line)
    return found if len(stems(found)) <= 2 else ""


def named(text: str, topics: Iterable[str]) -> tuple[str, ...]:
    """Return the topics whose words all stand in a text; one without words of content by its letters."""
    held = _held(text)
    return tuple(topic for topic in topics if _holds(text, held, topic))


def without(hits: Iterable[Hit], unsaid: Unsaid) -> Iterator[Hit]:
    """Yield what is left of hits without what is passed over, none of a hit of which nothing is left."""
    for hit in hits:
        if (kept := _left(hit, unsaid) if unsaid else hit) is not None:
            yield kept


def part_of(item: Item, unsaid: Unsaid) -> Item | None:
    """Return what is left of an entry: itself where it is about none of it, None for nothing.

    What a title, a writer or a reader names, the whole entry is about.
    """
    if _is_about(item, unsaid):
        return None
    cuts = _cuts(item.text, item.author, unsaid)
    if not cuts:
        return item
    text = _cut(item.text, cuts)
    return replace(item, text=text) if _says(text) else None


def _left(hit: Hit, unsaid: Unsaid) -> Hit | None:
    """Return what is left of a hit, None where nothing is of what it was found for.

    How near a passage is in meaning is not known of its rest.
    """
    item = hit.item
    if _is_about(item, unsaid):
        return None
    if not hit.own and unsaid.within(hit.passage):
        return None
    text, near = around(hit)
    cuts = _cuts(text, item.author, unsaid)
    if not cuts:
        return hit
    left = _cut(text, cuts)
    if not hit.own:
        return replace(hit, item=replace(item, text=left, context=""))
    start, end = (_moved(at, cuts) for at in near)
    passage = left[start:end]
    if not _says(passage):
        return None
    touched = any(first < near[1] and near[0] < last for first, last in cuts)
    return replace(
        hit,
        item=replace(item, text=left, context=""),
        passage=passage,
        start=start,
        cosine=None if touched else hit.cosine,
    )


def _is_about(item: Item, unsaid: Unsaid) -> bool:
    whom = (*item.recipients, *(() if item.mine else (item.author,)))
    return unsaid.speaks(item.title) or any(named(each, unsaid.topics) for each in whom)


def _cuts(text: str, author: str, unsaid: Unsaid) -> list[tuple[int, int]]:
    """Return what is to be cut out of a text; in a chat kept as text the names of who speaks stay."""
    spans = unsaid.within(text)
    labels = [(line.opens, line.start) for line in lines(text, author)] if spans else []
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and text[found[-1][1] : start].isspace():
            start = found.pop()[0]
        for opens, begins in labels:
            if opens < end and begins > start:
                if start < opens:
                    found.append((start, opens))
                start = min(begins, end)
        if start < end:
            found.append((start, end))
    return found


def _cut(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in cuts:
        parts += [text[at:start], _GAP]
        at = end
    return "".join([*parts, text[at:]])


def _moved(at: int, cuts: Sequence[tuple[int, int]]) -> int:
    """Return where a place of a text stands after the cuts."""
    moved = at
    for start, end in cuts:
        if start >= at:
            break
        moved += len(_GAP) - (min(end, at) - start)
    return moved


def _says(text: str) -> bool:
    return bool(sentences(without_quoted(text)))


def mostly(shared: int, line: frozenset[str]) -> bool:
    """Tell whether so many words shared are most of a line's."""
    return shared >= math.ceil(_MOST * len(line))


def _holds(text: str, held: frozenset[str], topic: str) -> bool:
    wanted = _wanted(topic)
    return wanted <= held if wanted else topic.casefold() in text.casefold()


@lru_cache(maxsize=512)
def _wanted(topic: str) -> frozenset[str]:
    return stems(topic)


def _held(text: str) -> frozenset[str]:
    return _sentence_held(text) if len(text) <= _SENTENCE else findable(text)


@lru_cache(maxsize=4096)
def _sentence_held(text: str) -> frozenset[str]:
    return findable(text)
