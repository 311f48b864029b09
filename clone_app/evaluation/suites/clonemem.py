"""Read CloneMem persona files (arXiv 2601.07023; AvatarMemory/CloneMemBench, Apache-2.0)."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from clone_app.entries import Item
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.importers.archive import open_tree
from clone_app.importers.clonemem import CLONEMEM
from clone_app.protocols import Reading

# `inferential` is how older copies spell it; the id lists have older names too.
_KINDS = {"inferential": "inference"}
_ID_LISTS = ("digital_trace_ids", "media_ids", "related_media_id")


def read_life(path: Path) -> Life:
    """Return one persona file as a life; raise `CloneAppError` for evidence that isn't in it."""
    with open_tree(path) as tree:
        found = CLONEMEM.read(tree.members(), Reading())
        items = tuple(thing for thing in found if isinstance(thing, Item))
    try:
        whole = json.loads(path.read_text("utf-8"))
        asked = whole.get("qa_items") or whole.get("questions") or []
        name = f"{whole['person_name']} ({str(whole['person_id'])[:8]})"
        keys = frozenset(item.key for item in items)
        questions = tuple(_question(each, keys) for each in asked)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise CloneAppError(
            f"{path.name} is not a CloneMem persona file ({type(fault).__name__}). "
            "Download it again from the benchmark's release."
        ) from fault
    return Life(suite="clonemem", name=name, items=items, questions=questions)


def _question(asked: dict[str, Any], keys: frozenset[str]) -> SuiteQuestion:
    statements = tuple(frozenset(_ids(each)) for each in asked.get("evidence") or ())
    for key in frozenset().union(*statements) - keys:
        raise CloneAppError(
            f"Question {asked['id']} rests on trace {key}, which the file doesn't hold. "
            "Download the file again from the benchmark's release."
        )
    kind = str(asked["question_type"])
    return SuiteQuestion(
        id=str(asked["id"]),
        text=str(asked["question"]),
        asked_at=datetime.fromisoformat(str(asked["question_time"]).removesuffix("Z")),
        kind=_KINDS.get(kind, kind),
        dimension=str(asked.get("dimension", "")),
        statements=tuple(each for each in statements if each),
    )


def _ids(evidence: dict[str, Any]) -> list[str]:
    for name in _ID_LISTS:
        if evidence.get(name):
            ids = evidence[name]
            return [str(each) for each in ids] if isinstance(ids, list) else [str(ids)]
    return []
