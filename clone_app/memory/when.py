"""Understand time: the moment a question is asked at, and the stretches of time it speaks of.

Pure functions: `asked_at` is always an argument. Intervals are half-open local days, `start` in and
`end` out, since "in March" means the writer's own March whatever the machine's time zone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from clone_app.entries import Cutoff
from clone_app.errors import CloneAppError
from clone_app.memory.feasts import CHINESE_NAMES, ENGLISH_NAMES, feast_named, name_in

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_DAY: Final = timedelta(days=1)
VAGUE_DAYS: Final = 45


def cutoff_of(at: str | None, *, now: datetime, home: tzinfo) -> Cutoff:
    """Return what can be seen at a time given as ISO 8601; None means now.

    A year, a month or a day means its end in the home zone: asked on a day, one has that day's entry.
    A time without an offset is the home zone's. Undated items are hidden from the past alone.
    """
    if at is None or not at.strip():
        return Cutoff(now.astimezone(UTC))
    instant = _read(at.strip(), home)
    return Cutoff(instant, undated=instant >= now)


def _read(at: str, home: tzinfo) -> datetime:
    try:
        if partial := _PARTIAL.fullmatch(at):
            year, month, day = (int(part) if part else None for part in partial.groups())
            span = _ymd(year or 0, month, day)
            # The next midnight by the calendar, not 24 hours on: a day can have 23 or 25.
            midnight = datetime.combine(span[1], datetime.min.time(), tzinfo=home)
            return midnight.astimezone(UTC) - timedelta(microseconds=1)
        exact = datetime.fromisoformat(at)
        return (exact if exact.tzinfo else exact.replace(tzinfo=home)).astimezone(UTC)
    except (ValueError, OverflowError) as fault:
        raise CloneAppError(
            f"“{at}” is not a time. Write a day as 2024-03-02 or a moment as 2024-03-02T18:30."
        ) from fault


@dataclass(frozen=True, slots=True)
class Calendar:
    """Say how a person counts: whether seasons are the southern ones, and which day begins a week.

    `week_start` is 0 for Monday to 6 for Sunday, as `date.weekday` has it. `country` (two letters,
    empty for unknown) says when feasts are that every country has on another day.
    """

    southern: bool = False
    week_start: int = 0
    country: str = ""


NORTHERN: Final = Calendar()


@dataclass(frozen=True, slots=True)
class Interval:
    """Hold a stretch of local days a question speaks of, and the words that name it.

    `vague` is one that is not to be taken by the day: a long one that reaches up to the asking
    ("lately", "over the past months"), or one beside an event that may be meant. `event` is told by
    something that happened: its words are people's own and are looked up too.
    """

    start: date
    end: date
    phrase: str
    vague: bool = False
    event: bool = False

    def holds(self, day: date) -> bool:
        """Tell whether a day lies within."""
        return self.start <= day < self.end

    def distance(self, day: date) -> int:
        """Return how many days a day lies outside, 0 within."""
        if day < self.start:
            return (self.start - day).days
        return max(0, (day - self.end).days + 1)


def without_times(text: str, intervals: Sequence[Interval]) -> str:
    """Return a text without the words that name its times: "20" in a date is no word to look up.

    Seasons, feasts and events stay: people write them down.
    """
    for interval in intervals:
        said = interval.phrase.lower().split()[-1].rstrip("s")
        if not interval.event and said not in _SEASONS:
            feast = name_in(interval.phrase)
            if feast != interval.phrase:
                text = text.replace(interval.phrase, f" {feast} " if feast else " ")
    return text


def find(text: str, asked_at: date, calendar: Calendar = NORTHERN) -> tuple[Interval, ...]:
    """Return the stretches of time a text speaks of, in its order, none after the day of asking.

    A month or a season without a year is the latest one that had begun, "on Monday" the latest
    Monday. "Recently" is the last two months, "lately" too.
    """
    found: list[tuple[int, int, tuple[date, date]]] = []
    spent: list[tuple[int, int]] = []
    for pattern, meaning in _RULES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in spent):
                continue
            try:
                span = meaning(_Asked(match, asked_at, calendar))
            except (ValueError, OverflowError):
                continue  # "31 February", a year beyond the calendar
            if span is None:
                continue
            spent.append(match.span())  # what is still to come is no other time either
            if span[0] <= asked_at:
                found.append((*match.span(), span))
    return tuple(
        Interval(
            span[0],
            min(span[1], asked_at + _DAY),
            text[start:end],
            vague=span[1] > asked_at and (span[1] - span[0]).days >= VAGUE_DAYS,
        )
        for start, end, span in sorted(found)
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Hold a match and what it is relative to."""

    match: re.Match[str]
    today: date
    calendar: Calendar

    def get(self, name: str) -> str:
        return self.match.groupdict().get(name) or ""

    def number(self, name: str) -> int:
        said = self.get(name).lower()
        return int(said) if said.isdigit() else _NUMBERS.get(said, 0)


