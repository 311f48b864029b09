"""The vector index: a cache without text that can be lost."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from clone_app.entries import Cutoff
from clone_app.memory.embedding import embed_pending, pending, reconcile, restamp
from clone_app.memory.index import Row, VectorIndex
from clone_app.memory.recall import recall
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

LIFE = [entry(f"Entry {number} about {topic}.") for number, topic in enumerate("abcdefgh")]


def made(folder: Path) -> VectorIndex:
    return VectorIndex(folder, rotation_seed=7, dimensions=FakeEmbedder().dimensions)


def filled(store: Store, folder: Path) -> VectorIndex:
    take_in(store, [*LIFE])
    index = made(folder)
    assert reconcile(store, index, FakeEmbedder().name) == "sound"
    embed_pending(store, index, FakeEmbedder(), progress=Progress())
    return index


def hits(store: Store, index: VectorIndex) -> list[tuple[int, float]]:
    found = recall(store, "Entry about c", NOW, index=index, embedder=FakeEmbedder(), home=UTC)
    return [(hit.item_id, round(hit.score, 5)) for hit in found.hits]


def test_cosines_are_the_same_with_and_without_the_rotation(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path / "i", rotation_seed=3, dimensions=16)
    vectors = np.random.default_rng(1).standard_normal((5, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index.add([Row(number, number, None, "diary", True) for number in range(5)], vectors)
    near = index.nearest(vectors[2], NOW, limit=5)
    assert near.cosines == pytest.approx(vectors[near.items] @ vectors[2], abs=1e-5)


def test_neither_text_nor_plain_vectors_are_on_disk(store: Store, tmp_path: Path) -> None:
    take_in(store, [entry("A marker, zanzibarite.", title="Xylographic", author="Quentin")])
    folder = tmp_path / "index"
    index = made(folder)
    embed_pending(store, index, FakeEmbedder(), progress=Progress())
    plain = FakeEmbedder().embed(["Xylographic\nA marker, zanzibarite."])[0]
    on_disk = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert len(on_disk) > 100
    for secret in (b"zanzibarite", b"Xylographic", b"Quentin", plain[:8].tobytes()):
        assert secret not in on_disk


def test_a_removed_passages_vector_is_off_the_disk(store: Store, tmp_path: Path) -> None:
    index = filled(store, tmp_path / "index")
    before = hits(store, index)
    table = index._table().to_arrow()
    vector = np.asarray(table["vector"].to_pylist()[0], np.float32)[:8].tobytes()
    gone = table["passage_id"].to_pylist()[0]
    index.keep_only(set(index.passage_ids()) - {gone})
    on_disk = b"".join(
        path.read_bytes() for path in (tmp_path / "index").rglob("*") if path.is_file()
    )
    assert vector not in on_disk
    assert len(index.passage_ids()) == len(before) - 1


@pytest.mark.parametrize("damage", ["folder gone", "empty manifest", "cut file", "not a folder"])
def test_a_damaged_index_is_rebuilt_and_gives_the_same_hits(
    store: Store, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "index"
    expected = hits(store, filled(store, folder))
    lance = folder / "passages.lance"
    if damage == "folder gone":
        import shutil

        shutil.rmtree(folder)
    elif damage == "empty manifest":
        # Lance counts versions down from the largest number, so the first name is the newest.
        newest = min((lance / "_versions").iterdir(), key=lambda path: path.name)
        newest.write_bytes(b"")
    elif damage == "cut file":
        for path in (lance / "data").iterdir():
            path.write_bytes(path.read_bytes()[:40])
    else:
        import shutil

        shutil.rmtree(folder)
        folder.write_text("?")
    index = made(folder)
    assert reconcile(store, index, FakeEmbedder().name) in ("damaged", "incomplete")
    assert pending(store) == len(LIFE)
    embed_pending(store, index, FakeEmbedder(), progress=Progress())
    assert hits(store, index) == expected
    assert reconcile(store, index, FakeEmbedder().name) == "sound"


def test_a_kill_between_vector_and_mark_is_mended(store: Store, tmp_path: Path) -> None:
    index = filled(store, tmp_path / "index")
    expected = hits(store, index)
    with store.base.write() as db:
        db.execute("UPDATE passages SET embedded = 0 WHERE id IN (SELECT id FROM passages LIMIT 3)")
    assert reconcile(store, index, FakeEmbedder().name) == "incomplete"
    embed_pending(store, index, FakeEmbedder(), progress=Progress())
    assert hits(store, index) == expected
    assert len(index.passage_ids()) == len(set(index.passage_ids())) == len(LIFE)


def test_another_embedder_means_another_index(store: Store, tmp_path: Path) -> None:
    index = filled(store, tmp_path / "index")
    assert reconcile(store, index, "some other model") == "another embedder"
    assert pending(store) == len(LIFE)
    assert index.passage_ids() == []


def seen_at(index: VectorIndex, instant: datetime) -> int:
    probe = FakeEmbedder().embed(["Entry about c"])[0]
    return len(index.nearest(probe, Cutoff(instant, undated=False), limit=100))


def test_another_home_zone_changes_the_times_alone_and_nothing_is_embedded_again(
    store: Store, tmp_path: Path
) -> None:
    index = filled(store, tmp_path / "index")
    items, vectors = index.vectors()
    midnight = datetime(2024, 3, 2, tzinfo=UTC)
    assert seen_at(index, midnight) == len(LIFE)
    store.rehome(ZoneInfo("America/New_York"))
    restamp(store, index)
    assert pending(store) == 0
    assert reconcile(store, index, FakeEmbedder().name) == "sound"
    assert seen_at(index, midnight) == 0
    assert seen_at(index, datetime(2024, 3, 2, 5, tzinfo=UTC)) == len(LIFE)
    same_items, same_vectors = made(tmp_path / "index").vectors()
    assert np.array_equal(items, same_items)
    assert np.array_equal(vectors, same_vectors)
    assert [path.name for path in tmp_path.iterdir() if "index" in path.name] == ["index"]


def test_times_that_were_not_brought_after_are_by_the_next_look(
    store: Store, tmp_path: Path
) -> None:
    index = filled(store, tmp_path / "index")
    store.rehome(ZoneInfo("America/New_York"))  # and then the program was killed
    (tmp_path / "index.new").mkdir()
    again = made(tmp_path / "index")
    restamp(store, again)
    assert seen_at(again, datetime(2024, 3, 2, tzinfo=UTC)) == 0
    before = again.passage_ids()
    restamp(store, again)
    assert again.passage_ids() == before
    assert index.passage_ids() == before


def test_times_of_an_index_that_is_not_there_are_brought_after_at_once(
    store: Store, tmp_path: Path
) -> None:
    take_in(store, [*LIFE])
    store.rehome(ZoneInfo("Asia/Tokyo"))
    restamp(store, made(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def clustered(count: int, dimensions: int) -> np.ndarray:
    """Unit vectors in a hundred clusters: as uneven as texts are."""
    dice = np.random.default_rng(5)
    middles = dice.standard_normal((100, dimensions))
    vectors = middles[dice.integers(0, 100, count)] + 0.4 * dice.standard_normal(
        (count, dimensions)
    )
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[VectorIndex, np.ndarray]:
    """An index beyond the size up to which every vector is looked at."""
    monkeypatch.setattr("clone_app.memory.index.EXACT_AT_MOST", 1000)
    monkeypatch.setattr("clone_app.memory.index.CELL", 256)
    vectors = clustered(3000, 64)
    index = VectorIndex(tmp_path / "large", rotation_seed=3, dimensions=64)
    rows = [Row(n, n, n if n % 3 else None, "diary", True) for n in range(3000)]
    index.add(rows, vectors)
    index.compact()
    assert [each.index_type for each in index._table().list_indices()] == ["IvfRq"]
    return index, vectors


def nearest(
    index: VectorIndex, probe: np.ndarray, cutoff: Cutoff, *, exact: bool = False
) -> set[int]:
    return set(index.nearest(probe, cutoff, limit=10, exact=exact).passages.tolist())


def test_a_large_index_finds_what_exact_search_finds(large: tuple[VectorIndex, np.ndarray]) -> None:
    index, _ = large
    probes = clustered(40, 64)
    shared = [
        len(nearest(index, probe, NOW) & nearest(index, probe, NOW, exact=True)) for probe in probes
    ]
    assert sum(shared) >= 0.95 * 400


def test_a_large_index_hides_what_is_later_too(large: tuple[VectorIndex, np.ndarray]) -> None:
    index, vectors = large
    early = Cutoff(datetime.fromtimestamp(1500 / 1e6, UTC), undated=False)
    for probe in vectors[:20]:
        found = nearest(index, probe, early)
        assert len(found) == 10
        assert all(number <= 1500 and number % 3 for number in found)


def test_what_is_added_to_a_large_index_is_found_at_once_and_what_is_removed_never(
    large: tuple[VectorIndex, np.ndarray],
) -> None:
    index, vectors = large
    fresh = clustered(3001, 64)[-1:] * -1
    index.add([Row(9999, 9999, None, "diary", True)], fresh)
    assert 9999 in nearest(index, fresh[0], NOW)
    index.compact()
    assert 9999 in nearest(index, fresh[0], NOW)
    index.keep_only(set(range(2000)))
    found = nearest(index, vectors[2500], NOW)
    assert max(found) < 2000
    assert [each.index_type for each in index._table().list_indices()] == ["IvfRq"]


def test_a_cut_off_that_hides_little_finds_what_one_applied_before_ranking_does(
    large: tuple[VectorIndex, np.ndarray],
) -> None:
    index, vectors = large
    for last in (2999, 2500, 1600):
        seen = np.array([number for number in range(last + 1) if number % 3])
        cutoff = Cutoff(datetime.fromtimestamp(last / 1e6, UTC), undated=False)
        for probe in clustered(5, 64):
            right = seen[np.argsort(-(vectors[seen] @ probe))[:10]]
            assert nearest(index, probe, cutoff, exact=True) == set(right.tolist())


def test_the_hidden_that_are_nearest_take_no_place(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path / "i", rotation_seed=3, dimensions=16)
    vectors = clustered(100, 16)
    late = vectors @ vectors[0] > np.sort(vectors @ vectors[0])[69]  # the thirty nearest
    index.add([Row(n, n, int(late[n]) * 1000, "diary", True) for n in range(100)], vectors)
    early = Cutoff(datetime.fromtimestamp(0, UTC), undated=True)
    found = index.nearest(vectors[0], early, limit=10)
    assert len(found) == 10
    assert not late[found.passages].any()
