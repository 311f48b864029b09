"""Say which parts of a question have evidence and which don't: the strip above an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from clone_app.entries import Hit, Part, Sentence, Term
from clone_app.memory import chinese
from clone_app.memory.words import asked_words, content_words, findable, plain, stem, tokens
from clone_app.persona.question.wants import Kind, holds, wants

MOST: Final = 6
_KINDS: Final = (Kind.AMOUNT, Kind.MONEY, Kind.PERSON, Kind.COLOUR, Kind.PLACE, Kind.REASON)


def parts(
    question: str, terms: Sequence[Term], hits: Sequence[Hit], said: Sequence[Sentence]
) -> tuple[Part, ...]:
    """Return the parts of a question: what it is about in its own words, and what it wants to know.

    Found is what stands in a cited item, for what is wanted in a supported sentence itself; where
    nothing is cited, what stands in any item found. The heaviest parts come, in the question's order.
    """
    cited = {key for each in said if each.supported for key in each.citations}
    shown = [hit for hit in hits if not cited or hit.item.key in cited]
    told = " ".join(each.text for each in said if each.supported)
    words = {stem(term.word): term for term in terms}
    found: list[tuple[float, Part]] = []
    for want in wants(question):
        for phrase in _phrases(want.text):
            known = [(each, words[root]) for each in phrase if (root := stem(each)) in words]
            whole = [term for _, term in known]
            if not whole:
                continue
            keys = tuple(hit.item.key for hit in shown if _holds(hit, whole))
            weight = max(term.weight for term in whole)
            if keys or len(known) == 1:
                found.append((weight, Part(" ".join(phrase), bool(keys), keys)))
                continue
            for each, term in known:
                keys = tuple(hit.item.key for hit in shown if _holds(hit, [term]))
                found.append((term.weight, Part(each, bool(keys), keys)))
        if want.kind in _KINDS:
            answers = bool(cited) and holds(want.kind, told, asked=want.stems)
            found.append((float("inf"), Part(want.kind.value, answers)))
    kept = sorted(range(len(found)), key=lambda at: -found[at][0])[:MOST]
    return tuple(dict.fromkeys(found[at][1] for at in sorted(kept)))


def _phrases(text: str) -> Iterator[list[str]]:
    """Yield the runs of words with content as they stand in a question: "green sofa"."""
    run: list[str] = []
    end = 0
    for match in tokens(text):
        close = not re.search(r"[^\s]", text[end : match.start()])
        if run and not close:
            yield run
            run = []
        if chinese.is_chinese(match[0]):
            yield from ([word] for word in asked_words(match[0]))
        elif content_words(match[0]):
            run.append(match[0])
        elif run:
            yield run
            run = []
        end = match.end()
    if run:
        yield run


def _holds(hit: Hit, asked: Sequence[Term]) -> bool:
    """Tell whether an item holds every one of these terms under some spelling."""
    item = hit.item
    held = findable(f"{item.text}\n{item.title}\n{item.author}")
    return all(held & {stem(plain(word)) for word in (term.word, *term.spelled)} for term in asked)
