"""How people count time where they live: from the home zone, unless they say otherwise.

The hemisphere is that of the zone's place in the time zone database's own table; which day begins a
week is the country's custom by Unicode's CLDR (supplemental `weekData`).
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from clone_app.memory.when import Calendar

_BY_COUNTRY: Final = {
    6: "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT "
    "MX MZ NI NP PA PE PH PK PR PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW",
    5: "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY",
    4: "MV",
}
_WEEK_STARTS: Final = {
    country: day for day, countries in _BY_COUNTRY.items() for country in countries.split()
}
WEEKDAYS: Final = {"monday": 0, "saturday": 5, "sunday": 6}


def calendar_of(zone: str, *, hemisphere: str = "", week_start: str = "") -> Calendar:
    """Return how time is counted in a zone by its name, such as `Australia/Sydney`.

    `hemisphere` (`northern`, `southern`) and `week_start` (`monday`, `saturday`, `sunday`) overrule
    what the place says; anything else leaves it to the place. A zone that is no place is northern and
    its weeks begin on Monday, as ISO 8601 has it.
    """
    latitude, country = _places().get(zone, (0.0, ""))
    return Calendar(
        southern=hemisphere == "southern" or (hemisphere != "northern" and latitude < 0),
        week_start=WEEKDAYS.get(week_start, _WEEK_STARTS.get(country, 0)),
        country=country,
    )


@lru_cache(maxsize=1)
def _places() -> dict[str, tuple[float, str]]:
    """Return each zone's latitude in degrees and its country's two letters."""
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    found = {}
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        country, place, zone = line.split("\t")[:3]
        # ±DDMM±DDDMM or ±DDMMSS±DDDMMSS (ISO 6709)
        found[zone] = (float(place[:3]) + float(place[0] + place[3:5]) / 60, country)
    return found
