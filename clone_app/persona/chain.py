"""Tell then from now: what a later entry says no longer holds of what an earlier one said.

Only what a later entry says in so many words counts ("gave up", "no longer"): that a diary is silent
about something from a day on says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Hit, Sentence, Term
from clone_app.memory.words import content_words, sentences, stem
from clone_app.persona.quote import Quotation, in_time, spoken
from clone_app.persona.slices import Asked, Slice, around, slice_of
from clone_app.persona.wants import Kind, kind_of

_ENDED: Final = re.compile(
    r"\b(?:no longer|not any ?(?:more|longer)|n['’]t\b[^.;!?]{0,60}\bany ?(?:more|longer)|"
    r"never again|(?:have |had |'ve )?(?:stopped|quit|given up|gave up)|(?:I|we) used to|got rid of|"
    r"(?:broke|broken|split) up|changed my mind|gave (?:it|him|her|them|that) up|"
    r"(?:is|are|was) over (?:now|for good)|for the last time)\b",
    re.IGNORECASE,
)
_MIND: Final = re.compile(r"\bchanged my mind\b", re.IGNORECASE)
# "Do you still run with Tom?" takes for granted that one does or did.
_PREMISE: Final = re.compile(
    r"^(?:and |but |so )?(?P<aux>do|are|have|is|does)\s+(?P<who>you|your)\s+(?P<rest>.+?)\s*\?*\s*$",
    re.IGNORECASE,
)
_SINCE_YOU: Final = (
    (re.compile(r"\b(?:still|always|any ?more|these days|nowadays|currently|yet|ever)\b\s*", re.I), ""),
    (re.compile(r"\byourself\b", re.I), "myself"),
    (re.compile(r"\byours\b", re.I), "mine"),
    (re.compile(r"\byour\b", re.I), "my"),
    (re.compile(r"\byou\b", re.I), "me"),
)  # fmt: skip
_PLAIN_PREMISE: Final = 60
_LENGTH: Final = 240
_CLAUSE: Final = re.compile(r"[,;:.!?—–]|\s(?:but|so|because|while)\s")
# What asks whether something still is so, or how it went on.
_COURSE: Final = re.compile(
    r"\b(?:still|now|nowadays|these days|at first|changed?|any ?more|no longer|think|feel|about|used to)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """Hold what was so, where an entry says so, and the later entry that says it ended."""

    then: Quotation
    now: Quotation


def change(question: str, terms: Sequence[Term], hits: Sequence[Hit]) -> Change | None:
    """Return the latest change of what is asked about, None where no entry tells of one.

    The later entry says in one clause that it ended and what: half the question's weight or more.
    The earlier one bears as much without saying so. A question for a fact of its own ("what did you
    pay?") has no then and now.
    """
    if kind_of(question) is not Kind.YES_NO and not _COURSE.search(question):
        return None
    asked = Asked.of(terms)
    dated = sorted(
        (hit for hit in hits if hit.item.moment.local is not None and hit.own and hit.item.mine),
        key=lambda hit: in_time(hit.item.moment),
    )
    for at in range(len(dated) - 1, 0, -1):
        ended = _ending(dated[at], asked)
        if ended is None:
            continue
        for earlier in dated[:at]:
            before = slice_of(earlier, asked, _LENGTH)
            older = in_time(earlier.item.moment) < in_time(dated[at].item.moment)
            if older and before and before.share >= 0.5 and not _ENDED.search(before.text):
                return Change(Quotation(1.0, earlier, before), Quotation(1.0, dated[at], ended))
    return None


def _ending(hit: Hit, asked: Asked) -> Slice | None:
    """Return the sentence of a hit that says that what is asked about ended."""
    text, _ = around(hit)
    for start, end in sentences(text):
        said = text[start:end]
        if end - start > _LENGTH or not _ENDED.search(said):
            continue
        for clause in _CLAUSE.split(said):
            if _ENDED.search(clause) and asked.share(clause) >= 0.5:
                return Slice(said, start, asked.share(said))
    return None


def told(question: str, found: Change) -> tuple[Sentence, ...]:
    """Return what changed as sentences: first what no longer holds, then both entries, then → now."""
    keys = (found.then.hit.item.key, found.now.hit.item.key)
    lead = _corrected(question, found)
    day, before = spoken(found.now.hit.item.moment), spoken(found.then.hit.item.moment)
    if not lead:
        lead = f"That changed between {before} and {day}."
    return (Sentence(lead, True, keys), found.then.said, found.now.said)


def _corrected(question: str, found: Change) -> str:
    """Return the question's premise denied in the first person, "" where that can't be said safely.

    Only of a short premise whose every content word the later entry holds in the sentence that says
    so: "Do you still run with Tom?" → "I no longer run with Tom, as I wrote on 3 May 2024."
    """
    match = _PREMISE.match(question)
    if not match or kind_of(question) is not Kind.YES_NO or match["who"].lower() != "you":
        return ""
    if _MIND.search(found.now.piece.text):
        return ""
    rest = match["rest"]
    held = set(map(stem, content_words(found.now.piece.text)))
    if len(rest) > _PLAIN_PREMISE or not set(map(stem, content_words(rest))) <= held:
        return ""
    for pattern, instead in _SINCE_YOU:
        rest = pattern.sub(instead, rest)
    verb = {"do": "", "are": "am ", "have": "have "}.get(match["aux"].lower())
    if verb is None:
        return ""
    no_longer = f"I {verb.strip()} no longer" if verb else "I no longer"
    return f"{no_longer} {rest.strip()}, as I wrote on {spoken(found.now.hit.item.moment)}."
