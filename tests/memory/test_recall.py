"""Recall: what a question is about, in the words and in time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff, Item
from clone_app.memory.database import Base
from clone_app.memory.embedding import embed_pending, pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import understand
from clone_app.memory.recall import recall
from clone_app.memory.recipes import SEARCH
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def index(tmp_path: Path, embedder: FakeEmbedder) -> VectorIndex:
    return VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=embedder.dimensions)


LIFE = [
    entry("We moved house today. Boxes everywhere.", "2024-03-01"),
    entry("The new flat is cold, and I regret the move.", "2024-04-01"),
    entry("I dug a pit and put in my Parmazan cheese.", "2024-05-01"),
    entry("去年春天我们去了海边。", "2024-06-01"),
    entry("A note about the move with no date.", None),
    entry("The landlord writes about the move.", "2024-02-01", mine=False, author="Landlord"),
    *(entry(f"Ordinary day {number}, nothing happened.", "2023-01-01") for number in range(30)),
]


def texts(store: Store, question: str, cutoff: Cutoff = NOW, **more: object) -> list[str]:
    found = recall(store, question, cutoff, index=None, embedder=None, home=UTC, **more)  # type: ignore[arg-type]
    return [hit.item.text for hit in found.hits]


def test_words_alone_find_before_any_vector_is_there(store: Store) -> None:
    take_in(store, [*LIFE])
    assert "Boxes" in texts(store, "What did I write when we moved house?")[0]


def test_a_word_memory_does_not_hold_is_looked_up_by_its_spelling(store: Store) -> None:
    take_in(store, [*LIFE])
    terms = understand(store.base.db(), "my parmesan cheese")
    assert terms[0].spelled == ("parmazan",)
    assert "Parmazan" in texts(store, "Where is the parmesan?")[0]


def test_a_word_nobody_wrote_has_no_spelling_and_weighs_most(store: Store) -> None:
    take_in(store, [*LIFE])
    smartphone, flat = understand(store.base.db(), "smartphone in the flat")
    assert smartphone.spelled == ()
    assert smartphone.weight > flat.weight
    assert texts(store, "smartphone") == []


def test_two_letter_chinese_words_are_found(store: Store) -> None:
    take_in(store, [*LIFE])
    assert "海边" in texts(store, "海边怎么样?")[0]


def test_nothing_later_than_the_question_is_seen_or_takes_a_place(
    store: Store, index: VectorIndex, embedder: FakeEmbedder
) -> None:
    take_in(store, [*LIFE])
    embed_pending(store, index, embedder, progress=Progress())
    march = Cutoff(datetime(2024, 3, 15, tzinfo=UTC), undated=False)
    found = recall(store, "the move", march, index=index, embedder=embedder, home=UTC, k=40)
    assert found.hits
    for hit in found.hits:
        start = hit.item.moment.start(UTC)
        assert start is not None
        assert start <= march.instant
    only_old = Cutoff(datetime(2023, 1, 1, tzinfo=UTC), undated=False)
    assert (
        len(recall(store, "move", only_old, index=index, embedder=embedder, home=UTC, k=40).hits)
        == 30
    )


def test_undated_items_are_seen_now_and_hidden_from_the_past(store: Store) -> None:
    take_in(store, [*LIFE])
    past = Cutoff(datetime(2025, 1, 1, tzinfo=UTC), undated=False)
    assert any("no date" in text for text in texts(store, "note about the move"))
    assert not any("no date" in text for text in texts(store, "note about the move", past))


def test_a_hit_says_who_found_it_how_near_and_how_much_it_holds(
    store: Store, index: VectorIndex, embedder: FakeEmbedder
) -> None:
    take_in(store, [*LIFE])
    assert pending(store) > 0
    embed_pending(store, index, embedder, progress=Progress())
    assert pending(store) == 0
    best = recall(store, "regret the move", NOW, index=index, embedder=embedder, home=UTC).hits[0]
    assert "regret" in best.item.text
    assert best.found_by == ("meaning", "words")
    assert best.coverage == pytest.approx(1.0)
    assert best.cosine is not None
    assert 0.2 < best.cosine <= 1.0
    assert best.item.text[best.start :].startswith(best.passage)


def test_the_users_own_words_come_before_an_equal_one_of_others(store: Store) -> None:
    take_in(
        store,
        [
            entry("Plain talk of zebras.", key="a", mine=False),
            entry("Plain talk of zebras!", key="b"),
            entry("Something else.", key="c"),
        ],
    )
    assert texts(store, "zebras")[0].endswith("!")


def test_a_question_of_function_words_alone_finds_nothing_by_words(store: Store) -> None:
    take_in(store, [*LIFE])
    assert texts(store, "what did you?") == []


@pytest.mark.parametrize(
    "question", ['"', "a AND (b", "NEAR(", "-", "*", "col:x", "'; DROP", "é\x00"]
)
def test_no_question_breaks_the_search(store: Store, base: Base, question: str) -> None:
    take_in(store, [*LIFE])
    texts(store, question)
    assert base.quick_check() == "ok"


def days(count: int) -> list[Item]:
    return [
        entry(
            f"Nothing of note on day {number}.", f"2024-{1 + number // 28:02}-{1 + number % 28:02}"
        )
        for number in range(count)
    ]


def test_what_was_written_in_the_time_named_comes_first(store: Store) -> None:
    told = [
        entry("Rowing on the lake with Ida.", "2024-02-10"),
        entry("Rowing on the lake with Ida again.", "2024-06-10"),
    ]
    take_in(store, [*days(200), *told])
    assert texts(store, "When did you go rowing in February 2024?")[0].endswith("with Ida.")
    assert texts(store, "When did you go rowing in June 2024?")[0].endswith("again.")


def test_a_day_named_is_found_though_no_word_is_shared(store: Store) -> None:
    take_in(store, [*days(200), entry("Moved the piano.", "2024-08-20")])
    assert "piano" in texts(store, "What happened on 20 August 2024?")[0]


def test_what_stands_around_a_good_hit_is_lifted_and_said_to_be(store: Store) -> None:
    take_in(
        store,
        [
            *days(200),
            entry("The zeppelin came down in our field.", "2024-09-03"),
            entry("Everybody talks of nothing else.", "2024-09-04"),
        ],
    )
    found = recall(store, "the zeppelin", NOW, index=None, embedder=None, home=UTC).hits
    assert "zeppelin" in found[0].item.text
    assert "nothing else" in found[1].item.text
    assert found[1].found_by == ("near",)
    assert texts(store, "the zeppelin", recipe=SEARCH) == [found[0].item.text]


def test_recall_is_deterministic(store: Store, index: VectorIndex, embedder: FakeEmbedder) -> None:
    take_in(store, [*LIFE])
    embed_pending(store, index, embedder, progress=Progress())
    runs = [
        [
            (hit.item.key, hit.score)
            for hit in recall(store, "the move", NOW, index=index, embedder=embedder, home=UTC).hits
        ]
        for _ in range(3)
    ]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("question", ["", "   ", "x" * 10_000, "what? " * 2000, "in 3024", "去年"])
def test_odd_questions_and_an_empty_memory_give_a_list(store: Store, question: str) -> None:
    assert texts(store, question) == []
    take_in(store, [*LIFE])
    assert len(texts(store, question)) <= 10


def test_an_irregular_form_is_found_by_any_other(store: Store) -> None:
    take_in(store, [*days(60), entry("I bought a green kayak.", "2024-09-01")])
    (term,) = understand(store.base.db(), "What did you buy?")
    assert term.word == "buy"
    assert "bought" in term.spelled
    assert "kayak" in texts(store, "What did you buy?")[0]
    assert "kayak" in texts(store, "Are you buying anything?")[0]
