"""The first step that failed, for each way a question can go wrong."""

from __future__ import annotations

from datetime import datetime

import pytest

from clone_app.evaluation.stages import Stage, stage_of
from clone_app.evaluation.suites import SuiteQuestion


def asked(kind: str = "causal", *statements: set[str]) -> SuiteQuestion:
    return SuiteQuestion(
        id="q",
        text="?",
        asked_at=datetime(2024, 1, 1),
        kind=kind,
        dimension="",
        statements=tuple(map(frozenset, statements)),
    )


TWO = asked("causal", {"a", "b"}, {"c"})


@pytest.mark.parametrize(
    ("visible", "found", "read", "right", "stage"),
    [
        ("abcx", "abc", "abc", True, Stage.RIGHT),
        ("x", "x", "x", True, Stage.RIGHT),  # a lucky guess is still right
        ("abx", "abx", "ab", False, Stage.NOT_VISIBLE),  # c was written later
        ("abcx", "abx", "abx", False, Stage.NOT_FOUND),  # nothing of the second statement
        ("abcx", "axc", "ax", False, Stage.NOT_READ),
        ("abcx", "axc", "ac", False, Stage.IGNORED),  # one trace a statement is enough
        ("abcx", "axc", "ac", None, Stage.UNKNOWN),
        ("abcx", "axb", "ab", None, Stage.NOT_FOUND),  # retrieval can be told without a verdict
    ],
)
def test_the_first_step_that_failed(
    visible: str, found: str, read: str, right: bool | None, stage: Stage
) -> None:
    said = stage_of(TWO, visible=set(visible), found=list(found), read=set(read), right=right)
    assert said is stage


def test_what_cannot_be_known_fails_by_not_abstaining() -> None:
    question = asked("unanswerable", {"a"})
    for right, stage in ((False, Stage.NOT_ABSTAINED), (True, Stage.RIGHT), (None, Stage.UNKNOWN)):
        said = stage_of(question, visible=set(), found=[], read=set(), right=right)
        assert said is stage


def test_without_evidence_nothing_can_be_told_of_a_wrong_answer() -> None:
    assert stage_of(asked(), visible={"a"}, found=["a"], read={"a"}, right=False) is Stage.UNKNOWN
