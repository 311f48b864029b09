"""Runs as they are kept: what was asked for, with what, and each answer as soon as it is there.

Kept in the profile's encrypted base, since a benchmark may be somebody's life too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from clone_app.errors import CloneAppError
from clone_app.evaluation.stages import Stage
from clone_app.evaluation.suites import Life, Pin, SuiteQuestion
from clone_app.memory.database import Base, rows


class State(StrEnum):
    """How far a run is. One that is `RUNNING` while nobody runs it was killed: it can be resumed."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Say what a run does. `suites` are paths or names as the user gave them.

    `k` is how many traces a reader gets, `limit` how many questions of each life are asked (0: all),
    `tokens` the reader's budget (0: the model's window), `judge` who marks the free answers: `none`,
    `local` or `remote`.
    """

    suites: tuple[str, ...]
    arms: tuple[str, ...]
    reader: str = "none"
    k: int = 10
    limit: int = 0
    tokens: int = 0
    seed: int = 7
    judge: str = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLife:
    """Hold what a run knows of a life. `key` is its person's id, told apart where two share it.

    `folder` is where the prepared life lies below the profile's `evaluation` folder.
    """

    key: str
    suite: str
    id: str
    name: str
    language: str
    tier: str
    sha256: str
    pin: Pin
    traces: int
    questions: int
    folder: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Hold what became of one question under one arm.

    `found` are keys best first (at most 20 of a retrieval arm); `read` those the reader got, `cut`
    those of them it got a part of. `said` holds the reader's replies by kind (`free`, `choice`, …);
    `failure` says why there is no answer. Of the program's own recall `strength` says how strongly what
    it found bears the question, `silent` whether the clone would answer; None of the others.
    """

    life: str
    question: str
    arm: str
    found: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    said: Mapping[str, str] = field(default_factory=dict, hash=False)
    stage: Stage = Stage.UNKNOWN
    tokens_read: int = 0
    tokens_written: int = 0
    seconds: float = 0.0
    failure: str = ""
    strength: float | None = None
    silent: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """Hold a run as the list of runs shows it. `facts` are models, hashes, version, machine."""

    id: int
    plan: Plan
    state: State
    note: str
    started_at: datetime
    finished_at: datetime | None
    done: int
    total: int
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


