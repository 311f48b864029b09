"""How recall ranks, as frozen values with names: stored with every answer, compared in evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from clone_app.errors import CloneAppError

Whose: TypeAlias = Literal["mine", "others"]


class By(StrEnum):
    """What decides the order.

    RANKING: the rankers a recipe weighs; WHOLE: one vector a whole text; LATEST: time alone;
    EVIDENCE: the answer key, which only an evaluation has.
    """

    RANKING = "ranking"
    WHOLE = "whole"
    LATEST = "latest"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Say how recall ranks. Every weight multiplies standings, which are deviations above the mean.

    `meaning` and `words` weigh the two rankers that look into texts, `timeless` lets meaning look for
    the question without its time words too. `when`, `people` and `medium` weigh how telling the time,
    the people and the kind of entry are that a question names. `near` weighs the lift of what stands
    around the `seeds` best, up to some `reach` days away; `share` is how much of a result one
    such neighbourhood may take. `others` is added to what the user did not write, since a question to
    a clone is about its own life first. `echo` weighs a second round for the words of the best hits,
    `rerank` what a reranker says of the first `depth`. `supposed` weighs lines that who asks supposes
    the memory to hold, against the question's meaning. `pool` is how many passages each ranker offers.
    """

    name: str
    by: By = By.RANKING
    meaning: float = 1.0
    words: float = 1.5
    timeless: bool = True
    when: float = 1.0
    people: float = 0.4
    medium: float = 0.3
    near: float = 1.5
    seeds: int = 40
    reach: float = 0.5
    share: float = 0.9
    others: float = -0.1
    echo: float = 0.0
    rerank: float = 0.0
    depth: int = 30
    supposed: float = 0.0
    pool: int = 400

    @property
    def evaluation_only(self) -> bool:
        """Tell whether this needs what only an evaluation knows."""
        return self.by is By.EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Say which items may be found, and whom a question is about.

    `whose` keeps the user's own or those of others alone. `about` holds handles' keys (names and
    addresses, folded as in `memory/people.py`) of people the question speaks of: what they wrote or
    got is raised, and with `only` nothing else is found. `medium`, and the days from `since` to before
    `until` (ISO, local), keep all else out. `plain` are phrases (folded) that name no time and nobody.
    """

    whose: Whose | None = None
    about: frozenset[str] = frozenset()
    only: bool = False
    medium: str | None = None
    since: str | None = None
    until: str | None = None
    plain: frozenset[str] = frozenset()

    @property
    def open(self) -> bool:
        """Tell whether nothing is kept out."""
        return not self.only and all(
            part is None for part in (self.whose, self.medium, self.since, self.until)
        )


_BARE = {
    "timeless": False, "when": 0.0, "people": 0.0, "medium": 0.0, "near": 0.0, "share": 1.0,
    "others": 0.0,
}  # fmt: skip


def _bare(name: str, **weights: object) -> Recipe:
    return Recipe(**(_BARE | {"name": name} | weights))  # type: ignore[arg-type]


SITUATIONS = Recipe(name="situations")
THOROUGH = Recipe(name="thorough", echo=0.3, rerank=0.15)
SUPPOSING = Recipe(name="supposing", supposed=0.5)
SEARCH = Recipe(name="search", near=0.0, share=1.0)
HYBRID = _bare("hybrid", words=1.0, others=-0.1)
BM25 = _bare("bm25", meaning=0.0, words=1.0)
PASSAGES = _bare("passages", words=0.0)
FLAT = _bare("flat", by=By.WHOLE, words=0.0)
RECENT = _bare("recent", by=By.LATEST)
ORACLE = _bare("oracle", by=By.EVIDENCE)
RECIPES = (FLAT, BM25, PASSAGES, HYBRID, SEARCH, SITUATIONS, THOROUGH, SUPPOSING, RECENT, ORACLE)
DEFAULT = SITUATIONS


def recipe_named(name: str) -> Recipe:
    """Return the recipe of a name; raise for one that isn't there."""
    for recipe in RECIPES:
        if recipe.name == name:
            return recipe
    names = ", ".join(recipe.name for recipe in RECIPES)
    raise CloneAppError(f"There is no recipe “{name}”. Choose one of: {names}.")
