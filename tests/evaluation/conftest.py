"""A made-up life in CloneMem's form, small enough to check by hand, and a profile to run it in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING, Plan
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels

PASSPHRASE = "correct horse battery"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


Writer: TypeAlias = Callable[..., Path]


def plan(*suites: Path, **more: Any) -> Plan:
    return Plan(
        suites=tuple(map(str, suites)),
        **({"arms": RETRIEVING, "k": 3} | more),  # type: ignore[arg-type]
    )


def figures(packed: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs between two runs of the same: clock and number."""
    for arm in (*packed["arms"], packed["options_only"]):
        del arm["seconds"]
    for name in ("id", "started_at", "finished_at"):
        del packed["run"][name]
    return packed


def trace(number: int, text: str, when: str) -> dict[str, Any]:
    return {"id": f"t{number}", "medium": "diary", "event_date": when, "content": text}


def life() -> dict[str, Any]:
    """Six traces, four questions: one easy, one over two statements, one too early, one unanswerable."""
    options = [
        {"id": "A", "text": "The cello lessons in the old mill."},
        {"id": "B", "text": "A red bicycle with a bell."},
        {"id": "C", "text": "The harbour and its gulls."},
        {"id": "D", "text": "A stove that smokes."},
        {"id": "E", "text": "Cannot be determined based on available information"},
    ]
    return {
        "person_name": "Ada Quill",
        "person_id": "0000-quill",
        "context": [
            trace(4, "Sold the red bicycle to the baker; its bell I kept.", "2024-03-09T12:00:00"),
            trace(1, "Bought a red bicycle with a bell from Tom.", "2024-02-01T09:00:00"),
            trace(2, "First cello lesson in the old mill, fingers sore.", "2024-02-03T18:00:00"),
            trace(3, "The stove smokes again, windows open all day.", "2024-02-20T08:00:00"),
            trace(5, "Walked along the harbour, gulls everywhere.", "2024-04-01T10:00:00"),
            trace(6, "Gave up the cello; the mill is too cold.", "2024-05-05T20:00:00"),
        ],
        "qa_items": [
            question(
                "q1", "Who sold you the red bicycle?", "2024-03-01T00:00:00", "B", options, ["t1"]
            ),
            question(
                "q2",
                "How did the cello lessons in the mill go on?",
                "2024-06-01T00:00:00Z",
                "A",
                options,
                ["t2"],
                ["t6"],
                kind="trajectory",
            ),
            question(
                "q3",
                "What did you see at the harbour?",
                "2024-01-01T00:00:00",
                "C",
                options,
                ["t5"],
                kind="inferential",
            ),
            question(
                "q4",
                "What did the stove cost?",
                "2024-06-01T00:00:00",
                "E",
                [options[0], options[1], options[2], options[4]],
                ["t3"],
                kind="unanswerable",
            ),
        ],
    }


def question(
    name: str,
    text: str,
    when: str,
    correct: str,
    options: list[dict[str, str]],
    *evidence: list[str],
    kind: str = "causal",
) -> dict[str, Any]:
    return {
        "id": name,
        "question": text,
        "question_type": kind,
        "question_time": when,
        "answer": {each["id"]: each["text"] for each in options}[correct],
        "dimension": "experience",
        "digital_trace_ids": [key for each in evidence for key in each],
        "evidence": [
            {"statement": f"s {' '.join(ids)}", "digital_trace_ids": ids} for ids in evidence
        ],
        "choices": options,
        "correct_choice_id": correct,
    }


@pytest.fixture
def life_file(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    """Write a life as a persona file."""

    def write(whole: dict[str, Any], name: str = "ada_0000_benchmark_en.json") -> Path:
        path = tmp_path / "100k" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(whole), "utf-8")
        return path

    return write


def new_app(home: Path, chat: FakeChat | None = None) -> App:
    app = App(home, now=lambda: NOW, shelf=FakeModels(chat), vault=MemoryVault(working=False))
    app.create(PASSPHRASE, home_zone="UTC")
    return app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = new_app(tmp_path / "home")
    yield made
    made.close()
