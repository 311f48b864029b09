"""Find what a sentence can be wrong about: its names, numbers and dates.

Pure functions over strings, made to be strict: what looks like a name is one, since a sentence with
a name its source doesn't hold must not pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clone_app.entries import Moment, Precision
from clone_app.memory.stopwords import STOP_WORDS
from clone_app.memory.words import plain, tokens

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_WEEKDAYS: Final = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
)  # fmt: skip
_MONTH_WORDS: Final = """
january jan januar jänner janvier enero
february feb februar février febrero
march mar märz mars marzo
april apr avril abril
may mai mayo
june jun juni juin junio
july jul juli juillet julio
august aug août agosto
september sept sep septembre septiembre
october oct oktober octobre octubre
november nov novembre noviembre
december dec dezember décembre diciembre
"""
_MONTH: Final = {
    word: number
    for number, line in enumerate(_MONTH_WORDS.strip().splitlines(), 1)
    for word in line.split()
}
# Months that are ordinary words too count alone only after one of these.
_DOUBTFUL: Final = frozenset({"may", "march"})
_BEFORE_MONTH: Final = (
    r"(?:in|of|last|next|this|since|until|till|by|during|from|to|early|late|mid|before|after|"
    r"through|around|every|each|and|that)[ \-]"
)
_NAMED = "|".join(sorted(_MONTH, key=len, reverse=True))
_NTH = r"(?:st|nd|rd|th)?\.?"
_YEAR = r"(?P<year>\d{3,4})(?![\d:])"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?(?!\d)",
        r"(?<!\d)(?P<one>\d{1,2})[/.](?P<two>\d{1,2})[/.](?P<year>\d{4})(?!\d)",
        r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?",
        r"(?P<year>\d{4})年",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_NTH}\s+(?:of\s+|de\s+)?(?P<named>{_NAMED})\b\.?"
        rf"(?:,?\s+(?:of\s+|de\s+)?{_YEAR})?",
        rf"\b(?P<named>{_NAMED})\b\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_NTH}(?![\d:])"
        rf"(?:,?\s+(?:of\s+)?{_YEAR})?",
        rf"\b(?P<named>{_NAMED})\b\.?,?\s+(?:of\s+)?(?P<year>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)\b",
        r"\b(?:in|of|since|until|till|by|during|before|after|from|to|year|early|late|mid|around|"
        r"spring|summer|autumn|fall|winter|and)[ \-](?P<year>1\d{3}|20\d\d)(?![\d,.:]*\d)",
    )
)
_ALONE = re.compile(rf"\b(?P<named>{'|'.join(MONTHS)})\b")
_AFTER_WORD = re.compile(rf"\b{_BEFORE_MONTH}$", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(?P<weekday>{'|'.join(_WEEKDAYS)})s?\b", re.IGNORECASE)

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+")
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_UNITS += " fifteen sixteen seventeen eighteen nineteen"
_SMALL: Final = {word: number for number, word in enumerate(_UNITS.split())}
_TENS: Final = {
    word: (number + 2) * 10
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    )
}
_LARGE: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_OTHER: Final = {"dozen": 12, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
                 "eighth": 8, "ninth": 9, "tenth": 10, "twice": 2, "thrice": 3}  # fmt: skip
_PRONOUNS: Final = frozenset({"i", "i'm", "i've", "i'd", "i'll"})
_OPENING = re.compile(r"(?:^|[.!?:…]\s|\n)[\s\"'“‘«(\[*_>-]*$|[\"“«]$")


@dataclass(frozen=True, slots=True)
class Day:
    """Hold the stated parts of a date; what a text doesn't state is None. Monday is 0."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def agrees(self, other: Day) -> bool:
        """Tell whether every part stated here is stated alike there."""
        return all(
            mine is None or mine == theirs
            for mine, theirs in (
                (self.year, other.year),
                (self.month, other.month),
                (self.day, other.day),
                (self.weekday, other.weekday),
            )
        )

    def filled(self, other: Day) -> Day:
        """Return this date with what it doesn't state taken from another."""
        return Day(
            other.year if self.year is None else self.year,
            other.month if self.month is None else self.month,
            other.day if self.day is None else self.day,
            other.weekday if self.weekday is None else self.weekday,
        )