_Span = tuple[date, date]
_Meaning = Callable[[_Asked], _Span | None]


def _ymd(year: int, month: int | None = None, day: int | None = None) -> _Span:
    """Return the span of a year, a month or a day."""
    first = date(year, month or 1, day or 1)
    if day:
        return first, first + _DAY
    if month:
        return first, _month_after(first)
    return first, date(year + 1, 1, 1)


def _month_after(first: date, months: int = 1) -> date:
    at = first.year * 12 + first.month - 1 + months
    return date(at // 12, at % 12 + 1, 1)


def _latest(asked: _Asked, month: int, day: int | None = None) -> int:
    """Return the year of the latest such month (or day) that had begun."""
    year = asked.today.year
    return year if date(year, month, day or 1) <= asked.today else year - 1


def _named_month(asked: _Asked) -> int:
    said = asked.get("month").lower()
    return int(said) if said.isdigit() else _MONTHS.get(said[:3]) or _CJK_MONTHS[said]


def _month(asked: _Asked) -> _Span:
    """Read a month, with or without its year, the whole of it or a third."""
    month = _named_month(asked)
    if said := asked.get("year"):
        year = asked.today.year + _YEARS[said] if said in _YEARS else int(said)
    else:
        year = _latest(asked, month)
    start, end = _ymd(year, month)
    tenth, twentieth = start.replace(day=11), start.replace(day=21)
    match asked.get("part").lower().strip():
        case (
            "early"
            | "beginning of"
            | "the beginning of"
            | "start of"
            | "the start of"
            | "初"
            | "上旬"
        ):
            return start, tenth
        case "mid" | "middle of" | "the middle of" | "中旬" | "中":
            return tenth, twentieth
        case "late" | "end of" | "the end of" | "底" | "下旬" | "末":
            return twentieth, end
    return start, end


def _day(asked: _Asked) -> _Span:
    """Read a day, or a run of days within a month."""
    month, day = _named_month(asked), int(asked.get("day"))
    said = asked.get("year")
    year = int(said) if said and said.isdigit() else _latest(asked, month, day)
    start = date(year, month, day)
    last = int(asked.get("last") or day)
    return start, date(year, month, last) + _DAY


def _iso(asked: _Asked) -> _Span:
    day = asked.get("day")
    return _ymd(int(asked.get("year")), int(asked.get("month")), int(day) if day else None)


def _year(asked: _Asked) -> _Span | None:
    year = int(asked.get("year"))
    return _ymd(year) if 1000 <= year <= asked.today.year else None


def _season(asked: _Asked) -> _Span:
    """Read a season: three whole months, winter from December on (June in the south)."""
    first = _SEASONS[asked.get("season").lower()]
    if asked.calendar.southern:
        first = (first + 5) % 12 + 1
    year, this = asked.today.year, asked.today
    said = asked.get("which").lower()
    if asked.get("year"):
        named = asked.get("year")
        year = this.year + _YEARS[named] if named in _YEARS else int(named)
        return date(year, first, 1), _month_after(date(year, first, 1), 3)
    # The latest one that had begun; "last" skips it while it lasts.
    start = date(year, first, 1)
    if start > this:
        start = date(year - 1, first, 1)
    back = {"last": 0, "two": 1, "three": 2}.get(said, 0)
    if this < _month_after(start, 3) and said in ("last", "two", "three"):
        back += 1
    start = date(start.year - back, first, 1)
    return start, _month_after(start, 3)


def _feast(asked: _Asked) -> _Span | None:
    """Read a feast with the days around it: that of the year named, else the latest that had begun."""
    feast, country = feast_named(asked.get("feast")), asked.calendar.country
    if said := asked.get("year").lower() or asked.get("of").lower():
        year = asked.today.year + _YEARS[said] if said in _YEARS else int(said)
        return feast.of_year(year, asked.today, country)
    back = {"two": 2, "three": 3}.get(asked.get("count").lower(), 1)
    return feast.latest(asked.today, country, which=asked.get("which").lower(), back=back)


def _relative(asked: _Asked) -> _Span:
    """Read "last week", "this month", "the past two years": calendar units, or a stretch up to today."""
    unit, count = asked.get("unit").lower().rstrip("s"), asked.number("count") or 1
    today, said = asked.today, asked.get("which").lower()
    if said == "past" or (said == "last" and asked.get("count")):
        if unit in ("month", "year"):
            months = count * (12 if unit == "year" else 1)
            return _back(today, months), today + _DAY
        return today - timedelta(days=count * (7 if unit == "week" else 1)), today + _DAY
    start = {
        "week": today - timedelta(days=(today.weekday() - asked.calendar.week_start) % 7),
        "month": today.replace(day=1),
        "year": date(today.year, 1, 1),
    }[unit]
    if said == "this":
        return start, today + _DAY
    earlier = {
        "week": start - timedelta(days=7),
        "month": _month_after(start, -1),
        "year": date(start.year - 1, 1, 1),
    }[unit]
    return earlier, start


def _ago(asked: _Asked) -> _Span:
    """Read "three weeks ago": the unit's length around that day."""
    unit, count = asked.get("unit").lower().rstrip("s"), asked.number("count")
    today = asked.today
    match _UNITS.get(unit, unit):
        case "day":
            at = today - timedelta(days=count)
            return at, at + _DAY
        case "week":
            at = today - timedelta(days=7 * count)
            return at - timedelta(days=3), at + timedelta(days=4)
        case "month":
            at = _back(today, count)
            return at - timedelta(days=15), at + timedelta(days=16)
        case _:
            return _ymd(today.year - count)


def _back(day: date, months: int) -> date:
    first = _month_after(day.replace(day=1), -months)
    last = (_month_after(first) - _DAY).day
    return first.replace(day=min(day.day, last))


def _days_back(count: int) -> _Meaning:
    return lambda asked: (
        asked.today - timedelta(days=count),
        asked.today - timedelta(days=count) + _DAY,
    )


def _weekday(asked: _Asked) -> _Span:
    """Read "on Monday", "last Monday": the latest one, today only where nothing says otherwise."""
    said = asked.get("weekday").lower()
    back = (asked.today.weekday() - _WEEKDAYS[said[:3]]) % 7
    if back == 0 and asked.get("which").lower() in ("last", "past"):
        back = 7
    at = asked.today - timedelta(days=back)
    return at, at + _DAY


def _weekday_of_last_week(asked: _Asked) -> _Span:
    """Read 上周三: that day of the week before this one, by its Monday."""
    monday = asked.today - timedelta(days=asked.today.weekday() + 7)
    at = monday + timedelta(days=_WEEKDAYS[asked.get("weekday")])
    return at, at + _DAY


def _weekend(asked: _Asked) -> _Span:
    """Read "last weekend", "this weekend": Saturday and Sunday, the latest that had begun."""
    since = (asked.today.weekday() - 5) % 7
    if since < 2 and asked.get("which").lower() in ("last", "past", "上"):
        since += 7
    at = asked.today - timedelta(days=since)
    return at, at + 2 * _DAY


def _other_day(asked: _Asked) -> _Span:
    return asked.today - timedelta(days=10), asked.today


def _recently(asked: _Asked) -> _Span:
    return asked.today - timedelta(days=60), asked.today + _DAY


def _said_year(back: int) -> _Meaning:
    return lambda asked: _ymd(asked.today.year - back)


_MONTHS: Final = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_CJK_MONTHS: Final = {
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "十一": 11, "十二": 12, "元": 1, "正": 1,
}  # fmt: skip
_WEEKDAYS: Final = {
    "mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6,
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
}  # fmt: skip
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3,
    "several": 4, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9, "十": 10, "几": 3,
}  # fmt: skip
_YEARS: Final = {
    "今年": 0, "去年": -1, "前年": -2, "今": 0, "去": -1, "前": -2, "last year": -1, "this year": 0,
}  # fmt: skip
_UNITS: Final = {
    "天": "day", "日": "day", "周": "week", "星期": "week",
    "个月": "month", "月": "month", "年": "year",
}  # fmt: skip
_SEASONS: Final = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
    "春": 3, "春天": 3, "春季": 3, "夏": 6, "夏天": 6, "夏季": 6,
    "秋": 9, "秋天": 9, "秋季": 9, "冬": 12, "冬天": 12, "冬季": 12,
}  # fmt: skip
_MONTH_WORD: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# Months that are other words too need a word before them that makes them months.
_SURE_MONTH: Final = _MONTH_WORD.replace("mar(?:ch)?|", "").replace("may|", "")
_ORDER: Final = r"(?:st|nd|rd|th)?"
_PART: Final = r"(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of)?"
_COUNT: Final = (
    r"(?P<count>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"(?:a )?couple of|(?:a )?few|several)"
)
_ENGLISH: Final[tuple[tuple[str, _Meaning], ...]] = (
    (r"\b(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b", _iso),
    (
        rf"\b{_MONTH_WORD} (?:the )?(?P<day>\d{{1,2}}){_ORDER}"
        rf"(?:\s?(?:to|until|[-–—])\s?(?P<last>\d{{1,2}}){_ORDER})?(?![\d:])(?:,? (?P<year>\d{{4}})\b)?",
        _day,
    ),
    (
        rf"\b(?P<day>\d{{1,2}}){_ORDER} (?:of )?{_MONTH_WORD}(?:,? (?P<year>\d{{4}})\b)?",
        _day,
    ),
    (rf"\b{_PART}[ -]?{_MONTH_WORD},? (?:of )?(?P<year>\d{{4}}|last year|this year)\b", _month),
    (
        rf"\b(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -]{_MONTH_WORD}",
        _month,
    ),
    (
        rf"\b(?:in|of|since|during|from|until|till|by|through|last|this|the) {_MONTH_WORD}",
        _month,
    ),
    (rf"\b{_SURE_MONTH}", _month),
    (
        rf"\b(?P<count>two|three) (?P<feast>{ENGLISH_NAMES})(?:e?s)? ago\b",
        _feast,
    ),
    (
        r"\b(?:(?P<which>last|past|this) |(?P<of>last year|this year|\d{4})(?:['’]s)? )?"
        rf"(?P<feast>{ENGLISH_NAMES})(?:e?s)?\b(?:,? (?:of |in )?(?P<year>\d{{4}}|last year|this year)\b)?",
        _feast,
    ),
    (
        r"\b(?:(?P<which>last|this|two|three)\s+)?(?P<season>spring|summer|autumn|winter|"
        r"fall(?! (?:out|in love|in with|for|asleep|off|over|down|apart|back|behind|ill|sick|through|on|"
        r"to)\b))s?\b"
        r"(?: ago)?(?:,? (?:of |in )?(?P<year>\d{4}|last year|this year)\b)?",
        _season,
    ),
    (rf"\b(?P<which>last|past) {_COUNT} (?P<unit>days?|weeks?|months?|years?)\b", _relative),
    (r"\b(?P<which>last|this|past) (?P<unit>week|month|year)\b", _relative),
    (r"\b(?P<which>last|this|past) weekend\b", _weekend),
    (
        r"\b(?P<which>last|this|past|on) "
        r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
        _weekday,
    ),
    (rf"\b{_COUNT.replace('one|', 'an?|one|')} (?P<unit>days?|weeks?|months?|years?) ago\b", _ago),
    (r"\bthe day before yesterday\b", _days_back(2)),
    (r"\b(?:yesterday|last night)\b", _days_back(1)),
    (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", _days_back(0)),
    (r"\bthe other day\b", _other_day),
    (r"\b(?:recently|lately|these days)\b", _recently),
    (r"\b(?:in|of|since|during|until|by|from|around|year) (?P<year>\d{4})\b", _year),
)
_CHINESE: Final[tuple[tuple[str, _Meaning], ...]] = (
    (
        r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]?"
        r"(?:[至到\-–—~](?P<last>\d{1,2})[日号])?",
        _day,
    ),
    (
        r"(?:(?P<year>\d{4}|今|去|前)年?)?(?P<month>\d{1,2}|十?[一二三四五六七八九]|十|元|正)月份?"
        r"(?P<part>上旬|中旬|下旬|初|中|底|末)?",
        _month,
    ),
    (r"(?:(?P<year>\d{4}|今年|去年|前年)年?)?的?(?P<season>[春夏秋冬](?:天|季))", _season),
    (rf"(?:(?P<year>\d{{4}}|今年|去年|前年)年?的?)?(?P<feast>{CHINESE_NAMES})", _feast),
    (r"(?P<count>\d{1,3}|[一二两三四五六七八九十几])(?P<unit>天|周|个月|年)(?:之?前|以前)", _ago),
    (r"(?P<which>[上这])个?周末", _weekend),
    (r"上个?(?:星期|周|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_of_last_week),
    (r"上个?(?:星期|礼拜)|上周", lambda a: _relative_to(a, "last", "week")),
    (r"这个?(?:星期|礼拜)|这周|本周", lambda a: _relative_to(a, "this", "week")),
    (r"上个?月", lambda a: _relative_to(a, "last", "month")),
    (r"这个?月|本月", lambda a: _relative_to(a, "this", "month")),
    (r"前年", _said_year(2)),
    (r"去年", _said_year(1)),
    (r"今年", _said_year(0)),
    (r"前几天", _other_day),
    (r"前天", _days_back(2)),
    (r"昨[天晚]", _days_back(1)),
    (r"今[天早晚]", _days_back(0)),
    (r"最近|近来|近期", _recently),
    (r"(?P<year>\d{4})年", _year),
)


def _relative_to(asked: _Asked, which: str, unit: str) -> _Span:
    """Read a unit named by the pattern itself."""
    stated = re.match(r"(?P<which>\w+) (?P<unit>\w+)", f"{which} {unit}")
    assert stated is not None
    return _relative(_Asked(stated, asked.today, asked.calendar))


def _compiled() -> Iterator[tuple[re.Pattern[str], _Meaning]]:
    for pattern, meaning in _ENGLISH:
        yield re.compile(pattern, re.IGNORECASE), meaning
    for pattern, meaning in _CHINESE:
        yield re.compile(pattern), meaning


_RULES: Final = tuple(_compiled())
