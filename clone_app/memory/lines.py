"""The lines of the persona document in the encrypted base: proposed, accepted, edited, locked, deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from sqlite_utils import Database

from clone_app.entries import content_hash
from clone_app.errors import CloneAppError
from clone_app.memory.database import Base, rows


class Section(StrEnum):
    """Name the parts of the persona document, in the order they are read."""

    WHO = "who"
    PEOPLE = "people"
    PLACES = "places"
    WORK = "work"
    HEALTH = "health"
    HOLD = "hold"
    LIKES = "likes"
    HABITS = "habits"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class Support:
    """Name an item that a line rests on, by its key, with its local day.

    A `vital` one gave the line its words: when it is forgotten, the line is forgotten with it.
    `item` is the item's number in a base, 0 outside one.
    """

    key: str
    day: date | None
    vital: bool = False
    medium: str = ""
    item: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Hold one line of the persona document.

    `topic` tells what it is about, the same at each building: `likes:coriander`. `needed` is how many
    supports it can't do without. A `private` line is shown to nobody but the user.
    """

    section: Section
    topic: str
    text: str
    supports: tuple[Support, ...]
    needed: int = 1
    private: bool = False


class LineState(StrEnum):
    """Say what the user made of a line; a deleted one is kept as a bare mark, so it never returns."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    EDITED = "edited"
    LOCKED = "locked"


_DELETED = "deleted"
_LINE = "id, mark, section, text, built, offered, refused, state, private, needed, place"
_NEEDED = 9


@dataclass(frozen=True, slots=True)
class KeptLine:
    """Hold a line as it is kept. `offered` is the wording a later building would give it."""

    id: int
    line: Line
    state: LineState
    offered: str | None = None

    @property
    def waiting(self) -> bool:
        """Tell whether the user has something to decide about it."""
        return self.state is LineState.PROPOSED or self.offered is not None


@dataclass(frozen=True, slots=True)
class Proposed:
    """Count what a building changed: lines new in the inbox, accepted ones with a new wording."""

    added: int
    changed: int


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Hold a topic with the rows of the lines that went with it, so that forgetting can be undone.

    `before` says that the topic was forgotten already.
    """

    topic: str
    lines: tuple[tuple[Any, ...], ...]
    supports: tuple[tuple[int, int, int], ...]
    before: bool = False


