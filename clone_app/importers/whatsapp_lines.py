"""The line a WhatsApp message starts with, in every layout and language phones write it in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

from clone_app.entries import Moment, Precision

# Marks that steer the direction of writing stand anywhere in a line, even within its date.
_MARKS = dict.fromkeys(
    map(ord, "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
)
_MARKS[ord("\ufeff")] = None
_PLAIN = {**_MARKS, ord("\u202f"): " ", ord("\xa0"): " ", ord("\u2009"): " "}
_HEADER_LETTERS = 260

_MORNING = (
    "am πμ öö sa fm vm pg de du dop дп ص قظ 上午 早上 清晨 凌晨 오전 午前 पूर्वाह्न पूर्व ก่อนเที่ยง முற்பகல்"
)
_EVENING = "pm μμ ös ch em nm ptg odp пп م بظ 下午 傍晚 晚上 오후 午後 अपराह्न अप หลังเที่ยง பிற்பகல்"
_NOON = "中午"
_EAST_ASIAN = re.compile("[上下早晚清凌傍中午오年년]")


def _spelled(word: str) -> str:
    """Return a pattern for `am`, `a.m.` and `a. m.` of a short word; a long one stands as it is."""
    return r"\.?\s?".join(word) + r"\.?" if len(word) < 4 and word.isalpha() else re.escape(word)


_HALVES = {
    **dict.fromkeys(_MORNING.split(), "morning"),
    **dict.fromkeys(_EVENING.split(), "evening"),
    _NOON: "noon",
}
_HALF = f"(?:{'|'.join(_spelled(word) for word in sorted(_HALVES, key=len, reverse=True))})"
_HALF_STARTS = frozenset(word[0] for word in _HALVES)
_DATE = (
    r"(?P<a>\d{1,4})(?P<s>[-/.年년])\s?(?P<b>\d{1,2})[-/.月월]\s?(?P<c>\d{1,4})[.日일]?(?:\s?г\.)?"
)
_TIME = (
    rf"(?:(?P<p>{_HALF})\s?)?(?P<h>\d{{1,2}})[:.](?P<m>\d{{2}})(?:[:.](?P<sec>\d{{2}}))?"
    rf"(?:\s?(?P<q>{_HALF}))?(?:\s?(?:ч\.|Uhr|h))?"
)
_BETWEEN = r"(?:[,،]|\s(?:à|klo|kl\.?|um|at|alle|às|a las|la|о|в)(?=\s))?\s{0,2}"
_HEADER = re.compile(
    rf"(?P<open>\[)?(?:{_DATE}{_BETWEEN}{_TIME}|"
    + re.sub(r"\?P<(\w+)>", r"?P<\g<1>2>", rf"{_TIME}[,،]?\s{{0,2}}{_DATE}")
    + r")(?(open)\]\s?|\s?[-–—]\s)",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"([^:：\n]{1,100}?)(?:: |：\s?|:$)")
_QUOTES = (("“", "”"), ("«", "»"), ("„", "“"), ("「", "」"))
_BUDDHIST = 543
_FIRST_YEAR = 2009  # WhatsApp began; a year before it is no year
_LAST_YEAR = 2100


Parts: TypeAlias = "tuple[str, str, str]"


class DateOrder(StrEnum):
    """Which number of a date like `03/04/24` is which. The value is what an answer holds."""

    DMY = "day/month/year"
    MDY = "month/day/year"
    YMD = "year/month/day"
    YDM = "year/day/month"

    def on(self, parts: Parts) -> date | None:
        """Return the day these three numbers mean in this order, None if they mean none."""
        letters = dict(zip(self.name, parts, strict=True))
        if (
            not 1 <= len(letters["D"]) <= 2
            or len(letters["M"]) > 2
            or len(letters["Y"]) not in {2, 4}
        ):
            return None
        year = int(letters["Y"])
        if len(letters["Y"]) == 2:
            year += 2000
        elif year > _FIRST_YEAR + _BUDDHIST - 1:
            year -= _BUDDHIST
        if not _FIRST_YEAR <= year <= _LAST_YEAR:
            return None
        try:
            return date(year, int(letters["M"]), int(letters["D"]))
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Style:
    """Hold what all header lines of one export have in common."""

    bracket: bool
    sign: str
    time_first: bool


@dataclass(frozen=True, slots=True)
class Header:
    """Hold the start of a message: its date as written, its time, its author (none: the program).

    `text` is what follows on the same line.
    """

    style: Style
    parts: Parts
    clock: time
    seconds: bool
    author: str
    text: str
    east_asian: bool = False

    @property
    def written(self) -> str:
        """Return the date's numbers as they were written, one way for all spellings of them."""
        return "-".join(f"{int(part) % 100:02d}" for part in self.parts)


