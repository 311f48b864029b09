"""What Google Photos knows of pictures: the small JSON file beside each in a Takeout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, pairs, text_of
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_TAKEN = b'"photoTakenTime"'
# Folders that Google made by year say nothing a person said.
_BY_YEAR = re.compile(
    r"\D{0,30}\b(?:19|20)\d{2}|.*Google ?(?:Photos|Foto\w*)|Takeout", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Photos:
    """Read what somebody wrote under pictures, when and where these were taken, and who is on them."""

    name: str = "photos"
    title: str = "Google Photos (Takeout)"
    help: str = "At takeout.google.com choose Google Photos. Choose the zip; pictures are not kept."
    endings: tuple[str, ...] = (".zip", _ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the files that say when a picture was taken."""
        return claim_those(
            members, lambda one: one.path.lower().endswith(_ENDING) and _TAKEN in one.head(), 0.95
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each picture with words, a place or people."""
        for member in members:
            try:
                about = dict(pairs(member, streamed=""))
            except (JsonFault, ArchiveError) as fault:
                yield ImportProblem(member.locator, str(fault))
                continue
            yield _photo(about, member)


PHOTOS = Photos()


def _photo(about: dict[str, Any], member: Member) -> Found:
    title = text_of(about.get("title")).strip()
    if not title and "photoTakenTime" not in about:
        return ImportProblem(member.locator, "says nothing of a picture; download the export again")
    if about.get("trashed") is True:
        return Skipped(member.locator, "was put in the trash")
    description = text_of(about.get("description")).strip()
    people = [name for one in dicts_of(about.get("people")) if (name := _name(one))]
    place = _place(about.get("geoData")) or _place(about.get("geoDataExif"))
    rows = (
        f"Place: {place}" if place else "",
        f"With: {', '.join(people)}" if people else "",
    )
    text = "\n".join(part for part in (description, *rows) if part)
    if not text:
        return Skipped(member.locator, "a picture of which only the time is known")
    taken = dict_of(about.get("photoTakenTime")).get("timestamp")
    moment = epoch_moment(taken) or Moment.unknown()
    album = PurePosixPath(member.path).parent.name
    return Item(
        key=text_of(about.get("url")) or made_key("photos", moment, title, text),
        medium="photo",
        moment=moment,
        text=text,
        mine=True,
        locator=member.locator,
        title=title,
        recipients=tuple(dict.fromkeys(people)),
        labels=(album,) if album and not _BY_YEAR.fullmatch(album) else (),
    )


def _name(person: dict[str, Any]) -> str:
    return text_of(person.get("name")).strip()


def _place(value: object) -> str:
    """Return latitude and longitude; where Google knows none it writes zero for both."""
    known = dict_of(value)
    numbers = [known.get(name) for name in ("latitude", "longitude")]
    north, east = (
        float(one) if isinstance(one, int | float) and not isinstance(one, bool) else 0.0
        for one in numbers
    )
    if not (north or east) or not (abs(north) <= 90 and abs(east) <= 180):
        return ""
    return f"{north:.5f}, {east:.5f}"
