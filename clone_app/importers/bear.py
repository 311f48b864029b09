"""Notes as TextBundles: Bear's backups, Ulysses' exports, and what other writing programs make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.dated_paths import place
from clone_app.importers.jsonstream import JsonFault, dict_of, text_of
from clone_app.importers.notes import first_heading, names, noted, whole
from clone_app.importers.stamps import iso_moment
from clone_app.importers.textfile import is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_TEXTS = ("text.md", "text.markdown", "text.mdown", "text.txt")
_ABOUT = "info.json"
_LISTS = ("tags.json", "backup.json")
_BUNDLES = (".textbundle", ".textpack", ".bearnote")
_BEAR = "net.shinyfrog.bear"
_TEXT_LIMIT = 16_000_000
_FLAGS = ("trashed", "archived", "pinned")
_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,300}\]\(assets/[^()\n]{0,500}\)[ \t]{0,9}(?:<!--[^<>\n]{0,500}-->)?"
)
_FILE = re.compile(r"\[([^\[\]\n]{0,300})\]\(assets/[^()\n]{0,500}\)(?:<!--[^<>\n]{0,500}-->)?")
_TAG = re.compile(r"(?<!\S)#(?:([^\s#](?:[^#\n]{0,80}[^\s#])?)#(?!\w)|([^\s#]{1,100}))")
_BEHIND = ".,;:!?)]}、。，；：！？"


@dataclass(frozen=True, slots=True)
class Bear:
    """Read notes that lie in folders of their own with their pictures and an `info.json`."""

    name: str = "bear"
    title: str = "Bear, Ulysses (TextBundle)"
    help: str = (
        "In Bear: File, Backup Notes, or export as TextBundle. In Ulysses: export as TextBundle."
    )
    endings: tuple[str, ...] = (".bear2bk", ".textpack", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim texts beside an `info.json` that says what they are, and what belongs to them."""
        about = {_folder(member.path) for member in members if _is_about(member)}
        bundles = {
            _folder(member.path)
            for member in members
            if _name(member.path) in _TEXTS
            and (_folder(member.path) in about or _folder(member.path).endswith(_BUNDLES))
        }
        if not bundles:
            return None
        around = {str(PurePosixPath(folder).parent) for folder in bundles}
        paths = {
            member.path
            for member in members
            if (_folder(member.path) in bundles and _name(member.path) in (*_TEXTS, _ABOUT))
            or (_folder(member.path) in around and _is_list(member))
        }
        return Claim(0.95, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note, a problem for each encrypted one."""
        about = {_folder(member.path): member for member in members if _is_json(member.path)}
        for member in members:
            if _name(member.path) == _ABOUT:
                yield Skipped(member.locator, "says when the note beside it was written")
            elif _is_json(member.path):
                yield Skipped(member.locator, "a list of labels")
            else:
                yield from _note(member, about.get(_folder(member.path)))


BEAR = Bear()


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _name(path: str) -> str:
    return PurePosixPath(path).name.lower()


def _is_json(path: str) -> bool:
    return path.lower().endswith(".json")


def _is_list(member: Member) -> bool:
    return _name(member.path) in _LISTS and names(member.head(), "tags") > 0


def _is_about(member: Member) -> bool:
    if _name(member.path) != _ABOUT:
        return False
    head = member.head()
    return names(head, "version", "creatorIdentifier", "transient", "type", _BEAR) > 1


def _note(member: Member, beside: Member | None) -> Iterator[Found]:
    about: dict[str, Any] = {}
    if beside is not None and _name(beside.path) == _ABOUT:
        try:
            about = whole(beside)
        except (JsonFault, ArchiveError) as fault:
            yield ImportProblem(beside.locator, f"{fault}; its note is read without a date")
    bear = dict_of(about.get(_BEAR))
    if bear.get("encrypted") == 1:
        yield ImportProblem(
            member.locator, "is encrypted; take the lock off it in Bear and export it again"
        )
        return
    if is_binary(member.head()):
        yield Skipped(member.locator, "no text, whatever its ending says")
        return
    if member.size > _TEXT_LIMIT:
        yield ImportProblem(member.locator, "is longer than sixteen million letters; split it")
        return
    try:
        text = "".join(lines(member))
    except ArchiveError as fault:
        yield ImportProblem(member.locator, str(fault))
        return
    text = _FILE.sub(r"\1", _IMAGE.sub("", text)).lstrip("\ufeff").strip()
    labels = _tags(text) if bear else []
    bundle = PurePosixPath(_folder(member.path)).name
    yield noted(
        "bear",
        text=text if text.strip("# \n") else "",
        moment=iso_moment(bear.get("creationDate")) or _named_day(bundle),
        locator=member.locator,
        own_key=text_of(bear.get("uniqueIdentifier")).strip(),
        title=first_heading(text) or PurePosixPath(bundle).stem,
        labels=[*labels, *(flag for flag in _FLAGS if bear.get(flag) == 1)],
    )


def _named_day(bundle: str) -> Moment | None:
    placed = place(bundle)
    return placed.moment if placed.is_day and not placed.unsure else None


def _tags(text: str) -> list[str]:
    """Return Bear's tags: `#home`, `#home/garden`, `#two words#`."""
    found = []
    for number, tag in enumerate(_TAG.finditer(text)):
        if number >= 300:
            break
        found.append(tag[1] or tag[2].rstrip(_BEHIND))
    return found
