"""Understand a question for recall: its words, probes, times, people and kinds of entry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from functools import partial

from clone_app.entries import Cutoff, NamedPerson, NamedTime, Recalled, Term
from clone_app.memory.events import days_of
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import understand
from clone_app.memory.media import media_named
from clone_app.memory.names import Bearers, keys_of
from clone_app.memory.occasions import occasions
from clone_app.memory.people import Naming, folded
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
    wrote or got; `media` the kinds of entry named; `lines` what who asks supposes the memory to hold.
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
    lines: tuple[str, ...] = ()


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

    A time told by an event is looked for in memory, by meaning where no word of it was written. What the
    scope says is plain stays a word to look for.
    """
    timeline = store.timeline(reach=recipe.reach)
    seen = timeline.seen(cutoff)
    intervals: tuple[Interval, ...] = ()
    if recipe.when:
        today = cutoff.instant.astimezone(home).date()
        intervals = find(question, today, calendar)
        happened = partial(days_of, store.base.db(), cutoff, index=index, embedder=embedder)
        intervals += occasions(question, today, intervals, happened)
        intervals = tuple(each for each in intervals if folded(each.phrase) not in scope.plain)
    bare = without_times(question, intervals)
    probes: tuple[str, ...] = (question,)
    if recipe.timeless and bare != question and content_words(bare):
        probes = (question, " ".join(bare.split()))
    people: tuple[str, ...] = ()
    bearers: tuple[Bearers, ...] = ()
    if recipe.people or scope.about:
        named = store.names().named(question, plain=scope.plain) if recipe.people else ()
        meant = keys_of(each.person for each in named) | scope.about
        people = tuple(each.person.name for each in named) + tuple(sorted(scope.about))
        bearers = store.names().bearing(scope.about if scope.only else meant)
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


def as_understood(
    store: Store, question: str, found: Recalled, cutoff: Cutoff, *, recipe: Recipe, scope: Scope
) -> Recalled:
    """Return what was found with how its question was understood, as it is shown to who asked.

    That is how far a time was widened, and whom the question names.
    """
    timeline = store.timeline(reach=recipe.reach)
    named = store.names().named(question, plain=scope.plain) if recipe.people else ()
    return replace(
        found,
        intervals=tuple(_with_searched(each, timeline, cutoff) for each in found.intervals),
        people=tuple(NamedPerson(each.phrase, called(each)) for each in named),
        plain=scope.plain,
    )


def called(naming: Naming) -> str:
    """Return who is named, by another name than the one that was said where there is one."""
    said = folded(naming.phrase)
    others = [name for name in naming.person.names() if folded(name) != said]
    return max(others, key=_full, default=naming.person.name)


def _full(name: str) -> tuple[bool, bool]:
    return "@" not in name, " " in name


def _with_searched(named: NamedTime, timeline: Timeline, cutoff: Cutoff) -> NamedTime:
    start, end = date.fromisoformat(named.start), date.fromisoformat(named.end)
    named = replace(named, phrase=named.phrase.strip())
    wide = widened(Interval(start, end, named.phrase, named.vague), timeline, timeline.seen(cutoff))
    if (wide.start, wide.end) == (start, end):
        return named
    last = max(end, cutoff.instant.date() + timedelta(days=1))  # beyond it nothing is seen anyway
    return replace(named, searched=(wide.start.isoformat(), min(wide.end, last).isoformat()))
