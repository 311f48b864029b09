"""The second stage: words of the best hits, and a reranker's own view of the first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from clone_app.entries import Hit
from clone_app.errors import ModelError
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT, THOROUGH
from clone_app.memory.rerank import LETTERS
from clone_app.memory.store import Store
from clone_app.progress import Progress
from clone_app.protocols import Reranker

from .conftest import NOW, entry, take_in


class Backwards:
    """Prefer the text with the most of one word."""

    name = "backwards"

    def __init__(self, fault: Exception | None = None) -> None:
        self.asked: list[str] = []
        self._fault = fault

    def scores(
        self, question: str, texts: Sequence[str], *, progress: Progress | None = None
    ) -> list[float]:
        self.asked.append(question)
        if self._fault is not None:
            raise self._fault
        return [float("again" in text) * 100 for text in texts]


LIFE = [
    entry("The kiln burst while firing.", "2024-03-01", key="first"),
    entry("The kiln burst while firing again.", "2023-03-01", key="second"),
    *(entry(f"An ordinary day, number {at}.", f"2022-01-{1 + at:02}") for at in range(28)),
]


def hits(store: Store, question: str, reranker: Reranker | None = None) -> tuple[Hit, ...]:
    return recall(
        store,
        question,
        NOW,
        index=None,
        embedder=None,
        home=UTC,
        recipe=THOROUGH,
        reranker=reranker,
    ).hits


def test_a_reranker_is_asked_once_and_its_view_counts(store: Store) -> None:
    take_in(store, [*LIFE])
    reranker = Backwards()
    found = hits(store, "kiln burst firing", reranker)
    assert reranker.asked == ["kiln burst firing"]
    given = {hit.item.key: {each.ranker: each for each in hit.found} for hit in found}
    assert given["second"]["rerank"].probe == "backwards"
    assert given["second"]["rerank"].standing > given["first"]["rerank"].standing


def test_without_a_model_letters_decide_and_a_failing_one_is_done_without(store: Store) -> None:
    take_in(store, [*LIFE])
    plain = hits(store, "kiln burst firing")
    failing = hits(store, "kiln burst firing", Backwards(ModelError("gone")))
    assert [hit.item.key for hit in plain] == [hit.item.key for hit in failing]
    rerank = next(each for each in plain[0].found if each.ranker == "rerank")
    assert rerank.probe == "shared letters"


def test_the_default_asks_no_reranker(store: Store) -> None:
    take_in(store, [*LIFE])
    reranker = Backwards()
    recall(
        store, "kiln", NOW, index=None, embedder=None, home=UTC, recipe=DEFAULT, reranker=reranker
    )
    assert reranker.asked == []


def test_words_of_the_best_hits_find_what_the_question_has_no_word_for(store: Store) -> None:
    take_in(
        store,
        [
            *LIFE,
            entry(
                "The kiln burst, and Marguerite cut her hand on a shard.", "2024-05-01", key="hit"
            ),
            entry("Marguerite's hand has healed, the shard is out.", "2024-09-01", key="echo"),
        ],
    )
    found = {hit.item.key: hit for hit in hits(store, "When did the kiln burst?")}
    assert "echo" in found["echo"].found_by
    plain = recall(store, "When did the kiln burst?", NOW, index=None, embedder=None, home=UTC).hits
    assert "echo" not in {hit.item.key for hit in plain}


def test_shared_letters_prefer_what_is_written_alike_in_any_script() -> None:
    far, near = LETTERS.scores("Überschwemmungen", ["Der Hund schläft.", "Die Überschwemmung kam."])
    assert near > far
    far, near = LETTERS.scores("海边的房子", ["去年冬天很冷", "我们在海边买了房子"])
    assert near > far
    assert LETTERS.scores("anything", []) == []
    assert LETTERS.scores("", ["", "a"]) == [0.0, 0.0]
