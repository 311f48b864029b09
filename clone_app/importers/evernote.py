"""Evernote notes: .enex files, each of which holds one note or a notebook of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.notes import noted
from clone_app.importers.stamps import iso_moment
from clone_app.importers.textfile import head_text
from clone_app.importers.xmlstream import Record, XmlFault, records
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".enex"
_ABOUT = "note-attributes/"
_WANTED = frozenset(
    (
        "title", "content", "created", "updated", "tag", "guid", "task/title", "task/taskStatus",
        f"{_ABOUT}author", f"{_ABOUT}source", f"{_ABOUT}source-url",
    )
)  # fmt: skip
_CRYPT = re.compile(r"<en-crypt\b[^<>]{0,4000}>[^<]*+</en-crypt>")
_MEDIA = re.compile(r"</?en-media\b[^<>]{0,4000}>")
_TODO = re.compile(r"<en-todo\b([^<>]{0,400})/?>(?:\s{0,99}</en-todo>)?")
_CHECKED_LINE = re.compile(
    r"<li\b[^<>]{0,400}--en-checked:\s?(true|false)[^<>]{0,400}>(\s{0,99}<div\b[^<>]{0,400}>)?"
)
# Where a note holds tasks, older programs are shown a text that says so.
_TASK_GROUP = re.compile(
    r"<div\b[^<>]{0,1000}--en-task-group:\s?true[^<>]{0,2000}>"
    r"(?:\s*<div\b[^<>]{0,9000}>[^<>]{0,2000}</div>)*\s*</div>"
)
_OTHERS_WORDS = ("web.clip", "web clip", "mail.")


@dataclass(frozen=True, slots=True)
class Evernote:
    """Read the notes of Evernote exports; clipped pages are others' words."""

    name: str = "evernote"
    title: str = "Evernote (.enex)"
    help: str = "In Evernote: choose notes or a notebook, then Export, ENEX format."
    endings: tuple[str, ...] = (_ENDING, ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim exports by how they begin, whatever they are called."""
        return claim_those(members, _is_export, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note, and a problem for each one that is partly encrypted."""
        for member in members:
            yield from _notes(member)


EVERNOTE = Evernote()


def _is_export(member: Member) -> bool:
    if not member.path.lower().endswith((_ENDING, ".xml")):
        return False
    return "<en-export" in head_text(member.head())


def _notes(member: Member) -> Iterator[Found]:
    index = -1
    try:
        for index, record in enumerate(records(member, "note", _WANTED)):
            yield from _note(record, f"{member.locator}#{index}")
    except (XmlFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no notes in it")


def _note(record: Record, locator: str) -> Iterator[Found]:
    words, encrypted = _words(record)
    if record.cut:
        yield ImportProblem(locator, "is longer than sixteen million letters; the rest is left out")
    clipped = record.first(f"{_ABOUT}source").lower().startswith(_OTHERS_WORDS)
    yield noted(
        "evernote",
        text="" if clipped else words,
        context=words if clipped else "",
        moment=iso_moment(record.first("created")) or iso_moment(record.first("updated")),
        locator=locator,
        own_key=record.first("guid"),
        title=re.sub(r"\s+", " ", record.first("title")),
        labels=record.all("tag"),
        author=record.first(f"{_ABOUT}source-url" if clipped else f"{_ABOUT}author"),
        mine=not clipped,
    )
    if encrypted:
        yield ImportProblem(
            locator,
            "holds an encrypted part, which is left out; decrypt it in Evernote and export again",
        )


def _words(record: Record) -> tuple[str, bool]:
    """Return what a note says, and whether a part of it is encrypted."""
    from clone_app.importers.html import to_text  # late: it loads lxml

    html = record.first("content")
    html = html[max(0, html.find("<en-note")) :]
    html, encrypted = _CRYPT.subn("", html)
    html = _TASK_GROUP.sub("", _MEDIA.sub("", html))
    html = _TODO.sub(lambda todo: "[x] " if '"true"' in todo[1] else "[ ] ", html)
    html = _CHECKED_LINE.sub(
        lambda line: f"<li>{line[2] or ''}{'[x]' if line[1] == 'true' else '[ ]'} ", html
    )
    states = record.all("task/taskStatus")
    tasks = [
        f"- [{'x' if state == 'completed' else ' '}] {title}"
        for title, state in zip(record.all("task/title"), states, strict=False)
        if title
    ]
    return "\n\n".join(block for block in (to_text(html), "\n".join(tasks)) if block), bool(
        encrypted
    )
