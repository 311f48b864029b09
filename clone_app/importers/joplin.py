"""Joplin: its .jex archive, which is a tar, and the same files in a folder (RAW)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.notes import noted
from clone_app.importers.stamps import iso_moment
from clone_app.importers.textfile import head_text
from clone_app.protocols import Claim, Found, Member, Reading

_ID_NAME = re.compile(r"[0-9a-f]{32}\.md")
_FIELD = re.compile(r"([a-z_0-9]{1,40}):(?: (.*))?")
_NOTE, _FOLDER, _TAG, _TAGGED = "1", "2", "5", "6"
_ITEM_LIMIT = 16_000_000
_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,300}\]\(:/[0-9a-f]{32}[^()\n]{0,300}\)|<img[^<>]{0,500}:/[^<>]{0,500}>"
)
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\(:/[0-9a-f]{32}[^()\n]{0,300}\)")


@dataclass(frozen=True, slots=True)
class Joplin:
    """Read the notes of a Joplin export; what was clipped from the web is others' words."""

    name: str = "joplin"
    title: str = "Joplin (.jex, RAW)"
    help: str = "In Joplin: File, Export all, JEX; what it exports as Markdown is read as a diary."
    endings: tuple[str, ...] = (".jex", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim folders in which items are named by their ids; an archive is such a folder."""
        folders = {str(PurePosixPath(member.path).parent) for member in members if _is_item(member)}

        def ours(member: Member) -> bool:
            path = PurePosixPath(member.path)
            return str(path.parent) in folders and _ID_NAME.fullmatch(path.name) is not None

        return claim_those(members, ours, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note, a problem for each encrypted one."""
        known = _Known()
        for member in members:
            with suppress(ArchiveError):  # it is named when it is read
                known.learn(_text(member))
        for member in members:
            try:
                yield _told(_text(member), member.locator, known)
            except ArchiveError as fault:
                yield ImportProblem(member.locator, str(fault))


JOPLIN = Joplin()


def _is_item(member: Member) -> bool:
    path = PurePosixPath(member.path)
    if not _ID_NAME.fullmatch(path.name) or member.size > len(member.head()):
        return False
    return f"\nid: {path.stem}\n" in "\n" + head_text(member.head()).replace("\r\n", "\n")


@dataclass(slots=True)
class _Entry:
    """Hold one item of an export: its words, and the fields that stand below them."""

    text: str
    fields: dict[str, str]

    @property
    def kind(self) -> str:
        return self.fields.get("type_", "")


@dataclass(slots=True)
class _Known:
    """Hold the names of labels, and which notes they are on."""

    labels: dict[str, str] = field(default_factory=dict)
    on: dict[str, list[str]] = field(default_factory=dict)

    def learn(self, text: str) -> None:
        entry = _parted(text)
        if entry.kind == _TAG:
            self.labels[entry.fields.get("id", "")] = entry.text
        elif entry.kind == _TAGGED:
            note, tag = entry.fields.get("note_id", ""), entry.fields.get("tag_id", "")
            self.on.setdefault(note, []).append(tag)

    def of(self, note: str) -> list[str]:
        return [self.labels[tag] for tag in self.on.get(note, []) if tag in self.labels]


def _text(member: Member) -> str:
    with member.open() as stream:
        return clean_text(stream.read(_ITEM_LIMIT).decode("utf-8", "replace"))


def _parted(text: str) -> _Entry:
    """Part an item: words, an empty line, then fields to the end."""
    text = text.lstrip("\ufeff").strip("\n")
    above, gap, below = text.rpartition("\n\n")
    fields: dict[str, str] = {}
    for line in below.split("\n")[:200]:
        found = _FIELD.fullmatch(line)
        if found is None:
            return _Entry(text, {})
        fields[found[1]] = (found[2] or "").strip()
    return _Entry(above if gap else "", fields) if "type_" in fields else _Entry(text, {})


def _told(text: str, locator: str, known: _Known) -> Found:
    entry = _parted(text)
    fields = entry.fields
    if not fields:
        return ImportProblem(locator, "has no fields below its words; export it again")
    if entry.kind != _NOTE:
        kinds = {_FOLDER: "a notebook's name", _TAG: "a label", _TAGGED: "says where a label is"}
        return Skipped(locator, kinds.get(entry.kind, "no note"))
    if fields.get("encryption_applied") == "1":
        return ImportProblem(
            locator, "is encrypted; turn encryption off in Joplin, synchronise and export it again"
        )
    title, _, body = entry.text.partition("\n")
    body = _LINK.sub(r"\1", _IMAGE.sub("", body)).strip()
    if fields.get("markup_language") == "2":
        from clone_app.importers.html import to_text  # late: it loads lxml

        body = to_text(body)
    source = fields.get("source_url", "")
    labels = known.of(fields.get("id", ""))
    if fields.get("deleted_time", "0") not in {"", "0"}:
        labels.append("trashed")
    return noted(
        "joplin",
        text="" if source else body,
        context=body if source else "",
        moment=iso_moment(fields.get("user_created_time"))
        or iso_moment(fields.get("created_time")),
        locator=locator,
        own_key=fields.get("id", ""),
        title=title,
        labels=labels,
        author=source or fields.get("author", ""),
        mine=not source,
    )
