"""Why a question did, or did not, find an item: its rank, what each ranker gave it, what kept it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import StrEnum

import numpy as np

from clone_app.entries import Cutoff, FoundBy, Term
from clone_app.memory.asked import Asked, understood
from clone_app.memory.database import rows
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import coverage
from clone_app.memory.recall import ranked, shared_out
from clone_app.memory.recipes import DEFAULT, Recipe, Scope
from clone_app.memory.scoped import within
from clone_app.memory.store import Store
from clone_app.memory.when import NORTHERN, Calendar
from clone_app.protocols import Embedder, Reranker


class Verdict(StrEnum):
    """What became of an item for a question.

    FOUND: among the answers' sources. BELOW: ranked, but others stood higher. CROWDED: high enough, but
    its stretch of time had its share already. UNREACHED: no ranker offered it. LATER: written after the
    moment of asking. UNDATED: without a date, so unseen from the past. OUTSIDE: kept out by a filter.
    """

    FOUND = "found"
    BELOW = "below"
    CROWDED = "crowded"
    UNREACHED = "unreached"
    LATER = "later"
    UNDATED = "undated"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Say what became of an item for a question, and why.

    `rank` counts from 1 among `ranked` items, None where it has none. `score` is its total, `needed`
    the total of the last item that was taken. `found` is what each ranker gave, the most first; `words`
    are the question's words that it holds, `lacking` those it doesn't. `waiting` tells whether any of its
    passages has no vector yet, so that meaning can't see it.
    """

    verdict: Verdict
    k: int
    rank: int | None
    ranked: int
    score: float | None
    needed: float | None
    found: tuple[FoundBy, ...]
    words: tuple[str, ...]
    lacking: tuple[str, ...]
    times: tuple[str, ...]
    people: tuple[str, ...]
    waiting: bool


def why(
    store: Store,
    question: str,
    item: int,
    cutoff: Cutoff,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    home: tzinfo,
    calendar: Calendar = NORTHERN,
    recipe: Recipe = DEFAULT,
    scope: Scope = Scope(),  # noqa: B008 - frozen
    reranker: Reranker | None = None,
    k: int = 10,
) -> Reason:
    """Return what became of an item for a question, asked as recall would ask it."""
    asked = understood(
        store,
        question,
        cutoff,
        index=index,
        embedder=embedder,
        home=home,
        calendar=calendar,
        recipe=recipe,
        scope=scope,
    )
    ranking = ranked(store, asked, index=index, embedder=embedder, reranker=reranker)
    chosen = shared_out(ranking, asked, k)
    order = [int(each) for each in ranking.best(len(ranking.ids))]
    rank = order.index(item) + 1 if item in order else None
    totals = dict(zip(ranking.ids.tolist(), ranking.totals.tolist(), strict=True))
    held = tuple(term.word for term in asked.terms if term.spelled and _holds(store, term, item))
    waiting = rows(
        store.base.db(),
        "SELECT count(*) FROM passages WHERE item_id = ? AND embedded = 0",
        [item],
    )
    return Reason(
        verdict=_verdict(store, asked, item, chosen, rank, k),
        k=k,
        rank=rank,
        ranked=len(order),
        score=totals.get(item),
        needed=totals[chosen[-1]] if chosen else None,
        found=tuple(sorted(ranking.found(item), key=lambda each: -each.standing)),
        words=held,
        lacking=tuple(term.word for term in asked.terms if term.word not in held),
        times=tuple(interval.phrase for interval in asked.intervals),
        people=asked.people,
        waiting=bool(waiting[0][0]),
    )


def _holds(store: Store, term: Term, item: int) -> bool:
    return coverage(store.base.db(), [term], [item])[item] > 0


