"""The questions about the user's own archive in the encrypted base."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime

from clone_app.errors import CloneAppError
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.memory.database import Base, rows


class OwnTests:
    """Keep them; each goes with any item whose words are in it."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def all(self) -> tuple[OwnQuestion, ...]:
        """Return every question, in the order they were kept."""
        found = rows(self._base.db(), "SELECT id, body FROM own_tests ORDER BY id")
        return tuple(_question(int(row[0]), row[1]) for row in found)

    def one(self, number: int) -> OwnQuestion:
        """Return one question; raise `CloneAppError` where it isn't there."""
        found = rows(self._base.db(), "SELECT id, body FROM own_tests WHERE id = ?", [number])
        if not found:
            raise CloneAppError(
                f"There is no question {number}. `tests list` shows those there are with their numbers."
            )
        return _question(int(found[0][0]), found[0][1])

    def add(self, questions: Iterable[OwnQuestion]) -> tuple[int, ...]:
        """Keep questions; return their numbers."""
        numbers = []
        with self._base.write() as db:
            for each in questions:
                made = db.execute("INSERT INTO own_tests (body) VALUES (?)", [_body(each)])
                number = int(made.lastrowid or 0)
                for item in each.items:
                    db.execute("INSERT INTO own_test_items VALUES (?, ?)", [number, item])
                numbers.append(number)
        return tuple(numbers)

    def change(self, question: OwnQuestion) -> None:
        """Keep a question's new words under its number."""
        self.one(question.id)
        with self._base.write() as db:
            db.execute("UPDATE own_tests SET body = ? WHERE id = ?", [_body(question), question.id])

    def delete(self, numbers: Iterable[int]) -> int:
        """Delete questions; return how many there were."""
        gone = 0
        with self._base.write() as db:
            for number in dict.fromkeys(numbers):
                gone += db.execute("DELETE FROM own_tests WHERE id = ?", [number]).rowcount
        return gone


def _body(question: OwnQuestion) -> str:
    packed = asdict(question)
    del packed["id"]
    packed["asked_at"] = question.asked_at.isoformat()
    return json.dumps(packed, ensure_ascii=False)


def _question(number: int, body: str) -> OwnQuestion:
    packed = json.loads(body)
    packed["asked_at"] = datetime.fromisoformat(packed["asked_at"])
    for name in ("wrong", "items"):
        packed[name] = tuple(packed[name])
    return OwnQuestion(id=number, **packed)