def header_of(line: str) -> Header | None:
    """Read the header a line starts with, None for a line that goes on with a message."""
    start = line[:_HEADER_LETTERS]
    if not start.isascii():
        start = start.translate(_PLAIN)
    first = start[:1]
    if not (first == "[" or first.isdigit() or first.casefold() in _HALF_STARTS):
        return None
    found = _HEADER.match(start)
    if found is None:
        return None
    time_first = found["a"] is None
    part = {name: found[f"{name}2" if time_first else name] for name in "asbchmpq"}
    seconds = found["sec2" if time_first else "sec"]
    clock = _clock(part["h"], part["m"], seconds, part["p"] or part["q"] or "")
    if clock is None:
        return None
    named = _AUTHOR.match(start, found.end())
    author = named[1].strip() if named else ""
    if named is None or not author or _cut_quote(author):
        author, end = "", found.end()
    else:
        end = named.end()
    sign = part["s"] if part["s"] in "-/." else "年"
    return Header(
        style=Style(found["open"] is not None, sign, time_first),
        parts=(part["a"], part["b"], part["c"]),
        clock=clock,
        seconds=seconds is not None,
        author=author.removeprefix("~").strip(),
        text=_after(line, end),
        east_asian=bool(_EAST_ASIAN.search(found.group())),
    )


def _clock(hour: str, minute: str, second: str | None, half: str) -> time | None:
    value = int(hour)
    match _HALVES.get(re.sub(r"[.\s]", "", half.casefold())):
        case "evening":
            value += 12 if value < 12 else 0
        case "noon":
            value += 12 if value < 4 else 0
        case "morning":
            value = 0 if value == 12 else value
    try:
        return time(value, int(minute), int(second or 0))
    except ValueError:
        return None


def _cut_quote(author: str) -> bool:
    """Tell whether a colon within quotation marks was taken for the one behind a name."""
    if author.count('"') % 2:
        return True
    return any(author.count(left) != author.count(right) for left, right in _QUOTES[:2])


def _after(line: str, end: int) -> str:
    """Return what follows the first `end` signs of a line, marks not counted, as it was written."""
    if line[: end + 1].isascii():
        return line[end:].rstrip("\n")
    at = 0
    while end and at < len(line):
        end -= ord(line[at]) not in _MARKS
        at += 1
    return line[at:].rstrip("\n")


@dataclass(slots=True)
class _Track:
    """Follow the dates of one style in one order: how many are none, how often they go back."""

    wrong: int = 0
    back: int = 0
    first: date | None = None
    last: date | None = None

    def add(self, day: date | None) -> None:
        if day is None:
            self.wrong += 1
            return
        if self.last is not None and day < self.last:
            self.back += 1
        self.first = self.first or day
        self.last = day

    @property
    def span(self) -> int:
        return abs((self.last - self.first).days) if self.first and self.last else 0


