"""When feasts are: those of a fixed day, those told by a rule, and those of the moon.

The moon's come from the tables of the library `holidays`, kept from each calendar's own sources; it
takes a fifth of a second to import, so that happens at the first question that names one of them. A
year its tables don't reach has no such feast here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Final, TypeAlias

_Days: TypeAlias = Callable[[int, str], Iterable[date]]
_SUNDAY: Final = 6
_HALF_A_YEAR: Final = timedelta(days=183)
# Where Mother's Day is the fourth Sunday in Lent.
_MOTHERING: Final = frozenset({"GB", "IE", "JE", "GG", "IM"})


@dataclass(frozen=True, slots=True)
class Feast:
    """Hold when a feast begins in a year, and how many days before and after are spoken of by its name.

    `days` takes a year and the country (two letters, empty for unknown), since some feasts are on
    other days elsewhere; a lunar one may begin twice in a year, or not at all.
    """

    days: _Days
    before: int = 5
    after: int = 5

    def spans(self, year: int, country: str = "") -> list[tuple[date, date, date]]:
        """Return (first day, start, end) of each time it is held in a year, half-open, earliest first."""
        return [
            (first, first - timedelta(days=self.before), first + timedelta(days=self.after + 1))
            for first in sorted(self.days(year, country))
        ]

    def of_year(self, year: int, today: date, country: str) -> tuple[date, date] | None:
        """Return the span in a year, where it is held twice the last one begun; None for none."""
        held = self.spans(year, country)
        begun = [each for each in held if each[0] <= today] or held[:1]
        return begun[-1][1:] if begun else None

    def latest(
        self, today: date, country: str, *, which: str = "", back: int = 1
    ) -> tuple[date, date] | None:
        """Return the latest span whose day has come, or the one `back` - 1 before it.

        "last" and what is counted leave out one that still lasts; "this" is the one to come where the
        latest is long past, and then there is none.
        """
        over = back > 1 or which in ("last", "past")
        begun = [
            each
            for year in range(max(1, today.year - 2 - back), today.year + 1)
            for each in self.spans(year, country)
            if each[0] <= today and not (over and today < each[2])
        ]
        if len(begun) < back or (which == "this" and today - begun[-1][0] > _HALF_A_YEAR):
            return None
        return begun[-back][1:]


def _on(month: int, day: int) -> Feast:
    return Feast(lambda year, _: [date(year, month, day)])


def _easter(year: int) -> date:
    from dateutil.easter import easter

    found: date = easter(year)
    return found


def _from_easter(days: int) -> Feast:
    """Return what is so many days after Easter as the western churches count."""
    return Feast(lambda year, _: [_easter(year) + timedelta(days=days)])


def _nth(weekday: int, number: int, month: int, year: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


def _thanksgiving(year: int, country: str) -> list[date]:
    return [_nth(0, 2, 10, year) if country == "CA" else _nth(3, 4, 11, year)]


def _mothers_day(year: int, country: str) -> list[date]:
    if country in _MOTHERING:
        return [_easter(year) - timedelta(days=21)]
    return [_nth(_SUNDAY, 2, 5, year)]


def _lunar(calendar: str, feast: str, *, shift: int = 0, before: int = 5, after: int = 5) -> Feast:
    """Return a feast of one of the library's calendars, or what is `shift` days after it."""

    def days(year: int, _: str) -> list[date]:
        told = getattr(_calendar(calendar), feast)(year)
        return [day + timedelta(days=shift) for day in _dates(told) if day.year == year]

    return Feast(days, before, after)


def _dates(told: Any) -> set[date]:
    """Return the days in what a calendar says: one, several, each alone or with whether it is sure."""
    if isinstance(told, date):
        return {told}
    if isinstance(told, Iterable):
        return {day for each in told for day in _dates(each)}
    return set()


@lru_cache(maxsize=4)
def _calendar(name: str) -> Any:
    # Not among the library's promises, but the only place where it tells a feast whether or not a
    # country's law makes it a day off. Imported by name, so that a packed program takes them along.
    if name == "chinese":
        from holidays.calendars.chinese import _ChineseLunisolar

        return _ChineseLunisolar()
    if name == "hebrew":
        from holidays.calendars.hebrew import _HebrewLunisolar

        return _HebrewLunisolar()
    if name == "hindu":
        from holidays.calendars.hindu import _HinduLunisolar

        return _HinduLunisolar()
    from holidays.calendars.islamic import _IslamicLunar

    return _IslamicLunar()


_CHRISTMAS, _NEW_YEAR, _NATIONAL = _on(12, 25), _on(1, 1), _on(10, 1)
_EASTER, _PENTECOST = _from_easter(0), _from_easter(49)
_MOTHERS, _FATHERS = Feast(_mothers_day), Feast(lambda year, _: [_nth(_SUNDAY, 3, 6, year)])
_THANKS, _VALENTINE = Feast(_thanksgiving), _on(2, 14)
# The eve is spent together already, and the visits go on until the lanterns.
_SPRING = _lunar("chinese", "lunar_new_year_date", after=10)
_LANTERNS = _lunar("chinese", "lunar_new_year_date", shift=14)
_TOMBS = _lunar("chinese", "qingming_date")
_DRAGONS = _lunar("chinese", "dragon_boat_date")
_AUTUMN = _lunar("chinese", "mid_autumn_date")
_NINTH = _lunar("chinese", "double_ninth_date")
# Days begin at sunset, so the first evening is the day before.
_HANUKKAH = _lunar("hebrew", "hanukkah_date", before=3, after=9)
_PASSOVER = _lunar("hebrew", "passover_date", before=3, after=9)
_ROSH = _lunar("hebrew", "rosh_hashanah_date")
_KIPPUR = _lunar("hebrew", "yom_kippur_date")
_PURIM = _lunar("hebrew", "purim_date")
_RAMADAN = _lunar("islamic", "ramadan_beginning_dates", before=1, after=30)
_FITR = _lunar("islamic", "eid_al_fitr_dates")
_ADHA = _lunar("islamic", "eid_al_adha_dates")
_DIWALI = _lunar("hindu", "diwali_india_date")
_HOLI = _lunar("hindu", "holi_date")

