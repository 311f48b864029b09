"""Posts, comments and messages from the CSV files of a LinkedIn export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from clone_app.entries import Item, Moment, Precision, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_kinds
from clone_app.importers.csvrows import CsvFault, Row, rows
from clone_app.importers.csvsource import WHOSE, each, kind_of
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

# The columns that all years have; others came and went, and a note may stand above them.
_KINDS: dict[str, tuple[str, ...]] = {
    "shares": ("date", "sharecommentary"),
    "messages": ("conversation id", "from", "date", "content"),
    "old messages": ("from", "to", "date", "subject", "content"),
    "comments": ("date", "link", "message"),
    "recommendations": ("first name", "last name", "text", "creation date"),
    "profile": ("first name", "last name", "headline"),
}
_SHORT = re.compile(
    r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4}),? (\d{1,2}):(\d{2})\s?([AP])M", re.IGNORECASE
)
_MARKUP = re.compile(r"<(?:p|br|a|div|span|b|i|ul|ol|li|strong|em)\b[^<>]{0,2000}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LinkedIn:
    """Read what somebody posted, commented, recommended and wrote in messages."""

    name: str = "linkedin"
    title: str = "LinkedIn export (CSV)"
    help: str = (
        "On LinkedIn: Settings, Data privacy, Get a copy of your data. Choose the zip you are sent."
    )
    endings: tuple[str, ...] = (".zip", ".csv", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the files with words, and beside these the one that says whose they are."""
        telling = dict.fromkeys(_KINDS.keys() - {"profile"}, 0.9)
        return claim_kinds(members, lambda one: kind_of(one, _KINDS), telling)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each post, comment, recommendation and message."""
        owner = ""
        files: list[tuple[str, Member]] = []
        for member in members:
            kind = kind_of(member, _KINDS)
            if kind == "profile":
                owner = owner or _owner(member)
                yield Skipped(member.locator, WHOSE)
            else:
                files.append((kind or "shares", member))
        for kind, member in files:
            whose = _Whose(owner, reading, PurePosixPath(member.path).name.casefold())
            make = {"shares": _share, "comments": _comment, "recommendations": _praise}.get(kind)
            yield from each(member, _KINDS[kind], partial(make or _message, whose=whose))


LINKEDIN = LinkedIn()


@dataclass(frozen=True, slots=True)
class _Whose:
    """Know whose data it is, and in which file it stands."""

    owner: str
    reading: Reading
    file: str

    def wrote(self, name: str, address: str) -> bool:
        """Tell whether a sender is the owner, or known as the user."""
        same = bool(self.owner) and name.casefold() == self.owner.casefold()
        return same or self.reading.is_me(name, address)


def _owner(member: Member) -> str:
    try:
        row = next(rows(member, *_KINDS["profile"]), None)
    except (CsvFault, ArchiveError):  # a name less, and nothing that was written is lost
        return ""
    return f"{row['first name']} {row['last name']}".strip() if row else ""


def _when(value: str) -> Moment:
    return iso_moment(value) or _short(value) or Moment.unknown()


def _short(value: str) -> Moment | None:
    """Return the moment of `9/12/17, 6:32 AM`, as American exports of some years have it."""
    found = _SHORT.fullmatch(value.strip())
    if not found:
        return None
    month, day, year, hour, minute = (int(found[place]) for place in range(1, 6))
    if not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if found[6] in "pP" else 0)
    try:
        when = datetime(year + 2000 if year < 100 else year, month, day, hour, minute)  # noqa: DTZ001
    except ValueError:
        return None
    return Moment.of(when, Precision.MINUTE)


def _plain(text: str) -> str:
    """Return text without markup, and without the quotation marks some exports put around lines."""
    breaks = text.count("\n")
    if breaks and text.count('"\n"') == breaks:
        text = text.replace('"\n"', "\n")
    if _MARKUP.search(text):
        from clone_app.importers.html import to_text

        text = to_text(text)
    return text.strip()


def _share(row: Row, locator: str, whose: _Whose) -> Found:
    text, address = _plain(row["sharecommentary"]), row.first("sharedurl", "mediaurl")
    if not text:
        return Skipped(locator, "a share without words")
    moment = _when(row["date"])
    return Item(
        key=row["sharelink"] or made_key("linkedin", moment, moment.iso() or "", text),
        medium="post",
        moment=moment,
        text=f"{text}\n\n{address}" if address and address not in text else text,
        mine=True,
        locator=locator,
        author=whose.owner,
    )


def _comment(row: Row, locator: str, whose: _Whose) -> Found:
    text = _plain(row["message"])
    if not text:
        return Skipped(locator, "a comment without words")
    moment = _when(row["date"])
    return Item(
        key=made_key("linkedin", moment, moment.iso() or "", text),
        medium="post",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=whose.owner,
        thread=row["link"],
    )


def _praise(row: Row, locator: str, whose: _Whose) -> Found:
    """Return a recommendation: written by the owner in one file, by others in the other."""
    text = _plain(row["text"])
    if not text:
        return Skipped(locator, "a recommendation without words")
    moment = _when(row["creation date"])
    other = f"{row['first name']} {row['last name']}".strip()
    given = "given" in whose.file
    return Item(
        key=made_key("linkedin", moment, other, text),
        medium="post",
        moment=moment,
        text=text,
        mine=given,
        locator=locator,
        author=whose.owner if given else other,
        recipients=tuple(name for name in ((other if given else whose.owner),) if name),
    )


def _message(row: Row, locator: str, whose: _Whose) -> Found:
    text, title = _plain(row["content"]), row["subject"]
    if not text and not title:
        return Skipped(locator, "a message without words")
    moment, author = _when(row["date"]), row["from"]
    thread = row["conversation id"]
    sent = row["folder"].casefold() in {"sent", "outbox"}
    draft = row["is message draft"].casefold() in {"yes", "true"}
    return Item(
        key=made_key("linkedin", moment, moment.iso() or "", thread, author, text),
        medium="chat",
        moment=moment,
        text=text or title,
        mine=sent or whose.wrote(author, row["sender profile url"]),
        locator=locator,
        author=author,
        title=title or row["conversation title"],
        recipients=_names(row["to"]),
        thread=thread,
        labels=("draft",) if draft else (),
    )


def _names(text: str) -> tuple[str, ...]:
    """Return the recipients, between whom a comma stands, or a semicolon where names have commas."""
    sign = ";" if ";" in text else ","
    return tuple(dict.fromkeys(name for part in text.split(sign) if (name := part.strip())))
