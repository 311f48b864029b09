"""What recall did for an answer: which items it found, through which rankers and probes.

Kept with the turn, so that "why did it find this?" still has its answer later; gone with the turn, and
with the item. No text of an item is in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from clone_app.entries import FoundBy, Hit
from clone_app.memory.database import Base, rows


@dataclass(frozen=True, slots=True)
class Logged:
    """Hold one item that was found for an answer: its place, best first from 1, and who found it."""

    item_id: int
    place: int
    found: tuple[FoundBy, ...]


def keep(base: Base, turn: int, hits: Sequence[Hit]) -> None:
    """Keep what was found for a turn, nothing for one whose conversation was deleted meanwhile."""
    with base.write() as db:
        for place, hit in enumerate(hits, 1):
            packed = json.dumps([astuple(each) for each in hit.found], ensure_ascii=False)
            db.execute(
                "INSERT OR REPLACE INTO finds (turn_id, item_id, place, found) "
                "SELECT t.id, i.id, ?, ? FROM items i, turns t WHERE i.id = ? AND t.id = ?",
                [place, packed, hit.item_id, turn],
            )


def logged(base: Base, turn: int) -> tuple[Logged, ...]:
    """Return what was found for a turn, best first, without what was removed since."""
    found = rows(
        base.db(),
        "SELECT item_id, place, found FROM finds WHERE turn_id = ? ORDER BY place",
        [turn],
    )
    return tuple(
        Logged(row[0], row[1], tuple(FoundBy(*each) for each in json.loads(row[2])))
        for row in found
    )
