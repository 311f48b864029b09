"""Choose several of many: PAL-Bench's two of eight solutions, scored from -100 to 100."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from clone_app.evaluation.suites import SuiteQuestion

SCALE = 100.0
_JOINT = ", "


def worth_of(question: SuiteQuestion, chosen: Sequence[str]) -> float:
    """Return what a choice is worth: 1 a liked option, -1 a disliked one, scaled to ±100.

    One left open is worth nothing; too many chosen count as the first ones.
    """
    worth = {each: value for (each, _), value in zip(question.choices, question.worth, strict=True)}
    taken = list(dict.fromkeys(chosen))[: question.choose]
    return SCALE * sum(worth[each] for each in taken) / question.choose


def is_best(question: SuiteQuestion, chosen: Sequence[str]) -> bool:
    """Tell whether nothing better could have been chosen."""
    best = sum(sorted(question.worth, reverse=True)[: question.choose])
    return worth_of(question, chosen) == SCALE * best / question.choose


def combinations_of(question: SuiteQuestion) -> tuple[str, ...]:
    """Return every reply that names as many options as are to be chosen, for a grammar."""
    ids = [each for each, _ in question.choices]
    return tuple(_JOINT.join(each) for each in combinations(ids, question.choose))


def ids_in(reply: str, question: SuiteQuestion) -> tuple[str, ...]:
    """Return the options a reply names, in its order, at most as many as are to be chosen.

    A letter inside a word is none, nor is the article of "A walk".
    """
    ids = {each for each, _ in question.choices}
    found = (
        match[1]
        for match in re.finditer(r"(?<![^\W_])([A-Z])(?![^\W_]|['’])", reply)
        if not (match[1] == "A" and re.match(r" [a-z]", reply[match.end() :]))
        or re.match(r" and [A-Z]\b", reply[match.end() :])
    )
    return tuple(dict.fromkeys(each for each in found if each in ids))[: question.choose]
