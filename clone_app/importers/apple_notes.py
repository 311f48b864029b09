"""Apple Notes, as privacy.apple.com hands them out: a folder a note, and one table of dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.csvrows import CsvFault, header, rows
from clone_app.importers.days import Order, order_of, read_day
from clone_app.importers.notes import noted, to_the_day
from clone_app.importers.textfile import is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_TABLE = "notes details.csv"
_OTHERS = "subscribed notes info.csv"
_SHARED = "shared notes info.csv"
_MADE, _CHANGED = "created on", "modified on"
_FOLDERS = ("notes", "recently deleted")
_TEXT_LIMIT = 16_000_000
_BOX = re.compile(r"^\t([◦✓])\t", re.MULTILINE)
_AGAIN = re.compile(r"-\d{1,3}$")
_OWNER = re.compile(r"Name:\s*([^;|]{1,200})")
_YES = {"yes", "true", "1"}


@dataclass(frozen=True, slots=True)
class AppleNotes:
    """Read the notes of an Apple privacy export."""

    name: str = "apple-notes"
    title: str = "Apple Notes"
    help: str = "On privacy.apple.com: Request a copy of your data, iCloud Notes. Choose that zip."
    endings: tuple[str, ...] = (".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the texts below a table of notes, and the tables."""
        roots = {_folder(member.path) for member in members if _is_table(member)}
        if not roots:
            return None
        paths = {
            member.path
            for member in members
            if _is_note(member.path, roots)
            or (_folder(member.path) in roots and _name(member.path) in {_TABLE, _OTHERS, _SHARED})
        }
        return Claim(0.95, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note; those that somebody else shared are theirs."""
        known = _Known()
        for member in members:
            if _name(member.path) in {_TABLE, _OTHERS, _SHARED}:
                yield from known.learn(member)
        for member in members:
            if not member.path.lower().endswith(".csv"):
                yield _note(member, known)


APPLE_NOTES = AppleNotes()


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _name(path: str) -> str:
    return PurePosixPath(path).name.lower()


def _is_table(member: Member) -> bool:
    return _name(member.path) == _TABLE and bool(header(member, "title", _MADE))


def _is_note(path: str, roots: set[str]) -> bool:
    if not path.lower().endswith(".txt"):
        return False
    parts = PurePosixPath(path).parts
    return any(
        parts[place].lower() in _FOLDERS and str(PurePosixPath(*parts[:place])) in roots
        for place in range(len(parts) - 1)
    )


def _reduced(name: str) -> str:
    """Return a title as far as it survives becoming a file's name."""
    return re.sub(r"[\W_]+", "", name.casefold())[:40]


@dataclass(slots=True)
class _Known:
    """Hold what the tables say about notes, by their titles."""

    moments: dict[str, list[Moment]] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    owners: dict[str, str] = field(default_factory=dict)

    def learn(self, member: Member) -> Iterator[Found]:
        try:
            match _name(member.path):
                case "notes details.csv":
                    self._dates(member)
                case "subscribed notes info.csv":
                    for row in rows(member, "file name"):
                        stem = PurePosixPath(row["file name"]).stem
                        owner = _OWNER.search(row["owner details"])
                        self.owners[_reduced(stem)] = owner[1].strip() if owner else ""
        except (CsvFault, ArchiveError) as fault:
            yield ImportProblem(member.locator, f"{fault}; its notes are read without dates")
            return
        yield Skipped(member.locator, "says when the notes beside it were written")

    def _dates(self, member: Member) -> None:
        order = order_of(
            row[name] for row in rows(member, "title", _MADE) for name in (_MADE, _CHANGED)
        )
        for row in rows(member, "title", _MADE):
            # Apple writes the month first; a table that shows otherwise is believed.
            dated = read_day(row[_MADE], order=order or Order.MONTH_FIRST)
            title = _reduced(row["title"])
            moment = dated.moment if dated else Moment.unknown()
            self.moments.setdefault(title, []).append(moment)
            if row["pinned"].lower() in _YES:
                self.pinned.add(title)

    def moment(self, title: str) -> Moment:
        """Return when the note of a title was made; of several, the day they share if any."""
        moments = self.moments.get(title, [])
        if len(moments) == 1:
            return moments[0]
        days = {to_the_day(moment) for moment in moments}
        return days.pop() if len(days) == 1 else Moment.unknown()


def _note(member: Member, known: _Known) -> Found:
    if is_binary(member.head()):
        return Skipped(member.locator, "no text, whatever its ending says")
    if member.size > _TEXT_LIMIT:
        return ImportProblem(member.locator, "is longer than sixteen million letters; split it")
    try:
        text = "".join(lines(member))
    except ArchiveError as fault:
        return ImportProblem(member.locator, str(fault))
    text = text.lstrip("\ufeff").replace("\N{OBJECT REPLACEMENT CHARACTER}", "")
    text = _BOX.sub(lambda box: "- [x] " if box[1] == "✓" else "- [ ] ", text).strip()
    path = PurePosixPath(member.path)
    title = text.partition("\n")[0].strip() or path.parent.name
    asked = [
        _reduced(name) for name in (path.stem, path.parent.name, _AGAIN.sub("", path.stem), title)
    ]
    moments = (known.moment(name) for name in asked if name in known.moments)
    owner = next((known.owners[name] for name in asked[:1] if name in known.owners), None)
    labels = ["trashed"] if any(part.lower() == _FOLDERS[1] for part in path.parts) else []
    return noted(
        "apple-notes",
        text=text,
        moment=next(moments, None),
        locator=member.locator,
        title=title,
        labels=[*labels, *(["pinned"] if known.pinned.intersection(asked) else [])],
        author=owner or "",
        mine=owner is None,
    )
