"""Read the time a question is asked at, and say what could be seen then."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from clone_app.entries import Cutoff
from clone_app.errors import CloneAppError

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def cutoff_of(at: str | None, *, now: datetime, home: tzinfo) -> Cutoff:
    """Return what can be seen at a time given as ISO 8601; None means now.

    A year, a month or a day means its end in the home zone: asked on a day, one has that day's entry.
    A time without an offset is the home zone's. Undated items are hidden from the past alone.
    """
    if at is None or not at.strip():
        return Cutoff(now.astimezone(UTC))
    instant = _read(at.strip(), home)
    return Cutoff(instant, undated=instant >= now)


def _read(at: str, home: tzinfo) -> datetime:
    try:
        if partial := _PARTIAL.fullmatch(at):
            year, month, day = (int(part) if part else None for part in partial.groups())
            return _end(year or 0, month, day, home)
        exact = datetime.fromisoformat(at)
        return (exact if exact.tzinfo else exact.replace(tzinfo=home)).astimezone(UTC)
    except (ValueError, OverflowError) as fault:
        raise CloneAppError(
            f"“{at}” is not a time. Write a day as 2024-03-02 or a moment as 2024-03-02T18:30."
        ) from fault


def _end(year: int, month: int | None, day: int | None, home: tzinfo) -> datetime:
    first = datetime(year, month or 1, day or 1, tzinfo=home)
    if day:
        # The next midnight by the calendar, not 24 hours on: a day can have 23 or 25.
        following = first + timedelta(days=1)
    elif month:
        following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=home)
    else:
        following = datetime(year + 1, 1, 1, tzinfo=home)
    return following.astimezone(UTC) - timedelta(microseconds=1)
