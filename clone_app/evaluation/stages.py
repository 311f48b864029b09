"""Where a question went wrong on its way from the life to the answer."""

from __future__ import annotations

from collections.abc import Sequence, Set
from enum import StrEnum

from clone_app.evaluation.suites import SuiteQuestion


class Stage(StrEnum):
    """Name the first step that failed; `RIGHT` where none did, `UNKNOWN` where nobody can tell."""

    RIGHT = "right"
    NOT_VISIBLE = "not visible yet"
    NOT_FOUND = "not found"
    NOT_READ = "found but not read"
    IGNORED = "read and ignored"
    NOT_ABSTAINED = "should have abstained"
    UNKNOWN = "no verdict"


def stage_of(
    question: SuiteQuestion,
    *,
    visible: Set[str],
    found: Sequence[str],
    read: Set[str],
    right: bool | None,
) -> Stage:
    """Return the first step that failed.

    A step holds if every statement of the evidence has at least one of its traces there: an answer
    needs each, and seldom all that repeat it. `right` is None where the answer can't be judged: then
    only what came before reading is told.
    """
    if right:
        return Stage.RIGHT
    if question.unanswerable:
        return Stage.UNKNOWN if right is None else Stage.NOT_ABSTAINED
    if not question.gold:
        return Stage.UNKNOWN
    for held, stage in (
        (visible, Stage.NOT_VISIBLE),
        (set(found), Stage.NOT_FOUND),
        (read, Stage.NOT_READ),
    ):
        if not all(statement & held for statement in question.statements):
            return stage
    return Stage.UNKNOWN if right is None else Stage.IGNORED
