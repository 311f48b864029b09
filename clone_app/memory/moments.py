"""Instants as the numbers that are stored and compared."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(instant: datetime) -> int:
    """Return an aware instant as microseconds since 1970: fits years 1 to 9999."""
    return (instant - _EPOCH) // timedelta(microseconds=1)
