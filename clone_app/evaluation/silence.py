"""When the clone stays silent: what it would do with what its recall found, and the curve behind it.

The threshold of how strongly an entry must bear a question weighs answers against silences; what it
costs on either side shows only over questions that can be answered and questions that can't.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from clone_app.entries import Recalled
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.persona.enough import enough
from clone_app.persona.likeness import on_one_scale
from clone_app.persona.question.then import timeless
from clone_app.persona.quote import quote_answer

# So many entries an answer looks at where nothing else is set.
LOOKED_AT: Final = 8
STEPS: Final = tuple(step / 20 for step in range(2, 31))


@dataclass(frozen=True, slots=True)
class Judged:
    """Say how strongly what was found bears a question, and whether the clone would stay silent."""

    strength: float
    silent: bool


@dataclass(frozen=True, slots=True)
class Point:
    """Hold what one threshold for all would do: shares from 0 to 1.

    `answered` of the questions that can be answered, `silent` of those that can't, `right` of the
    silences; None where there would be none.
    """

    threshold: float
    answered: float
    silent: float
    right: float | None


@dataclass(frozen=True, slots=True)
class Silence:
    """Hold over `answerable` and `unanswerable` questions what the clone does, and the curve.

    What it does is no point of the curve: it wants more where more is remembered and for plain facts,
    and whom and when a question names must fit whatever the strength.
    """

    answerable: int
    unanswerable: int
    answered: float
    silent: float
    right: float | None
    curve: tuple[Point, ...]


def judged(question: SuiteQuestion, recalled: Recalled) -> Judged:
    """Return what the clone would make of what its own recall found."""
    seen = on_one_scale(replace(recalled, hits=recalled.hits[:LOOKED_AT]))
    verdict = enough(question.text, seen, question.asked_at)
    answers = verdict.yes and bool(
        quote_answer(timeless(question.text, seen), verdict.hits, question=question.text)
    )
    return Judged(round(verdict.strength, 4), not answers)


def silence(found: Iterable[tuple[SuiteQuestion, Judged]]) -> Silence | None:
    """Return how answers and silences fall; None without questions of both kinds.

    A question with neither evidence nor the mark of being unanswerable belongs to neither.
    """
    yes, no = [], []
    for question, each in found:
        if question.unanswerable:
            no.append(each)
        elif question.gold:
            yes.append(each)
    if not yes or not no:
        return None

    def shares(answered: int, silent: int) -> tuple[float, float, float | None]:
        silences = len(yes) - answered + silent
        return answered / len(yes), silent / len(no), silent / silences if silences else None

    curve = tuple(
        Point(
            step,
            *shares(
                sum(each.strength >= step for each in yes), sum(each.strength < step for each in no)
            ),
        )
        for step in STEPS
    )
    done = shares(sum(not each.silent for each in yes), sum(each.silent for each in no))
    return Silence(len(yes), len(no), *done, curve)


def said(found: Silence) -> str:
    """Return what the clone does in one sentence."""

    def percent(share: float) -> str:
        return f"{100 * share:.0f} %"

    right = "" if found.right is None else f"; {percent(found.right)} of its silences are right"
    return (
        f"The clone answers {percent(found.answered)} of {found.answerable:,} questions that can be "
        f"answered and stays silent on {percent(found.silent)} of {found.unanswerable:,} that "
        f"can't{right}."
    )
