"""Standard Notes: the decrypted backup, one JSON file whatever its ending says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, pairs, text_of
from clone_app.importers.left_out import counted
from clone_app.importers.notes import embedded, names, noted, opens_with
from clone_app.importers.stamps import iso_moment
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".txt", ".json")
_ITEMS = "items"
_OWN = "org.standardnotes.sn"
_MARKUP = re.compile(r"</?(?:p|div|br|h[1-6]|ul|ol|li)\b[^<>]{0,500}>", re.IGNORECASE)
_FLAGS = ("trashed", "archived", "pinned")
_NODES = 200_000


@dataclass(frozen=True, slots=True)
class StandardNotes:
    """Read the notes of a decrypted Standard Notes backup."""

    name: str = "standardnotes"
    title: str = "Standard Notes"
    help: str = (
        "In Standard Notes: Preferences, Backups, Decrypted, Download. Choose that zip or file."
    )
    endings: tuple[str, ...] = (".zip", *_ENDINGS, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim backups by how they begin, and the copies of their notes that lie below them."""
        paths = {member.path for member in members if _is_backup(member)}
        if not paths:
            return None
        copies = {
            f"{PurePosixPath(path).parent / _ITEMS.title()}/".removeprefix("./") for path in paths
        }
        for member in members:
            if member.path.startswith(tuple(copies)):
                paths.add(member.path)
        return Claim(0.95, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note, and one problem for those that are encrypted."""
        for member in members:
            if f"/{_ITEMS.title()}/" in f"/{member.path}" and not _is_backup(member):
                yield Skipped(member.locator, "a copy of what the backup holds")
            else:
                yield from _backup(member)


STANDARDNOTES = StandardNotes()


def _is_backup(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDINGS):
        return False
    head = member.head()
    return opens_with(head, "version", _ITEMS) and (
        names(head, _ITEMS) == 1
        and names(head, "content_type", "created_at", "uuid", "content") > 1
    )


def _backup(member: Member) -> Iterator[Found]:
    labels: dict[str, list[str]] = {}
    try:
        for item in _items(member):
            if text_of(item.get("content_type")) == "Tag":
                content = dict_of(item.get("content"))
                for note in dicts_of(content.get("references")):
                    labels.setdefault(text_of(note.get("uuid")), []).append(
                        text_of(content.get("title"))
                    )
    except (JsonFault, ArchiveError):
        pass  # named at the second reading, after what comes before it
    index, locked = -1, 0
    try:
        for item in _items(member):
            if text_of(item.get("content_type")) != "Note":
                continue
            index += 1
            if isinstance(item.get("content"), dict):
                yield _note(item, f"{member.locator}#{index}", labels)
            else:
                locked += 1
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
    else:
        if index < 0:
            yield Skipped(member.locator, "no notes in it")
    if locked:
        yield ImportProblem(
            member.locator,
            f"holds {counted(locked, 'encrypted note', 'encrypted notes')}; download the decrypted "
            "backup instead",
        )


def _items(member: Member) -> Iterator[dict[str, Any]]:
    for key, value in pairs(member, streamed=_ITEMS):
        if key == _ITEMS and isinstance(value, dict):
            yield value


def _note(item: dict[str, Any], locator: str, labels: dict[str, list[str]]) -> Found:
    content = dict_of(item.get("content"))
    own = dict_of(dict_of(content.get("appData")).get(_OWN))
    key = text_of(item.get("uuid"))
    flags = [flag for flag in _FLAGS if True in (content.get(flag), own.get(flag))]
    return noted(
        "standardnotes",
        text=_words(text_of(content.get("text"))),
        moment=iso_moment(item.get("created_at")),
        locator=locator,
        own_key=key,
        title=text_of(content.get("title")),
        labels=[*labels.get(key, []), *flags],
    )


def _words(text: str) -> str:
    """Return what a note says: plain, HTML of the old editors, or the tree of the new one."""
    if text.startswith('{"root":'):
        try:
            return _of_tree(embedded(text))
        except JsonFault:
            return text
    if not _MARKUP.search(text[:2000]):
        return text
    from clone_app.importers.html import to_text  # late: it loads lxml

    return to_text(text)


def _of_tree(tree: object) -> str:
    """Return the words of an editor's tree, a line for each block."""
    words: list[str] = []
    waiting: list[object] = [dict_of(tree).get("root")]
    for _ in range(_NODES):
        if not waiting:
            break
        node = waiting.pop()
        if isinstance(node, str):
            words.append(node)
            continue
        about = dict_of(node)
        words.append(text_of(about.get("text")))
        if about.get("type") == "linebreak":
            words.append("\n")
        if about.get("type") in {"paragraph", "heading", "quote", "listitem", "code"}:
            waiting.append("\n")
        waiting += reversed(dicts_of(about.get("children")))
    return "".join(words).strip()
