"""What the posts of an X archive need beside themselves: full texts, addresses, moments."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from clone_app.entries import ImportProblem, Moment, Precision, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import (
    JsonFault,
    dict_of,
    dicts_of,
    elements,
    list_of,
    text_of,
)
from clone_app.protocols import Found, Member

LEADING = re.compile(r"(?:@\w{1,20}\s+)+")
_STAMP = re.compile(r"\w{3} (\w{3}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([+-]\d{4}) (\d{4})")
_GRAILBIRD_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# A post is cut after 275 letters or so; the first 60 and the minute tell which note it is.
_CUT_FROM, _START = 200, 60
# Beyond what any post or address has: a made-up archive must not multiply one by the other.
_TEXT_LIMIT, _ADDRESS_LIMIT = 100_000, 4_000


@dataclass(frozen=True, slots=True)
class Note:
    """Hold the full text of a long post."""

    id: str
    created: Moment
    text: str
    labels: tuple[str, ...]
    locator: str


@dataclass(slots=True)
class Notes:
    """Hold the full texts of long posts, which stand in a file of their own under other ids."""

    by_start: dict[str, list[Note]] = field(default_factory=dict)

    def read(self, member: Member) -> Iterator[Found]:
        """Take the notes of a file, and yield what is wrong with it."""
        index = -1
        try:
            for index, value in enumerate(elements(member, script=True)):
                note = dict_of(dict_of(value).get("noteTweet"))
                core = dict_of(note.get("core"))
                locator = f"{member.locator}#{index}"
                raw = text_of(core.get("text"))
                if not raw.strip():
                    yield ImportProblem(locator, "is no long post, or one without text")
                    continue
                text = expanded(
                    html.unescape(raw), links(core.get("urls"), "shortUrl", "expandedUrl")
                )
                labels = tuple(tag for tag in map(text_of, list_of(core.get("hashtags"))) if tag)
                about = Note(
                    text_of(note.get("noteTweetId")), posted(note.get("createdAt")),
                    clean_text(text).strip(), labels, locator,
                )  # fmt: skip
                self.by_start.setdefault(_start(raw), []).append(about)
        except (JsonFault, ArchiveError) as fault:
            yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))

    def take(self, text: str, created: Moment) -> Note | None:
        """Return the note a cut post is the start of, and count it as used."""
        if not self.by_start or len(text) < _CUT_FROM:
            return None
        waiting = self.by_start.get(_start(text), [])
        for note in waiting:
            if _near(note.created, created):
                waiting.remove(note)
                return note
        return None

    def left(self) -> Iterator[Note]:
        """Yield the notes that belong to no post of the archive."""
        for notes in self.by_start.values():
            yield from notes


def _start(text: str) -> str:
    """Return the first letters without names answered, white space and entities."""
    text = html.unescape(text[:1000])
    leading = LEADING.match(text)
    return "".join(text[leading.end() if leading else 0 :].split())[:_START]


def _near(one: Moment, other: Moment) -> bool:
    if one.local is None or other.local is None:
        return True
    return abs(one.local - other.local) <= timedelta(seconds=60)


def links(values: object, short: str, long: str) -> dict[str, str]:
    """Return shortened addresses with what they stand for, from a list of entities."""
    pairs = ((text_of(value.get(short)), text_of(value.get(long))) for value in dicts_of(values))
    return {
        one: other
        for one, other in pairs
        if one.startswith("http") and other and len(other) <= _ADDRESS_LIMIT
    }


def expanded(text: str, addresses: dict[str, str]) -> str:
    """Return text with the shortened addresses written out."""
    if len(text) > _TEXT_LIMIT:
        return text
    # The longest first: one shortened address may be the start of another.
    for short in sorted(addresses, key=len, reverse=True):
        text = text.replace(short, addresses[short])
    return text


def posted(value: object) -> Moment:
    """Read `Wed Sep 04 13:51:55 +0000 2019`, `2013-05-28 23:15:16 +0000` or ISO 8601."""
    text = text_of(value)[:60]
    found = _STAMP.fullmatch(text)
    old = _GRAILBIRD_STAMP.fullmatch(text)
    try:
        if found and found[1] in _MONTHS:
            month = _MONTHS.index(found[1]) + 1
            clock = f"{found[3]}:{found[4]}:{found[5]}{found[6][:3]}:{found[6][3:]}"
            text = f"{found[7]}-{month:02d}-{int(found[2]):02d}T{clock}"
        elif old and old[2] == "00:00:00":
            # Archives of that form know no more than the day of posts before November 2010.
            text = old[1]
        elif old:
            text = f"{old[1]}T{old[2]}{old[3]}:{old[4]}"
        when = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return Moment.unknown()
    if len(text) <= 10:
        return Moment.of(when, Precision.DAY)
    return Moment.of(when.replace(microsecond=0))
