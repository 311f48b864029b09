"""Files that are read one by one: one that can't be opened is a problem, and the next follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clone_app.entries import ImportProblem
from clone_app.errors import ArchiveError
from clone_app.protocols import Found, Member


def each_file(
    members: Sequence[Member], read: Callable[[Member], Iterator[Found]]
) -> Iterator[Found]:
    """Yield what `read` finds in each file."""
    for member in members:
        try:
            yield from read(member)
        except ArchiveError as fault:
            yield ImportProblem(member.locator, str(fault))
