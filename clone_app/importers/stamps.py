"""Moments as exports write them, and keys for items to which their source gives none."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from clone_app.entries import Moment, Precision, content_hash
from clone_app.importers.jsonstream import text_of

_FAR = timedelta(hours=14)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MINUTE = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?:Z|[+-]\d{2}:?\d{2})?")
# `2021-03-04 05:06:07 UTC`, with whatever fraction of a second.
_SPOKEN_UTC = re.compile(r"\s+(?:UTC|GMT)$")


def iso_moment(value: object) -> Moment | None:
    """Return an ISO 8601 text as exactly as it is written; None where it is none.

    A day alone is a day; without seconds it is known to the minute; an offset is kept.
    """
    text = _SPOKEN_UTC.sub("Z", text_of(value)[:50].strip())
    try:
        if _DAY.fullmatch(text):
            return Moment.on(date.fromisoformat(text))
        when = datetime.fromisoformat(text).replace(microsecond=0)
    except (ValueError, OverflowError):
        return None
    return Moment.of(when, Precision.MINUTE if _MINUTE.fullmatch(text) else Precision.SECOND)


def epoch_moment(seconds: object) -> Moment | None:
    """Return the instant so many seconds after 1970 in UTC; None for no number or an absurd one.

    Zero is what programs write where they know nothing, so it is no moment.
    """
    if isinstance(seconds, str):
        try:
            seconds = float(seconds[:40])
        except ValueError:
            return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        if not seconds or not math.isfinite(seconds):
            return None
        return Moment.of(_EPOCH + timedelta(seconds=math.floor(seconds)))
    except OverflowError:
        return None


def wall_with_instant(wall: object, seconds: object) -> Moment | None:
    """Return an instant with the distance from UTC that the wall clock beside it tells.

    The wall clock is the exporter's; where it can't be that of the instant, the instant alone
    counts, and without an instant the wall clock.
    """
    shown, instant = iso_moment(wall), epoch_moment(seconds)
    if instant is None or instant.local is None or shown is None or shown.local is None:
        return instant or shown
    offset = shown.local - instant.local
    if abs(offset) > _FAR or offset % timedelta(minutes=15):
        return instant
    return replace(shown, offset=offset)


def made_key(source: str, moment: Moment, *parts: str) -> str:
    """Return `source:day:hash`, the same wherever and however often an export is imported."""
    day = moment.day()
    return f"{source}:{day.isoformat() if day else 'undated'}:{content_hash(*parts)}"