class Runs:
    """Keep runs in a base."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def begin(
        self,
        plan: Plan,
        lives: Iterable[tuple[RunLife, Life]],
        *,
        arms: int,
        facts: Mapping[str, Any],
        now: datetime,
    ) -> int:
        """Note a new run with its questions; return its number."""
        with self._base.write() as db:
            made = db.execute(
                "INSERT INTO runs (plan, facts, state, started_at, total) VALUES (?, ?, ?, ?, 0)",
                [json.dumps(asdict(plan)), json.dumps(facts), State.RUNNING, now.isoformat()],
            )
            number = int(made.lastrowid or 0)
            total = 0
            for place, (kept, life) in enumerate(lives):
                db.execute(
                    "INSERT INTO run_lives VALUES (?, ?, ?, ?)",
                    [number, kept.key, place, json.dumps(asdict(kept))],
                )
                asked = life.questions[: plan.limit or None]
                total += len(asked) * arms
                for order, question in enumerate(asked):
                    db.execute(
                        "INSERT INTO run_questions VALUES (?, ?, ?, ?, ?)",
                        [number, kept.key, question.id, order, question_json(question)],
                    )
            db.execute("UPDATE runs SET total = ? WHERE id = ?", [total, number])
        return number

    def keep(self, run: int, answers: Iterable[Answered]) -> None:
        """Keep answers; what is kept twice is kept once."""
        with self._base.write() as db:
            for each in answers:
                db.execute(
                    "INSERT OR REPLACE INTO run_answers VALUES (?, ?, ?, ?, ?)",
                    [run, each.life, each.question, each.arm, json.dumps(asdict(each))],
                )

    def set_state(self, run: int, state: State, now: datetime | None = None) -> None:
        """Note how far a run is, and when it was finished."""
        with self._base.write() as db:
            db.execute(
                "UPDATE runs SET state = ?, finished_at = ? WHERE id = ?",
                [state, now.isoformat() if now else None, run],
            )

    def note(self, run: int, text: str) -> None:
        """Keep the user's own words about a run."""
        self.row(run)
        with self._base.write() as db:
            db.execute("UPDATE runs SET note = ? WHERE id = ?", [text, run])

    def delete(self, run: int) -> None:
        """Delete a run with its answers."""
        self.row(run)
        with self._base.write() as db:
            db.execute("DELETE FROM runs WHERE id = ?", [run])

    def list(self) -> tuple[RunRow, ...]:
        """Return all runs, the latest first."""
        found = rows(self._base.db(), f"SELECT {_COLUMNS} FROM runs r ORDER BY id DESC")
        return tuple(map(_row, found))

    def row(self, run: int) -> RunRow:
        """Return one run; raise `CloneAppError` where it isn't there."""
        found = rows(self._base.db(), f"SELECT {_COLUMNS} FROM runs r WHERE id = ?", [run])
        if not found:
            raise CloneAppError(f"There is no run {run}. List the runs to see which there are.")
        return _row(found[0])

    def lives(self, run: int) -> tuple[RunLife, ...]:
        """Return a run's lives in order."""
        found = rows(
            self._base.db(), "SELECT body FROM run_lives WHERE run_id = ? ORDER BY place", [run]
        )
        return tuple(_life(json.loads(row[0])) for row in found)

    def questions(self, run: int) -> dict[tuple[str, str], SuiteQuestion]:
        """Return a run's questions by life and id, in order."""
        found = rows(
            self._base.db(),
            "SELECT q.life, q.question, q.body FROM run_questions q JOIN run_lives l "
            "ON l.run_id = q.run_id AND l.life = q.life WHERE q.run_id = ? "
            "ORDER BY l.place, q.place",
            [run],
        )
        return {(row[0], row[1]): question_of(row[2]) for row in found}

    def answers(self, run: int) -> tuple[Answered, ...]:
        """Return all answers of a run, in the order of its questions."""
        found = rows(
            self._base.db(),
            "SELECT a.body FROM run_answers a JOIN run_questions q USING (run_id, life, question) "
            "JOIN run_lives l USING (run_id, life) WHERE a.run_id = ? "
            "ORDER BY l.place, q.place, a.arm",
            [run],
        )
        return tuple(_answered(json.loads(row[0])) for row in found)

    def answered(self, run: int) -> frozenset[tuple[str, str, str]]:
        """Return what is done of a run: (life, question, arm)."""
        found = rows(
            self._base.db(), "SELECT life, question, arm FROM run_answers WHERE run_id = ?", [run]
        )
        return frozenset((row[0], row[1], row[2]) for row in found)


_COLUMNS = (
    "r.id, r.plan, r.facts, r.state, r.note, r.started_at, r.finished_at, r.total, "
    "(SELECT count(*) FROM run_answers a WHERE a.run_id = r.id)"
)


def question_json(question: SuiteQuestion) -> str:
    """Return a question as JSON that `question_of` reads back."""
    packed = {name: getattr(question, name) for name in SuiteQuestion.__dataclass_fields__}
    packed["asked_at"] = question.asked_at.isoformat()
    packed["statements"] = [sorted(each) for each in question.statements]
    return json.dumps(packed)


def question_of(text: str) -> SuiteQuestion:
    """Return a question from `question_json`."""
    packed = json.loads(text)
    packed["asked_at"] = datetime.fromisoformat(packed["asked_at"])
    packed["statements"] = tuple(frozenset(each) for each in packed["statements"])
    packed["evidence"] = tuple(packed["evidence"])
    packed["choices"] = tuple((each, said) for each, said in packed["choices"])
    packed["points"] = tuple((said, float(worth)) for said, worth in packed["points"])
    packed["worth"] = tuple(packed.get("worth", ()))
    return SuiteQuestion(**packed)


def _row(row: tuple[Any, ...]) -> RunRow:
    plan = json.loads(row[1])
    plan["suites"], plan["arms"] = tuple(plan["suites"]), tuple(plan["arms"])
    return RunRow(
        id=row[0],
        plan=Plan(**plan),
        facts=json.loads(row[2]),
        state=State(row[3]),
        note=row[4],
        started_at=datetime.fromisoformat(row[5]),
        finished_at=datetime.fromisoformat(row[6]) if row[6] else None,
        total=row[7],
        done=row[8],
    )


def _life(packed: dict[str, Any]) -> RunLife:
    return RunLife(**packed | {"pin": Pin(packed["pin"]), "notes": tuple(packed["notes"])})


def _answered(packed: dict[str, Any]) -> Answered:
    tuples = {name: tuple(packed[name]) for name in ("found", "read", "cut")}
    return Answered(**packed | tuples | {"stage": Stage(packed["stage"])})
