"""The published figures of CloneMem's flat retriever, reproduced on an official file."""

from __future__ import annotations

from pathlib import Path

import pytest

from clone_app.app.evaluating import Plan
from clone_app.evaluation.report import report_json
from clone_app.evaluation.suites import Pin
from clone_app.progress import Progress

from .conftest import new_app

pytestmark = [pytest.mark.real, pytest.mark.timeout(420), pytest.mark.usefixtures("starter_models")]


def test_flat_and_oracle_give_the_published_recall(
    tmp_path_factory: pytest.TempPathFactory, shared_data: Path
) -> None:
    (file,) = (shared_data / "clonemem" / "100k").glob("guiling_chen_*.json")
    app = new_app(tmp_path_factory.mktemp("profile") / "home")
    report = app.evaluate(Plan(suites=(str(file),), arms=("flat", "oracle")), Progress())
    app.close()
    (life,) = report.lives
    assert (life.pin, life.tier, life.traces, life.questions) == (Pin.OFFICIAL, "100k", 324, 32)
    flat, oracle = report.arm("flat").scores, report.arm("oracle").scores
    assert flat["recall_flat@10"] == pytest.approx(0.305, abs=0.01)
    assert flat["recall_flat@20"] == pytest.approx(0.387, abs=0.01)
    assert oracle["recall_flat@10"] >= 0.995
    assert oracle["recall_flat@20"] == 1.0
    assert oracle["choice_nearest"] > report.arm("options only").scores["choice_nearest"]
    packed = report_json(report)["arms"][0]
    assert packed["by_type"]["unanswerable"]["n"] == 2
    assert packed["without_leaks"]["choice_nearest"] > packed["scores"]["choice_nearest"]


def test_other_lives_evidence_is_in_their_data(shared_data: Path) -> None:
    from clone_app.evaluation.suites.opening import open_suite

    lives = open_suite(str(shared_data / "lifebench"), {}).lives
    assert sorted((each.id, each.language) for each in lives) == [
        ("leimingxuan", "en"),
        ("leimingxuan", "zh"),
        ("lumingqiang", "en"),
    ]
    english = next(each for each in lives if each.id == "leimingxuan" and each.language == "en")
    assert english.notes == (
        "50 evidence ids of 13 questions are not in the data and are left out.",
    )
    assert sum(bool(each.choices) for each in english.questions) == 62
