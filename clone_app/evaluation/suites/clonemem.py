"""Read CloneMem persona files (arXiv 2601.07023; AvatarMemory/CloneMemBench, Apache-2.0)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from clone_app.entries import ImportProblem, Item
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.evaluation.suites.language import language_of
from clone_app.evaluation.suites.pins import clonemem_pin, clonemem_tier, hash_file
from clone_app.importers.archive import open_tree
from clone_app.importers.clonemem import CLONEMEM
from clone_app.protocols import Reading

# `inferential` is how older copies spell it; the id lists have older names too.
_KINDS = {"inferential": "inference"}
_ID_LISTS = ("digital_trace_ids", "media_ids", "related_media_id")
_AGAIN = "Download it again from the benchmark's release."
_NAMED_LANGUAGE = re.compile(r"_(en|zh)$")


def recognises(path: Path) -> bool:
    """Tell whether a file looks like a persona file, by its first bytes; a truncated one does too."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with open_tree(path) as tree:
        return CLONEMEM.claim(tree.members()) is not None


def read_life(path: Path) -> Life:
    """Return one persona file as a life; raise `CloneAppError` for one that can't be trusted."""
    whole = _json(path)
    with open_tree(path) as tree:
        found = list(CLONEMEM.read(tree.members(), Reading()))
    items = tuple(thing for thing in found if isinstance(thing, Item))
    empty = sum(isinstance(thing, ImportProblem) for thing in found)
    if not items:
        raise CloneAppError(f"{path.name} holds no traces of a life. {_AGAIN}")
    _refuse_twins(path, "Trace", (item.key for item in items))
    keys = frozenset(item.key for item in items)
    try:
        asked = whole.get("qa_items") or whole.get("questions") or []
        person, number = str(whole["person_name"]), str(whole["person_id"])
        questions = tuple(_question(path, each, keys) for each in asked)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise CloneAppError(
            f"{path.name} is not a CloneMem persona file ({type(fault).__name__}: {fault}). {_AGAIN}"
        ) from fault
    if not questions:
        raise CloneAppError(
            f"{path.name} holds no questions. Import it to talk with that person, or {_AGAIN.lower()}"
        )
    _refuse_twins(path, "Question", (question.id for question in questions))
    named = _NAMED_LANGUAGE.search(path.stem)
    language = named[1] if named else language_of(item.text for item in items)
    sha256 = hash_file(path)
    return Life(
        suite="clonemem",
        name=f"{person} ({number[:8]})",
        items=items,
        questions=questions,
        id=number,
        language=language,
        tier=clonemem_tier(sha256, path),
        sha256=sha256,
        pin=clonemem_pin(sha256, language),
        notes=_notes(items, questions, empty),
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        whole = json.loads(path.read_text("utf-8-sig"))
    except (OSError, RecursionError) as fault:
        raise CloneAppError(
            f"{path.name} can't be read ({type(fault).__name__}). Check the path and try again."
        ) from fault
    except ValueError as fault:
        raise CloneAppError(f"{path.name} is truncated or damaged ({fault}). {_AGAIN}") from fault
    if not isinstance(whole, dict) or not isinstance(whole.get("context"), list):
        raise CloneAppError(
            f"{path.name} is not a CloneMem persona file: it holds no list of traces. {_AGAIN}"
        )
    return whole


def _refuse_twins(path: Path, what: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            raise CloneAppError(f"{what} {each} occurs twice in {path.name}. {_AGAIN}")
        seen.add(each)


def _question(path: Path, asked: dict[str, Any], keys: frozenset[str]) -> SuiteQuestion:
    evidence = [
        (str(each.get("statement", "")), frozenset(_ids(each)))
        for each in asked.get("evidence") or ()
    ]
    evidence = [(statement, ids) for statement, ids in evidence if ids]
    for key in sorted(frozenset().union(*(ids for _, ids in evidence)) - keys):
        raise CloneAppError(
            f"Question {asked['id']} rests on trace {key}, which {path.name} doesn't hold. {_AGAIN}"
        )
    choices = tuple((str(each["id"]), str(each["text"])) for each in asked.get("choices") or ())
    correct = str(asked.get("correct_choice_id") or "")
    if choices and correct not in dict(choices):
        raise CloneAppError(
            f"The right option of question {asked['id']} ({correct or 'none'}) is not among its options "
            f"in {path.name}. {_AGAIN}"
        )
    kind = str(asked["question_type"])
    return SuiteQuestion(
        id=str(asked["id"]),
        text=str(asked["question"]),
        # Six in the release end in Z, which means nothing: all times are the life's own.
        asked_at=datetime.fromisoformat(str(asked["question_time"]).removesuffix("Z")),
        kind=_KINDS.get(kind, kind),
        dimension=str(asked.get("dimension") or ""),
        statements=tuple(ids for _, ids in evidence),
        evidence=tuple(statement for statement, _ in evidence),
        answer=str(asked.get("answer") or ""),
        choices=choices,
        correct=correct,
    )


def _notes(
    items: tuple[Item, ...], questions: tuple[SuiteQuestion, ...], empty: int
) -> tuple[str, ...]:
    """Return what is odd about a life and yet no error."""
    first = min((item.moment.local for item in items if item.moment.local), default=None)
    early = [each.id for each in questions if first is None or each.asked_at < first]
    notes = []
    if empty:
        notes.append(f"{empty} traces hold no text and are left out.")
    if early:
        notes.append(f"Asked before every trace, so nothing can be found: {', '.join(early)}.")
    return tuple(notes)


def _ids(evidence: dict[str, Any]) -> list[str]:
    for name in _ID_LISTS:
        if evidence.get(name):
            ids = evidence[name]
            return [str(each) for each in ids] if isinstance(ids, list) else [str(ids)]
    return []