class Lines:
    """Keep the persona document of one profile."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def all(self) -> tuple[KeptLine, ...]:
        """Return every line there is, proposals included, in the document's order."""
        db = self._base.db()
        supports: dict[int, list[Support]] = {}
        for line_id, item, vital, key, local, medium in rows(
            db,
            "SELECT s.line_id, s.item_id, s.vital, i.key, i.local, i.medium "
            "FROM persona_supports s JOIN items i ON i.id = s.item_id "
            "ORDER BY i.local IS NULL, i.local, i.id",
        ):
            day = date.fromisoformat(local[:10]) if local else None
            supports.setdefault(line_id, []).append(
                Support(key, day, bool(vital & 1), medium, item)
            )
        found = [
            KeptLine(
                row[0],
                Line(
                    section=Section(row[1]),
                    topic=row[2],
                    text=row[3],
                    supports=tuple(supports.get(row[0], ())),
                    needed=row[6],
                    private=bool(row[7]),
                ),
                LineState(row[4]),
                row[5],
            )
            for row in rows(
                db,
                "SELECT id, section, mark, text, state, offered, needed, private "
                "FROM persona_lines WHERE state <> ? ORDER BY place, id",
                [_DELETED],
            )
        ]
        order = list(Section)
        return tuple(sorted(found, key=lambda each: order.index(each.line.section)))

    def propose(self, built: Sequence[Line], numbers: Mapping[str, int]) -> Proposed:
        """Bring what was built into the inbox; `numbers` are the items' numbers by their keys.

        A line the user deleted stays away, a locked one as it is. Proposals that the entries no
        longer support vanish; what the user accepted stays until they say otherwise.
        """
        added = changed = 0
        with self._base.write() as db:
            known = {
                row[0]: row[1:]
                for row in rows(
                    db, "SELECT mark, id, state, text, built, offered, refused FROM persona_lines"
                )
            }
            for place, line in enumerate(built):
                mark = content_hash(line.topic)
                kept = known.pop(mark, None)
                if kept is None:
                    line_id = db.execute(
                        "INSERT INTO persona_lines (mark, section, text, built, state, private, "
                        "needed, place) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        [mark, str(line.section), line.text, content_hash(line.text),
                         str(LineState.PROPOSED), int(line.private), line.needed, place],
                    ).lastrowid  # fmt: skip
                    _support(db, int(line_id or 0), line, numbers, offered=False)
                    added += 1
                elif kept[1] != _DELETED:
                    changed += _meet(db, kept, line, numbers, place)
            for stale in known.values():
                if stale[1] == LineState.PROPOSED:
                    db.execute("DELETE FROM persona_lines WHERE id = ?", [stale[0]])
        return Proposed(added, changed)

    def accept(self, ids: Iterable[int]) -> int:
        """Take proposals and new wordings into the document; return how many there were."""
        done = 0
        with self._base.write() as db:
            for line_id in ids:
                kept = self._kept(db, line_id)
                if kept["offered"] is not None:
                    _take_offer(db, line_id, kept["offered"])
                    done += 1
                elif kept["state"] == LineState.PROPOSED:
                    _set(db, line_id, state=str(LineState.ACCEPTED))
                    done += 1
        return done

    def reject(self, ids: Iterable[int]) -> int:
        """Refuse proposals and new wordings for good; return how many there were."""
        done = 0
        with self._base.write() as db:
            for line_id in ids:
                kept = self._kept(db, line_id)
                if kept["offered"] is not None:
                    _drop_offer(db, line_id, content_hash(kept["offered"]))
                    done += 1
                elif kept["state"] == LineState.PROPOSED:
                    _bury(db, line_id)
                    done += 1
        return done

    def edit(self, line_id: int, text: str) -> None:
        """Keep the user's own wording of a line; the caller has checked it."""
        with self._base.write() as db:
            kept = self._kept(db, line_id)
            if kept["state"] == LineState.LOCKED:
                raise CloneAppError("That line is locked. Unlock it first, then change it.")
            _set(db, line_id, text=text, state=str(LineState.EDITED))

    def lock(self, line_id: int, *, locked: bool = True) -> None:
        """Keep a line as it is whatever later entries say, or let it go on with them."""
        with self._base.write() as db:
            kept = self._kept(db, line_id)
            if locked:
                _drop_offer(db, line_id, None)
                _set(db, line_id, state=str(LineState.LOCKED))
            elif kept["state"] == LineState.LOCKED:
                own = content_hash(kept["text"]) != kept["built"]
                _set(db, line_id, state=str(LineState.EDITED if own else LineState.ACCEPTED))

    def delete(self, line_id: int) -> None:
        """Take a line out for good: its words go, a mark stays so that it never comes back."""
        with self._base.write() as db:
            self._kept(db, line_id)
            _bury(db, line_id)

    def keep_private(self, line_id: int, *, private: bool) -> None:
        """Keep a line from everybody but the user, or let others hear it."""
        with self._base.write() as db:
            self._kept(db, line_id)
            _set(db, line_id, private=int(private))

    def forgotten(self) -> tuple[str, ...]:
        """Return the topics the user doesn't want to be reminded of."""
        return tuple(
            str(row[0])
            for row in rows(self._base.db(), "SELECT topic FROM persona_forgotten ORDER BY topic")
        )

    def forget(self, topic: str, ids: Iterable[int]) -> Forgotten:
        """Remember that a topic is not to be used, take out the lines that speak of it, return them."""
        chosen = list(ids)
        marks = ",".join("?" * len(chosen))
        with self._base.write() as db:
            before = topic in self.forgotten()
            lines = rows(db, f"SELECT {_LINE} FROM persona_lines WHERE id IN ({marks})", chosen)
            supports = rows(
                db,
                f"SELECT line_id, item_id, vital FROM persona_supports WHERE line_id IN ({marks})",
                chosen,
            )
            db.execute("INSERT OR IGNORE INTO persona_forgotten VALUES (?)", [topic])
            db.execute(f"DELETE FROM persona_lines WHERE id IN ({marks})", chosen)
        return Forgotten(topic, tuple(map(tuple, lines)), tuple(map(tuple, supports)), before)

    def bring_back(self, gone: Forgotten) -> None:
        """Undo `forget`: the topic may be used again, its lines are back as they were.

        A line stays away that would have gone with entries removed meanwhile.
        """
        with self._base.write() as db:
            if not gone.before:
                db.execute("DELETE FROM persona_forgotten WHERE topic = ?", [gone.topic])
            there = {int(row[0]) for row in rows(db, "SELECT id FROM items")}
            left = [each for each in gone.supports if each[1] in there]
            lost = {line for line, item, vital in gone.supports if vital & 1 and item not in there}
            held = Counter(line for line, _, _ in left)
            lost |= {line[0] for line in gone.lines if held[line[0]] < line[_NEEDED]}
            blanks = ", ".join("?" * len(_LINE.split(",")))
            for line in gone.lines:
                if line[0] not in lost:
                    db.execute(
                        f"INSERT OR IGNORE INTO persona_lines ({_LINE}) VALUES ({blanks})", line
                    )
            for support in left:
                if support[0] not in lost:
                    db.execute("INSERT OR IGNORE INTO persona_supports VALUES (?, ?, ?)", support)

    def allow(self, topic: str) -> None:
        """Let a forgotten topic be used again."""
        with self._base.write() as db:
            db.execute("DELETE FROM persona_forgotten WHERE topic = ?", [topic])

    def marked(self) -> tuple[tuple[str, str], ...]:
        """Return what is marked as private: (`medium`, `person` or `topic`, its name)."""
        found = rows(self._base.db(), "SELECT kind, name FROM private_marks ORDER BY kind, name")
        return tuple((str(kind), str(name)) for kind, name in found)

    def mark(self, kind: str, name: str, *, private: bool = True) -> None:
        """Mark a medium, a person or a topic as private, or take the mark away."""
        with self._base.write() as db:
            if private:
                db.execute("INSERT OR IGNORE INTO private_marks VALUES (?, ?)", [kind, name])
            else:
                db.execute("DELETE FROM private_marks WHERE kind = ? AND name = ?", [kind, name])

    def _kept(self, db: Database, line_id: int) -> dict[str, Any]:
        found = rows(
            db,
            "SELECT state, text, built, offered FROM persona_lines WHERE id = ? AND state <> ?",
            [line_id, _DELETED],
        )
        if not found:
            raise CloneAppError(
                f"There is no line {line_id} in the document. `persona show` lists them with their "
                "numbers."
            )
        return dict(zip(("state", "text", "built", "offered"), found[0], strict=True))


