"""The time a question is asked at."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clone_app.errors import CloneAppError
from clone_app.memory.when import cutoff_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("at", "instant"),
    [
        ("2024-03-02", "2024-03-02T22:59:59.999999+00:00"),
        ("2024-07-02", "2024-07-02T21:59:59.999999+00:00"),
        ("2024-03-31", "2024-03-31T21:59:59.999999+00:00"),  # the day with 23 hours
        ("2024-03", "2024-03-31T21:59:59.999999+00:00"),
        ("2024-12", "2024-12-31T22:59:59.999999+00:00"),
        ("2024", "2024-12-31T22:59:59.999999+00:00"),
        ("2024-03-02T10:00", "2024-03-02T09:00:00+00:00"),
        ("2024-03-02T10:00:00Z", "2024-03-02T10:00:00+00:00"),
        ("2024-03-02T10:00:00-05:00", "2024-03-02T15:00:00+00:00"),
    ],
)
def test_a_time_is_read_at_its_precision_in_the_home_zone(at: str, instant: str) -> None:
    assert cutoff_of(at, now=NOW, home=BERLIN).instant == datetime.fromisoformat(instant)


def test_now_sees_undated_items_and_the_past_does_not() -> None:
    assert cutoff_of(None, now=NOW, home=BERLIN).undated
    assert not cutoff_of("2024", now=NOW, home=BERLIN).undated
    assert cutoff_of("2026-05-01", now=NOW, home=BERLIN).undated


@pytest.mark.parametrize("at", ["yesterday", "2024-13", "2024-02-30", "02.03.2024", "99999-01-01"])
def test_what_is_no_time_is_said_with_an_example(at: str) -> None:
    with pytest.raises(CloneAppError, match="2024-03-02"):
        cutoff_of(at, now=NOW, home=BERLIN)
