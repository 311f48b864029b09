"""How time is counted where a person lives."""

from __future__ import annotations

import pytest

from clone_app.memory.calendars import calendar_of
from clone_app.memory.when import Calendar


@pytest.mark.parametrize(
    ("zone", "southern", "week_start"),
    [
        ("Europe/Berlin", False, 0),
        ("Europe/London", False, 0),
        ("America/New_York", False, 6),
        ("Asia/Shanghai", False, 0),
        ("Asia/Tokyo", False, 6),
        ("Africa/Cairo", False, 5),
        ("Australia/Sydney", True, 0),
        ("Africa/Johannesburg", True, 6),
        ("America/Argentina/Buenos_Aires", True, 0),
        ("Pacific/Auckland", True, 0),
        ("UTC", False, 0),
        ("Etc/GMT+3", False, 0),
    ],
)
def test_a_zone_says_hemisphere_and_first_day_of_the_week(
    zone: str, southern: bool, week_start: int
) -> None:
    found = calendar_of(zone)
    assert (found.southern, found.week_start) == (southern, week_start)


def test_what_the_user_says_overrules_the_place() -> None:
    found = calendar_of("Australia/Sydney", hemisphere="northern", week_start="saturday")
    assert found == Calendar(southern=False, week_start=5, country="AU")
    assert calendar_of("Europe/Berlin", hemisphere="southern").southern
    assert calendar_of("America/New_York", week_start="as in the home time zone").week_start == 6
