"""What an importer counts and leaves out, said in the singular where it is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clone_app.entries import Skipped
from clone_app.protocols import Member


def counted(number: int, one: str, more: str) -> str:
    """Return a number with what it counts: `1 picture`, `2 pictures`."""
    return f"{number} {one if number == 1 else more}"


def left_out(
    member: Member, told: Mapping[str, int], kinds: Mapping[str, tuple[str, str]]
) -> Iterator[Skipped]:
    """Yield how many of each kind a file holds that are not kept; `kinds` names one and more of it."""
    for kind, (one, more) in kinds.items():
        if number := told.get(kind, 0):
            yield Skipped(f"{member.locator}#{kind}", counted(number, one, more))