# By name, as `_plain` leaves one.
_ENGLISH: Final = {
    "christmas": _CHRISTMAS, "christmas eve": _on(12, 24), "xmas": _CHRISTMAS,
    "boxing day": _on(12, 26), "new year": _NEW_YEAR, "new years": _NEW_YEAR,
    "new years day": _NEW_YEAR, "new years eve": _on(12, 31), "halloween": _on(10, 31),
    "valentines day": _VALENTINE, "st patricks day": _on(3, 17), "bonfire night": _on(11, 5),
    "easter": _EASTER, "good friday": _from_easter(-2), "easter monday": _from_easter(1),
    "palm sunday": _from_easter(-7), "ash wednesday": _from_easter(-46),
    "shrove tuesday": _from_easter(-47), "pancake day": _from_easter(-47),
    "mardi gras": _from_easter(-47), "ascension day": _from_easter(39),
    "pentecost": _PENTECOST, "whitsun": _PENTECOST,
    "mothers day": _MOTHERS, "mothering sunday": _from_easter(-21), "fathers day": _FATHERS,
    "thanksgiving": _THANKS, "chinese new year": _SPRING, "lunar new year": _SPRING,
    "spring festival": _SPRING, "lantern festival": _LANTERNS, "qingming": _TOMBS,
    "tomb sweeping day": _TOMBS, "dragon boat festival": _DRAGONS, "mid autumn festival": _AUTUMN,
    "moon festival": _AUTUMN, "hanukkah": _HANUKKAH, "chanukah": _HANUKKAH,
    "passover": _PASSOVER, "pesach": _PASSOVER, "rosh hashanah": _ROSH, "yom kippur": _KIPPUR,
    "purim": _PURIM, "ramadan": _RAMADAN, "ramadhan": _RAMADAN, "eid al fitr": _FITR,
    "eid": _FITR, "eid al adha": _ADHA, "diwali": _DIWALI, "deepavali": _DIWALI, "holi": _HOLI,
}  # fmt: skip
_CHINESE: Final = {
    "圣诞": _CHRISTMAS, "圣诞节": _CHRISTMAS, "平安夜": _on(12, 24), "元旦": _NEW_YEAR,
    "国庆": _NATIONAL, "国庆节": _NATIONAL, "劳动节": _on(5, 1), "情人节": _VALENTINE,
    "复活节": _EASTER, "感恩节": _THANKS, "母亲节": _MOTHERS, "父亲节": _FATHERS,
    "除夕": _lunar("chinese", "lunar_new_year_date", shift=-1), "春节": _SPRING, "过年": _SPRING,
    "元宵节": _LANTERNS, "清明": _TOMBS, "清明节": _TOMBS, "端午": _DRAGONS,
    "端午节": _DRAGONS, "中秋": _AUTUMN, "中秋节": _AUTUMN, "重阳节": _NINTH,
    "斋月": _RAMADAN, "开斋节": _FITR, "宰牲节": _ADHA, "光明节": _HANUKKAH,
    "逾越节": _PASSOVER, "排灯节": _DIWALI, "洒红节": _HOLI,
}  # fmt: skip


def _plain(name: str) -> str:
    """Return a name as the tables have it: "St. Patrick's Day", "Eid al-Fitr" and "Eids" alike."""
    words = re.sub(r"['’.]", "", name.casefold()).replace("-", " ").split()
    joined = " ".join(words)
    return joined if joined in _NAMED else joined.removesuffix("s").removesuffix("e")


def _pattern(name: str) -> str:
    """Return what finds a name however its apostrophes and hyphens are set."""
    words = (re.sub(r"s$", "['’]?s['’]?", word) for word in name.split())
    return "[- ]".join(words).replace("st[- ]patrick", r"st\.? patrick")


_NAMED: Final = _ENGLISH | _CHINESE
ENGLISH_NAMES: Final = "|".join(map(_pattern, sorted(_ENGLISH, key=len, reverse=True)))
# 过年 is the Spring Festival, unless the two belong to the words beside them: 度过年假, 超过年龄.
CHINESE_NAMES: Final = "|".join(
    r"(?<![度超通经越])过年(?![龄假底末])" if name == "过年" else name
    for name in sorted(_CHINESE, key=len, reverse=True)
)
_NAMES: Final = re.compile(rf"\b(?:{ENGLISH_NAMES})(?:e?s)?\b|{CHINESE_NAMES}", re.IGNORECASE)


def feast_named(name: str) -> Feast:
    """Return the feast of a name that one of the two patterns has found.

    Raises ValueError for letters that only a search without regard to case takes for these ("ı").
    """
    try:
        return _NAMED[_plain(name)]
    except KeyError as odd:
        raise ValueError(name) from odd


def name_in(phrase: str) -> str:
    """Return the feast's name in a phrase, empty where it has none: people write it down."""
    match = _NAMES.search(phrase)
    return match[0] if match else ""
