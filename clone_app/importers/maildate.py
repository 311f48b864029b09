"""Dates as mail writes them: RFC 5322, its older forms, and what broken programs make."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from clone_app.entries import Moment, Precision

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# Hours from UTC by name. Names of several zones are left out (IST) or as RFC 5322 has them (CST).
_ZONES = {
    name: hours
    for hours, names in (
        (0, ("UT", "UTC", "GMT", "Z", "WET")),
        (1, ("CET", "MET", "WEST", "BST")),
        (2, ("CEST", "MEST", "EET")),
        (3, ("EEST", "MSK")),
        (8, ("HKT", "SGT", "AWST")),
        (9, ("JST", "KST")),
        (10, ("AEST",)),
        (11, ("AEDT",)),
        (12, ("NZST",)),
        (13, ("NZDT",)),
        (-4, ("EDT",)),
        (-5, ("EST", "CDT")),
        (-6, ("CST", "MDT")),
        (-7, ("MST", "PDT")),
        (-8, ("PST", "AKDT")),
        (-9, ("AKST",)),
        (-10, ("HST",)),
    )
    for name in names
}
_TIME = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:[.,]\d{1,9})?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\b\.?)?"
)
_WEEKDAY = r"(?:[A-Za-z]{3,9}\.?,? ?)?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        # Mon, 5 Jan 2015 10:00:00 +0100
        _WEEKDAY + r"(?P<day>\d{1,2})[ -]?(?P<month>[A-Za-z]{3,9})\.?,?[ -]?(?P<year>\d{2,4})"
        r"(?:,? (?:at )?" + _TIME + r")?(?P<zone>.*)",
        # Mon Jan  5 10:00:00 +0100 2015: ctime, and the line that starts a message in an mbox
        _WEEKDAY
        + r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2}),? "
        + _TIME
        + r"(?P<before> .{0,40}?)?"
        r" (?P<year>\d{4})(?P<zone>.*)",
        # Monday, January 5, 2015 10:00 AM
        _WEEKDAY + r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2}),? (?P<year>\d{4})"
        r"(?:,? (?:at )?" + _TIME + r")?(?P<zone>.*)",
        # 2015-01-05T10:00:00+01:00
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:[T ]" + _TIME + r")?(?P<zone>.*)",
    )
)
_NUMERIC_ZONE = re.compile(r"(?:GMT|UTC?)? ?([+-])(\d{1,2}):?(\d{2})?(?!\d)", re.IGNORECASE)


def moment_in(text: str) -> Moment | None:
    """Return the moment a Date or Received header names, None where it names no possible one.

    Impossible are 31 February, offsets beyond 14 hours, years before mail or after 2100, and the
    first day of 1970, which is a clock that was never set. `-0000` is UTC by RFC 5322; a zone that
    nobody knows leaves the wall clock without an offset.
    """
    text = re.sub(r"\([^()]*\)", " ", text[:200])
    text = re.sub(r" ?: ?", ":", " ".join(text.split()))
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _moment(match)
    return None


def day_in_name(name: str) -> Moment | None:
    """Return the day a file name starts with (`2015-03-02 Re plan.eml`, `20150302-1.eml`)."""
    match = re.match(r"((?:19|20)\d{2})([-_.]?)(\d{2})\2(\d{2})(?!\d)", name)
    if match is None:
        return None
    try:
        return _sensible(Moment.on(date(int(match[1]), int(match[3]), int(match[4]))))
    except ValueError:
        return None


def _moment(match: re.Match[str]) -> Moment | None:
    part = match.groupdict()
    try:
        day = date(_year(part["year"]), _month(part["month"]), int(part["day"]))
        if part["hour"] is None:
            return _sensible(Moment.on(day))
        hour = int(part["hour"])
        if half := part["half"]:
            hour = hour % 12 + (12 if half in "pP" else 0)
        second = int(part["second"] or 0)
        clock = time(hour, int(part["minute"]), 59 if second == 60 else second)  # a leap second
        local = datetime.combine(day, clock)
        offset = _offset(f"{part.get('before') or ''} {part['zone']}".strip())
    except ValueError:
        return None
    precision = Precision.MINUTE if part["second"] is None else Precision.SECOND
    return _sensible(Moment(local, precision, offset))


def _year(text: str) -> int:
    """Return the year, two and three digits read as RFC 2822 says."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _month(text: str) -> int:
    if text.isdigit():
        return int(text)
    month = _MONTHS.get(text[:3].lower())
    if month is None:
        raise ValueError(text)
    return month


def zone_offset(name: str) -> timedelta | None:
    """Return the distance from UTC a zone's short name (`CET`, `GMT+01:00`) stands for, if any."""
    try:
        return _offset(name.strip())
    except ValueError:
        return None


def _offset(zone: str) -> timedelta | None:
    """Return the distance from UTC; None for a zone unknown; raise ValueError for an odd one."""
    if match := _NUMERIC_ZONE.match(zone):
        hours, minutes = int(match[2]), int(match[3] or 0)
        if hours > 14 or minutes > 59:
            raise ValueError(zone)
        offset = timedelta(hours=hours, minutes=minutes)
        return -offset if match[1] == "-" else offset
    if re.match(r"(?:GMT|UTC?)? ?[+-]\d", zone, re.IGNORECASE):
        raise ValueError(zone)
    hours_east = _ZONES.get(zone.split(" ", 1)[0].upper().strip(".,;"))
    return None if hours_east is None else timedelta(hours=hours_east)


def _sensible(moment: Moment) -> Moment | None:
    day = moment.day()
    return moment if day is not None and date(1970, 1, 1) < day <= date(2100, 12, 31) else None
