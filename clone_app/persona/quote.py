"""Answer in the user's own words: the stretches that bear most of a question, with their dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clone_app.entries import Hit, Item, Moment, Precision, Sentence, Term
from clone_app.memory.words import stems
from clone_app.persona.facts import MONTHS
from clone_app.persona.slices import Asked, Slice, telling_slice

QUOTE_LENGTH: Final = 240
SOURCE_LENGTH: Final = 300
# A shorter stretch is shown with the sentences beside it.
QUOTE_WANTED: Final = 16
SOURCE_WANTED: Final = 120

_VERBS: Final = {
    "post": "posted",
    "social_media": "posted",
    "search": "searched for",
    "search_history": "searched for",
    "calendar": "noted",
    "calendar_event": "noted",
    "todo": "noted",
    "todo_list": "noted",
    "note": "noted",
    "memo": "noted",
}
_ADDRESS = re.compile(r"<[^>]*>|\([^)]*@[^)]*\)|\S+@\S+")
_UNFIT = re.compile(r"[\s<>“”\"|\[\]{}]+")


def quote_answer(
    terms: Sequence[Term], hits: Sequence[Hit], *, limit: int = 3
) -> tuple[Sentence, ...]:
    """Return up to `limit` quotations in time order, each framed by its date and citing its item.

    Best first while choosing: how much of the question's weight a stretch bears, then how high
    recall put its item. Weak seconds and near-duplicates are left out; so is what stands only in
    others' quoted words, since those are not the item's own.
    """
    asked = Asked.of(terms)
    offered: list[tuple[float, Hit, Slice]] = []
    for rank, hit in enumerate(hits):
        piece = telling_slice(hit, asked, QUOTE_LENGTH, wanted=QUOTE_WANTED)
        if piece is None or (not hit.own and not piece.share):
            continue
        worth = piece.share + 0.3 / (1 + rank) + 0.3 * max(0.0, hit.cosine or 0.0)
        offered.append((worth * (1.0 if hit.item.mine else 0.8), hit, piece))
    offered.sort(key=lambda each: -each[0])
    # A question that names nothing but a time has no best answer, only what was written then.
    weak = 0.6 * offered[0][0] if offered and asked.weights else 0.0
    chosen: list[tuple[float, Hit, Slice]] = []
    for worth, hit, piece in offered:
        if len(chosen) == limit or worth < weak:
            break
        if not any(_alike(piece.text, other.text) for _, _, other in chosen):
            chosen.append((worth, hit, piece))
    chosen.sort(key=lambda each: in_time(each[1].item.moment))
    return tuple(
        Sentence(f"{frame(hit.item)} “{piece.text}”", True, (hit.item.key,))
        for _, hit, piece in chosen
    )


def source_quote(hit: Hit, terms: Sequence[Term]) -> str:
    """Return the best verbatim stretch (≤ 300 characters) of an item's own text, "" for none."""
    found = telling_slice(hit, Asked.of(terms), SOURCE_LENGTH, wanted=SOURCE_WANTED)
    return found.text if found else ""


def in_time(moment: Moment) -> tuple[bool, str]:
    """Return what sorts moments oldest first, undated ones last."""
    return (moment.local is None, moment.local.isoformat() if moment.local else "")


def frame(item: Item) -> str:
    """Return what stands before a quotation: `On 14 September 1666 I wrote:`."""
    verb = _VERBS.get(item.medium, "wrote") if item.mine else "wrote"
    who = "I" if item.mine else display_name(item.author) or "somebody else"
    return f"{when(item.moment)} {who} {verb}:"


def when(moment: Moment) -> str:
    """Return `On 14 September 1666`, `In March 2022`, `In 2022` or `At some time`, in English."""
    if moment.local is None:
        return "At some time"
    stated = spoken(moment)
    return (
        f"In {stated}" if moment.precision in (Precision.MONTH, Precision.YEAR) else f"On {stated}"
    )


def spoken(moment: Moment) -> str:
    """Return a moment's day in English long form at its precision, "" if undated."""
    if moment.local is None:
        return ""
    year, month = str(moment.local.year), MONTHS[moment.local.month - 1]
    if moment.precision is Precision.YEAR:
        return year
    if moment.precision is Precision.MONTH:
        return f"{month} {year}"
    return f"{moment.local.day} {month} {year}"


def display_name(author: str) -> str:
    """Return an author's name without the address; what stands before the @ where that is all."""
    name = _UNFIT.sub(" ", _ADDRESS.sub(" ", author)).strip(" ,;:'()")
    if not name and "@" in author:
        name = _UNFIT.sub(" ", author.strip(" <").partition("@")[0]).strip()
    return name[:60].strip()


def _alike(one: str, other: str) -> bool:
    """Tell whether two quotations say the same."""
    mine, theirs = stems(one), stems(other)
    if not mine or not theirs:
        return one == other
    return len(mine & theirs) >= 0.7 * min(len(mine), len(theirs))
