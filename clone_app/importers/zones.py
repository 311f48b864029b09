"""The wall clock of a writer whose source keeps instants and the name of a time zone."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from clone_app.entries import Moment

_FIXED = re.compile(r"(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?")


def in_zone(moment: Moment, name: str) -> Moment:
    """Return an instant as the clock of that zone showed it; unchanged where nobody knows the zone.

    A moment without an offset is a wall clock already and stays.
    """
    if moment.local is None or moment.offset is None:
        return moment
    zone = _zone(name.replace("\\", "").strip()[:80])  # one exporter escapes the slash twice
    if zone is None:
        return moment
    try:
        there = moment.local.replace(tzinfo=timezone(moment.offset)).astimezone(zone)
    except (OverflowError, ValueError):  # the first or last day of the calendar
        return moment
    return Moment.of(there, moment.precision)


@lru_cache(maxsize=256)
def _zone(name: str) -> tzinfo | None:
    if name in {"UTC", "GMT", "Z"}:
        return UTC
    if found := _FIXED.fullmatch(name):
        distance = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        if distance > timedelta(hours=15):
            return None
        return timezone(-distance if found[1] == "-" else distance)
    if not re.fullmatch(r"[A-Za-z][\w+-]*(?:/[\w+-]+){0,2}", name, re.ASCII):
        return None  # a name is looked up as a file: none that climbs
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        return None
