"""Journey: one JSON file an entry, with the instant and the zone it was written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Moment
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import JsonFault, list_of, text_of
from clone_app.importers.notes import first_heading, names, noted, opens_with, ticks_moment, whole
from clone_app.importers.stamps import iso_moment
from clone_app.importers.zones import in_zone
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_OWN_NAME = re.compile(r"\d{12,13}-[0-9a-z]{8,32}\.json")
_BESIDE = ("date_modified", "preview_text", "music_artist", "favourite", "sentiment", "mood")
_MARKUP = re.compile(
    r"<(?:p|div|br|h[1-6]|ul|ol|span|b|i|strong|em|blockquote)\b[^<>]*>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Journey:
    """Read the entries of a Journey export."""

    name: str = "journey"
    title: str = "Journey"
    help: str = "In Journey: Settings, Export, ZIP (JSON). Choose that zip."
    endings: tuple[str, ...] = (".zip", _ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim entries by their fields, or by their name where a long text hides these."""
        return claim_those(members, _is_entry, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry."""
        for member in members:
            yield _entry(member)


JOURNEY = Journey()


def _is_entry(member: Member) -> bool:
    path = member.path.lower()
    if not path.endswith(_ENDING):
        return False
    head = member.head()
    if names(head, "date_journal", "dateOfJournal"):
        return names(head, "text", "timezone", "id", *_BESIDE) > 1
    own = _OWN_NAME.fullmatch(PurePosixPath(path).name)
    return bool(own) and opens_with(head, "text", "id", *_BESIDE)


def _entry(member: Member) -> Found:
    try:
        entry = whole(member)
    except (JsonFault, ArchiveError) as fault:
        return ImportProblem(member.locator, str(fault))
    text = text_of(entry.get("text"))
    if text_of(entry.get("type")) == "html" or _MARKUP.search(text[:2000]):
        from clone_app.importers.html import to_text  # late: it loads lxml

        text = to_text(text)
    return noted(
        "journey",
        text=text,
        moment=_moment(entry),
        locator=member.locator,
        medium="diary",
        own_key=text_of(entry.get("id")).strip(),
        title=text_of(entry.get("title")) or first_heading(text),
        labels=[text_of(tag) for tag in list_of(entry.get("tags"))],
    )


def _moment(entry: dict[str, Any]) -> Moment:
    stamp = entry.get("date_journal", entry.get("dateOfJournal"))
    moment = ticks_moment(stamp, 1000) or iso_moment(stamp)
    return in_zone(moment or Moment.unknown(), text_of(entry.get("timezone")))
