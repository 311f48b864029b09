"""The tables of a Notion export, and which of their rows are pages of the export too."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from clone_app.entries import Moment, content_hash
from clone_app.errors import ArchiveError
from clone_app.importers.notion_page import Page, label_names, titled, without_id
from clone_app.importers.textfile import lines
from clone_app.protocols import Member

ROW_LIMIT = 100_000
_FIELD_LIMIT = 4_000_000
_ENDING, _FULL = ".csv", "_all.csv"


class Rows:
    """Know the rows of all tables, to find the page of a row and the day of a page.

    A row titled with a day is a page called "Last Friday" where the export was made in the week
    after it: such a page is known by its properties, and its day is told by the row.
    """

    def __init__(self) -> None:
        self._full: set[str] = set()
        self._titles: dict[tuple[str, str], str] = {}
        self._names: set[tuple[str, str]] = set()
        self._met: set[tuple[str, str]] = set()

    def learn(self, member: Member) -> None:
        """Take note of a table's rows; what is wrong with it is told when it is read."""
        if member.path.endswith(_FULL):
            self._full.add(member.path)
        folder = _folder_of_table(member.path)
        try:
            for number, row in enumerate(table_rows(member)):
                if number >= ROW_LIMIT:
                    return
                self._names.add((folder, _reduced(row.title)))
                mark = (folder, _mark(row))
                # Two rows of the same values can't be told apart.
                known = self._titles.setdefault(mark, row.title)
                self._titles[mark] = known if known == row.title else ""
        except (csv.Error, ArchiveError):
            return

    def meet(self, page: Page, path: str) -> Moment:
        """Return the moment of a page, and remember that this row has one."""
        folder = "/".join(without_id(part) for part in PurePosixPath(path).parent.parts)
        name = (folder, _reduced(page.title))
        moment = page.moment()
        if name in self._names:
            self._met.add(name)
            return moment
        mark = (folder, _mark(page))
        title = self._titles.get(mark, "")
        if not title:
            return moment
        self._met.add((folder, _reduced(title)))
        if moment.local is None:
            return titled(title) or moment
        return moment

    def is_page(self, row: Page, path: str) -> bool:
        """Tell whether a row of the table at this path has been met as a page."""
        return (_folder_of_table(path), _reduced(row.title)) in self._met

    def is_told_elsewhere(self, path: str) -> bool:
        """Tell whether the export holds this table a second time with all its rows and columns."""
        return f"{path[: -len(_ENDING)]}{_FULL}" in self._full


def table_rows(member: Member) -> Iterator[Page]:
    """Yield the filled rows of a table, each as the page it might be; raise `csv.Error`."""
    csv.field_size_limit(_FIELD_LIMIT)  # its default cuts long cells off with an error
    rows = csv.reader(lines(member))
    header = [column.lstrip("\ufeff").strip() for column in next(rows, [])]
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        page = Page(title=row[0].strip(), properties=list(zip(header[1:], row[1:], strict=False)))
        page.labels += label_names(page.properties)
        yield page


def _folder_of_table(path: str) -> str:
    parts = PurePosixPath(path[: -len(_ENDING)].removesuffix("_all")).parts
    return "/".join(without_id(part) for part in parts)


def _reduced(name: str) -> str:
    """Return a name as far as it survives becoming a file's name."""
    return re.sub(r"[\W_]+", "", name.casefold())[:60]


def _mark(page: Page) -> str:
    filled = sorted((name.strip(), value.strip()) for name, value in page.properties)
    return content_hash(*(f"{name}:{value}" for name, value in filled if value))