def _verdict(
    store: Store,
    asked: Asked,
    item: int,
    chosen: list[int],
    rank: int | None,
    k: int,
) -> Verdict:
    if item in chosen:
        return Verdict.FOUND
    if rank is not None:
        return Verdict.CROWDED if rank <= k else Verdict.BELOW
    (place,) = asked.timeline.places(np.array([item], np.int64)).tolist()
    if place >= asked.seen:
        return Verdict.LATER
    if place < 0 and not asked.cutoff.undated:
        return Verdict.UNDATED
    kept = within(store, asked.scope)
    inside = rows(
        store.base.db(),
        "SELECT 1 FROM items i WHERE " + " AND ".join(("i.id = :item", *kept.clauses)),
        {**kept.parameters, "item": item},
    )
    return Verdict.UNREACHED if inside else Verdict.OUTSIDE


_SAID = {
    Verdict.FOUND: "Found: it is number {rank} of the {k} entries the answer is made from.",
    Verdict.BELOW: "Not found: it came in at number {rank}, and the answer is made from the best {k}.",
    Verdict.CROWDED: "Not found: it came in at number {rank}, but entries of the same days had filled "
    "their share of the {k} already.",
    Verdict.UNREACHED: "Not found: nothing in it is near the question in words, in meaning or in time.",
    Verdict.LATER: "Not looked at: it was written after the moment that was asked about.",
    Verdict.UNDATED: "Not looked at: it has no date, so nobody knows whether it was there by then.",
    Verdict.OUTSIDE: "Not looked at: the filters of the question leave it out.",
}
# What each ranker saw in an entry, for it and against it; {probe} is what it looked for.
_SAW = {
    "words": ("It holds words of the question", "It holds few words of the question"),
    "meaning": (
        "Its meaning is near that of the question",
        "Its meaning is far from that of the question",
    ),
    "when": ("It was written in or close to “{probe}”", ""),
    "people": ("It is by or to {probe}", ""),
    "medium": ("It is of the kind the question names", ""),
    "whose": ("You wrote it yourself", "It was not you who wrote it"),
    "near": (
        "Entries that fit well were written around the same days",
        "Nothing that fits well was written around those days",
    ),
    "echo": (
        "It holds words that the best entries share",
        "It holds few words of the best entries",
    ),
    "rerank": ("Read a second time, it fits the question", "Read a second time, it fits less"),
    "recent": ("It is among the latest", ""),
}

_FINDERS = {
    "words": "its words",
    "meaning": "its meaning",
    "when": "its time",
    "people": "who wrote or got it",
    "medium": "its kind",
    "near": "what was written around it",
    "echo": "words of the best entries",
    "recent": "its being among the latest",
    "rerank": "a second, closer reading",
    "about": "a line of About me",
}


def found_through(finders: Sequence[str]) -> str:
    """Return in words for anybody what an entry was found by: `its words and its meaning`."""
    said = [_FINDERS.get(name, name) for name in finders]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def told(reason: Reason) -> list[str]:
    """Return a reason in words for anybody, the verdict first."""
    said = [_SAID[reason.verdict].format(rank=reason.rank, k=reason.k)]
    if reason.score is not None and reason.needed is not None:
        said.append(
            f"It has {reason.score:.1f} points; the last entry that was taken has {reason.needed:.1f}. "
            "They come from this:"
            if reason.found
            else f"It has {reason.score:.1f} points."
        )
    said += [f"  {each.standing:+.1f}  {saw(each)}" for each in reason.found]
    if reason.words:
        said.append(f"Words of the question in it: {', '.join(reason.words)}.")
    if reason.lacking:
        said.append(f"Words of the question not in it: {', '.join(reason.lacking)}.")
    for names, what in ((reason.times, "a time"), (reason.people, "somebody")):
        if names:
            said.append(f"Understood as {what}: {', '.join(dict.fromkeys(names))}.")
    if reason.waiting:
        said.append("Its meaning has not been read yet, so only its words can be found so far.")
    return said


def saw(found: FoundBy) -> str:
    """Return in words for anybody what a ranker saw in an entry."""
    speaks_for, against = _SAW.get(found.ranker, ("", ""))
    said = speaks_for if found.standing >= 0 else against or speaks_for
    return said.format(probe=found.probe) if said else f"{found.ranker} ({found.probe})"
