"""CSV files as streams of rows by the names of their columns, whatever stands above the header."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from clone_app.entries import clean_text
from clone_app.importers.textfile import head_text, lines
from clone_app.protocols import Member

_FIELD_LIMIT = 4_000_000
_ABOVE, _COLUMNS = 30, 300
_DELIMITERS = ",;\t"


class CsvFault(Exception):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say where a file stops being CSV; the rows before have been read."""


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one row: its number below the header, and its fields by the small name of their column."""

    number: int
    fields: dict[str, str]

    def __getitem__(self, name: str) -> str:
        """Return a field without the blanks around it; nothing where there is no such column."""
        return self.fields.get(name, "").strip()

    def first(self, *names: str) -> str:
        """Return the first of these fields that is filled: exporters rename their columns."""
        return next((value for name in names if (value := self[name])), "")


def header(member: Member, *needed: str) -> frozenset[str]:
    """Return the small names of a file's columns if these are among them, else none.

    The header is looked for in the first lines only, since notes may stand above it.
    """
    text = head_text(member.head())
    # A head ends in the middle of a row, which is then no header and does no harm.
    return next(
        (
            found
            for delimiter in _DELIMITERS
            if (found := _header(text.splitlines(keepends=True), delimiter, needed))
        ),
        frozenset(),
    )


def _header(rows: Iterable[str], delimiter: str, needed: tuple[str, ...]) -> frozenset[str]:
    try:
        for row in islice(csv.reader(rows, delimiter=delimiter), _ABOVE):
            names = frozenset(_name(field) for field in row[:_COLUMNS])
            if names.issuperset(needed):
                return names
    except csv.Error:
        pass
    return frozenset()


def _name(field: str) -> str:
    return " ".join(clean_text(field).lstrip("\ufeff").casefold().split())


def rows(member: Member, *needed: str) -> Iterator[Row]:
    """Yield the rows below the header that has these columns; empty rows are passed by.

    Raises `CsvFault` where the file is broken, `ArchiveError` where it can't be read.
    """
    head = head_text(member.head()).splitlines(keepends=True)
    delimiter = next((one for one in _DELIMITERS if _header(head, one, needed)), ",")
    csv.field_size_limit(_FIELD_LIMIT)  # its default cuts long posts off with an error
    names: list[str] = []
    number = 0
    try:
        for above, row in enumerate(csv.reader(lines(member), delimiter=delimiter)):
            if names:
                if any(row):
                    number += 1
                    cleaned = map(clean_text, row)
                    yield Row(number, dict(zip(names, cleaned, strict=False)))
                continue
            found = [_name(field) for field in row[:_COLUMNS]]
            if set(needed) <= set(found):
                names = found
            elif above >= _ABOVE:
                break
    except csv.Error as fault:
        raise CsvFault("has a row that never ends; export it again") from fault
    if not names:
        raise CsvFault("has no header with the columns this program knows; export it again")
