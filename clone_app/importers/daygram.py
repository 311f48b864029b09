"""Daygram: one text in which each entry stands behind its day: `March 23 Monday 2020 / …`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.importers.claims import claim_those
from clone_app.importers.days import read_day
from clone_app.importers.each_file import each_file
from clone_app.importers.notes import noted
from clone_app.importers.sections import ENTRY_LIMIT
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".txt"
_BEGINS = re.compile(r"\ufeff?([^\W\d_]{3,12}) (\d{1,2}) [^\W\d_]{3,12} (\d{4}) / ?")


@dataclass(frozen=True, slots=True)
class Daygram:
    """Read the text that Daygram sends out."""

    name: str = "daygram"
    title: str = "Daygram"
    help: str = "In Daygram: Settings, Export entries as text. Choose that file."
    endings: tuple[str, ...] = (_ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim texts that begin with a day in Daygram's way of writing it."""
        return claim_those(members, _is_ours, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry."""
        yield from each_file(members, _entries)


DAYGRAM = Daygram()


def _is_ours(member: Member) -> bool:
    return member.path.lower().endswith(_ENDING) and bool(
        _begins(head_text(member.head()).lstrip())
    )


def _begins(line: str) -> tuple[Moment, str] | None:
    """Return the day a line begins with and what follows it."""
    found = _BEGINS.match(line)
    dated = read_day(f"{found[1]} {found[2]} {found[3]}") if found else None
    return None if found is None or dated is None else (dated.moment, line[found.end() :])


def _entries(member: Member) -> Iterator[Found]:
    if is_binary(member.head()):
        yield Skipped(member.locator, "no text, whatever its ending says")
        return
    moment, kept, letters, number = Moment.unknown(), list[str](), 0, 0
    for line in lines(member):
        begun = _begins(line)
        if begun is None:
            letters += len(line)
            if letters <= ENTRY_LIMIT:
                kept.append(line)
            continue
        yield from _entry(moment, kept, letters, f"{member.locator}#{number}")
        number += 1
        moment, kept, letters = begun[0], [begun[1]], len(begun[1])
    yield from _entry(moment, kept, letters, f"{member.locator}#{number}")


def _entry(moment: Moment, kept: list[str], letters: int, locator: str) -> Iterator[Found]:
    text = "".join(kept).strip()
    if not text and moment.local is None:
        return
    if letters > ENTRY_LIMIT:
        yield ImportProblem(locator, "is longer than four million letters; the rest was left out")
    yield noted("daygram", text=text, moment=moment, locator=locator, medium="diary")
