"""A text file cut at the days and times that stand above its entries, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise

from clone_app.entries import Moment, Precision
from clone_app.importers.daylines import day_alone, day_beside, month_alone, opens_unparted
from clone_app.importers.days import Dated, Order, read_day, read_period, read_time

ENTRY_LIMIT = 4_000_000
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\n?")
_FENCE = re.compile(r" {0,3}(```+(?!.*`)|~~~+)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\n?")
_TITLE_LINE = re.compile(r" {0,3}(=+)[ \t]*\n?")
_DRESS = "*_[]# \t:\n"
_NOTHING = re.compile(r"[\s#*_=~`>+\\|\[\]-]*")
_HEADING_LIMIT = 1000
_BEHIND = ":：,;–—-·|"


@dataclass(slots=True)
class Section:
    """Hold one entry while its lines arrive.

    `label` names its place in the file (a day, a day and a time; empty for the file's own part).
    `dated` tells that a date stands above it in the file itself.
    """

    moment: Moment
    label: str = ""
    title: str = ""
    dated: bool = False
    unsure: bool = False
    cut: bool = False
    lines: list[str] = field(default_factory=list)
    letters: int = 0

    def text(self) -> str:
        """Return what was written, without the empty lines around it."""
        return "".join(self.lines).strip()

    @property
    def empty(self) -> bool:
        """Tell whether nothing but marks and white space stands here."""
        return all(_NOTHING.fullmatch(line) for line in self.lines)

    @property
    def bare_heading(self) -> bool:
        """Tell whether one heading stands here with nothing below it."""
        filled = [line for line in self.lines if not _NOTHING.fullmatch(line)]
        return len(filled) == 1 and _heading(filled[0]) is not None

    def add(self, line: str) -> None:
        """Take a line, up to a length that no entry has, so that memory stays flat."""
        if self.letters + len(line) > ENTRY_LIMIT:
            self.cut = True
            return
        self.letters += len(line)
        self.lines.append(line)


class _Cutter:
    """Decide line by line where an entry begins; `ready` holds those that are complete."""

    def __init__(
        self, base: Moment, order: Callable[[], Order | None], recurring: Callable[[], bool]
    ) -> None:
        self.base = base
        self.own_day = _is_day(base)
        self.order = order
        self.recurring = recurring
        self.section = Section(base)
        self.ready: list[Section] = []
        self.day: Moment | None = base if self.own_day else None
        self.period = base if base.local is not None and not self.own_day else None
        self.date_level: int | None = None
        self.time_level: int | None = None
        self.any_words = False
        self.fence = ""

    def begin(self, section: Section) -> None:
        self.ready.append(self.section)
        self.section = section

    @property
    def year(self) -> int | None:
        known = self.period or self.base
        if known.local is None:
            return None
        return known.local.year

    def heading(self, line: str, level: int, text: str) -> None:
        bare = text.strip(_DRESS)
        if self._date(bare, level) or self._period(bare, level) or self._time(bare, level):
            return
        if self.time_level is not None and level <= self.time_level and self.day is not None:
            # A heading beside "## 08:10" that is no time speaks of the whole day again.
            self.time_level = None
            self.begin(Section(self.day, self.day.iso() or "", dated=self.section.dated))
        if not self.section.title:
            self.section.title = text.strip()
        self.keep(line)

    def keep(self, line: str) -> None:
        if not self.any_words and not _NOTHING.fullmatch(line):
            self.any_words = True
        self.section.add(line)

    def plain(self, line: str, *, above: str, below: str) -> bool:
        """Take a line that is no heading for the beginning of an entry.

        A full date alone below an empty line is one. Where such lines recur in the file, so is a
        date with words below or beside it, and a month alone: left in the entry before, their words
        would get its date.
        """
        if self.own_day or self.date_level not in {None, 0}:
            return False
        dated = day_alone(line, self._read_full)
        if dated is not None:
            if above.strip() and not (opens_unparted(line, below) and self.recurring()):
                return False
            self._start(dated, 0, line.strip(_DRESS))
            return True
        if found := day_beside(line, self._read_full):
            dated, written, words = found
            if not self.recurring():
                return False
            self._start(dated, 0, written)
            self.keep(words + "\n")
            return True
        month = None if above.strip() else month_alone(line)
        if month is None or not self.recurring():
            return False
        self.period, self.day, self.time_level = month, None, None
        self.begin(Section(month, month.iso() or "", dated=True))
        return True

    def _read_full(self, text: str) -> Dated | None:
        return self.read(text, partial=False)

    def read(self, text: str, *, partial: bool) -> Dated | None:
        year = self.year if partial else None
        dated = read_day(text, year=year)
        if dated is not None and dated.unsure:
            dated = read_day(text, order=self.order(), year=year)
        return dated

    def _date(self, text: str, level: int) -> bool:
        dated = self.read(text, partial=False)
        if dated is None:
            dated = self.read(text, partial=True)
            if dated is None or not (dated.pure or _set_off(text, dated.rest)):
                return False
        written = text[: len(text) - len(dated.rest)].strip(_BEHIND + " ")
        if self.own_day:
            same = dated.moment.day() == self.base.day()
            first = not self.any_words and self.date_level is None
            if not (dated.pure or (first and same)):
                return False
            if first:
                # A day's own file: its name was made by a program, the heading typed by hand.
                self.date_level = level
                self.section.title = dated.rest
                if same and _is_day(dated.moment):
                    self.section.moment = dated.moment
                return True
        self._start(dated, level, written)
        return True

    def _start(self, dated: Dated, level: int, written: str) -> None:
        self.date_level, self.time_level = level, None
        self.day = Moment.on(day) if (day := dated.moment.day()) and _is_day(dated.moment) else None
        label = dated.label
        if dated.moment.precision in {Precision.MINUTE, Precision.SECOND}:
            label = dated.moment.iso() or label
        title = dated.rest
        if dated.moment.precision in {Precision.MONTH, Precision.YEAR}:
            title = title or written  # since the moment can't say it
        self.begin(Section(dated.moment, label, title, dated=True, unsure=dated.unsure))

    def _period(self, text: str, level: int) -> bool:
        if self.own_day or (self.date_level is not None and level > self.date_level):
            return False
        period = read_period(text, year=self.year)
        if period is None:
            return False
        self.period = period
        if (
            period.precision is Precision.YEAR
            and self.base.local is None
            and self.date_level is None
        ):
            # "## 2019" in a list of books says nothing about when it was written; in a diary it
            # gives the year to the dates below.
            return False
        self.day = self.time_level = None
        self.begin(Section(period, period.iso() or "", dated=True))
        return True

    def _time(self, text: str, level: int) -> bool:
        if self.day is None or (self.date_level is not None and level < self.date_level):
            return False
        clock = read_time(text)
        if clock is None:
            return False
        moment = clock.on(self.day)
        self.time_level = level
        self.begin(Section(moment, moment.iso() or "", clock.rest, dated=self.section.dated))
        return True

    def fenced(self, line: str) -> bool:
        """Tell whether a line belongs to a block of code, where `#` makes no heading.

        A block that was never closed must not swallow the days after it: a date heading of the
        level seen before ends it.
        """
        found = _FENCE.match(line)
        if not self.fence:
            self.fence = found[1] if found else ""
            return bool(found)
        if found and found[1].startswith(self.fence) and not line.strip().strip(found[1][0]):
            self.fence = ""
            return True
        level, text = _heading(line) or (0, "")
        if level and level == self.date_level:
            dated = self.read(text.strip(_DRESS), partial=False)
            if dated is not None and dated.pure:
                self.fence = ""
                return False
        return True


def _heading(line: str) -> tuple[int, str] | None:
    """Return level and text of a Markdown heading; a line too long to be one is none."""
    if len(line) > _HEADING_LIMIT or "#" not in line[:4]:
        return None
    found = _ATX.fullmatch(line)
    return None if found is None else (len(found[1]), found[2] or "")


def _is_day(moment: Moment) -> bool:
    return moment.precision in {Precision.DAY, Precision.MINUTE, Precision.SECOND}


def _set_off(text: str, rest: str) -> bool:
    """Tell whether a sign stands between a date and the title behind it: "May 2: a walk"."""
    return text[: len(text) - len(rest)].rstrip()[-1:] in _BEHIND


def cut(
    lines: Iterable[str],
    base: Moment,
    *,
    order: Callable[[], Order | None],
    recurring: Callable[[], bool] = lambda: False,
) -> Iterator[Section]:
    """Yield the entries of a file in its order, those without a word among them.

    `base` is what the file's name says: its day, its year, or nothing. Headings with a date begin
    an entry, and so does a line with a full date alone below an empty line; a heading with a time
    begins one within its day. `order` is asked for once a date like `03/04/2024` turns up, and
    `recurring` (see `daylines.recur`) once a line begins with a day and goes on in words.
    """
    cutter = _Cutter(base, order, recurring)
    above, above_ended = "", True
    underline = False
    for line, below in pairwise(chain(lines, ("",))):
        whole = above_ended
        above_ended = line.endswith("\n")
        if underline and _UNDERLINE.fullmatch(line):
            underline, above = False, ""
            continue
        underline = False
        if not whole or cutter.fenced(line):
            cutter.keep(line)
        elif found := _heading(line):
            cutter.heading(line, *found)
        elif cutter.plain(line, above=above, below=below):
            underline = True
            above = line
        else:
            if above.strip() and not cutter.section.title and _TITLE_LINE.fullmatch(line):
                cutter.section.title = above.strip().strip(_DRESS)
            cutter.keep(line)
        above = line
        if cutter.ready:
            yield from cutter.ready
            cutter.ready.clear()
    yield cutter.section
