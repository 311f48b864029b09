"""Columns of standings: added up, ordered, each telling what it gave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import FoundBy
from clone_app.memory.ranking import Ranking, column, finders

WORDS = column("words", "the question", {3: 2.0, 1: 0.5}, rest=-0.5, passages={3: 30, 1: 10})
MEANING = column(
    "meaning", "the question", {1: 1.0, 2: 3.0}, rest=-1.0,
    passages={1: 11, 2: 20}, cosines={1: 0.4, 2: 0.8},
)  # fmt: skip


def test_what_a_ranker_does_not_reach_stands_at_its_rest() -> None:
    made = Ranking.of([WORDS, MEANING], [np.array([9])])
    assert dict(zip(made.ids.tolist(), made.totals.tolist(), strict=True)) == {
        1: 1.5, 2: 2.5, 3: 1.0, 9: -1.5,
    }  # fmt: skip
    assert made.best(2).tolist() == [2, 1]
    assert made.rest == -1.5


def test_an_item_tells_who_found_it_and_shows_the_passage_of_who_gave_most() -> None:
    made = Ranking.of([WORDS, MEANING])
    assert made.found(1) == (
        FoundBy("words", "the question", 0.5),
        FoundBy("meaning", "the question", 1.0),
    )
    assert made.passage(1) == 11
    assert made.passage(3) == 30
    assert made.cosine(2) == 0.8
    assert made.cosine(3) is None
    assert made.found(77) == ()


def test_what_was_taken_out_does_not_come_back_with_a_later_column() -> None:
    made = Ranking.of([WORDS, MEANING]).only(np.array([True, False, True]))
    later = made.plus(column("near", "the best hits", {2: 9.0, 5: 1.0}))
    assert later.ids.tolist() == [1, 3, 5]
    assert later.totals.tolist() == [1.5, 1.0, -0.5]


def test_of_equals_the_earlier_number_comes_first() -> None:
    made = Ranking.of([column("words", "", {5: 1.0, 2: 1.0, 9: 1.0})])
    assert made.best(3).tolist() == [2, 5, 9]


def test_nearness_counts_as_a_finder_where_nothing_else_found_it() -> None:
    near, words = FoundBy("near", "the best hits", 2.0), FoundBy("words", "the question", -0.1)
    assert finders([near]) == ("near",)
    assert finders([near, words]) == ("words",)
    assert finders([words, FoundBy("whose", "mine", -0.1)]) == ("words",)
    assert finders([words, FoundBy("when", "in May", 0.1)]) == ("words",)
    assert finders([words, FoundBy("when", "in May", 2.0)]) == ("when", "words")


@given(st.lists(st.dictionaries(st.integers(1, 9), st.floats(-9, 9)), max_size=4))
def test_a_total_is_the_sum_of_what_each_ranker_gave(given: list[dict[int, float]]) -> None:
    made = Ranking.of([column(str(n), "", held) for n, held in enumerate(given)])
    for item, total in zip(made.ids.tolist(), made.totals.tolist(), strict=True):
        assert total == pytest.approx(sum(each.standing for each in made.found(item)))