@dataclass(slots=True)
class StyleDates:
    """Gather what a file's dates say about their order."""

    count: int = 0
    east_asian: bool = False
    tracks: dict[DateOrder, _Track] = field(
        default_factory=lambda: {order: _Track() for order in DateOrder}
    )
    differing: dict[tuple[DateOrder, DateOrder], Parts] = field(default_factory=dict)
    _before: Parts = ("", "", "")

    def add(self, header: Header) -> None:
        """Take the date of one more line."""
        self.count += 1
        self.east_asian = self.east_asian or header.east_asian
        if header.parts == self._before:
            return
        self._before = header.parts
        days = {order: order.on(header.parts) for order in DateOrder}
        for pair in combinations(DateOrder, 2):
            one, other = days[pair[0]], days[pair[1]]
            if one is not None and other is not None and one != other:
                self.differing.setdefault(pair, header.parts)
        for order, day in days.items():
            self.tracks[order].add(day)

    def orders(self, sign: str) -> tuple[DateOrder, ...]:
        """Return the orders these dates allow, likeliest first; one where they decide it.

        An order counts that makes the most of them dates, then one in which time goes back least
        often, since a chat is told from its start to its end.
        """
        tracks = self.tracks
        least = min(track.wrong for track in tracks.values())
        left = [order for order in DateOrder if tracks[order].wrong == least]
        if self.east_asian and DateOrder.YMD in left:
            return (DateOrder.YMD,)
        if len(left) > 1 and DateOrder.YDM in left:  # next to nobody writes it
            left.remove(DateOrder.YDM)
        least = min(tracks[order].back for order in left)
        left = [order for order in left if tracks[order].back == least]
        if DateOrder.YMD in left and len(left) > 1:
            # Read the wrong way round, the days of a month become years and months years.
            other = min(tracks[order].span for order in left if order is not DateOrder.YMD)
            if tracks[DateOrder.YMD].span * 3 < other:
                left = [DateOrder.YMD]
            elif other * 3 < tracks[DateOrder.YMD].span:
                left.remove(DateOrder.YMD)
        if sign == "." and DateOrder.DMY in left:
            left = [DateOrder.DMY]
        return tuple(left if self.example(left) else left[:1])

    def example(self, orders: Iterable[DateOrder]) -> Parts | None:
        """Return a date that these orders read as different days, None if there is none."""
        return next(filter(None, map(self.differing.get, combinations(orders, 2))), None)


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold what a look at a whole file tells: its styles, their orders, and who writes in it."""

    orders: dict[Style, tuple[DateOrder, ...]]
    examples: dict[Style, Parts]
    authors: tuple[str, ...]
    lines: int


def layout_of(lines: Iterable[str], *, authors: int) -> Layout:
    """Look at all header lines of a file; a style few lines have is a quotation, and no style."""
    dates: dict[Style, StyleDates] = {}
    names: Counter[str] = Counter()
    for header in _headers(lines):
        dates.setdefault(header.style, StyleDates()).add(header)
        if header.author and (header.author in names or len(names) < authors):
            names[header.author] += 1
    most = max((found.count for found in dates.values()), default=0)
    kept = {
        style: found
        for style, found in dates.items()
        if found.count == most or (found.count >= 20 and found.count * 20 >= most)
    }
    orders = {style: found.orders(style.sign) for style, found in kept.items()}
    return Layout(
        orders=orders,
        examples={
            style: example
            for style, found in kept.items()
            if (example := found.example(orders[style])) is not None
        },
        authors=tuple(names),
        lines=sum(found.count for found in kept.values()),
    )


def _headers(lines: Iterable[str]) -> Iterator[Header]:
    for line in lines:
        header = header_of(line)
        if header is not None:
            yield header


def moment_of(header: Header, orders: tuple[DateOrder, ...]) -> Moment | None:
    """Return when a message was written as far as its date can be read; None where it is no date."""
    days = {day for order in orders if (day := order.on(header.parts)) is not None}
    if not days:
        return None
    if len(days) == 1:
        when = datetime.combine(days.pop(), header.clock)
        return Moment(when, Precision.SECOND if header.seconds else Precision.MINUTE)
    if len({day.year for day in days}) == 1:
        return replace(Moment.on(date(days.pop().year, 1, 1)), precision=Precision.YEAR)
    return Moment.unknown()
