"""Answer in the user's own words: the stretches that bear most of a question, with their dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from clone_app.entries import Hit, Moment, Sentence, Term
from clone_app.memory.words import stems
from clone_app.persona.bearing import meant
from clone_app.persona.lines import one_speaker
from clone_app.persona.phrases import ENGLISH, Phrases, phrases_of
from clone_app.persona.question.wants import Kind, Want, counts, holds, wants
from clone_app.persona.slices import Asked, Slice, telling_slice

QUOTE_LENGTH: Final = 240
SOURCE_LENGTH: Final = 300
# So many quotations are read at a glance; those worth less than half of the best one say little.
MOST: Final = 4
_WEAK: Final = 0.5
# Of so many words, all stand in another quotation by no chance.
_CONTAINED: Final = 4
# The earliest and the latest must be nearly as good as the best.
_STRONG: Final = 0.75
# A shorter stretch is shown with the sentences beside it.
QUOTE_WANTED: Final = 18
SOURCE_WANTED: Final = 120

# What asks how something went on, or whether it still is so.
_COURSE = re.compile(
    r"\b(?:still|now|nowadays|these days|at first|used to|changed?|over (?:time|the years?)|any ?more|"
    r"become|became|no longer|since|before|later|eventually|in the end)\b",
    re.IGNORECASE,
)
# What asks how something is today: "Can you drive?"
_TODAY = re.compile(r"^(?:and |but |so )?(?:do|does|can|are|is|have|has)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Hold a stretch chosen from a hit and how well it answers.

    `speaker` is who says it where the item is a chat kept as text, "" for the item's author; `phrases`
    are the words of the language that is answered in.
    """

    worth: float
    hit: Hit
    piece: Slice
    speaker: str = ""
    phrases: Phrases = ENGLISH

    @property
    def said(self) -> Sentence:
        """Return it as a sentence under its date, citing its item."""
        item = self.hit.item
        if self.speaker:
            item = replace(item, mine=False, author=self.speaker)
        return Sentence(self.phrases.framed(item, self.piece.text), True, (item.key,))


def quote_answer(
    terms: Sequence[Term], hits: Sequence[Hit], *, question: str = "", limit: int = MOST
) -> tuple[Sentence, ...]:
    """Return up to `limit` quotations in time order, each framed by its date and citing its item."""
    return tuple(each.said for each in quotations(terms, hits, question=question, limit=limit))


def quotations(
    terms: Sequence[Term], hits: Sequence[Hit], *, question: str = "", limit: int = MOST
) -> list[Quotation]:
    """Choose up to `limit` quotations, in time order.

    Best first while choosing: how much of the question's weight a stretch bears and whether it holds
    the kind of answer that is wanted, then how high recall put its item. Each sub-question has its
    best one; a question about what became of something has the earliest and the latest, one about how
    it is today the latest. Weak seconds, near-duplicates and more from an entry that is quoted already
    are left out; so is what stands only in others' quoted words, since those are not the item's own.
    """
    terms = meant(question, terms)
    phrases = phrases_of(question)
    ranked = [_offered(want, terms, hits, phrases) for want in wants(question)]
    chosen: list[Quotation] = []
    for offered in ranked:
        _take(offered[:1], chosen, limit)
    # A question that names nothing but a time has no best answer, only what was written then.
    rest = sorted((each for offered in ranked for each in offered), key=lambda each: -each.worth)
    weak = _WEAK * rest[0].worth if rest and terms else 0.0
    rest = [each for each in rest if each.worth >= weak]
    course = _COURSE.search(question)
    if len(rest) > limit and (course or _TODAY.search(question)):
        strong = [each for each in rest if each.worth >= _STRONG * rest[0].worth]
        dated = [each for each in strong if each.hit.item.moment.local is not None]
        dated.sort(key=lambda each: in_time(each.hit.item.moment))
        _take([*(dated[:1] if course else ()), *dated[-1:]], chosen, limit, again=False)
    _take(rest, chosen, limit, again=False)
    return sorted(chosen, key=lambda each: in_time(each.hit.item.moment))


def _offered(
    want: Want, terms: Sequence[Term], hits: Sequence[Hit], phrases: Phrases
) -> list[Quotation]:
    """Return what each hit has to say to one sub-question, best first."""
    asked = Asked.mainly(terms, want.stems) if want.stems else Asked.of(terms)

    def told(text: str) -> bool:
        return holds(want.kind, text, asked=want.stems, question=want.text)

    choosy = want.kind not in (Kind.OPEN, Kind.YES_NO, Kind.DATE)
    offered = []
    for rank, hit in enumerate(hits):
        piece = telling_slice(
            hit, asked, QUOTE_LENGTH, least=QUOTE_WANTED, wanted=told if choosy else None
        )
        if piece is None or (not hit.own and not piece.share):
            continue
        piece, speaker = one_speaker(hit.item, piece, asked)
        worth = piece.share + 0.3 / (1 + rank) + 0.3 * max(0.0, hit.cosine or 0.0)
        worth += 0.3 * (choosy and told(piece.text)) + 0.3 * counts(want.text, piece.text)
        own = hit.item.mine and not speaker
        offered.append(Quotation(worth * (1.0 if own else 0.8), hit, piece, speaker, phrases))
    return sorted(offered, key=lambda each: -each.worth)


def _take(
    offered: Sequence[Quotation], chosen: list[Quotation], limit: int, *, again: bool = True
) -> None:
    """Add quotations that say something else than those chosen, up to `limit`.

    From an entry that is quoted already only where `again` is true.
    """
    for each in offered:
        if len(chosen) < limit and not any(
            _alike(each.piece.text, other.piece.text)
            or (not again and each.hit.item.key == other.hit.item.key)
            for other in chosen
        ):
            chosen.append(each)


def source_quote(hit: Hit, terms: Sequence[Term]) -> str:
    """Return the best verbatim stretch (≤ 300 characters) of an item's own text, "" for none."""
    found = telling_slice(hit, Asked.of(terms), SOURCE_LENGTH, least=SOURCE_WANTED)
    return found.text if found else ""


def in_time(moment: Moment) -> tuple[bool, str]:
    """Return what sorts moments oldest first, undated ones last."""
    return (moment.local is None, moment.local.isoformat() if moment.local else "")


def _alike(one: str, other: str) -> bool:
    """Tell whether two quotations say the same: most of both, or all of one stands in the other."""
    mine, theirs = stems(one), stems(other)
    if not mine or not theirs:
        return one == other
    few, many = sorted((len(mine), len(theirs)))
    shared = len(mine & theirs)
    return mine == theirs or shared >= 0.7 * many or shared == few >= _CONTAINED
