"""Conversations: every prompt is kept before it is answered, every answer when it is done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlite_utils import Database

from clone_app.entries import (
    Answer,
    Dial,
    Filters,
    Hit,
    Mode,
    Moment,
    NamedPerson,
    NamedTime,
    Part,
    Precision,
    Sentence,
    Source,
)
from clone_app.errors import CloneAppError
from clone_app.memory import log
from clone_app.memory.database import Base, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Hold one question and what became of it; `answer` is None if it was never finished.

    `at` is the moment it was asked of, as the user wrote it; None for the moment of asking.
    """

    id: int
    question: str
    asked_at: datetime
    draft: str
    answer: Answer | None
    at: str | None = None


class Conversations:
    """Keep what was asked and answered. What the clone said is never memory: nothing here is searched."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._found: dict[int, int] = {}

    def begin(self, now: datetime) -> int:
        """Start a conversation; return its number."""
        with self._base.write() as db:
            return int(
                db.execute(
                    "INSERT INTO conversations (started_at) VALUES (?)", [now.isoformat()]
                ).lastrowid
                or 0
            )

    def ask(
        self, conversation: int, question: str, *, now: datetime, at: str | None, recipe: str
    ) -> int:
        """Keep a question before anything else is done with it; return the turn's number."""
        with self._base.write() as db:
            return int(
                db.execute(
                    "INSERT INTO turns (conversation_id, question, asked_at, at, recipe) "
                    "VALUES (?, ?, ?, ?, ?)",
                    [conversation, question, now.isoformat(), at, recipe],
                ).lastrowid
                or 0
            )

    def keep_found(self, turn: int, hits: Sequence[Hit]) -> None:
        """Keep which items were found for a question, and through what."""
        log.keep(self._base, turn, hits)
        self._found[turn] = len({hit.item_id for hit in hits})

    def keep_draft(self, turn: int, draft: str) -> None:
        """Keep what the model had written when it was stopped, unless it rests on what is gone."""
        with self._base.write() as db:
            if self._still_there(db, turn):
                db.execute("UPDATE turns SET draft = ? WHERE id = ?", [draft, turn])

    def keep_answer(self, turn: int, answer: Answer) -> bool:
        """Keep a finished answer; tell whether it is: not where what it rests on was removed meanwhile."""
        with self._base.write() as db:
            if not self._still_there(db, turn):
                return False
            db.execute(
                "UPDATE turns SET answer = ? WHERE id = ?",
                [json.dumps(_packed(answer), ensure_ascii=False), turn],
            )
            return True

    def _still_there(self, db: Database, turn: int) -> bool:
        """Tell whether all that was found for a turn is: it goes with its item, and with the turn."""
        count = int(rows(db, "SELECT count(*) FROM finds WHERE turn_id = ?", [turn])[0][0])
        return count >= self._found.get(turn, 0)

    def list(self) -> tuple[tuple[int, str, datetime], ...]:
        """Return (number, first question, start) of conversations with a question, latest first."""
        found = rows(
            self._base.db(),
            "SELECT c.id, t.question, c.started_at FROM conversations c "
            "JOIN turns t ON t.id = (SELECT min(id) FROM turns WHERE conversation_id = c.id) "
            "ORDER BY c.id DESC",
        )
        return tuple((row[0], row[1], datetime.fromisoformat(row[2])) for row in found)

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        """Return the turns of a conversation in order; raise for a number that isn't there."""
        if not rows(self._base.db(), "SELECT 1 FROM conversations WHERE id = ?", [conversation]):
            raise _unknown(conversation)
        found = rows(
            self._base.db(),
            "SELECT id, question, asked_at, draft, answer, at FROM turns WHERE conversation_id = ? "
            "ORDER BY id",
            [conversation],
        )
        return tuple(
            Turn(
                id=row[0],
                question=row[1],
                asked_at=datetime.fromisoformat(row[2]),
                draft=row[3],
                answer=None if row[4] is None else _unpacked(json.loads(row[4])),
                at=row[5],
            )
            for row in found
        )

    def delete(self, conversation: int) -> None:
        """Take a conversation out with all that was asked and answered; raise where it isn't there."""
        with self._base.write() as db:
            gone = db.execute("DELETE FROM conversations WHERE id = ?", [conversation]).rowcount
        if not gone:
            raise _unknown(conversation)
        self._base.checkpoint()

    def forget(self, keys: frozenset[str]) -> None:
        """Take out cached answers that rest on items that are gone, and all drafts; questions stay.

        A draft names no sources, so nobody can tell what it repeats.
        """
        with self._base.write() as db:
            db.execute("UPDATE turns SET draft = '' WHERE draft <> ''")
            found = rows(db, "SELECT id, answer FROM turns WHERE answer IS NOT NULL")
            for turn, packed in found:
                if any(source["key"] in keys for source in json.loads(packed)["sources"]):
                    db.execute("UPDATE turns SET answer = NULL WHERE id = ?", [turn])


def _unknown(conversation: int) -> CloneAppError:
    return CloneAppError(
        f"There is no conversation {conversation}. Leave it out to start a new one."
    )


def _packed(answer: Answer) -> dict[str, Any]:
    packed = asdict(answer)
    for source, kept in zip(packed["sources"], answer.sources, strict=True):
        moment = kept.moment
        source["moment"] = [
            None if moment.local is None else moment.local.isoformat(),
            str(moment.precision),
            None if moment.offset is None else moment.offset.total_seconds(),
        ]
    # Who somebody is comes from items, which may be removed; what was asked stays.
    packed["people"] = [each.phrase for each in answer.people]
    return packed


def _unpacked(packed: dict[str, Any]) -> Answer:
    sources = []
    for source in packed.pop("sources"):
        local, precision, offset = source.pop("moment")
        found_by = tuple(source.pop("found_by", ()))
        moment = Moment(
            None if local is None else datetime.fromisoformat(local),
            Precision(precision),
            None if offset is None else timedelta(seconds=offset),
        )
        sources.append(Source(moment=moment, found_by=found_by, **source))
    sentences = tuple(
        Sentence(each["text"], each["supported"], tuple(each["citations"]))
        for each in packed.pop("sentences")
    )
    mode = Mode(packed.pop("mode"))
    stop = packed.pop("dial", None)
    parts = tuple(
        Part(each["text"], each["found"], tuple(each["citations"]))
        for each in packed.pop("parts", ())
    )
    return Answer(
        sentences=sentences,
        sources=tuple(sources),
        mode=mode,
        parts=parts,
        dial=None if stop is None else Dial(stop),
        times=tuple(_time(each) for each in packed.pop("times", ())),
        people=tuple(NamedPerson(phrase, phrase) for phrase in packed.pop("people", ())),
        filters=_filters(packed.pop("filters", {})),
        **packed,
    )


def _time(packed: dict[str, Any]) -> NamedTime:
    searched = packed.pop("searched", None)
    return NamedTime(searched=(searched[0], searched[1]) if searched else None, **packed)


def _filters(packed: dict[str, Any]) -> Filters:
    return Filters(plain=tuple(packed.pop("plain", ())), **packed)
