"""Days as people write them above an entry or in a file's name, read exactly as far as they say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from clone_app.entries import Moment, Precision

# English, German, French, Spanish, Italian, Portuguese, Dutch; their short forms follow by cutting.
_MONTHS = """
january januar jänner janvier enero gennaio janeiro januari
february februar février fevrier febrero febbraio fevereiro februari
march märz maerz mars marzo março marco maart
april avril abril aprile
may mai mayo maggio maio mei
june juni juin junio giugno junho
july juli juillet julio luglio julho
august août aout agosto augustus
september septembre septiembre setiembre settembre setembro
october oktober octobre octubre ottobre outubro
november novembre noviembre novembro
december dezember décembre decembre diciembre dicembre dezembro
"""
_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag
samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles
miercoles jueves viernes sábado sabado domingo lunedì martedì mercoledì giovedì venerdì
domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira segunda terça quarta quinta
sexta maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""


def _month_names() -> dict[str, int]:
    names: dict[str, int] = {"sept": 9}
    for number, row in enumerate(_MONTHS.strip().splitlines(), start=1):
        for name in row.split():
            for short in (name, name[:3], name[:4]):
                # "mar" and "mai" cut from several rows mean the same month in all of them, but
                # "jui" (juin, juillet) does not: the first row to claim a short form keeps it.
                names.setdefault(short, number)
    return names


_MONTH_OF = _month_names()
_MONTH_OF.pop("jui", None)
_WEEKDAY_NAMES = frozenset(
    form for name in _WEEKDAYS.split() for form in (name, name[:2], name[:3], name[:4])
)
_WORD = r"[^\W\d_]{2,12}"
_END = r"(?![^\W_])"
_ORDINAL = r"(?:st|nd|rd|th|er|\.|º|ª)?"

_YMD = re.compile(
    rf"(?P<y>\d{{4}})(?P<s>[-_./ ])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)(?:(?=T\d)|{_END})"
)
_COMPACT = re.compile(
    r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?P<t>(?:T?\d{4}(?:\d{2})?Z?)?)(?!\d)" + _END
)
_CJK = re.compile(r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日号號일]")
_DMY = re.compile(
    rf"(?P<d>\d{{1,2}}){_ORDINAL}[\s/-]*(?:of |de |d')?(?P<mon>{_WORD})\.?,?[\s/-]+(?:de |del )?"
    rf"(?P<y>\d{{4}}){_END}"
)
_MDY = re.compile(
    rf"(?P<mon>{_WORD})\.?[\s-]+(?P<d>\d{{1,2}}){_ORDINAL}(?:\s*,\s*|[\s-]+)(?P<y>\d{{4}}){_END}"
)
_YMOND = re.compile(
    rf"(?P<y>\d{{4}})[\s,-]+(?P<mon>{_WORD})\.?[\s-]+(?P<d>\d{{1,2}}){_ORDINAL}{_END}"
)
_NUMERIC = re.compile(rf"(?P<a>\d{{1,2}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}){_END}")
_MD = re.compile(rf"(?P<mon>{_WORD})\.?[\s-]+(?P<d>\d{{1,2}}){_ORDINAL}{_END}")
_DM = re.compile(rf"(?P<d>\d{{1,2}}){_ORDINAL}[\s-]*(?:of |de )?(?P<mon>{_WORD})\.?{_END}")
_CJK_MD = re.compile(r"(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日号號일]")
_FULL = (_YMD, _COMPACT, _CJK, _DMY, _MDY, _YMOND, _NUMERIC)
_PARTIAL = (_MD, _DM, _CJK_MD)

_PERIODS = (
    re.compile(r"(?P<y>\d{4})"),
    re.compile(r"(?P<y>\d{4})[-_. ](?P<m>\d{2})"),
    re.compile(rf"(?P<mon>{_WORD})\.?[\s,_-]+(?P<y>\d{{4}})"),
    re.compile(rf"(?P<y>\d{{4}})[\s,_-]+(?P<mon>{_WORD})"),
    re.compile(r"(?P<y>\d{4})\s?[年년](?:\s?(?P<m>\d{1,2})\s?[月월])?"),
    re.compile(r"(?P<y>\d{4})-?W(?P<w>\d{2})"),
)
_WEEKDAY = re.compile(
    r"[\s,_(（·-]*(?:(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日](?:曜日|曜)"
    r"|[월화수목금토일]요일|(?P<word>[^\W\d_]{2,9}(?:-feira)?)\.?)(?![^\W_])[)）]?[,.]?"
)
_ARTICLE = re.compile(r"[\s,.]*(?:(?:the|on|am|den|le|el)\s+)?", re.IGNORECASE)
_CJK_SHORT = re.compile(r"\s*[(（][月火水木金土日一二三四五六월화수목금토][)）]")
_TIME = re.compile(
    r"(?P<lead>(?:at|um|à|a las|alle|om)\s+)?(?P<half>上午|下午|早上|晚上)?\s?(?P<h>\d{1,2})"
    r"(?:(?:[:：]|h)(?P<m>\d{2})(?:[:：](?P<s>\d{2})(?:[.,]\d+)?(?P<z>\s?(?:Z|[+-]\d{2}:?\d{2}))?)?(?:\s?(?P<ap>[ap])\.?\s?m\b\.?)?"
    r"|\s?(?P<ap2>[ap])\.?\s?m\b\.?|(?=\s?Uhr\b))(?:\s?Uhr\b)?(?!\w|:\d)",
    re.IGNORECASE,
)
_STAMP = re.compile(r"T\d{4}(?:\d{2})?Z?(?![^\W_])")
_GAP = re.compile(r"T(?=\d)|[\s,;_–—-]+")
_NO_WORD = re.compile(r"\s*(?:$|[^\w\s]|\d)")
_BREAK = re.compile(r"^[\s,:：;|·•_–—-]+")
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
_FIRST_COMPACT = 1800  # eight digits without a sign between them are more often a number


class Order(StrEnum):
    """Which of two numbers is the day in `03/04/2024`."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


