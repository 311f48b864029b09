"""Keep to the time a question names: which hits are from then, and what is left of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from clone_app.entries import Hit, NamedTime, Recalled, Term
from clone_app.memory.people import folded
from clone_app.memory.when import Interval, find
from clone_app.memory.words import findable, stem, stems
from clone_app.persona import facts

_AROUND_TIME: Final = re.compile(r"\b(?:before|after|since|until|till|by|from)\s*$", re.IGNORECASE)
# Written down within so many days of what happened.
_LATE: Final = timedelta(days=10)
_EARLY: Final = timedelta(days=2)
# "How did you spend Christmas?" asks for nothing but a time.
_PASSED: Final = stems("spend spent")
_DIGIT: Final = re.compile(r"\d")


def timeless(question: str, recalled: Recalled) -> tuple[Term, ...]:
    """Return the terms of a question without those of the times it names: hits are from then.

    Nothing is left of "How did you spend Christmas?".
    """
    bare = findable(without_times(question, recalled.intervals))
    kept = tuple(each for each in recalled.terms if stem(each.word) in bare)
    passed = recalled.intervals and all(stem(each.word) in _PASSED for each in kept)
    return () if passed else kept


def without_times(question: str, intervals: Iterable[NamedTime]) -> str:
    """Return a question without the times it names: Christmas is nobody it could be about."""
    for each in intervals:
        question = question.replace(each.phrase, " ") if each.phrase else question
    return question


def in_named_time(
    question: str,
    hits: Sequence[Hit],
    asked_at: datetime,
    *,
    late: bool = True,
    plain: frozenset[str] = frozenset(),
    times: Sequence[NamedTime] = (),
) -> list[Hit]:
    """Return the hits from the time a question names, all where it names none or only roughly.

    What was written within a few days of it counts where `late` is true, and so does what names that
    time itself. Phrases that are `plain` (folded) name none. `times` are those that recall understood,
    which knows the latest Christmas that was written in.
    """
    understood = [
        Interval(
            date.fromisoformat(each.start), date.fromisoformat(each.end), each.phrase, each.vague
        )
        for each in times
        if not each.event
    ]
    spans = [
        each
        for each in understood or find(question, asked_at.date())
        if not each.vague
        and folded(each.phrase) not in plain
        and not _AROUND_TIME.search(question[: max(0, question.find(each.phrase))])
    ]
    if not spans:
        return list(hits)
    spans = _of_one_year(spans)
    found = []
    for hit in hits:
        day = hit.item.moment.day()
        before, after = (_EARLY, _LATE) if late else (timedelta(), timedelta())
        inside = day is not None and any(
            each.start - before <= day < each.end + after for each in spans
        )
        if inside or (
            late and _names_time(hit.item.text, [(each.start, each.end) for each in spans], day)
        ):
            found.append(hit)
    return found or _calling(hits, [each.phrase for each in spans])


def _calling(hits: Sequence[Hit], phrases: Iterable[str]) -> list[Hit]:
    """Return the hits that call something by the words for a time: "Spring break in Asheville"."""
    bare = [
        re.compile(rf"\b{re.escape(each.strip())}\b", re.IGNORECASE)
        for each in phrases
        if each.strip() and not _DIGIT.search(each)
    ]
    return [hit for hit in hits if any(each.search(hit.item.text) for each in bare)]


def _of_one_year(spans: list[Interval]) -> list[Interval]:
    """Return "Christmas" and "in 1662" as the one time they are together: the feast of that year."""
    years = [each for each in spans if (each.start, each.end) == _year(each.start.year)]
    others = [each for each in spans if each not in years and not _DIGIT.search(each.phrase)]
    if len(years) != 1 or len(others) != 1:
        return spans
    (year,), (feast,) = years, others
    shift = _year(year.start.year)[0] - _year(feast.start.year)[0]
    return [replace(feast, start=feast.start + shift, end=feast.end + shift)]


def _year(number: int) -> tuple[date, date]:
    return date(number, 1, 1), date(number + 1, 1, 1)


def _names_time(text: str, spans: Sequence[tuple[date, date]], written: date | None) -> bool:
    """Tell whether a text names a day or month within one of these spans."""
    for dated in facts.dates(text):
        for day in dated.readings:
            year = day.year or (written.year if written else None)
            if year is None or day.month is None:
                continue
            try:
                named = date(year, day.month, day.day or 1)
            except ValueError:
                continue
            if any(start <= named < end for start, end in spans):
                return True
    return False
