"""Sources that are a handful of CSV files, each told by its columns and read row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.csvrows import CsvFault, Row, header, rows
from clone_app.protocols import Found, Member

WHOSE = "only says whose data it is"


def kind_of(member: Member, kinds: Mapping[str, tuple[str, ...]]) -> str:
    """Return the first kind whose columns a CSV file has, since people rename files."""
    if not member.path.lower().endswith(".csv"):
        return ""
    return next((kind for kind, needed in kinds.items() if header(member, *needed)), "")


def each(
    member: Member, needed: tuple[str, ...], make: Callable[[Row, str], Found]
) -> Iterator[Found]:
    """Yield what `make` makes of each row and its locator; a broken file is a problem at its end."""
    number = 0
    try:
        for row in rows(member, *needed):
            number = row.number
            yield make(row, f"{member.locator}#{number}")
    except (CsvFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{number + 1}", str(fault))
        return
    if not number:
        yield Skipped(member.locator, "no rows in it")