@dataclass(frozen=True, slots=True)
class Dated:
    """Hold a date found at the start of a text.

    `label` is the day as it was written, in numbers; `rest` what follows it. `pure` tells that only
    the date, a weekday and a time stand there; `unsure` that day and month could not be told apart,
    so that `moment` knows no more than the year.
    """

    moment: Moment
    label: str
    rest: str = ""
    pure: bool = True
    unsure: bool = False


def read_day(text: str, *, order: Order | None = None, year: int | None = None) -> Dated | None:
    """Read the date a text starts with, after a weekday if there is one; None where there is none.

    The `year` of what stands above allows dates that leave it out. A day the month does not
    have, as in Lu Xun's 31 November 1917, is known to the month and no further.
    """
    if not any(sign.isdigit() for sign in text[:40]):
        return None
    text = text.strip()
    start = _after_weekday(text)
    for at in (start, 0) if start else (0,):
        for pattern in _FULL:
            found = pattern.match(text, at)
            dated = _date_of(found, order, None) if found else None
            if found and dated:
                return _finish(dated, text[found.end() :], found)
        if year is None:
            continue
        for pattern in _PARTIAL:
            found = pattern.match(text, at)
            dated = _date_of(found, order, year) if found else None
            if found and dated:
                return _finish(dated, text[found.end() :], found)
    return None


def _after_weekday(text: str) -> int:
    found = _WEEKDAY.match(text)
    word = found["word"] if found else None
    at = found.end() if found and (not word or word.casefold() in _WEEKDAY_NAMES) else 0
    article = _ARTICLE.match(text, at)
    return article.end() if article else at


def _date_of(found: re.Match[str], order: Order | None, year: int | None) -> Dated | None:
    parts = found.groupdict()
    in_year = int(parts["y"]) if parts.get("y") else year
    assert in_year is not None
    first = _FIRST_COMPACT if found.re is _COMPACT else _FIRST_YEAR
    if not first <= in_year <= _LAST_YEAR:
        return None
    if found.re is _NUMERIC:
        return _numeric(int(parts["a"]), int(parts["b"]), in_year, parts["s"], order)
    number = _MONTH_OF.get(parts["mon"].casefold()) if parts.get("mon") else int(parts["m"])
    if number is None:
        return None
    return _on(in_year, number, int(parts["d"]))


def _on(year: int, month: int, day: int) -> Dated | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    label = f"{year:04d}-{month:02d}-{day:02d}"
    try:
        return Dated(Moment.on(date(year, month, day)), label)
    except ValueError:
        return Dated(_from(year, month), label)


def _numeric(one: int, two: int, year: int, sign: str, order: Order | None) -> Dated | None:
    if sign == "." or one > 12:
        return _on(year, two, one)
    if two > 12 or one == two:
        return _on(year, one, two)
    match order:
        case Order.DAY_FIRST:
            return _on(year, two, one)
        case Order.MONTH_FIRST:
            return _on(year, one, two)
    if not (one and two):
        return None
    written = f"{one:02d}{sign}{two:02d}{sign}{year:04d}".replace("/", "-")
    return Dated(_from(year), written, unsure=True)


