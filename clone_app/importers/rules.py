"""How an event repeats, in words: a rule of a calendar (RFC 5545) is told, never counted out."""

from __future__ import annotations

import re

_UNITS = {
    "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day",
    "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
}  # fmt: skip
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday",
    "SA": "Saturday", "SU": "Sunday",
}  # fmt: skip
_PLACES = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}
_UNTIL = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T\d{6}Z?)?")


def spoken(rule: str) -> str:
    """Return `every 2 weeks on Monday, Friday until 2025-01-31`; nothing for no rule.

    What has no words here (`BYSETPOS`, `BYWEEKNO`) is left out of them.
    """
    parts = dict(
        part.upper().split("=", 1) for part in rule.strip()[:500].split(";") if "=" in part
    )
    unit = _UNITS.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    number = parts.get("INTERVAL", "1")
    words = [
        f"every {unit}" if not number.isdecimal() or int(number) < 2 else f"every {number} {unit}s"
    ]
    days = [name for day in parts.get("BYDAY", "").split(",") if (name := _day(day))]
    if days:
        words.append(f"on {', '.join(days)}")
    if found := _UNTIL.fullmatch(parts.get("UNTIL", "")):
        words.append(f"until {'-'.join(found.groups())}")
    if (count := parts.get("COUNT", "")).isdecimal():
        words.append(f"{count} times")
    return " ".join(words)


def _day(day: str) -> str:
    found = re.fullmatch(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)", day.strip())
    if not found:
        return ""
    name = _DAYS[found[2]]
    place = _PLACES.get((found[1] or "").lstrip("+"))
    return f"the {place} {name}" if place else name
