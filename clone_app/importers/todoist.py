"""To-do lists as Todoist exports them: a CSV file a project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from clone_app.entries import Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.blog import Authors
from clone_app.importers.claims import claim_those
from clone_app.importers.csvrows import CsvFault, Row, rows
from clone_app.importers.csvsource import each, kind_of
from clone_app.importers.stamps import made_key
from clone_app.protocols import Claim, Found, Member, Reading

_COLUMNS = ("type", "content", "priority", "indent", "author", "responsible", "date")
_KINDS = {"project": _COLUMNS}
_NUMBER = re.compile(r"\s*(?:\[\d+\]|\(\d+\))$")
_LABEL = re.compile(r"(?:^|\s)@([\w-]{1,60})")


@dataclass(frozen=True, slots=True)
class Todoist:
    """Read tasks and the remarks under them.

    They are undated: the one date there says when a task is due, not when it was written.
    """

    name: str = "todoist"
    title: str = "To-do lists (Todoist CSV)"
    help: str = (
        "In Todoist: a project's menu, Export as CSV; or Settings, Backups, for all of them."
    )
    endings: tuple[str, ...] = (".csv", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim CSV files with Todoist's columns."""
        return claim_those(members, lambda one: kind_of(one, _KINDS), 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each task and remark."""
        for member in members:
            authors = Authors(reading)
            with suppress(CsvFault, ArchiveError):  # named when the rows are read
                authors.writers = {row["author"] for row in rows(member, *_COLUMNS)} - {""}
            project = _NUMBER.sub("", PurePosixPath(member.path).stem).strip()
            yield from each(member, _COLUMNS, partial(_row, project=project, authors=authors))


TODOIST = Todoist()


def _row(row: Row, locator: str, *, project: str, authors: Authors) -> Found:
    kind, content = row["type"].casefold(), row["content"]
    if kind not in {"task", "note"}:
        return Skipped(locator, "a heading of the list" if content else "an empty row")
    if not content:
        return Skipped(locator, "a task without words")
    author = row["author"]
    due = row.first("date", "deadline")
    text = "\n".join(
        part for part in (content, row["description"], f"Due: {due}" if due else "") if part
    )
    moment = Moment.unknown()
    labels = (project, *(found[1] for found in _LABEL.finditer(content[:2_000])))
    return Item(
        key=made_key("todoist", moment, project, kind, author, text),
        medium="task",
        moment=moment,
        text=text,
        mine=not author or authors.is_me(author, _NUMBER.sub("", author)),
        locator=locator,
        author=_NUMBER.sub("", author),
        title=content[:200] if kind == "task" else "",
        labels=tuple(dict.fromkeys(label for label in labels if label)),
    )