def _finish(dated: Dated, rest: str, found: re.Match[str]) -> Dated:
    """Take a weekday and a time off what follows a date; what is left is a title."""
    stamp = found.groupdict().get("t") or ""
    if not stamp and (behind := _STAMP.match(rest)):
        stamp, rest = behind.group(), rest[behind.end() :]
    if stamp:
        dated = _at(dated, stamp)
    for pattern in (_WEEKDAY, _CJK_SHORT):
        weekday = pattern.match(rest)
        word = weekday.groupdict().get("word") if weekday else None
        # "Sunday" is a weekday, "Sunday lunch" a title.
        if weekday and (
            not word
            or (
                word.casefold() in _WEEKDAY_NAMES
                and (rest[weekday.end() - 1] in ",.)）" or _NO_WORD.match(rest, weekday.end()))
            )
        ):
            rest = rest[weekday.end() :]
            break
    gap = _GAP.match(rest)
    if gap and dated.moment.precision is Precision.DAY:
        clock = read_time(rest[gap.end() :])
        if clock:
            dated, rest = replace(dated, moment=clock.on(dated.moment)), clock.rest
    title = _BREAK.sub("", rest).strip()
    return replace(dated, rest=title, pure=not title.strip(" .:()[]"))


def _at(dated: Dated, stamp: str) -> Dated:
    """Return the date with the time of a stamp like `T081102Z` or `0811`."""
    digits = stamp.strip("TZ")
    clock = read_time(":".join(digits[i : i + 2] for i in range(0, len(digits), 2)))
    if clock is None or dated.moment.precision is not Precision.DAY:
        return dated
    moment = clock.on(dated.moment)
    return replace(
        dated, moment=replace(moment, offset=timedelta(0)) if stamp.endswith("Z") else moment
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """Hold a time of day found at the start of a text, and what follows it."""

    hour: int
    minute: int
    second: int | None = None
    offset: timedelta | None = None
    rest: str = ""

    def on(self, day: Moment) -> Moment:
        """Return the moment of this time on a day."""
        assert day.local is not None
        local = day.local.replace(hour=self.hour, minute=self.minute, second=self.second or 0)
        precision = Precision.MINUTE if self.second is None else Precision.SECOND
        return Moment(local, precision, self.offset)


def read_time(text: str) -> Clock | None:
    """Read the time of day a text starts with: `08:10`, `8:10 PM`, `9h05`, `下午3:20`, `8 pm`."""
    found = _TIME.match(text.strip())
    if not found:
        return None
    hour, minute = int(found["h"]), int(found["m"] or 0)
    half = (found["ap"] or found["ap2"] or "").casefold()
    if (half == "p" or found["half"] in {"下午", "晚上"}) and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    second = int(found["s"]) if found["s"] else None
    if hour > 23 or minute > 59 or (second or 0) > 59:
        return None
    rest = _BREAK.sub("", text.strip()[found.end() :]).strip()
    until = _TIME.match(rest)
    if until:  # "08:10–09:30": it began at ten past eight
        rest = _BREAK.sub("", rest[until.end() :])
    return Clock(hour, minute, second, _offset(found["z"]), rest)


def _offset(zone: str | None) -> timedelta | None:
    zone = (zone or "").strip()
    if not zone:
        return None
    if zone in "Zz":
        return timedelta(0)
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 14 or minutes > 59:
        return None
    return timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)


def read_period(text: str, *, year: int | None = None) -> Moment | None:
    """Read a text that names a year or a month and no more; a week within a month is that."""
    text = text.strip().strip(".:")
    for pattern in _PERIODS:
        found = pattern.fullmatch(text)
        if not found or not _FIRST_YEAR <= int(found["y"]) <= _LAST_YEAR:
            continue
        parts = found.groupdict()
        number = int(parts["m"]) if parts.get("m") else None
        if parts.get("mon"):
            number = _MONTH_OF.get(parts["mon"].casefold())
            if number is None:
                continue
        if parts.get("w"):
            return _week(int(found["y"]), int(parts["w"]))
        return _period(int(found["y"]), number)
    number = _MONTH_OF.get(text.casefold()) if year is not None and len(text) > 2 else None
    return None if year is None or number is None else _period(year, number)


def _from(year: int, month: int | None = None) -> Moment:
    precision = Precision.YEAR if month is None else Precision.MONTH
    return replace(Moment.on(date(year, month or 1, 1)), precision=precision)


def _period(year: int, month: int | None) -> Moment | None:
    return _from(year, month) if month is None or 1 <= month <= 12 else None


def _week(year: int, week: int) -> Moment | None:
    try:
        monday, sunday = date.fromisocalendar(year, week, 1), date.fromisocalendar(year, week, 7)
    except ValueError:
        return None
    if monday.year != sunday.year:
        return None
    return _period(monday.year, monday.month if monday.month == sunday.month else None)


def order_of(texts: Iterable[str]) -> Order | None:
    """Return the order in which all dates like `03/04/2024` make sense, None if both or neither.

    Decided for a whole file, since a person keeps to one order there.
    """
    seen: set[Order] = set()
    for text in texts:
        found = _NUMERIC.match(text.strip(), _after_weekday(text.strip()))
        if found and found["s"] != ".":
            if 12 < int(found["a"]) <= 31:
                seen.add(Order.DAY_FIRST)
            elif 12 < int(found["b"]) <= 31:
                seen.add(Order.MONTH_FIRST)
    return seen.pop() if len(seen) == 1 else None
