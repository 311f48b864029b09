"""Recipes: frozen, named, each doing what its name says."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff
from clone_app.errors import CloneAppError
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.recall import recall
from clone_app.memory.recipes import (
    BM25,
    DEFAULT,
    FLAT,
    ORACLE,
    RECENT,
    RECIPES,
    SITUATIONS,
    Recipe,
    recipe_named,
)
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

LIFE = [
    entry("The zeppelin came down in our field.", "2024-03-01", key="zeppelin"),
    entry("Rain. Mended the roof with my brother.", "2024-04-01", key="roof"),
    entry("Baked bread and read until late.", "2024-05-01", key="bread"),
    entry("No date on this one about bread.", None, key="undated"),
]


@pytest.fixture
def index(tmp_path: Path) -> VectorIndex:
    return VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=64)


def keys(
    store: Store,
    index: VectorIndex,
    recipe: Recipe,
    question: str,
    cutoff: Cutoff = NOW,
    **more: object,
) -> list[str]:
    embedder = FakeEmbedder()
    embed_pending(store, index, embedder, progress=Progress())
    found = recall(
        store,
        question,
        cutoff,
        index=index,
        embedder=embedder,
        home=UTC,
        recipe=recipe,
        **more,  # type: ignore[arg-type]
    )
    return [hit.item.key for hit in found.hits]


def test_the_promised_recipes_are_there_by_name_and_frozen() -> None:
    names = {recipe.name for recipe in RECIPES}
    assert names >= {"flat", "bm25", "hybrid", "situations", "thorough", "recent", "oracle"}
    assert len(names) == len(RECIPES)
    assert recipe_named("situations") is SITUATIONS is DEFAULT
    with pytest.raises(dataclasses.FrozenInstanceError):
        SITUATIONS.near = 0.0  # type: ignore[misc]
    assert [recipe.name for recipe in RECIPES if recipe.evaluation_only] == ["oracle"]


def test_an_unknown_recipe_is_said_with_those_there_are() -> None:
    with pytest.raises(CloneAppError, match="Choose one of: flat, bm25"):
        recipe_named("magic")


def test_recent_is_the_latest_first_whatever_is_asked(store: Store, index: VectorIndex) -> None:
    take_in(store, [*LIFE])
    assert keys(store, index, RECENT, "the zeppelin") == ["bread", "roof", "zeppelin"]
    april = Cutoff(datetime(2024, 4, 2, tzinfo=UTC), undated=False)
    assert keys(store, index, RECENT, "the zeppelin", april) == ["roof", "zeppelin"]


def test_oracle_gives_the_evidence_that_can_be_seen_and_nothing_else(
    store: Store, index: VectorIndex
) -> None:
    take_in(store, [*LIFE])
    april = Cutoff(datetime(2024, 4, 2, tzinfo=UTC), undated=False)
    evidence = ["bread", "zeppelin", "gone"]
    assert keys(store, index, ORACLE, "x", april, evidence=evidence) == ["zeppelin"]
    assert keys(store, index, ORACLE, "x", april) == []


def test_flat_ranks_by_one_vector_a_whole_text(store: Store, index: VectorIndex) -> None:
    take_in(store, [*LIFE])
    found = recall(
        store,
        "zeppelin field",
        NOW,
        index=index,
        embedder=FakeEmbedder(),
        home=UTC,
        recipe=FLAT,
    )
    assert found.hits == ()  # no vectors yet, and words don't count
    assert keys(store, index, FLAT, "zeppelin field")[0] == "zeppelin"
    embedder = FakeEmbedder()
    best = recall(
        store, "zeppelin field", NOW, index=index, embedder=embedder, home=UTC, recipe=FLAT
    ).hits[0]
    whole, question = embedder.embed([f"\n{best.item.text}", "zeppelin field"])
    assert best.cosine == pytest.approx(float(whole @ question), abs=1e-5)


def test_bm25_finds_nothing_without_a_shared_word(store: Store, index: VectorIndex) -> None:
    take_in(store, [*LIFE])
    assert keys(store, index, BM25, "aeroplane") == []
    assert set(keys(store, index, BM25, "bread")) == {"bread", "undated"}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("question", ["", "zeppelin " * 1200, "what about 2030?", "最近怎么样"])
def test_every_recipe_bears_odd_questions_and_an_empty_memory(
    store: Store, index: VectorIndex, recipe: Recipe, question: str
) -> None:
    assert keys(store, index, recipe, question) == []
    take_in(store, [*LIFE])
    first = keys(store, index, recipe, question)
    assert len(first) <= 4
    assert keys(store, index, recipe, question) == first
