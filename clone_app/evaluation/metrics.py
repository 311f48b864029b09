"""Figures of one question, and what many of them say together: means, intervals, differences.

Definitions of recall: CloneMem (arXiv 2601.07023). Everything here is a pure function of its
arguments; the seed of the bootstrap is fixed, so that the same answers give the same intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clone_app.evaluation.suites import SuiteQuestion

DEPTHS = (10, 20)
RECALLS = ("flat", "all_all", "all_any", "any_all", "any_any")
CHOICES = (
    "choice_strict",
    "choice_lenient",
    "choice_constrained",
    "choice_likelihood",
    "choice_nearest",
)
JUDGED = ("points", "consistency_paper", "helpfulness_paper", "memory_recall")
SELECTED = ("selection",)
# What a score reaches from and to, where that isn't 0 to 1.
SCALES = {"selection": (-100.0, 100.0), "consistency": (0.0, 3.0), "helpfulness": (0.0, 2.0)}
DRAWS = 2000
SEED = 7

Scores: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Interval:
    """Hold a mean with the 95 % interval around it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold the figures of one question under one arm, and by what they can be grouped."""

    life: str
    question: str
    kind: str
    dimension: str
    language: str
    tier: str
    leaks: bool
    scores: Scores


# --- one question ------------------------------------------------------------------------------------


def recalls(statements: Sequence[Set[str]], found: Sequence[str], k: int) -> dict[str, float]:
    """Return the five recalls over the first `k` keys; `statements` are the keys of each evidence.

    flat: share of all gold keys; all_all, all_any: every statement has all, at least one of its keys;
    any_all: some statement has all; any_any: any gold key at all.
    """
    first = set(found[:k])
    gold = frozenset().union(*statements)
    whole = [statement <= first for statement in statements]
    touched = [bool(statement & first) for statement in statements]
    return {
        "flat": len(gold & first) / len(gold),
        "all_all": float(all(whole)),
        "all_any": float(all(touched)),
        "any_all": float(any(whole)),
        "any_any": float(any(touched)),
    }


def ndcg(gold: Set[str], found: Sequence[str], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k`, every gold key worth 1."""
    gained = sum(1 / math.log2(place + 2) for place, key in enumerate(found[:k]) if key in gold)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(k, len(gold))))
    return gained / ideal


def retrieval_scores(question: SuiteQuestion, found: Sequence[str]) -> dict[str, float]:
    """Return `recall_<kind>@<k>` at 10 and 20 and `ndcg@10`; nothing without evidence."""
    if not question.gold:
        return {}
    scores = {
        f"recall_{name}@{k}": value
        for k in DEPTHS
        for name, value in recalls(question.statements, found, k).items()
    }
    return scores | {"ndcg@10": ndcg(question.gold, found, 10)}


def strict(reply: str, correct: str) -> float:
    """Return 1 where the whole reply, trimmed and upper-cased, is the id: `D.` is wrong."""
    return float(reply.strip().upper() == correct.upper())


def lenient(reply: str, correct: str, ids: Iterable[str]) -> float:
    """Return 1 where the first option id that stands by itself in the reply is the right one."""
    return float(first_id(reply, ids) == correct)


def first_id(reply: str, ids: Iterable[str]) -> str:
    """Return the first option id that stands by itself in a reply; nothing where none does.

    "The answer is D.", "(b) since …" and "**C**" name an option; the article of "A good day" doesn't.
    """
    known = {each.upper(): each for each in ids}
    words = reply.replace("*", " ").replace("_", " ").split()
    for place, raw in enumerate(words):
        word = raw.strip("()[]{}.,:;!?\"'`“”’")
        marked = raw != word or len(words) == 1
        article = word == "A" and not marked and place == 0
        if word.upper() in known and (marked or word.isupper()) and not article:
            return known[word.upper()]
    return ""


# --- many questions ----------------------------------------------------------------------------------


def names(rows: Iterable[Scored]) -> tuple[str, ...]:
    """Return the scores that occur, in the order they came."""
    return tuple(dict.fromkeys(name for row in rows for name in row.scores))


def micro(rows: Sequence[Scored]) -> dict[str, float]:
    """Return the mean of each score over questions that have it."""
    return {
        name: float(np.mean([row.scores[name] for row in rows if name in row.scores]))
        for name in names(rows)
    }


def macro(rows: Sequence[Scored]) -> dict[str, float]:
    """Return the mean of each score per life, then over the lives that have it."""
    lives = [micro(each) for each in grouped(rows, lambda row: row.life).values()]
    return {
        name: float(np.mean([life[name] for life in lives if name in life])) for name in names(rows)
    }


def grouped(rows: Iterable[Scored], key: Callable[[Scored], str]) -> dict[str, list[Scored]]:
    """Return the rows by a key, keys in the order they came."""
    found: dict[str, list[Scored]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def interval(rows: Sequence[Scored], name: str) -> Interval | None:
    """Return a score's macro mean with its bootstrap interval, questions drawn within each life."""
    lives = [
        np.array([row.scores[name] for row in life if name in row.scores])
        for life in grouped(rows, lambda row: row.life).values()
    ]
    return _bootstrap([life for life in lives if len(life)])


def difference(ours: Sequence[Scored], theirs: Sequence[Scored], name: str) -> Interval | None:
    """Return by how much one arm is better, over the questions both have: paired, macro.

    An interval on one side of 0 says that the difference is more than chance.
    """
    other = {(row.life, row.question): row.scores for row in theirs}
    gaps: dict[str, list[float]] = {}
    for row in ours:
        scores = other.get((row.life, row.question), {})
        if name in row.scores and name in scores:
            gaps.setdefault(row.life, []).append(row.scores[name] - scores[name])
    return _bootstrap([np.array(life) for life in gaps.values()])


def _bootstrap(lives: Sequence[NDArray[np.float64]]) -> Interval | None:
    if not lives:
        return None
    drawn = np.zeros(DRAWS)
    random = np.random.default_rng(SEED)
    for life in lives:
        drawn += life[random.integers(0, len(life), (DRAWS, len(life)))].mean(axis=1)
    low, high = np.percentile(drawn / len(lives), [2.5, 97.5])
    return Interval(float(np.mean([life.mean() for life in lives])), float(low), float(high))
