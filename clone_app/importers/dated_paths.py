"""The day a file is about, as far as its name and its folders tell: `2024/03/02.md`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from clone_app.entries import Moment, Precision
from clone_app.importers.days import Order, order_of, read_day, read_period

_ISO = re.compile(r"(?<!\d)(\d{4})([-_.])(\d{2})\2(\d{2})(?!\d)")
_DIGITS = re.compile(r"(?<!\d)(?:18|19|20)\d{6}(?!\d)")
_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?(?!\d)")
_MONTH_FIRST = re.compile(r"(\d{1,2})[-_. ]*(.*)")
_BREAK = re.compile(r"^[\s,:;·•_–—-]+|[\s,:;·•_–—-]+$")


@dataclass(frozen=True, slots=True)
class Placed:
    """Hold what a path says: the moment, a title, and whether day and month are unsure."""

    moment: Moment
    title: str = ""
    unsure: bool = False

    @property
    def is_day(self) -> bool:
        """Tell whether the path names one day, so that the file is that day's."""
        return self.moment.precision in {Precision.DAY, Precision.MINUTE, Precision.SECOND}


def place(path: str, *, order: Order | None = None) -> Placed:
    """Read a path: its name, then name and folders together, then the nearest dated folder."""
    pure = PurePosixPath(path)
    stem = _stem(pure.name)
    return (
        _from_name(stem, order)
        or _from_folders(stem, pure.parts[:-1])
        or _from_period(stem)
        or _from_parents(pure.parts[:-1])
        or Placed(Moment.unknown(), stem)
    )


def order_of_names(paths: Iterable[str]) -> Order | None:
    """Return the order of day and month in names like `13-04-2024.md`, over all files together."""
    return order_of(_stem(PurePosixPath(path).name) for path in paths)


def _stem(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return (stem if dot and ending.isalnum() and not ending.isdigit() else name).strip()


def _from_name(stem: str, order: Order | None) -> Placed | None:
    dated = read_day(stem.replace("_", " ") if "_" in stem else stem, order=order)
    if dated is None:
        found = _ISO.search(stem) or _DIGITS.search(stem)
        dated = read_day(found.group()) if found else None
        if found is None or dated is None:
            return None
        title = _BREAK.sub("", stem[: found.start()]) or _BREAK.sub("", stem[found.end() :])
    else:
        title = "" if dated.pure else dated.rest
    days = {found.group() for found in _ISO.finditer(stem)}
    if len(days) > 1:  # "2024-03-02 to 2024-03-08" is no day
        first, last = min(days), max(days)
        period = read_period(first[:7] if first[:7] == last[:7] else first[:4])
        if period is None or first[:4] != last[:4]:
            return None
        return Placed(period, stem)
    return Placed(dated.moment, _BREAK.sub("", title), dated.unsure)


def _from_folders(stem: str, folders: tuple[str, ...]) -> Placed | None:
    """Read `2024/03/02.md`, `2024/03 March/02 Saturday.md`, `2024-03/02.md`, `2024/03-02.md`."""
    if not folders or not stem[:1].isdigit():
        return None
    month = read_period(folders[-1])
    if month is not None and month.precision is Precision.MONTH and month.local is not None:
        return _joined(str(month.local.year), str(month.local.month), stem)
    year = month if month is not None else read_period(folders[-2]) if len(folders) > 1 else None
    if year is None or year.local is None or year.precision is not Precision.YEAR:
        return None
    if month is not None:  # the folder is a year: "03-02.md" beside it
        found = re.match(r"(\d{2})[-_. ](\d{2})(?!\d)(.*)", stem)
        return _joined(str(year.local.year), found[1], found[2] + found[3]) if found else None
    named = _MONTH_FIRST.fullmatch(folders[-1])
    if named:
        return _joined(str(year.local.year), named[1], stem)
    in_year = read_period(folders[-1], year=year.local.year)
    if in_year is None or in_year.local is None or in_year.precision is not Precision.MONTH:
        return None
    return _joined(str(year.local.year), str(in_year.local.month), stem)


def _joined(year: str, month: str, stem: str) -> Placed | None:
    found = _NUMBER.match(stem)
    if not found:
        return None
    dated = read_day(f"{year}-{month}-{found[1]}{' ' + stem[found.end() :] if stem else ''}")
    return None if dated is None else Placed(dated.moment, _BREAK.sub("", dated.rest))


def _from_period(stem: str) -> Placed | None:
    period = read_period(stem)
    return None if period is None else Placed(period)


def _from_parents(folders: tuple[str, ...]) -> Placed | None:
    for folder in reversed(folders):
        dated = read_day(folder.replace("_", " "))
        if dated is not None and not dated.unsure:
            return Placed(dated.moment)
    return None
