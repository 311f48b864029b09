"""Build the persona document from a person's own entries, by counting and by what they say outright."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from clone_app.entries import Item
from clone_app.memory.lines import Line, Section
from clone_app.memory.words import content_words, stem
from clone_app.persona.document import Document, as_text, names
from clone_app.persona.privacy.sensitive import matter
from clone_app.persona.traits import people_lines, selfhood
from clone_app.persona.traits.habits import habits
from clone_app.persona.traits.health import health
from clone_app.persona.traits.opinions import likes, opinions
from clone_app.persona.traits.remarks import BLANK, GENERATED, Remark, about_of, remarks, telling
from clone_app.persona.traits.stances import stances
from clone_app.persona.voice import StyleCard, style_cards, voice_lines
from clone_app.progress import Progress

_FORGET = re.compile(
    r"^(?:[^.!?]{0,40}?\bplease,? |(?:can|could|would|will) you (?:please )?|just |actually,? |"
    r"never mind,? )*"
    r"(?:forget|don't (?:remember|bring up|mention|use|store|keep)|do not (?:remember|bring up|"
    r"mention|use|store|"
    r"keep)|stop (?:mentioning|bringing up|using|remembering))\s+(?:(?:about|that|what|everything|"
    r"anything|all|"
    r"I|said|told|you|mentioned|the fact|once|the thing)\s+)*(?P<topic>[^.!?;]{3,80})",
    re.IGNORECASE,
)
_ZH_FORGET = re.compile(
    r"(?:请|麻烦|帮我)?(?:忘掉|忘记|忘了|不要再提|别再提|不要记住|别记)(?P<topic>[^，。！？\n]{2,20})"
)
_TALKING: Final = ("chat", "agent", "message", "sms", "conversation")


def build(
    items: Iterable[Item],
    *,
    me: frozenset[str] = frozenset(),
    forgotten: Iterable[str] = (),
    cards: Sequence[StyleCard] | None = None,
    progress: Progress | None = None,
) -> Document:
    """Return the document that the items support, the same for the same items.

    `me` holds the user's names, casefolded; `forgotten` the topics they asked not to be reminded of;
    `cards` are how they write, where that is measured already.
    """
    kept = [item for item in items if GENERATED not in item.text]
    names_of_me = me | frozenset(
        item.author.casefold() for item in kept if item.mine and item.author
    )
    told: list[Remark] = []
    own = list(telling(kept))
    for number, item in enumerate(own, 1):
        if progress is not None:
            progress.report(number, len(own), "Reading your entries")
        told.extend(remarks(item, names_of_me))
    lines = list(_lines(told, kept, names_of_me, progress))
    if cards is None:
        cards = style_cards(kept, names_of_me)
    lines += voice_lines(own, cards)
    lines = _without_forgotten(lines, told, tuple(forgotten))
    lines = _once(lines)
    media = {item.key: item.medium for item in kept}
    lines = [_flagged(line, media) for line in lines]
    return _fitted(Document(tuple(lines)))


def _lines(
    told: Sequence[Remark],
    items: Sequence[Item],
    me: frozenset[str],
    progress: Progress | None,
) -> Iterator[Line]:
    def step(at: int) -> None:
        if progress is not None:
            progress.report(at, 5, "Writing the document")

    step(0)
    yield from selfhood.who(told)
    step(1)
    named = people_lines.names_of(told, items, me)
    step(2)
    yield from people_lines.people(named.values())
    yield from selfhood.homes(told)
    yield from people_lines.places(named.values())
    yield from selfhood.work(told)
    yield from health(told)
    step(3)
    topics, small = _topics(told)
    yield from opinions(told, topics, small)
    yield from likes(stance for remark in told for stance in stances(remark))
    step(4)
    often = frozenset(
        name
        for name, each in named.items()
        if each.count >= 5 and (people_lines.is_person(each) or people_lines.is_place(each))
    )
    yield from habits(told, often)


def _topics(told: Sequence[Remark]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems that recur without being everywhere, and the words written small."""
    holding: dict[str, set[str]] = defaultdict(set)
    small: Counter[str] = Counter()
    for remark in told:
        for word in about_of(remark.text):
            holding[word].add(remark.key)
        for at, word in enumerate(re.findall(r"[^\W\d_]+", remark.text)):
            small[word.lower()] += 1 if word[0].islower() else -2 if at else 0
    entries = len({remark.key for remark in told})
    most = max(3, entries // 4)
    return (
        frozenset(word for word, keys in holding.items() if 3 <= len(keys) <= most),
        frozenset(word for word, times in small.items() if times > 0),
    )


def asked_to_forget(told: Iterable[Remark]) -> Iterator[tuple[str, date | None]]:
    """Yield what the user asked, in a conversation, not to be reminded of, and when."""
    for remark in told:
        if not remark.medium.startswith(_TALKING):
            continue
        if match := _FORGET.match(remark.text) or _ZH_FORGET.search(remark.text):
            yield match["topic"], remark.day


def _without_forgotten(
    lines: Sequence[Line], told: Sequence[Remark], forgotten: tuple[str, ...]
) -> list[Line]:
    """Leave out what the user doesn't want to hear of."""
    asked = [
        ({stem(word) for word in content_words(topic)}, day) for topic, day in asked_to_forget(told)
    ]
    kept = []
    for line in lines:
        if any(names(line, topic) for topic in forgotten):
            continue
        about = {stem(word) for word in content_words(f"{line.text} {line.topic}")}
        last = max((each.day for each in line.supports if each.day), default=None)
        if any(
            topic
            and len(topic & about) >= min(2, len(topic))
            and (day is None or last is None or last <= day)
            for topic, day in asked
        ):
            continue
        kept.append(line)
    return kept


def _once(lines: Sequence[Line]) -> list[Line]:
    """Leave out a line that says again what another section has said, and one of the same topic."""
    kept: list[Line] = []
    texts: set[str] = set()
    topics: set[str] = set()
    for line in lines:
        folded = line.text.casefold().strip("“”")
        if line.topic in topics or folded in texts:
            continue
        if any(len(folded) > 20 and folded in text for text in texts):
            continue
        texts.add(folded)
        topics.add(line.topic)
        kept.append(line)
    return kept


def _flagged(line: Line, media: dict[str, str]) -> Line:
    """Return a line with its supports' media, marked private where it speaks of a sensitive matter."""
    return replace(
        line,
        text=line.text.replace(f"{BLANK}.", "…").replace(BLANK, "…"),
        supports=tuple(replace(each, medium=media.get(each.key, "")) for each in line.supports),
        private=line.private or line.section is Section.HEALTH or matter(line.text) is not None,
    )


def _fitted(document: Document) -> Document:
    """Return what fits into the document's length."""
    text = as_text(document)
    return Document(tuple(line for line in document.lines if f"- {line.text}" in text))
