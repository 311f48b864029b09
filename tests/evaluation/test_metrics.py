"""Each figure against a table worked out by hand."""

from __future__ import annotations

import math
from datetime import datetime

import pytest

from clone_app.evaluation.metrics import (
    Scored,
    difference,
    first_id,
    interval,
    lenient,
    macro,
    micro,
    ndcg,
    recalls,
    retrieval_scores,
    strict,
)
from clone_app.evaluation.suites import SuiteQuestion

# Two statements: one needs a and b, the other b and c. Gold keys: a, b, c.
STATEMENTS = (frozenset({"a", "b"}), frozenset({"b", "c"}))


@pytest.mark.parametrize(
    ("found", "k", "flat", "all_all", "all_any", "any_all", "any_any"),
    [
        (["x", "y", "z"], 3, 0, 0, 0, 0, 0),
        (["a", "x", "y"], 3, 1 / 3, 0, 0, 0, 1),
        (["x", "b", "y"], 3, 1 / 3, 0, 1, 0, 1),
        (["a", "b", "x"], 3, 2 / 3, 0, 1, 1, 1),
        (["a", "c", "x"], 3, 2 / 3, 0, 1, 0, 1),
        (["a", "b", "c"], 3, 1, 1, 1, 1, 1),
        (["a", "b", "c"], 2, 2 / 3, 0, 1, 1, 1),
        (["a", "a", "a"], 3, 1 / 3, 0, 0, 0, 1),
        ([], 10, 0, 0, 0, 0, 0),
    ],
)
def test_the_five_recalls_of_one_question(
    found: list[str],
    k: int,
    flat: float,
    all_all: float,
    all_any: float,
    any_all: float,
    any_any: float,
) -> None:
    assert recalls(STATEMENTS, found, k) == {
        "flat": pytest.approx(flat),
        "all_all": all_all,
        "all_any": all_any,
        "any_all": any_all,
        "any_any": any_any,
    }


def test_ndcg_discounts_by_place() -> None:
    # Gold at places 1 and 3 of ideally 1, 2, 3: (1/log2(2) + 1/log2(4)) / (1 + 1/log2(3) + 1/2).
    ideal = 1 + 1 / math.log2(3) + 0.5
    assert ndcg({"a", "b", "c"}, ["a", "x", "b", "y"], 10) == pytest.approx(1.5 / ideal)
    assert ndcg({"a"}, ["x", "a"], 1) == 0
    assert ndcg({"a", "b"}, ["b", "a"], 10) == 1


def test_ndcg_of_more_gold_than_places_can_be_perfect() -> None:
    gold = {str(number) for number in range(12)}
    assert ndcg(gold, sorted(gold)[:10], 10) == pytest.approx(1)


def test_a_question_without_evidence_has_no_recall() -> None:
    asked = SuiteQuestion(
        id="q", text="?", asked_at=datetime(2024, 1, 1), kind="x", dimension="", statements=()
    )
    assert retrieval_scores(asked, ["a"]) == {}


@pytest.mark.parametrize(
    ("reply", "says_strict", "says_lenient"),
    [
        ("D", 1, 1),
        (" d \n", 1, 1),
        ("D.", 0, 1),
        ("**D**", 0, 1),
        ("(d) because of the mill", 0, 1),
        ("The answer is D", 0, 1),
        ("Option D: a stove", 0, 1),
        ("A or D", 0, 1),  # a bare A at the start of a sentence is an article
        ("B, not D", 0, 0),
        ("I don't know", 0, 0),
        ("Dad said so", 0, 0),
        ("", 0, 0),
    ],
)
def test_choice_from_free_output(reply: str, says_strict: float, says_lenient: float) -> None:
    assert strict(reply, "D") == says_strict
    assert lenient(reply, "D", "ABCDE") == says_lenient


def test_an_article_is_no_option() -> None:
    assert first_id("A good day it was", "ABCDE") == ""
    assert first_id("A", "ABCDE") == "A"
    assert first_id("A. Because", "ABCDE") == "A"
    assert first_id("It is option A here", "ABCDE") == "A"


def rows(life: str, *values: float | None, start: int = 0) -> list[Scored]:
    return [
        Scored(life, f"q{place}", "kind", "", "en", "", False, {} if each is None else {"s": each})
        for place, each in enumerate(values, start)
    ]


def test_macro_weighs_lives_and_micro_questions() -> None:
    both = rows("one", 1.0, 1.0, 1.0, 0.0) + rows("two", 0.0, None)
    assert micro(both) == {"s": pytest.approx(3 / 5)}
    assert macro(both) == {"s": pytest.approx((0.75 + 0.0) / 2)}


def test_an_interval_holds_its_mean_and_comes_out_the_same_each_time() -> None:
    found = interval(rows("one", *[0.0, 1.0] * 20), "s")
    assert found is not None
    assert found.mean == 0.5
    # The standard error of 40 fair coins is 0.079; 1.96 of them either way.
    assert found.low == pytest.approx(0.5 - 0.155, abs=0.03)
    assert found.high == pytest.approx(0.5 + 0.155, abs=0.03)
    assert interval(rows("one", *[0.0, 1.0] * 20), "s") == found
    assert interval(rows("one", None), "s") is None


def test_a_difference_is_paired_by_question() -> None:
    ours = rows("one", *[0.2, 0.8] * 10)
    theirs = rows("one", *[0.1, 0.7] * 10)
    gap = difference(ours, theirs, "s")
    assert gap is not None
    # Unpaired the spread of 0.3 would drown it; paired every question gains the same.
    assert (gap.mean, gap.low, gap.high) == pytest.approx((0.1, 0.1, 0.1))


def test_a_difference_leaves_out_what_only_one_side_has() -> None:
    gap = difference(rows("one", 1.0, 1.0), rows("one", 0.0, start=1), "s")
    assert gap is not None
    assert gap.mean == 1.0
    assert difference(rows("one", 1.0), rows("two", 1.0), "s") is None
