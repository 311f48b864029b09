"""Understand a question for recall: its words, probes, times, people and kinds of entry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from functools import partial

import numpy as np

from clone_app.entries import Cutoff, NamedPerson, NamedTime, Term
from clone_app.memory.events import days_of
from clone_app.memory.feasts import feast_named, name_in
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
    the same as far as they had to be widened; `named` whom it names and where, `people` the names of all
    it is about, `bearers` what they wrote or got; `media` the kinds of entry named; `lines` what who
    asks supposes the memory to hold.
    """

    question: str
    cutoff: Cutoff
    recipe: Recipe
    scope: Scope
    probes: tuple[str, ...]
    terms: tuple[Term, ...]
    intervals: tuple[Interval, ...]
    times: tuple[Interval, ...]
    named: tuple[Naming, ...]
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
        intervals = tuple(
            written_of(each, timeline, seen, calendar)
            for each in intervals
            if folded(each.phrase) not in scope.plain
        )
    bare = without_times(question, intervals)
    probes: tuple[str, ...] = (question,)
    if recipe.timeless and bare != question and content_words(bare):
        probes = (question, " ".join(bare.split()))
    named = store.names().named(question, plain=scope.plain) if recipe.people else ()
    people: tuple[str, ...] = ()
    bearers: tuple[Bearers, ...] = ()
    if recipe.people or scope.about:
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
        named=named,
        people=people,
        bearers=bearers,
        media=media_named(question, (name for name, _ in store.media()))
        if recipe.medium
        else frozenset(),
        timeline=timeline,
        seen=seen,
        total=max(1, seen + (timeline.undated if cutoff.undated else 0)),
    )


def written_of(interval: Interval, timeline: Timeline, seen: int, calendar: Calendar) -> Interval:
    """Return a time named; a feast without a year as that of the latest year that was written in.

    Who asks an archive that ends in 2024 about Christmas means none that came after.
    """
    feast = name_in(interval.phrase)
    if not seen or not feast or feast != interval.phrase.strip():
        return interval
    if len(timeline.within(interval, seen)):
        return interval
    years = {date.fromordinal(int(day)).year for day in np.unique(timeline.local[:seen])}
    # What is spoken of by a feast's name may begin in the year before.
    latest = interval.end.year - 1
    for year in sorted({year + one for year in years for one in (0, 1)}, reverse=True):
        if year > latest:
            continue
        span = feast_named(feast).of_year(year, interval.start, calendar.country)
        if span is None:
            continue
        held = replace(interval, start=span[0], end=span[1])
        if len(timeline.within(held, seen)):
            return held
    return interval


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


def times_shown(asked: Asked) -> tuple[NamedTime, ...]:
    """Return the times that were understood as they are shown, with how far one was widened."""
    # Beyond the cut-off nothing is seen anyway.
    last = asked.cutoff.instant.date() + timedelta(days=1)
    shown = []
    for time, wide in zip(asked.times, asked.intervals, strict=True):
        named = NamedTime(
            time.start.isoformat(),
            time.end.isoformat(),
            time.phrase.strip(),
            vague=time.vague,
            event=time.event,
        )
        if (wide.start, wide.end) != (time.start, time.end):
            end = min(wide.end, max(time.end, last))
            named = replace(named, searched=(wide.start.isoformat(), end.isoformat()))
        shown.append(named)
    return tuple(shown)


def people_shown(asked: Asked) -> tuple[NamedPerson, ...]:
    """Return whom the question names, as it is shown."""
    return tuple(NamedPerson(each.phrase, called(each)) for each in asked.named)


def called(naming: Naming) -> str:
    """Return who is named, by another name than the one that was said where there is one."""
    said = folded(naming.phrase)
    others = [name for name in naming.person.names() if folded(name) != said]
    return max(others, key=_full, default=naming.person.name)


def _full(name: str) -> tuple[bool, bool]:
    return "@" not in name, " " in name
