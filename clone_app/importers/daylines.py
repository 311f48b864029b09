"""Lines of a text that begin an entry without being headings: a day with words beside it, a month."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, pairwise

from clone_app.entries import Moment, Precision
from clone_app.importers.days import Dated, read_day, read_period

PLAIN_DRESS = "*_[] \t:\n"  # "#2024-03-02" is a tag
PLAIN_LIMIT = 60
_LOOKED_AT = 80  # letters: no date is longer
_MONTH_LIMIT = 30
_SIGN = re.compile(r"\s+[-–—]+\s+|\s*[–—]\s*|\s?:(?!\d)\s*|：\s*")
_PROSE = re.compile(r"(?:the|on|am|den|le|el)\s", re.IGNORECASE)
_INDENTED = re.compile(r" {4}| {0,3}\t")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_SENTENCE_ENDS = '.!?…。！？"”»)*_'
_RECURRING = 2

ReadDay = Callable[[str], Dated | None]


def day_alone(line: str, read: ReadDay = read_day) -> Dated | None:
    """Read a line that holds a full date and nothing else."""
    if len(line) > PLAIN_LIMIT + 10:
        return None
    text = line.strip(PLAIN_DRESS)
    dated = read(text) if len(text) <= PLAIN_LIMIT else None
    return dated if dated is not None and dated.pure else None


def opens_unparted(line: str, below: str) -> bool:
    """Tell whether a date alone may begin an entry with no empty line above it.

    It stands above words, so that it closes no letter, and isn't indented as the end of a long line.
    """
    return bool(below.strip()) and not line[:1].isspace()


def day_beside(line: str, read: ReadDay = read_day) -> tuple[Dated, str, str] | None:
    """Read a line that starts with a full date, a sign and words, as (date, as written, words).

    "12 May 2021 - Dentist" is one. A sentence that starts with a date has no sign behind it, or a
    word before it. A time to the second was written by a program.
    """
    if _INDENTED.match(line):
        return None
    text = line.strip()
    head = text[:_LOOKED_AT]
    if not any(letter.isdigit() for letter in head) or _PROSE.match(head.lstrip(PLAIN_DRESS)):
        return None
    for sign in _SIGN.finditer(head):
        written = head[: sign.start()].strip(PLAIN_DRESS)
        dated = read(written)
        if dated is None or not dated.pure or dated.moment.precision is Precision.SECOND:
            continue
        words = text[sign.end() :]
        if text[0] in "*_[":
            words = words.lstrip("*_] \t")
        if not words:
            return None
        if read_day(words[:_LOOKED_AT]):  # "12 May 2021 – 14 May 2021: by the sea"
            words = text
        return dated, written, words
    return None


def month_alone(line: str) -> Moment | None:
    """Read a line that holds a month with its year and nothing else."""
    text = line.strip(PLAIN_DRESS)
    if len(text) > _MONTH_LIMIT or not any(letter.isalpha() or letter == "-" for letter in text):
        return None
    period = read_period(text)
    return period if period is not None and period.precision is Precision.MONTH else None


def recur(lines: Iterable[str]) -> bool:
    """Tell whether days stand at the beginnings of lines throughout a file: it is kept that way.

    Only lines with words beside or below count. The first must stand where something ended, else it
    is a sentence cut into lines. A heading without a date after them speaks against it: what stands
    below that belongs to no day.
    """
    count, above, waiting = 0, "", False
    for line, below in pairwise(chain(lines, ("",))):
        text = line.strip()
        if _HEADING.match(line) and count:
            bare = text.strip("# " + PLAIN_DRESS)
            if read_day(bare) is None and read_period(bare) is None:
                return False
        if (day_alone(line) and (not above or opens_unparted(line, below))) or (
            not above and month_alone(line)
        ):
            waiting = True
        elif text:
            beside = day_beside(line) is not None
            ended = not above or above[-1] in _SENTENCE_ENDS
            count += waiting + (beside and (ended or count > 0))
            waiting = False
        above = text
    return count >= _RECURRING