def _meet(
    db: Database, kept: Sequence[Any], line: Line, numbers: Mapping[str, int], place: int
) -> int:
    """Bring a line that is known up to date; return 1 if a new wording waits for the user."""
    line_id, state, text, built, offered, refused = kept
    fresh = content_hash(line.text)
    db.execute("UPDATE persona_lines SET place = ? WHERE id = ?", [place, line_id])
    if state == LineState.PROPOSED:
        _set(db, line_id, text=line.text, built=fresh, private=int(line.private),
             needed=line.needed)  # fmt: skip
        _support(db, line_id, line, numbers, offered=False)
        return 0
    same = line.text == text or fresh == built
    if state == LineState.LOCKED or same or fresh == refused:
        _support(db, line_id, line, numbers, offered=None)
        if offered is not None:
            _drop_offer(db, line_id, refused)
        return 0
    _set(db, line_id, offered=line.text)
    _support(db, line_id, line, numbers, offered=True)
    return int(offered != line.text)


def _support(
    db: Database, line_id: int, line: Line, numbers: Mapping[str, int], *, offered: bool | None
) -> None:
    """Bring a line's supports up to date, the new before the stale: a line is never left without.

    Which of them are vital is told of the line's words (bit 1) or of the wording offered (bit 2);
    None leaves both as they were.
    """
    held = dict(
        rows(db, "SELECT item_id, vital FROM persona_supports WHERE line_id = ?", [line_id])
    )
    found = {numbers[each.key]: each.vital for each in line.supports if each.key in numbers}
    for item_id, vital in found.items():
        before = held.get(item_id, 0)
        if offered is None:
            after = before
        elif offered:
            after = before & 1 | 2 * vital
        else:
            after = int(vital)
        db.execute(
            "INSERT INTO persona_supports VALUES (?, ?, ?) "
            "ON CONFLICT (line_id, item_id) DO UPDATE SET vital = excluded.vital",
            [line_id, item_id, after],
        )
    for item_id in held.keys() - found.keys():
        if offered is False:
            _unvital(db, line_id, item_id)
        db.execute(
            "DELETE FROM persona_supports WHERE line_id = ? AND item_id = ? AND vital = 0",
            [line_id, item_id],
        )


def _unvital(db: Database, line_id: int, item_id: int) -> None:
    db.execute(
        "UPDATE persona_supports SET vital = 0 WHERE line_id = ? AND item_id = ?",
        [line_id, item_id],
    )


def _take_offer(db: Database, line_id: int, text: str) -> None:
    """Make the wording offered the line's own, with what gave it its words."""
    db.execute("UPDATE persona_supports SET vital = (vital >> 1) & 1 WHERE line_id = ?", [line_id])
    _set(db, line_id, text=text, built=content_hash(text), offered=None, refused=None,
         state=str(LineState.ACCEPTED))  # fmt: skip


def _drop_offer(db: Database, line_id: int, refused: str | None) -> None:
    db.execute("UPDATE persona_supports SET vital = vital & 1 WHERE line_id = ?", [line_id])
    _set(db, line_id, offered=None, refused=refused)


def _bury(db: Database, line_id: int) -> None:
    """Leave nothing of a line but its mark."""
    _set(db, line_id, state=_DELETED, text="", built="", offered=None, refused=None)
    db.execute("DELETE FROM persona_supports WHERE line_id = ?", [line_id])


def _set(db: Database, line_id: int, **columns: object) -> None:
    names = ", ".join(f"{name} = ?" for name in columns)
    db.execute(f"UPDATE persona_lines SET {names} WHERE id = ?", [*columns.values(), line_id])
