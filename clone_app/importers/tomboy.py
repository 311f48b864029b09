"""Tomboy and Gnote: one XML file a note, named by its id."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.notes import noted
from clone_app.importers.stamps import iso_moment
from clone_app.importers.textfile import head_text
from clone_app.importers.xmlstream import Record, XmlFault, records
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".note"
_MARK = "beatniksoftware.com/tomboy"
_CONTENT = "text"
_WANTED = frozenset(
    ("title", "create-date", "last-change-date", "tags/tag", _CONTENT, f"{_CONTENT}/*")
)
_TAG = re.compile(r"<[^<>]*>")
_NOTEBOOK, _TEMPLATE = "system:notebook:", "system:template"


@dataclass(frozen=True, slots=True)
class Tomboy:
    """Read the notes of Tomboy, Gnote and their kin."""

    name: str = "tomboy"
    title: str = "Tomboy, Gnote"
    help: str = (
        "Choose the folder of .note files, such as .local/share/tomboy or .local/share/gnote."
    )
    endings: tuple[str, ...] = (_ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim notes by their ending and the mark in their first lines."""
        return claim_those(
            members,
            lambda one: one.path.lower().endswith(_ENDING) and _MARK in head_text(one.head()),
            0.95,
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each note; templates are the program's, not the writer's."""
        for member in members:
            found = False
            try:
                for record in records(member, "note", _WANTED):
                    found = True
                    yield _note(record, member)
            except (XmlFault, ArchiveError) as fault:
                yield ImportProblem(member.locator, str(fault))
                continue
            if not found:
                yield Skipped(member.locator, "no note in it")


TOMBOY = Tomboy()


def _note(record: Record, member: Member) -> Found:
    tags = record.all("tags/tag")
    if _TEMPLATE in tags:
        return Skipped(member.locator, "a template for notes")
    title = record.first("title")
    # The content begins with the title again.
    text = _words(record.first(_CONTENT)).removeprefix(title).strip()
    return noted(
        "tomboy",
        text=text,
        moment=iso_moment(record.first("create-date"))
        or iso_moment(record.first("last-change-date")),
        locator=member.locator,
        own_key=PurePosixPath(member.path).stem,
        title=title,
        labels=[tag.removeprefix(_NOTEBOOK) for tag in tags if not _is_systems(tag)],
    )


def _words(content: str) -> str:
    """Return the words of a content in which line ends are meant and elements only mark."""
    content = content.replace("<list-item>", "- ")
    return html.unescape(_TAG.sub("", content))


def _is_systems(tag: str) -> bool:
    return tag.startswith("system:") and not tag.startswith(_NOTEBOOK)
