"""Google Keep notes, one JSON file each, as Google Takeout writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, dicts_of, text_of
from clone_app.importers.notes import names, noted, ticks_moment, whole
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_STAMPS = ("createdTimestampUsec", "userEditedTimestampUsec")
_FLAGS = ("color", "isTrashed", "isPinned", "isArchived")
_FLAG_LABELS = {"isTrashed": "trashed", "isArchived": "archived", "isPinned": "pinned"}
_LABEL_LIST = "labels.txt"


@dataclass(frozen=True, slots=True)
class Keep:
    """Read the notes and checklists of a Google Keep export."""

    name: str = "keep"
    title: str = "Google Keep"
    help: str = "On takeout.google.com: choose Keep alone, then the zip you get."
    endings: tuple[str, ...] = (".zip", _ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim notes by their fields, and the copies as HTML that lie beside them."""
        paths = {member.path for member in members if _is_note(member)}
        if not paths:
            return None
        folders = {str(PurePosixPath(path).parent) for path in paths}
        copies = {path.removesuffix(_ENDING) + ".html" for path in paths}
        for member in members:
            path = PurePosixPath(member.path)
            is_list = path.name.lower() == _LABEL_LIST and str(path.parent) in folders
            if is_list or member.path in copies:
                paths.add(member.path)
        return Claim(0.95, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each note."""
        for member in members:
            path = member.path.lower()
            if path.endswith(_ENDING):
                yield _note(member, reading)
            elif path.endswith(".html"):
                yield Skipped(member.locator, "the same note as HTML")
            else:
                yield Skipped(member.locator, "a list of labels")


KEEP = Keep()


def _is_note(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDING):
        return False
    head = member.head()
    # What was written may fill the first bytes, so that the stamps behind it are not seen.
    return names(head, *_FLAGS) == len(_FLAGS) or (
        names(head, *_STAMPS) > 0 and names(head, "textContent", "listContent", *_FLAGS) > 1
    )


def _note(member: Member, reading: Reading) -> Found:
    try:
        note = whole(member)
    except (JsonFault, ArchiveError) as fault:
        return ImportProblem(member.locator, str(fault))
    labels = [text_of(label.get("name")) for label in dicts_of(note.get("labels"))]
    labels += [label for flag, label in _FLAG_LABELS.items() if note.get(flag) is True]
    owner, others = _shared(note)
    mine = not (owner and reading.me) or reading.is_me(owner) or not reading.is_me(*others)
    return noted(
        "keep",
        text=_words(note),
        moment=_moment(note),
        locator=member.locator,
        title=text_of(note.get("title")),
        labels=labels,
        author="" if mine else owner,
        recipients=others if mine else (),
        context=_links(note),
        mine=mine,
    )


def _words(note: dict[str, Any]) -> str:
    blocks = [text_of(note.get("textContent"))]
    if not blocks[0].strip() and (html := text_of(note.get("textContentHtml"))):
        from clone_app.importers.html import to_text  # late: it loads lxml

        blocks[0] = to_text(html)
    lines = []
    for entry in dicts_of(note.get("listContent")):
        if text := text_of(entry.get("text")).strip():
            lines.append(f"- [{'x' if entry.get('isChecked') is True else ' '}] {text}")
    return "\n\n".join(block for block in (*blocks, "\n".join(lines)) if block.strip())


def _moment(note: dict[str, Any]) -> Moment | None:
    """Return when a note was made, else when it was last edited, in UTC; nothing else is known."""
    found = (ticks_moment(note.get(key), 1_000_000) for key in _STAMPS)
    return next((moment for moment in found if moment), None)


def _shared(note: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return who owns a shared note, and with whom it is shared."""
    owner, others = "", []
    for person in dicts_of(note.get("sharees")):
        address = text_of(person.get("email")).strip()
        if person.get("isOwner") is True:
            owner = address
        elif address:
            others.append(address)
    return owner, tuple(dict.fromkeys(others))


def _links(note: dict[str, Any]) -> str:
    """Return the titles of pages the note links to, which are others' words."""
    lines = []
    for link in dicts_of(note.get("annotations")):
        parts = [text_of(link.get(key)).strip() for key in ("title", "description", "url")]
        lines.append(" – ".join(dict.fromkeys(part for part in parts if part)))
    return "\n".join(line for line in lines if line)
