"""Day One journals: the JSON of today's app in a zip or folder, the plists of the classic one."""

from __future__ import annotations

import plistlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from clone_app.entries import ImportProblem, Moment
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import (
    JsonFault,
    dict_of,
    dicts_of,
    list_of,
    text_of,
)
from clone_app.importers.notes import (
    embedded,
    entries,
    first_heading,
    names,
    noted,
    opens_with,
    to_the_day,
)
from clone_app.importers.stamps import iso_moment
from clone_app.importers.zones import in_zone
from clone_app.protocols import Claim, Found, Member, Reading

_JSON, _CLASSIC = ".json", ".doentry"
_LIST = "entries"
_METADATA_FIRST = re.compile(
    rb'\s*\{\s*"metadata"\s*:\s*\{\s*"version"\s*:\s*"[\d.]+"\s*\}\s*,\s*"entries"\s*:\s*(?:\[|$)'
)
_ENTRIES_FIRST = re.compile(rb'\s*\{\s*"entries"\s*:\s*\[')
_OWN_KEYS = (
    "creationDate", "creationDevice", "creationDeviceType", "creationDeviceModel", "richText",
    "isAllDay", "modifiedDate", "creationOSName", "editingTime", "timeZone", "uuid", "starred",
)  # fmt: skip
_PICTURE = re.compile(r"!\[[^\[\]\n]{0,300}\]\(dayone-moment:[^()\s]{0,300}\)[ \t]{0,9}\n?")
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\(dayone2?:[^()\s]{0,300}\)")
# The app writes a backslash before every sign that Markdown might take for its own.
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!~>|<&])")
_PLIST_LIMIT = 16_000_000


@dataclass(frozen=True, slots=True)
class DayOne:
    """Read the entries of one or several Day One journals."""

    name: str = "dayone"
    title: str = "Day One journal"
    help: str = "In Day One: File or Settings, Export, JSON. Choose that zip."
    endings: tuple[str, ...] = (".zip", _JSON, _CLASSIC, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim journals by how they begin, classic entries by their ending."""
        return claim_those(members, _is_ours, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry."""
        for member in members:
            if member.path.lower().endswith(_CLASSIC):
                yield _classic(member)
            else:
                yield from entries(member, _LIST, _entry)


DAYONE = DayOne()


def _is_ours(member: Member) -> bool:
    path = member.path.lower()
    if path.endswith(_CLASSIC):
        return True
    if not path.endswith(_JSON) or not opens_with(member.head(), "metadata", _LIST):
        return False
    head = member.head().removeprefix(b"\xef\xbb\xbf")
    return bool(_METADATA_FIRST.match(head)) or (
        bool(_ENTRIES_FIRST.match(head)) and names(head, *_OWN_KEYS) >= 2
    )


def _entry(entry: dict[str, Any], locator: str) -> Found:
    text = _PICTURE.sub("", _ESCAPED.sub(r"\1", text_of(entry.get("text"))))
    text = _LINK.sub(r"\1", text) if text.strip() else _rich(text_of(entry.get("richText")))
    moment = _moment(entry.get("creationDate"), text_of(entry.get("timeZone")))
    if entry.get("isAllDay") is True:
        moment = to_the_day(moment)
    return noted(
        "dayone",
        text=text,
        moment=moment,
        locator=locator,
        medium="diary",
        own_key=text_of(entry.get("uuid")).strip(),
        title=first_heading(text),
        labels=[text_of(tag) for tag in list_of(entry.get("tags"))],
    )


def _moment(created: object, zone: str) -> Moment:
    return in_zone(iso_moment(created) or Moment.unknown(), zone)


def _rich(rich: str) -> str:
    """Return the words of a rich text: JSON in which text alternates with pictures."""
    try:
        contents = dicts_of(dict_of(embedded(rich)).get("contents"))
    except JsonFault:
        return "" if rich.lstrip().startswith("{") else rich
    words: list[str] = []
    for part in contents:
        begins = not words or words[-1].endswith("\n")
        if part.get("embeddedObjects"):
            words += [] if begins else ["\n"]
        elif text := text_of(part.get("text")):
            line = dict_of(dict_of(part.get("attributes")).get("line"))
            words += [_mark(line), text] if begins and text.strip() else [text]
    return "".join(words)


def _mark(line: dict[str, Any]) -> str:
    """Return what Markdown writes in front of such a line."""
    level, style = line.get("header"), line.get("listStyle")
    if isinstance(level, int) and 1 <= level <= 6:
        return f"{'#' * level} "
    if style == "numbered":
        return f"{text_of(line.get('listIndex')) or '1'}. "
    if style == "checkbox":
        return "- [x] " if line.get("checked") is True else "- [ ] "
    return "- " if style == "bulleted" else ""


def _classic(member: Member) -> Found:
    """Return the one entry of a classic file, an XML or binary property list."""
    try:
        with member.open() as stream:
            data = stream.read(_PLIST_LIMIT + 1)
        if len(data) > _PLIST_LIMIT:
            return ImportProblem(member.locator, "is larger than any entry; open it in Day One")
        entry = dict_of(plistlib.loads(data))
    except ArchiveError as fault:
        return ImportProblem(member.locator, str(fault))
    except Exception:  # whatever the reader of property lists finds to raise
        return ImportProblem(
            member.locator, "is no whole property list; open its journal in Day One and export it"
        )
    created = entry.get("Creation Date")
    moment = Moment.unknown()
    if isinstance(created, datetime):
        moment = Moment.of(created.replace(tzinfo=UTC, microsecond=0))
    return noted(
        "dayone",
        text=text_of(entry.get("Entry Text")),
        moment=in_zone(moment, text_of(entry.get("Time Zone"))),
        locator=member.locator,
        medium="diary",
        own_key=text_of(entry.get("UUID")).strip(),
        title=first_heading(text_of(entry.get("Entry Text"))),
        labels=[text_of(tag) for tag in list_of(entry.get("Tags"))],
    )
