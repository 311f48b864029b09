"""When the clone would stay silent, and what one threshold for all would do."""

from __future__ import annotations

from datetime import datetime

import pytest

from clone_app.app import App
from clone_app.entries import Recalled
from clone_app.evaluation.export import as_markdown
from clone_app.evaluation.page import page
from clone_app.evaluation.report import report_json
from clone_app.evaluation.silence import Judged, Point, judged, said, silence
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.progress import Progress

from .conftest import Writer, life, plan


def question(kind: str, *gold: str) -> SuiteQuestion:
    return SuiteQuestion(
        id=kind, text="What did the stove cost?", asked_at=datetime(2024, 6, 1), kind=kind,
        dimension="", statements=(frozenset(gold),) if gold else (),
    )  # fmt: skip


TOLD, UNTOLD, NEITHER = question("causal", "t1"), question("unanswerable", "t3"), question("causal")
FOUND = (
    (TOLD, Judged(1.1, silent=False)),
    (TOLD, Judged(0.6, silent=False)),
    (TOLD, Judged(0.4, silent=True)),
    (UNTOLD, Judged(0.7, silent=False)),
    (UNTOLD, Judged(0.0, silent=True)),
    (NEITHER, Judged(9.0, silent=False)),
)


def test_answers_and_silences_are_shares_of_what_can_and_cant_be_answered() -> None:
    found = silence(FOUND)
    assert found is not None
    assert (found.answerable, found.unanswerable) == (3, 2)
    assert (found.answered, found.silent, found.right) == (pytest.approx(2 / 3), 0.5, 0.5)
    assert said(found) == (
        "The clone answers 67 % of 3 questions that can be answered and stays silent on 50 % of 2 "
        "that can't; 50 % of its silences are right."
    )


def test_a_higher_threshold_answers_less_and_is_silent_more() -> None:
    found = silence(FOUND)
    assert found is not None
    points = {each.threshold: each for each in found.curve}
    assert points[0.4] == Point(0.4, 1.0, 0.5, 1.0)
    assert points[0.5] == Point(0.5, pytest.approx(2 / 3), 0.5, 0.5)
    assert points[1.0] == Point(1.0, pytest.approx(1 / 3), 1.0, 0.5)
    assert points[1.5] == Point(1.5, 0.0, 1.0, pytest.approx(0.4))


def test_without_both_kinds_of_questions_there_is_no_curve() -> None:
    assert silence(FOUND[:3]) is None
    assert silence(FOUND[3:]) is None


def test_nothing_found_is_silence() -> None:
    assert judged(UNTOLD, Recalled((), ())) == Judged(0.0, silent=True)


def test_a_run_of_the_programs_own_recall_keeps_it_with_every_answer(
    app: App, life_file: Writer
) -> None:
    report = app.evaluate(plan(life_file(life()), arms=("bm25", "situations")), Progress())
    assert report.arm("bm25").silence is None
    found = report.arm("situations").silence
    assert found is not None
    assert (found.answerable, found.unanswerable) == (3, 1)
    kept = {each.question: each for each in report.arm("situations").answers}
    assert kept["q4"].silent  # the stove smokes; what it cost stands nowhere
    assert not kept["q2"].silent
    assert found.answered == sum(not kept[each].silent for each in ("q1", "q2", "q3")) / 3
    arms = {each["name"]: each for each in report_json(report)["arms"]}
    assert "silence" not in arms["bm25"]
    assert arms["situations"]["silence"]["silent"] == 1.0
    assert "## When it is silent: situations" in as_markdown(report)
    assert page(report).count("<polyline") == 3
