"""The line of time: crowds, neighbours, intervals; nothing beyond the cut-off counts."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import Cutoff, Moment
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.conversations import Conversations
from clone_app.memory.database import Base
from clone_app.memory.store import Store
from clone_app.memory.timeline import Timeline, _summed
from clone_app.memory.when import Interval

from .conftest import entry, take_in

START = datetime(2024, 1, 1)


def line(days: list[float]) -> Timeline:
    at = np.array(sorted(days), dtype=np.float64)
    decay = np.exp(-np.diff(at))
    return Timeline(
        ids=np.arange(len(at)),
        by_id=np.arange(len(at)),
        days=at,
        local=at.astype(np.int64),
        before=_summed(decay, len(at)),
        after=_summed(decay[::-1], len(at))[::-1],
        reach=1.0,
        undated=0,
    )


@given(
    st.lists(st.floats(0, 50, allow_nan=False), min_size=1, max_size=40),
    st.integers(1, 40),
)
@settings(max_examples=60)
def test_a_crowd_is_the_sum_over_what_can_be_seen(days: list[float], seen: int) -> None:
    made = line(days)
    seen = min(seen, len(days))
    places = np.arange(seen)
    told = made.crowd(places, seen)
    for place in places:
        distances = np.abs(made.days[:seen] - made.days[place])
        assert told[place] == pytest.approx(np.exp(-distances).sum(), rel=1e-6, abs=1e-6)


def test_a_neighbour_is_lifted_less_the_farther_and_the_more_crowded() -> None:
    made = line([0, 0.5, 3, 20, 20.01, 20.02, 20.03, 20.5])
    hits, worth = np.array([0, 3]), np.array([1.0, 1.0])
    near, far, crowded = made.lift(hits, worth, np.array([1, 2, 7]), len(made.days))
    assert near > far
    assert near > crowded > far


@given(
    st.lists(st.floats(0, 30, allow_nan=False), min_size=2, max_size=30),
    st.lists(st.integers(0, 29), min_size=1, max_size=8, unique=True),
)
@settings(max_examples=60)
def test_a_lift_is_the_sum_over_all_hits(days: list[float], chosen: list[int]) -> None:
    made = line(days)
    hits = np.array([place for place in chosen if place < len(days)] or [0])
    worth = 1.0 + np.arange(len(hits))
    places = np.arange(len(days))
    near = np.exp(-np.abs(made.days[:, None] - made.days[hits][None]))
    told = made.lift(hits, worth, places, len(days)) * np.sqrt(made.crowd(places, len(days)))
    assert told == pytest.approx(near @ worth, rel=1e-9)


def test_places_are_found_by_item_number_and_the_undated_have_none(
    store: Store, base: Base
) -> None:
    take_in(
        store,
        [entry("b", "2024-02-01"), entry("none", None), entry("a", "2024-01-01")],
    )
    made = Timeline.load(base.db(), reach=1.0)
    assert made.undated == 1
    assert made.ids.tolist() == [3, 1]
    assert made.places(np.array([1, 2, 3, 99])).tolist() == [1, -1, 0, -1]


def test_an_empty_memory_has_an_empty_line(base: Base) -> None:
    made = Timeline.load(base.db(), reach=1.0)
    assert made.seen(Cutoff(datetime(2026, 1, 1, tzinfo=UTC))) == 0
    assert made.places(np.array([1, 2])).tolist() == [-1, -1]


def test_only_what_started_by_the_cut_off_is_seen_to_the_microsecond(store: Store) -> None:
    for second in range(3):
        moment = Moment.of(START + timedelta(seconds=second))
        take_in(store, [entry(f"{second}", key=str(second), moment=moment)])
    made = store.timeline(reach=1.0)
    instant = (START + timedelta(seconds=1)).replace(tzinfo=UTC)
    assert made.seen(Cutoff(instant)) == 2
    assert made.seen(Cutoff(instant - timedelta(microseconds=1))) == 1


def test_an_interval_holds_local_days_and_knows_how_far_others_are() -> None:
    made = line([10, 11, 12, 13, 14])
    interval = Interval(date.fromordinal(11), date.fromordinal(13), "")
    assert made.within(interval, 5).tolist() == [1, 2]
    assert made.within(interval, 2).tolist() == [1]
    assert made.outside(interval, np.arange(5)).tolist() == [1, 0, 0, 1, 2]


def test_the_line_is_read_again_when_the_base_has_changed(store: Store) -> None:
    take_in(store, [entry("a")])
    first = store.timeline(reach=1.0)
    assert store.timeline(reach=1.0) is first
    take_in(store, [entry("b")])
    assert len(store.timeline(reach=1.0).ids) == 2


def test_what_is_written_besides_items_leaves_the_line_as_it_is(store: Store) -> None:
    take_in(store, [entry("a")])
    first = store.timeline(reach=1.0)
    Conversations(store.base).begin(START)
    store.set_fact("answer:dates", "day first")
    assert store.timeline(reach=1.0) is first


def test_a_change_of_who_is_who_or_of_the_home_zone_is_read(store: Store) -> None:
    take_in(store, [entry("a", author="Tom", mine=False), entry("b")])
    seen = [store.timeline(reach=1.0)]

    def changed() -> bool:
        seen.append(store.timeline(reach=1.0))
        return seen[-1] is not seen[-2]

    assert not changed()
    store.add_identities(["me@example.org"])
    assert changed()
    AddressBook(store.base).call("Tom", "Uncle")
    assert changed()
    store.rehome(ZoneInfo("Asia/Tokyo"))
    assert changed()


def test_what_a_rolled_back_write_showed_is_not_kept(store: Store) -> None:
    take_in(store, [entry("a")])

    def emptied_for_a_moment() -> None:
        with store.base.write() as db:
            db.execute("DELETE FROM items")
            assert len(store.timeline(reach=1.0).ids) == 0
            raise RuntimeError

    with pytest.raises(RuntimeError):
        emptied_for_a_moment()
    assert len(store.timeline(reach=1.0).ids) == 1


def test_who_did_not_write_is_known_by_number(store: Store) -> None:
    take_in(store, [entry("mine"), entry("hers", mine=False), entry("his", mine=False)])
    assert store.others().tolist() == [2, 3]
    take_in(store, [entry("theirs", mine=False)])
    assert store.others().tolist() == [2, 3, 4]
