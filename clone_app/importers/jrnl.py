"""Journals of the command line program jrnl: its text in one file or a folder, and its JSON."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Moment, Precision, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.days import Order, order_of, read_day, read_period, read_time
from clone_app.importers.diary import is_foreign
from clone_app.importers.jsonstream import list_of, text_of
from clone_app.importers.notes import entries, names, noted, opens_with
from clone_app.importers.sections import ENTRY_LIMIT
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_OWN = (".journal", ".jrnl")
_TEXT, _JSON = ".txt", ".json"
_BRACKETED = re.compile(r"\[([^\[\]\n]{6,40})\](?: |$)")
_BARE = re.compile(r"([^\s\[]{8,12} \d{1,2}:\d{2}(?::\d{2})?(?: [AaPp][Mm])?) (?=\S)")
_MONTH_ONLY = re.compile(r"(\d{4}-\d{2}) (\d{1,2}:\d{2}.*)")
_DAY_FILE = re.compile(r"(.*?/?)\d{4}/\d{2}/\d{2}\.txt")
_OTHER_FILE = re.compile(r"(.*?/?)(?:\d{4}/(?:\d{2}/)?)?[^/]+\.txt")
_STAR = re.compile(r"(?<!\S)\*\s*$")
_TAG = re.compile(r"(?<!\S)[@#](?=\w)([-+*#/\w]+)")
_FERNET, _SEALED = "gAAAAA", "JRNLv3"
_LOCKED = (
    "is encrypted by jrnl: run “jrnl --decrypt” on it there, import, and run “jrnl --encrypt” again"
)
_SCRAMBLED = (
    "is no text: encrypted by an old jrnl, or damaged. Run “jrnl --decrypt” on it and import again"
)


@dataclass(frozen=True, slots=True)
class Jrnl:
    """Read the entries of jrnl, each below its own date and time."""

    name: str = "jrnl"
    title: str = "jrnl journal"
    help: str = (
        "Choose the file or folder that “jrnl --list” names, or what “jrnl --export json” wrote."
    )
    endings: tuple[str, ...] = (*_OWN, _TEXT, _JSON, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim what begins as jrnl writes: a date and a time in brackets, then words."""
        return claim_those(members, _kind, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry, a problem for each encrypted journal."""
        folders = {
            found[1]
            for member in members
            if (found := _DAY_FILE.fullmatch(member.path)) is not None
        }
        for member in members:
            try:
                if member.path.lower().endswith(_JSON):
                    yield from entries(
                        member,
                        "entries",
                        _told,
                        alone=lambda entry: "body" in entry or "title" in entry,
                    )
                elif _is_beside(member.path, folders):
                    yield Skipped(member.locator, "lies in a jrnl folder but is no day of it")
                else:
                    yield from _journal(member)
            except ArchiveError as fault:
                yield ImportProblem(member.locator, str(fault))


JRNL = Jrnl()


def _kind(member: Member) -> str:
    """Return what a member is to this importer, nothing if it is none of its files."""
    ending = PurePosixPath(member.path).suffix.lower()
    head = member.head()
    if ending == _JSON:
        whole = opens_with(head, "tags") and names(head, "entries", "body", "date")
        single = opens_with(head, "title") and names(head, "body", "date", "time") == 3
        return "json" if whole or single else ""
    if ending in _OWN:
        return "text" if member.size else ""
    if ending != _TEXT:
        return ""
    if is_binary(head):
        return ""
    text = head_text(head).lstrip()
    if text.startswith((_FERNET, _SEALED)) and " " not in text[:80]:
        return "locked"
    first = text.partition("\n")[0]
    found = _BRACKETED.match(first)
    if not found or not first[found.end() :].strip() or is_foreign(text, lone_addresses=False):
        return ""
    return "text" if _has_time(found[1]) else ""


def _has_time(written: str) -> bool:
    moment = _moment(written, Order.DAY_FIRST)
    return moment is not None and moment.precision is not Precision.DAY


def _is_beside(path: str, folders: set[str]) -> bool:
    """Tell whether a file lies among a folder's days without being one: jrnl passes over it."""
    found = _OTHER_FILE.fullmatch(path)
    return bool(found and found[1] in folders and not _DAY_FILE.fullmatch(path))


def _moment(written: str, order: Order | None) -> Moment | None:
    """Return what a date above an entry says, None where it is no date."""
    written = written.strip()
    dated = read_day(written, order=order)
    if dated is not None:
        return dated.moment if dated.pure or read_time(dated.rest) else None
    if (found := _MONTH_ONLY.fullmatch(written)) and read_time(found[2]):
        return read_period(found[1])  # a damaged date: the month is all it says
    return None


@dataclass(slots=True)
class _Entry:
    """Hold one entry while its lines arrive."""

    moment: Moment
    number: int
    lines: list[str] = field(default_factory=list)
    letters: int = 0

    def add(self, line: str) -> None:
        self.letters += len(line)
        if self.letters <= ENTRY_LIMIT:
            self.lines.append(line)


def _journal(member: Member) -> Iterator[Found]:
    if is_binary(member.head()):
        yield ImportProblem(member.locator, _SCRAMBLED)
        return
    start = head_text(member.head()).lstrip()
    if start.startswith((_FERNET, _SEALED)):
        yield ImportProblem(member.locator, _LOCKED)
        return
    # The program's first version wrote no brackets, so that those are a line's own there.
    pattern = _BRACKETED if not _BARE.match(start) else _BARE
    order = _order(member, pattern)
    entry = _Entry(Moment.unknown(), 0)
    unsure = ""
    for line in lines(member):
        found = pattern.match(line) if line[:1] not in " \t" else None
        moment = _moment(found[1], order) if found else None
        if found is None or moment is None:
            entry.add(line)
            continue
        if moment.precision is Precision.YEAR:
            unsure = unsure or found[1]
        yield from _finished(entry, member)
        entry = _Entry(moment, entry.number + 1)
        entry.add(line[found.end() :])
    yield from _finished(entry, member)
    if unsure:
        yield ImportProblem(
            member.locator,
            f"day and month can't be told apart in dates like {unsure}; "
            "write them as 2024-03-31, since only their year could be kept",
        )


def _order(member: Member, pattern: re.Pattern[str]) -> Order | None:
    found = (pattern.match(line) for line in lines(member))
    return order_of(one[1] for one in found if one)


def _finished(entry: _Entry, member: Member) -> Iterator[Found]:
    text = "".join(entry.lines).strip()
    if not entry.number and not text:
        return
    locator = f"{member.locator}#{entry.number}"
    if entry.letters > ENTRY_LIMIT:
        yield ImportProblem(locator, "is longer than four million letters; the rest was left out")
    first, gap, rest = text.partition("\n")
    yield _item(first, gap + rest, entry.moment, locator, starred=bool(_STAR.search(first)))


def _item(
    title: str, rest: str, moment: Moment, locator: str, *, starred: bool, tags: Sequence[str] = ()
) -> Found:
    title = _STAR.sub("", title).rstrip()
    text = f"{title}{rest}"
    marks = ["starred"] if starred else []
    found = (tag[1] for tag in itertools.islice(_TAG.finditer(text), 200))
    return noted(
        "jrnl",
        text=text,
        moment=moment,
        locator=locator,
        medium="diary",
        title=title,
        labels=[*(tag.lstrip("@") for tag in tags), *found, *marks],
    )


def _told(entry: dict[str, Any], locator: str) -> Found:
    written = f"{text_of(entry.get('date'))} {text_of(entry.get('time'))}".strip()[:60]
    body = text_of(entry.get("body")).strip("\n")
    return _item(
        text_of(entry.get("title")),
        f"\n{body}" if body.strip() else "",
        _moment(written, None) or Moment.unknown(),
        locator,
        starred=entry.get("starred") is True,
        tags=[text_of(tag) for tag in list_of(entry.get("tags"))],
    )
