"""Moments: as exact as their source, never moved by the machine's time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from clone_app.entries import Moment, Precision, clean_text

NEW_YORK = timezone(timedelta(hours=-5))


@pytest.mark.parametrize(
    ("moment", "iso"),
    [
        (Moment.on(date(1666, 9, 14)), "1666-09-14"),
        (Moment(datetime(2022, 3, 1), Precision.MONTH), "2022-03"),
        (Moment(datetime(2022, 1, 1), Precision.YEAR), "2022"),
        (Moment.of(datetime(2024, 1, 15, 23, 30, tzinfo=NEW_YORK)), "2024-01-15T23:30:00-05:00"),
        (Moment.of(datetime(2024, 1, 15, 23, 30, tzinfo=UTC)), "2024-01-15T23:30:00+00:00"),
        (Moment.of(datetime(2024, 1, 15, 23, 30)), "2024-01-15T23:30:00"),
        (Moment.of(datetime(2024, 1, 15, 23, 30), Precision.MINUTE), "2024-01-15T23:30"),
        (Moment.unknown(), None),
    ],
)
def test_a_moment_is_written_at_its_precision(moment: Moment, iso: str | None) -> None:
    assert moment.iso() == iso


def test_a_bare_day_starts_at_midnight_at_home() -> None:
    moment = Moment.on(date(2024, 7, 1))
    assert moment.start(ZoneInfo("Asia/Shanghai")) == datetime(2024, 6, 30, 16, tzinfo=UTC)
    assert moment.day() == date(2024, 7, 1)


def test_an_offset_outweighs_the_home_zone_and_the_day_is_the_writers() -> None:
    moment = Moment.of(datetime(2024, 1, 15, 23, 30, tzinfo=NEW_YORK))
    assert moment.start(ZoneInfo("Asia/Shanghai")) == datetime(2024, 1, 16, 4, 30, tzinfo=UTC)
    assert moment.day() == date(2024, 1, 15)


def test_the_ends_of_the_calendar_are_no_crash() -> None:
    assert Moment.on(date(1, 1, 1)).start(ZoneInfo("Asia/Shanghai")) is not None
    assert Moment.on(date(9999, 12, 31)).start(ZoneInfo("America/New_York")) is not None


def test_text_loses_what_no_base_can_keep_and_nothing_else() -> None:
    assert clean_text("a\x00b\ud800c\r\nd\re 🥐\u200f") == "abc\nd\ne 🥐\u200f"
