"""Questions that can't be answered as they are asked, and memories that hold nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff, Recalled
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.recall import recall
from clone_app.memory.recipes import RECIPES, By, Recipe
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

LIFE = [
    entry("The zeppelin came down in our field.", "2024-09-03", key="zeppelin"),
    entry("Rain all day, mended the roof.", "2024-12-05", key="roof"),
    *(entry(f"An ordinary day, number {at}.", f"2022-01-{1 + at:02}") for at in range(28)),
]
LOOKING = [each for each in RECIPES if each.by in (By.RANKING, By.WHOLE)]


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def index(tmp_path: Path, embedder: FakeEmbedder) -> VectorIndex:
    return VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=embedder.dimensions)


def remember(store: Store, index: VectorIndex, embedder: FakeEmbedder) -> None:
    take_in(store, LIFE)
    embed_pending(store, index, embedder, progress=Progress())
    embedder.batches.clear()


def asked(
    store: Store,
    index: VectorIndex,
    embedder: FakeEmbedder,
    question: str,
    cutoff: Cutoff = NOW,
    **more: Recipe,
) -> Recalled:
    return recall(store, question, cutoff, index=index, embedder=embedder, home=UTC, k=3, **more)  # type: ignore[call-overload]


@pytest.mark.parametrize("recipe", LOOKING, ids=lambda each: each.name)
@pytest.mark.parametrize("question", ["", "  \n ", "?!"])
def test_no_question_finds_nothing(
    store: Store, index: VectorIndex, embedder: FakeEmbedder, question: str, recipe: Recipe
) -> None:
    remember(store, index, embedder)
    found = asked(store, index, embedder, question, recipe=recipe)
    if question.strip():  # marks alone have no words, and some nearness like everything
        assert found.terms == ()
    else:
        assert found.hits == ()
        assert embedder.batches == []


@pytest.mark.parametrize("recipe", LOOKING, ids=lambda each: each.name)
def test_an_empty_memory_finds_nothing_and_nothing_waits(
    store: Store, index: VectorIndex, embedder: FakeEmbedder, recipe: Recipe
) -> None:
    found = asked(store, index, embedder, "Where did the zeppelin come down?", recipe=recipe)
    assert found.hits == ()
    assert found.pending == 0


@pytest.mark.parametrize("recipe", LOOKING, ids=lambda each: each.name)
def test_ten_thousand_characters_still_find_what_they_speak_of(
    store: Store, index: VectorIndex, embedder: FakeEmbedder, recipe: Recipe
) -> None:
    remember(store, index, embedder)
    question = "The zeppelin, the zeppelin in our field! " * 244
    assert len(question) > 10_000
    found = asked(store, index, embedder, question, recipe=recipe)
    assert found.hits[0].item.key == "zeppelin"


@pytest.mark.parametrize(
    ("question", "at"),
    [
        ("Where will the zeppelin come down in December 2030?", NOW),
        (
            "Where did the zeppelin come down in December 2025?",
            Cutoff(datetime(2025, 6, 1, tzinfo=UTC)),
        ),
        ("2030年12月 zeppelin", NOW),
    ],
)
def test_a_time_to_come_is_left_out_and_the_rest_is_looked_for(
    store: Store, index: VectorIndex, embedder: FakeEmbedder, question: str, at: Cutoff
) -> None:
    remember(store, index, embedder)
    found = asked(store, index, embedder, question, at)
    assert found.intervals == ()
    assert found.hits[0].item.key == "zeppelin"  # and not the roof, of a December that is past
