"""Diarium and Mini Diary: JSON in which each entry has its day and its words as HTML or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import JsonFault, branches, elements, list_of, text_of
from clone_app.importers.notes import names, noted, opens_with, to_the_day
from clone_app.importers.stamps import iso_moment
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_LIST = re.compile(rb"\s*\[\s*\{")
_MARKUP = re.compile(
    r"</?(?:p|div|br|h[1-6]|ul|ol|li|span|b|i|u|strong|em)\b[^<>]{0,500}>", re.IGNORECASE
)
_OPENED = {(), ("entries",)}


@dataclass(frozen=True, slots=True)
class Diarium:
    """Read the entries of a Diarium export."""

    name: str = "diarium"
    title: str = "Diarium"
    help: str = "In Diarium: Settings, Export, JSON. Choose that file or zip."
    endings: tuple[str, ...] = (_ENDING, ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim lists of entries by their fields."""
        return claim_those(members, _is_diarium, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry."""
        for member in members:
            index = -1
            try:
                for index, entry in enumerate(elements(member)):
                    yield _entry("diarium", entry, f"{member.locator}#{index}")
            except (JsonFault, ArchiveError) as fault:
                yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
                continue
            if index < 0:
                yield Skipped(member.locator, "no entries in it")


@dataclass(frozen=True, slots=True)
class MiniDiary:
    """Read the entries of a Mini Diary or Mini Diarium export."""

    name: str = "minidiary"
    title: str = "Mini Diary"
    help: str = "In Mini Diary: File, Export, To JSON. Choose that file."
    endings: tuple[str, ...] = (_ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim files that name the program that wrote them."""
        return claim_those(members, _is_minidiary, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry; the key of an entry is its day."""
        for member in members:
            number = 0
            try:
                with member.open() as stream:
                    for way, value in branches(stream, _OPENED):
                        if len(way) != 2 or way[0] != "entries":
                            continue
                        entry = value if isinstance(value, dict) else {}
                        day = entry.get("date", way[1])
                        locator = f"{member.locator}#{number}"
                        yield _entry("minidiary", {**entry, "date": day}, locator)
                        number += 1
            except (JsonFault, ArchiveError) as fault:
                yield ImportProblem(f"{member.locator}#{number}", str(fault))
                continue
            if not number:
                yield Skipped(member.locator, "no entries in it")


DIARIUM = Diarium()
MINIDIARY = MiniDiary()


def _is_diarium(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDING):
        return False
    head = member.head().removeprefix(b"\xef\xbb\xbf")
    return (
        bool(_LIST.match(head))
        and names(head, "date") > 0
        and (
            names(head, "html", "heading") == 2
            or names(head, "html", "rating", "people", "tracker", "weather") > 2
        )
    )


def _is_minidiary(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDING):
        return False
    head = member.head()
    named = re.search(rb'"application"\s*:\s*"Mini Diar(?:y|ium)"', head)
    return bool(named) and opens_with(head, "metadata", "entries")


def _entry(source: str, value: object, locator: str) -> Found:
    if not isinstance(value, dict):
        return ImportProblem(locator, "is no entry")
    title = _plain(text_of(value.get("heading")) or text_of(value.get("title")))
    return noted(
        source,
        text=_plain(text_of(value.get("html")) or text_of(value.get("text"))),
        moment=_moment(value),
        locator=locator,
        medium="diary",
        title=" ".join(title.split()),
        labels=[text_of(tag) for tag in list_of(value.get("tags"))],
    )


def _plain(text: str) -> str:
    if not _MARKUP.search(text[:20_000]):
        return text
    from clone_app.importers.html import to_text  # late: it loads lxml

    return to_text(text)


def _moment(entry: dict[str, Any]) -> Moment | None:
    moment = iso_moment(entry.get("date"))
    if moment is None or moment.local is None:
        return None
    # An entry of the whole day stands at midnight.
    return to_the_day(moment) if moment.local.time() == time.min else moment
