"""Situations: what stands close in time and in meaning belongs together."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from clone_app.entries import Item, Moment, Precision
from clone_app.errors import Cancelled
from clone_app.memory.database import Base, rows
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.removal import Removal, remove
from clone_app.memory.situations import WORD_DIMENSIONS, Situation, Situations, word_vectors
from clone_app.memory.store import Store, update_item
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import KEY, entry, take_in

START = date(2024, 1, 1)


def on(day: int, text: str, **more: object) -> Item:
    return entry(text, str(START + timedelta(days=day)), **more)


def two_stories() -> list[Item]:
    """Forty days of this and that, with a boat that is mended and a wedding in between."""
    noise = [
        "Rain and letters.", "Bread with seeds.", "Slept badly again.", "The tram was late.",
        "A chess evening.", "Paid the gas bill.", "Read about whales.", "The neighbour's piano.",
    ]  # fmt: skip
    boat = [
        on(10, "Scraped the hull of the boat Merle with Ida, barnacles everywhere."),
        on(11, "Second day at the boat: hull sanded, Ida found rot in the keel."),
        on(12, "The keel of the boat is out; Merle looks like a ribcage. Hull drying."),
    ]
    wedding = [
        on(10, "Anton's wedding cake chosen: lemon, three tiers, and the band for the wedding."),
        on(11, "Wedding lists all evening. Anton wants the lemon cake on a separate table."),
    ]
    return [*(on(day, noise[day % 8] + f" {day}") for day in range(40)), *boat, *wedding]


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def index(tmp_path: Path, embedder: FakeEmbedder) -> VectorIndex:
    return VectorIndex(tmp_path / "index", rotation_seed=7, dimensions=embedder.dimensions)


class Memory:
    """A base with its vectors, and what was found to belong together in it."""

    def __init__(self, store: Store, index: VectorIndex, embedder: FakeEmbedder) -> None:
        self.store, self.index, self.embedder = store, index, embedder
        self.situations = Situations(store.base)

    def take(self, items: list[Item], *, path: str = "/diary") -> int:
        take_in(self.store, [*items], path=path)
        return self.update()

    def update(self, progress: Progress | None = None) -> int:
        embed_pending(self.store, self.index, self.embedder, progress=Progress())
        return self.situations.update(
            self.index.means,
            dimensions=self.embedder.dimensions,
            made_by=self.embedder.name,
            progress=progress or Progress(),
        )

    def groups(self) -> set[frozenset[str]]:
        """The groups as sets of texts."""
        found: dict[int, set[str]] = {}
        for situation, text in rows(
            self.store.base.db(),
            "SELECT s.situation, i.text FROM situation_items s JOIN items i ON i.id = s.item_id",
        ):
            found.setdefault(situation, set()).add(text)
        return {frozenset(group) for group in found.values()}

    def of(self, word: str) -> list[Situation]:
        texts = self.store.by_id
        return [
            each
            for each in self.situations.page(limit=100)
            if any(word in one.item.text for one in texts(self.situations.items(each.id)).values())
        ]


@pytest.fixture
def memory(store: Store, index: VectorIndex, embedder: FakeEmbedder) -> Memory:
    return Memory(store, index, embedder)


def test_two_stories_of_the_same_days_are_two_situations(memory: Memory) -> None:
    memory.take(two_stories())
    boat, wedding = memory.of("boat")[0], memory.of("Anton")[0]
    assert boat.id != wedding.id
    assert (boat.items, boat.first, boat.last) == (3, "2024-01-11", "2024-01-13")
    assert (wedding.items, wedding.first, wedding.last) == (2, "2024-01-11", "2024-01-12")
    assert boat.opening.startswith("Scraped the hull")


def test_a_title_is_made_of_words_common_in_the_group_and_rare_in_the_memory(
    memory: Memory,
) -> None:
    memory.take(two_stories())
    title = memory.of("boat")[0].title
    assert "hull" in title.lower() or "boat" in title.lower() or "keel" in title.lower()
    assert title[0].isupper()
    assert "the" not in title.lower().split(", ")


def test_what_is_far_apart_in_time_is_no_situation_however_alike(memory: Memory) -> None:
    far = [on(10, "The boat Merle scraped."), on(300, "The boat Merle scraped.")]
    memory.take([*two_stories()[:40], *far])
    assert not any(
        len(memory.situations.items(each.id)) == 2 and each.last > "2024-10"
        for each in memory.situations.page(limit=100)
    )


def test_mails_of_one_exchange_bear_its_subject_and_name_who_is_in_it(memory: Memory) -> None:
    mails = [
        on(20, "Could you bind six?", title="Logbooks, six", mine=False, thread="t1",
           author="Tom Garside <tom@example.org>", recipients=("me@example.org",)),
        on(20, "Six can be bound.", title="Re: Logbooks, six", thread="t1",
           author="Me <me@example.org>", recipients=("Tom Garside <tom@example.org>",)),
        on(21, "Then bind six.", title="RE: Logbooks, six", mine=False, thread="t1",
           author="Tom Garside <tom@example.org>", recipients=("me@example.org",)),
    ]  # fmt: skip
    memory.store.add_identities(["me@example.org"])
    memory.take([*two_stories(), *mails])
    found = memory.of("bind six")[0]
    assert found.title == "Logbooks, six"
    assert found.people[0] == "Tom Garside"


def test_the_same_memory_gives_the_same_situations_in_whatever_order_it_came(
    memory: Memory, tmp_path: Path
) -> None:
    items = [*two_stories(), *(on(40 + day, f"Day {day} of a quiet time.") for day in range(300))]
    memory.take(items)
    days = sorted({item.locator for item in items})
    random.Random(5).shuffle(days)
    shuffled = sorted(items, key=lambda item: days.index(item.locator))
    (tmp_path / "other").mkdir()
    other = Base(tmp_path / "other" / "memory.db", KEY, create=True)
    other.migrate()
    second = Memory(
        Store(other),
        VectorIndex(tmp_path / "other" / "index", rotation_seed=9, dimensions=64),
        FakeEmbedder(),
    )
    for part in range(0, len(shuffled), 60):
        second.take(shuffled[part : part + 60], path=f"/part{part}")
    assert second.groups() == memory.groups()
    assert len(second.groups()) < len(items) - 20
    other.close()


def test_items_added_at_the_end_leave_what_was_found_and_cost_only_themselves(
    memory: Memory,
) -> None:
    items = [on(day, f"Day {day}: {word}.") for day, word in enumerate(["fog", "sun"] * 200)]
    assert memory.take(items) == 400
    before = memory.groups()
    fresh = [on(401, "A kite over the dunes."), on(402, "The kite is lost in the dunes.")]
    assert memory.take(fresh, path="/more") == 2
    assert {group for group in before if not group & {"A kite over the dunes."}} <= {
        frozenset(group - {item.text for item in fresh}) for group in memory.groups()
    }
    assert memory.update() == 0


def test_a_removed_item_leaves_its_situation_and_no_word_of_it_stays(memory: Memory) -> None:
    memory.take(two_stories())
    remove(memory.store.base, Removal(since="2024-01-13", until="2024-01-14"))
    assert memory.of("boat")[0].items == 2
    assert "ribcage" not in str(memory.situations.page(limit=100))
    assert memory.situations.waiting(memory.embedder.name)
    memory.update()
    assert not memory.situations.waiting(memory.embedder.name)
    remove(memory.store.base, Removal(since="2024-01-11", until="2024-01-13"))
    memory.update()
    assert memory.of("boat") == []
    held = rows(memory.store.base.db(), "SELECT count(*) FROM situation_items")[0][0]
    assert held == rows(memory.store.base.db(), "SELECT count(*) FROM items")[0][0]


def test_an_item_that_moves_in_time_is_placed_again(memory: Memory) -> None:
    memory.take(two_stories())
    moved = memory.store.by_id(memory.situations.items(memory.of("boat")[0].id)[:1])
    ((number, stored),) = moved.items()
    with memory.store.base.write() as db:
        item = entry(stored.item.text, "2025-06-01", key=stored.item.key)
        update_item(db, number, item, UTC)
    memory.update()
    assert memory.of("Scraped") == []
    assert not memory.situations.waiting(memory.embedder.name)


def test_another_zone_moves_items_without_an_offset_and_they_are_placed_again(
    memory: Memory,
) -> None:
    memory.take(two_stories())
    memory.store.rehome(ZoneInfo("Asia/Tokyo"))
    assert memory.situations.waiting(memory.embedder.name)
    assert memory.update() == 45
    assert memory.of("boat")[0].first == "2024-01-11"


def test_an_item_of_which_only_the_month_is_known_and_an_undated_one_stand_alone(
    memory: Memory,
) -> None:
    vague = entry(
        "The boat Merle, hull and keel, with Ida.",
        key="vague",
        moment=Moment(datetime(2024, 1, 1), Precision.MONTH),
    )
    memory.take([*two_stories(), vague, entry("Boat Merle hull.", None)])
    assert memory.of("boat")[0].items == 3


def test_work_that_is_stopped_is_finished_later_with_the_same_result(memory: Memory) -> None:
    items = two_stories()
    take_in(memory.store, [*items])
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        memory.update(stopped)
    assert memory.situations.waiting(memory.embedder.name)
    assert memory.update() == len(items)
    assert memory.of("boat")[0].items == 3


def test_without_an_embedder_words_and_time_find_them(store: Store) -> None:
    take_in(store, [*two_stories()])
    found = Situations(store.base)
    takes = word_vectors(store.base.db())
    found.update(takes, dimensions=WORD_DIMENSIONS, made_by="words", progress=Progress())
    sets = [
        {store.by_id([number])[number].item.text[:10] for number in found.items(each.id)}
        for each in found.page(limit=100)
    ]
    assert {"Scraped th", "Second day", "The keel o"} in sets
    assert found.waiting("some embedder")
    assert not found.waiting("words")


def test_chinese_items_get_a_title_of_whole_words(memory: Memory) -> None:
    memory.take(
        [
            *(on(day, f"今天天气不错，第{day}篇。") for day in range(30)),
            on(12, "和小雨去镰仓看海，镰仓的电车很慢。"),
            on(12, "镰仓的海边风很大，小雨拍了照片。"),
        ]
    )
    assert "镰仓" in memory.of("镰仓")[0].title


def test_an_empty_memory_has_none(memory: Memory) -> None:
    assert memory.update() == 0
    assert memory.situations.count() == 0
    assert memory.situations.page(limit=10) == ()
    assert memory.situations.items(7) == ()
    assert not memory.situations.waiting(memory.embedder.name)


def test_pages_follow_each_other_the_latest_first(memory: Memory) -> None:
    pairs = [
        on(7 * week + day, f"{word} {word} and {word}, {day}", key=f"{word}{day}")
        for week, word in enumerate(["zebra", "quince", "violin", "harbour", "fjord"])
        for day in range(2)
    ]
    memory.take([*pairs, *(on(day, f"Nothing, {day}.") for day in range(0, 40, 3))])
    whole = memory.situations.page(limit=100)
    assert memory.situations.count() == len(whole) > 2
    assert [each.last for each in whole] == sorted((each.last for each in whole), reverse=True)
    parts = [memory.situations.page(limit=1, offset=place)[0] for place in range(len(whole))]
    assert tuple(parts) == whole


def test_an_items_mean_is_a_unit_vector_and_zero_where_it_has_none(
    memory: Memory, index: VectorIndex
) -> None:
    memory.take([on(1, "One. " * 300), on(2, "Two.")])
    ids = [row[0] for row in rows(memory.store.base.db(), "SELECT id FROM items ORDER BY id")]
    means = index.means([ids[1], 999, ids[0]])
    assert np.linalg.norm(means, axis=1) == pytest.approx([1, 0, 1])
    whole, vectors = index.vectors()
    raw = vectors[whole == ids[0]].mean(axis=0)
    same = index.means([ids[0], ids[1]])
    direct = raw @ vectors[whole == ids[1]][0] / np.linalg.norm(raw)
    assert float(same[0] @ same[1]) == pytest.approx(float(direct), abs=1e-4)


def test_an_item_leads_to_its_situation_or_to_none(store: Store) -> None:
    take_in(store, two_stories())
    kept = Situations(store.base)
    kept.update(
        word_vectors(store.base.db()),
        dimensions=WORD_DIMENSIONS,
        made_by="words",
        progress=Progress(),
    )
    everyone = kept.page(limit=100)
    assert everyone
    one = everyone[0]
    members = kept.items(one.id)
    assert kept.of_item(members[-1]) == one
    assert kept.beside(members) == dict.fromkeys(members, (one.id, len(members)))
    grouped = {item for each in everyone for item in kept.items(each.id)}
    alone = next(
        row[0] for row in rows(store.base.db(), "SELECT id FROM items") if row[0] not in grouped
    )
    assert kept.of_item(alone) is None
    assert kept.beside([alone]) == {}
    assert kept.of_item(999_999) is None
