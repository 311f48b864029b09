"""Notion exports, as HTML or as Markdown and CSV, with the ids taken off their names."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.notes import noted
from clone_app.importers.notion_page import (
    NAMED,
    Page,
    from_html,
    from_markdown,
    without_id,
)
from clone_app.importers.notion_rows import ROW_LIMIT, Rows, table_rows
from clone_app.importers.sections import cut
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_MARKDOWN, _HTML, _TABLE = ".md", ".html", ".csv"
_ENDINGS = (_MARKDOWN, _HTML, _TABLE)
_ARTICLE = re.compile(r'<article id="[0-9a-f-]{32,36}" class="page ')
_CONTENTS = re.compile(r"Workspace (?:details|identifier)")
_PAGE_LIMIT = 16_000_000


@dataclass(frozen=True, slots=True)
class Notion:
    """Read the pages of a Notion export, and the rows of its tables that are no pages."""

    name: str = "notion"
    title: str = "Notion export"
    help: str = "In Notion: Settings, Export all workspace content (HTML or Markdown & CSV)."
    endings: tuple[str, ...] = (".zip", *_ENDINGS, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim files whose names end in an id of 32 digits, and the table of contents."""
        paths = {member.path for member in members if _is_page(member)}
        if not paths:
            return None
        paths |= {member.path for member in members if _is_contents(member)}
        return Claim(0.95, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each page, for each dated part of one, and for rows without a page."""
        tables = [member for member in members if _is_table(member.path)]
        rows = Rows()
        for member in tables:
            rows.learn(member)
        for member in members:
            try:
                if _is_contents(member):
                    yield Skipped(member.locator, "the export's table of contents")
                elif not _is_table(member.path):
                    yield from _page(member, rows)
            except ArchiveError as fault:
                yield ImportProblem(member.locator, str(fault))
        for member in tables:
            yield from _table(member, rows)


NOTION = Notion()


def _is_page(member: Member) -> bool:
    path = PurePosixPath(member.path)
    if path.suffix.lower() not in _ENDINGS:
        return False
    if NAMED.fullmatch(path.stem):
        return True
    return path.suffix.lower() == _HTML and bool(_ARTICLE.search(head_text(member.head())))


def _is_contents(member: Member) -> bool:
    name = PurePosixPath(member.path).name
    return name == "index.html" and bool(_CONTENTS.search(head_text(member.head())))


def _is_table(path: str) -> bool:
    return path.lower().endswith(_TABLE)


def _page(member: Member, rows: Rows) -> Iterator[Found]:
    if is_binary(member.head()):
        yield Skipped(member.locator, "no text, whatever its ending says")
        return
    if member.size > _PAGE_LIMIT:
        yield ImportProblem(member.locator, "is longer than sixteen million letters; split it")
        return
    text = "".join(lines(member))
    if member.path.lower().endswith(_HTML):
        page = from_html(text, member.path)
    else:
        page = from_markdown(text, member.path)
    yield from _parts(page, member, rows.meet(page, member.path))


def _parts(page: Page, member: Member, base: Moment) -> Iterator[Found]:
    """Yield a page whole, or cut at the dated headings a journal kept on one page has."""
    said = "\n".join(page.said())
    sections = list(cut(page.text.splitlines(keepends=True), base, order=lambda: None))
    if not any(section.dated for section in sections):
        text = "\n\n".join(part for part in (said, page.text) if part)
        yield _item(page, text, base, member.locator, title=page.title, key=page.own_id)
        return
    places: Counter[str] = Counter()
    for number, section in enumerate(sections):
        text = section.text()
        if number == 0:
            text = "\n\n".join(part for part in (said, text) if part)
            if not text.strip():
                continue
        places[section.label] += 1
        again = f"/{places[section.label]}" if places[section.label] > 1 else ""
        label = f"#{section.label or 'top'}{again}"
        title = section.title if section.dated else page.title
        yield _item(
            page, text, section.moment, f"{member.locator}{label}",
            title=title or page.title, key=f"{page.own_id}{label}" if page.own_id else "",
        )  # fmt: skip


def _item(page: Page, text: str, moment: Moment, locator: str, *, title: str, key: str) -> Found:
    return noted(
        "notion",
        text=text,
        moment=moment,
        locator=locator,
        own_key=key,
        title=without_id(title).lstrip("@"),
        labels=page.labels,
    )


def _table(member: Member, rows: Rows) -> Iterator[Found]:
    """Yield the rows that are no pages of their own; mostly all of them are."""
    if rows.is_told_elsewhere(member.path):
        yield Skipped(member.locator, "the same table with fewer rows or columns")
        return
    pages = told = 0
    try:
        for number, row in enumerate(table_rows(member), start=1):
            if number > ROW_LIMIT:
                yield ImportProblem(f"{member.locator}#{number}", "has more rows than are read")
                break
            if rows.is_page(row, member.path):
                pages += 1
            else:
                told += 1
                moment = row.moment()
                yield _item(
                    row, "\n".join(row.said()), moment, f"{member.locator}#{number}",
                    title=row.title, key="",
                )  # fmt: skip
    except csv.Error:
        yield ImportProblem(member.locator, "is no table from some row on; export it again")
        return
    except ArchiveError as fault:
        yield ImportProblem(member.locator, str(fault))
        return
    if not told:
        reason = "a table whose rows are pages of their own" if pages else "an empty table"
        yield Skipped(member.locator, reason)
