"""What a person types as a date in the filter, as the bounds that memory understands."""

from __future__ import annotations

import re
from datetime import date, timedelta

_SHAPE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def since(text: str) -> str | None:
    """Return the first day of `2020`, `2020-05` or `2020-05-01`; raise ValueError for others."""
    span = _span(text)
    return None if span is None else span[0].isoformat()


def until(text: str) -> str | None:
    """Return the day after the last one meant, as memory's bound is exclusive."""
    span = _span(text)
    return None if span is None else span[1].isoformat()


def _span(text: str) -> tuple[date, date] | None:
    text = text.strip()
    if not text:
        return None
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(part) if part else 0 for part in match.groups())
    first = date(year, month or 1, day or 1)
    if day:
        return first, first + timedelta(days=1)
    if month:
        return first, date(year + month // 12, month % 12 + 1, 1)
    return first, date(year + 1, 1, 1)
