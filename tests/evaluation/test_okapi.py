"""BM25 against a score worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clone_app.evaluation.okapi import Okapi


def test_the_score_of_one_word_is_the_textbooks() -> None:
    # Three texts of 2, 4 and 6 words; "gull" stands twice in the second alone.
    found = Okapi(["red bell", "gull gulls far out", "a b c d e f"]).scores("The gull?")
    rarity = math.log((3 - 1 + 0.5) / (1 + 0.5))
    expected = rarity * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 4 / 4))
    assert found.tolist() == pytest.approx([0, expected, 0])


def test_a_word_of_most_texts_counts_nothing() -> None:
    assert Okapi(["the bell", "the gull", "the mill"]).scores("the").tolist() == [0, 0, 0]


def test_chinese_is_compared_by_pairs_of_letters() -> None:
    scores = Okapi(["我们去了海边", "他买了自行车", "天气很好", "下雨了"]).scores("海边怎么样")
    assert int(np.argmax(scores)) == 0
    assert scores[1:].tolist() == [0, 0, 0]


def test_no_texts_and_no_words_are_no_error() -> None:
    assert Okapi([]).scores("gull").tolist() == []
    assert Okapi(["", ""]).scores("").tolist() == [0, 0]