@dataclass(frozen=True, slots=True)
class Dated:
    """Hold a date's place in a text and its possible readings: two for 3/4/2024."""

    start: int
    end: int
    readings: tuple[Day, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold a number's place in a text and its value in one spelling."""

    start: int
    end: int
    value: str


def day_of(moment: Moment) -> Day:
    """Return what a moment says of its date at its precision."""
    local = moment.local
    if local is None:
        return Day()
    if moment.precision is Precision.YEAR:
        return Day(local.year)
    if moment.precision is Precision.MONTH:
        return Day(local.year, local.month)
    return Day(local.year, local.month, local.day, local.weekday())


@lru_cache(maxsize=512)  # a sentence is checked against item after item, half of the time here
def dates(text: str) -> tuple[Dated, ...]:
    """Return the dates of a text in order, none inside another."""
    found: list[Dated] = []
    taken = bytearray(len(text))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            readings = tuple(_readings(match))
            if readings and not any(taken[match.start() : match.end()]):
                _take(match, readings, taken, found)
    for match in _ALONE.finditer(text):
        doubtful = match["named"].lower() in _DOUBTFUL
        before = text[max(0, match.start() - 12) : match.start()]
        if any(taken[match.start() : match.end()]) or (doubtful and not _AFTER_WORD.search(before)):
            continue
        _take(match, (Day(month=_MONTH[match["named"].lower()]),), taken, found)
    for match in _WEEKDAY.finditer(text):
        if not any(taken[match.start() : match.end()]):
            weekday = _WEEKDAYS.index(match["weekday"].capitalize())
            _take(match, (Day(weekday=weekday),), taken, found)
    return tuple(sorted(found, key=lambda each: each.start))


def _take(
    match: re.Match[str], readings: tuple[Day, ...], taken: bytearray, found: list[Dated]
) -> None:
    """Keep a date and mark its place as read."""
    found.append(Dated(match.start(), match.end(), readings))
    taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())


def _readings(match: re.Match[str]) -> Iterator[Day]:
    """Yield the possible dates of a match; none where it can't be one."""
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    if parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        orders = dict.fromkeys(((one, two), (two, one)))
        yield from (Day(year, m, d) for d, m in orders if 1 <= m <= 12 and 1 <= d <= 31)
        return
    month = int(parts["month"]) if parts.get("month") else None
    if parts.get("named"):
        month = _MONTH[parts["named"].lower()]
    day = int(parts["day"]) if parts.get("day") else None
    if (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31):
        yield Day(year, month, day)


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text outside its dates, in one spelling: `1,200` and `1200` are one.

    Number words count as their digits; `one` doesn't, being a pronoun more often than a number.
    """
    return frozenset(figure.value for figure in figures(text))


@lru_cache(maxsize=512)
def figures(text: str) -> tuple[Figure, ...]:
    """Return the numbers of a text outside its dates in order, each with its place."""
    bare = without_dates(text)
    found = [Figure(m.start(), m.end(), _digits(m[0])) for m in _DIGITS.finditer(bare)]
    return tuple(sorted([*found, *_spelled(bare)], key=lambda figure: figure.start))


def _digits(written: str) -> str:
    """Return digits without separators between thousands."""
    if _THOUSANDS.fullmatch(written):
        if "," in written:
            return written.replace(",", "")
        return written.replace(".", "")
    return written.rstrip(".,:")


def _spelled(text: str) -> Iterator[Figure]:
    """Yield the numbers that a text writes as words: `twenty-one`, `three thousand four hundred`."""
    run: list[tuple[re.Match[str], int]] = []
    for match in tokens(text):
        word = match[0].casefold()
        number = _SMALL.get(word, _TENS.get(word, _LARGE.get(word)))
        if run and (number is None or not _goes_on([n for _, n in run], number)):
            if word == "and" and run[-1][1] in _LARGE.values():
                continue
            yield from _figure(run)
            run = []
        if number is not None:
            run.append((match, number))
        elif word in _OTHER:
            yield Figure(match.start(), match.end(), str(_OTHER[word]))
    yield from _figure(run)


def _goes_on(run: Sequence[int], number: int) -> bool:
    """Tell whether a number word belongs to those before it: `forty two` does, `two forty` doesn't."""
    last = run[-1]
    if number >= 100:
        return number not in run and (number > last or last < 100)
    if last >= 100:
        return True
    return last >= 20 and 0 < number < 10


def _figure(run: Sequence[tuple[re.Match[str], int]]) -> Iterator[Figure]:
    """Yield what a run of number words says; nothing for a lone `one`."""
    if not run or [match[0].casefold() for match, _ in run] == ["one"]:
        return
    whole = part = 0
    for _, number in run:
        if number == 100:
            part = (part or 1) * 100
        elif number > 100:
            whole, part = whole + (part or 1) * number, 0
        else:
            part += number
    yield Figure(run[0][0].start(), run[-1][0].end(), str(whole + part))


def without_dates(text: str) -> str:
    """Return a text of the same length with blanks where its dates stood."""
    found = list(text)
    for dated in dates(text):
        found[dated.start : dated.end] = " " * (dated.end - dated.start)
    return "".join(found)


def names(sentence: str) -> list[str]:
    """Return the words of one sentence that name something, as written, possessives off.

    A capitalised word is a name. At the opening of a sentence or quotation a function word is none,
    and neither is an adverb set off by a comma ("Sadly, …"); any other word there might be one, so
    it is one. Elsewhere a capitalised function word ("Will") is a name too.
    """
    bare = without_dates(sentence)
    found: list[str] = []
    for match in tokens(bare):
        word = match[0]
        if not word[0].isupper() or plain(word) in _PRONOUNS:
            continue
        if _OPENING.search(bare[: match.start()]):
            if plain(word) in STOP_WORDS or plain(word) in _SMALL or plain(word) in _TENS:
                continue
            if word.endswith("ly") and bare[match.end() : match.end() + 1] == ",":
                continue
        found.append(without_possessive(word))
    return found


def without_possessive(word: str) -> str:
    """Return a word as written without `'s`."""
    return word[:-2] if word.endswith(("'s", "’s")) else word
