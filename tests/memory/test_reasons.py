"""Why a question found an item, or didn't; and what is kept of it with an answer."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff, FoundBy
from clone_app.memory.conversations import Conversations
from clone_app.memory.database import Base, rows
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.log import logged
from clone_app.memory.reasons import Reason, Verdict, saw, told, why
from clone_app.memory.recall import recall
from clone_app.memory.recipes import Scope
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

LIFE = [
    entry("The zeppelin came down in our field.", "2024-03-01", key="zeppelin"),
    entry("A letter about a zeppelin.", "2024-03-20", key="letter", mine=False, author="Nora"),
    entry("No date, but a zeppelin.", None, key="undated"),
    *(entry(f"Day {at}: rain.", f"2023-{1 + at // 28:02}-{1 + at % 28:02}") for at in range(60)),
]
QUESTION = "What about the zeppelin in the sky?"


def number(store: Store, key: str) -> int:
    return int(rows(store.base.db(), "SELECT id FROM items WHERE key = ?", [key])[0][0])


def reason(store: Store, key: str, cutoff: Cutoff = NOW, k: int = 3, **more: object) -> Reason:
    return why(
        store,
        QUESTION,
        number(store, key),
        cutoff,
        index=None,
        embedder=None,
        home=UTC,
        k=k,
        **more,  # type: ignore[arg-type]
    )


def test_what_was_found_says_its_rank_and_what_each_ranker_gave(store: Store) -> None:
    take_in(store, [*LIFE])
    told = reason(store, "zeppelin")
    assert told.verdict is Verdict.FOUND
    assert told.rank in (1, 2)
    assert told.words == ("zeppelin",)
    assert told.lacking == ("sky",)
    assert told.waiting
    assert {each.ranker for each in told.found} >= {"words", "near"}
    hit = next(
        hit
        for hit in recall(store, QUESTION, NOW, index=None, embedder=None, home=UTC, k=3).hits
        if hit.item.key == "zeppelin"
    )
    assert set(hit.found) == set(told.found)
    assert told.score is not None
    assert told.needed is not None
    assert told.score >= told.needed


def test_what_was_not_found_says_why(store: Store) -> None:
    take_in(store, [*LIFE])
    rain = rows(store.base.db(), "SELECT key FROM items WHERE text LIKE 'Day 3:%'")[0][0]
    assert reason(store, rain).verdict is Verdict.UNREACHED
    below = reason(store, "letter", k=1)
    if below.verdict is Verdict.FOUND:
        below = reason(store, "zeppelin", k=1)
    assert below.verdict is Verdict.BELOW
    assert below.rank is not None
    assert below.rank > 1
    before = Cutoff(datetime(2024, 1, 1, tzinfo=UTC), undated=False)
    assert reason(store, "zeppelin", before).verdict is Verdict.LATER
    assert reason(store, "undated", before).verdict is Verdict.UNDATED
    assert reason(store, "letter", scope=Scope(whose="mine")).verdict is Verdict.OUTSIDE


def test_a_share_of_time_that_is_taken_is_said(store: Store) -> None:
    burst = [entry(f"Regatta, race {at}.", "2024-06-01", key=f"r{at}") for at in range(30)]
    take_in(store, [*LIFE, *burst])
    verdicts = {
        why(
            store, "regatta race zeppelin", number(store, f"r{at}"), NOW,
            index=None, embedder=None, home=UTC, k=10,
        ).verdict
        for at in range(30)
    }  # fmt: skip
    assert verdicts == {Verdict.FOUND, Verdict.CROWDED, Verdict.BELOW}


def test_with_vectors_nothing_waits(store: Store, tmp_path: Path) -> None:
    take_in(store, [*LIFE])
    embedder = FakeEmbedder()
    index = VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=64)
    embed_pending(store, index, embedder, progress=Progress())
    told = why(
        store, QUESTION, number(store, "letter"), NOW, index=index, embedder=embedder, home=UTC
    )
    assert not told.waiting
    assert "meaning" in {each.ranker for each in told.found}


@pytest.fixture
def turn(store: Store) -> int:
    take_in(store, [*LIFE])
    kept = Conversations(store.base)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    asked = kept.ask(kept.begin(now), QUESTION, now=now, at=None, recipe="situations")
    hits = recall(store, QUESTION, NOW, index=None, embedder=None, home=UTC, k=3).hits
    kept.keep_found(asked, hits)
    assert [each.item_id for each in logged(store.base, asked)] == [hit.item_id for hit in hits]
    assert [each.found for each in logged(store.base, asked)] == [hit.found for hit in hits]
    return asked


def test_what_was_found_goes_with_its_items(store: Store, base: Base, turn: int) -> None:
    before = logged(base, turn)
    gone = number(store, "zeppelin")
    with base.write() as db:
        db.execute("DELETE FROM items WHERE id = ?", [gone])
    assert [each.item_id for each in logged(base, turn)] == [
        each.item_id for each in before if each.item_id != gone
    ]


def test_what_was_found_goes_with_its_turn(base: Base, turn: int) -> None:
    with base.write() as db:
        db.execute("DELETE FROM turns WHERE id = ?", [turn])
    assert logged(base, turn) == ()


def test_no_text_of_an_item_is_in_the_log(base: Base, turn: int) -> None:
    kept = str(rows(base.db(), "SELECT found FROM finds WHERE turn_id = ?", [turn]))
    assert "field" not in kept
    assert "letter" not in kept


def test_a_reason_is_told_without_a_word_of_the_trade(store: Store) -> None:
    take_in(store, [*LIFE])
    said = "\n".join(told(reason(store, "letter", k=3)))
    assert said.startswith("Found: it is number 1 of the 3 entries the answer is made from.")
    assert "It holds words of the question" in said
    assert "It was not you who wrote it" in said
    assert "Entries that fit well were written around the same days" in said
    assert "Words of the question in it: zeppelin." in said
    assert "Words of the question not in it: sky." in said
    assert "(the question)" not in said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (FoundBy("when", "last {spring}", 2.0), "It was written in or close to “last {spring}”"),
        (FoundBy("people", "Mum", 1.0), "It is by or to Mum"),
        (FoundBy("meaning", "the question", -1.0), "Its meaning is far from that of the question"),
        (FoundBy("whose", "mine", -0.1), "It was not you who wrote it"),
        (FoundBy("tea leaves", "the cup", 1.0), "tea leaves (the cup)"),
    ],
)
def test_what_each_ranker_saw_has_words(found: FoundBy, said: str) -> None:
    assert saw(found) == said
