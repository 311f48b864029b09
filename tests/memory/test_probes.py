"""Lines that who asks supposes the memory to hold: one more probe, for the recipe that wants it."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from clone_app.entries import Recalled
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.probes import SUPPOSED
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT, SUPPOSING, Recipe
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

LIFE = [
    entry("Marguerite left the choir, rehearsals run too late.", "2021-06-01", key="choir"),
    entry("The kiln burst while firing.", "2024-03-01", key="kiln"),
    *(entry(f"An ordinary day, number {at}.", f"2022-01-{1 + at:02}") for at in range(28)),
]
LINE = "Marguerite left the choir since rehearsals run late."


@pytest.fixture
def index(store: Store, tmp_path: Path) -> VectorIndex:
    made = VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=64)
    take_in(store, LIFE)
    embed_pending(store, made, FakeEmbedder(), progress=Progress())
    return made


def found(
    store: Store, index: VectorIndex | None, *lines: str, recipe: Recipe = SUPPOSING
) -> Recalled:
    return recall(
        store,
        "Why is singing over?",
        NOW,
        index=index,
        embedder=FakeEmbedder(),
        home=UTC,
        recipe=recipe,
        lines=lines,
        k=3,
    )


def test_what_is_like_the_line_is_found_and_the_log_says_by_what(
    store: Store, index: VectorIndex
) -> None:
    (first, *_) = found(store, index, LINE).hits
    assert first.item.key == "choir"
    assert ("meaning", SUPPOSED) in {(each.ranker, each.probe) for each in first.found}
    assert SUPPOSED == "a line as the diary might say it"
    without = found(store, index).hits
    assert SUPPOSED not in {each.probe for hit in without for each in hit.found}
    assert without[0].score < first.score


def test_a_line_makes_nothing_nearer_to_the_question(store: Store, index: VectorIndex) -> None:
    cosines = {hit.item.key: hit.cosine for hit in found(store, index).hits}
    for hit in found(store, index, LINE).hits:
        assert hit.cosine == cosines.get(hit.item.key, hit.cosine)
        assert hit.cosine is None or hit.cosine < 0.9


def test_the_default_looks_for_no_line(store: Store, index: VectorIndex) -> None:
    assert found(store, index, LINE, recipe=DEFAULT) == found(store, index, recipe=DEFAULT)


def test_without_lines_the_recipe_is_the_default(store: Store, index: VectorIndex) -> None:
    assert found(store, index).hits == found(store, index, recipe=DEFAULT).hits


def test_the_same_line_gives_the_same_hits_and_none_is_needed_without_an_index(
    store: Store, index: VectorIndex
) -> None:
    assert found(store, index, LINE) == found(store, index, LINE)
    assert found(store, None, LINE).hits == found(store, None).hits


def test_several_lines_share_the_weight(store: Store, index: VectorIndex) -> None:
    one, two = found(store, index, LINE), found(store, index, LINE, LINE)
    assert [hit.item.key for hit in one.hits] == [hit.item.key for hit in two.hits]
    assert two.hits[0].score == pytest.approx(one.hits[0].score)
