"""Understand a question for recall: its words, probes, times, people and kinds of entry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta, tzinfo
from functools import partial

from clone_app.entries import Cutoff, Term
from clone_app.memory.events import days_of
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import understand
from clone_app.memory.media import media_named
from clone_app.memory.names import Bearers, keys_of
from clone_app.memory.occasions import occasions
from clone_app.memory.recipes import Recipe, Scope
from clone_app.memory.store import Store
from clone_app.memory.timeline import Timeline
from clone_app.memory.when import NORTHERN, Calendar, Interval, find, without_times
from clone_app.memory.words import content_words
from clone_app.protocols import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Hold a question as it was understood.

    `probes` are the texts that meaning looks for; `terms` the words; `times` those named, `intervals`
    the same as far as they had to be widened; `people` the names of those it speaks of, `bearers` what they
    wrote or got; `media` the kinds of entry named.
    """

    question: str
    cutoff: Cutoff
    recipe: Recipe
    scope: Scope
    probes: tuple[str, ...]
    terms: tuple[Term, ...]
    intervals: tuple[Interval, ...]
    times: tuple[Interval, ...]
    people: tuple[str, ...]
    bearers: tuple[Bearers, ...]
    media: frozenset[str]
    timeline: Timeline
    seen: int
    total: int


def understood(
    store: Store,
    question: str,
    cutoff: Cutoff,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    home: tzinfo,
    calendar: Calendar = NORTHERN,
    recipe: Recipe,
    scope: Scope,
) -> Asked:
    """Return what a question says of words, times, people and kinds of entry.

    A time told by an event is looked for in memory, by meaning where no word of it was written.
    """
    timeline = store.timeline(reach=recipe.reach)
    seen = timeline.seen(cutoff)
    intervals: tuple[Interval, ...] = ()
    if recipe.when:
        today = cutoff.instant.astimezone(home).date()
        intervals = find(question, today, calendar)
        happened = partial(days_of, store.base.db(), cutoff, index=index, embedder=embedder)
        intervals += occasions(question, today, intervals, happened)
    bare = without_times(question, intervals)
    probes: tuple[str, ...] = (question,)
    if recipe.timeless and bare != question and content_words(bare):
        probes = (question, " ".join(bare.split()))
    people: tuple[str, ...] = ()
    bearers: tuple[Bearers, ...] = ()
    if recipe.people or scope.about:
        named = store.names().named(question) if recipe.people else ()
        people = tuple(person.name for person in named) + tuple(sorted(scope.about))
        bearers = store.names().bearing(scope.about if scope.only else keys_of(named) | scope.about)
    return Asked(
        question=question,
        cutoff=cutoff,
        recipe=recipe,
        scope=scope,
        probes=probes,
        terms=understand(store.base.db(), bare),
        intervals=tuple(widened(each, timeline, seen) for each in intervals),
        times=intervals,
        people=people,
        bearers=bearers,
        media=media_named(question, (name for name, _ in store.media()))
        if recipe.medium
        else frozenset(),
        timeline=timeline,
        seen=seen,
        total=max(1, seen + (timeline.undated if cutoff.undated else 0)),
    )


def widened(interval: Interval, timeline: Timeline, seen: int) -> Interval:
    """Return a time named; where no entry stands in it, wider on both sides until one does.

    Who asks about a week without entries is served by those of the weeks around it.
    """
    wider = interval
    step = max(timedelta(days=7), interval.end - interval.start)
    while seen and not len(timeline.within(wider, seen)):
        try:
            wider = Interval(wider.start - step, wider.end + step, wider.phrase, wider.vague)
        except OverflowError:  # the ends of the calendar
            return wider
        step *= 2
    return wider
