"""Pepys' diary with questions written for it: a benchmark besides those recall was shaped on.

pepys_questions.json holds what a friend might ask him, each with the evidence that answers it, in words of
its own, and the days it stands under. The questions were written by reading the entries, with other
words than theirs, before any was put to recall. Days are the files' own headings: new style, ten days
after those Pepys counts inside the entries.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from clone_app.entries import Item
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Reading

QUESTIONS = Path(__file__).parent / "pepys_questions.json"


def read_life(folder: Path, questions: Path = QUESTIONS) -> Life:
    """Return the diary below a folder, as the importers read it, with its questions.

    Raises `KeyError` for a day without an entry. A question is asked at the end of its day, and a day
    with two entries counts with both.
    """
    with open_tree(folder) as tree:
        found = list(read_all(recognise(tree), Reading(), Progress()))
    items = tuple(each for each in found if isinstance(each, Item))
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        keys[item.moment.iso() or ""].add(item.key)
    asked = json.loads(questions.read_text("utf-8"))
    return Life(
        suite="pepys",
        name="Samuel Pepys",
        items=items,
        questions=tuple(_question(f"{at:02}", each, dict(keys)) for at, each in enumerate(asked)),
    )


def _question(number: str, asked: Mapping[str, Any], keys: Mapping[str, set[str]]) -> SuiteQuestion:
    return SuiteQuestion(
        id=number,
        text=asked["question"],
        asked_at=datetime.combine(date.fromisoformat(asked["asked_at"]), time.max),
        kind=asked["kind"],
        dimension="",
        statements=tuple(
            frozenset[str]().union(*(keys[day] for day in each["days"]))
            for each in asked["evidence"]
        ),
        evidence=tuple(each["statement"] for each in asked["evidence"]),
    )
