"""The questions written for Pepys' diary: answered by days that exist, in nobody's words but ours."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from clone_app.evaluation.suites import Life

pytestmark = pytest.mark.real

BENCH = Path(__file__).resolve().parents[2] / "packaging" / "bench"
KINDS = {
    "single_point_factual",
    "comparison",
    "trajectory",
    "pattern",
    "causal",
    "counterfactual",
    "inference",
    "unanswerable",
}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_pepys", BENCH / "pepys.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def asked() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((BENCH / "pepys_questions.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def life(bench: ModuleType, shared_data: Path) -> Life:
    read: Life = bench.read_life(shared_data / "diary" / "pepys")
    return read


def days(question: dict[str, Any]) -> list[str]:
    return [day for each in question["evidence"] for day in each["days"]]


def test_every_piece_of_evidence_is_an_entry_of_the_diary(
    life: Life, asked: list[dict[str, Any]]
) -> None:
    assert len(life.items) == 3413
    dated = {item.key: item.moment.iso() for item in life.items}
    for read, written in zip(life.questions, asked, strict=True):
        assert read.text == written["question"]
        assert {dated[key] for key in read.gold} == set(days(written))
        assert len(read.statements) == len(read.evidence) == len(written["evidence"])
        assert all(read.statements)


def test_a_day_without_an_entry_is_refused(
    bench: ModuleType, shared_data: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "questions.json"
    evidence = [{"statement": "Nothing.", "days": ["1659-12-31"]}]
    wrong.write_text(
        json.dumps(
            [{"question": "?", "asked_at": "1669-12-31", "kind": "causal", "evidence": evidence}]
        )
    )
    with pytest.raises(KeyError, match="1659-12-31"):
        bench.read_life(shared_data / "diary" / "pepys", wrong)


def test_a_question_is_asked_after_all_that_answers_it(asked: list[dict[str, Any]]) -> None:
    for question in asked:
        assert all(day <= question["asked_at"] for day in days(question)), question["question"]


def test_there_are_questions_of_every_kind_with_evidence_in_each_of_the_ten_years(
    asked: list[dict[str, Any]],
) -> None:
    answered = [question for question in asked if question["evidence"]]
    assert len(answered) >= 40
    assert {question["kind"] for question in asked} == KINDS
    for question in asked:
        assert bool(question["evidence"]) == (question["kind"] != "unanswerable")
    assert len({question["question"] for question in asked}) == len(asked)
    years = Counter(day[:4] for question in answered for day in days(question))
    assert set(years) == {str(year) for year in range(1660, 1670)}
    assert min(years.values()) >= 5
    assert sum(len(set(days(question))) >= 3 for question in answered) >= 10


def test_no_six_words_in_a_row_are_the_diarys(life: Life, asked: list[dict[str, Any]]) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9]+", text.casefold())
        return {tuple(words[at : at + 6]) for at in range(len(words) - 5)}

    ours: set[tuple[str, ...]] = set()
    for question in asked:
        ours |= runs(question["question"])
        for each in question["evidence"]:
            ours |= runs(each["statement"])
    assert len(ours) > 1000
    assert not {run for item in life.items for run in runs(item.text) & ours}
