"""Importing: everything once, nothing lost, whatever happens in between."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import Cancelled
from clone_app.memory.database import rows
from clone_app.memory.ingest import Ingest
from clone_app.memory.removal import Removal, count_removal, remove
from clone_app.memory.store import ItemFilter, Store

from .conftest import entry, take_in


def everything(store: Store) -> list[tuple[object, ...]]:
    return [
        (each.item.key, each.item.text, each.item.labels, each.item.mine)
        for each in store.items(ItemFilter())
    ]


def test_each_thing_is_counted_once_and_in_one_place(store: Store) -> None:
    first, second = entry("A walk."), entry("Bread.", None, mine=False)
    report = take_in(
        store,
        [first, second, first, ImportProblem("x.md", "no"), Skipped("LICENSE", "a licence")],
    )
    assert (report.seen, report.added, report.duplicates) == (4, 2, 1)
    assert report.problems == (("x.md", "no"),)
    assert report.skipped == (("LICENSE", "a licence"),)
    assert (report.undated, report.mine) == (1, 1)
    counted = report.added + report.updated + report.unchanged + report.duplicates
    assert report.seen == counted + len(report.problems)


def test_a_second_import_adds_nothing_wherever_the_archive_lies(store: Store) -> None:
    found = [entry(f"Day {number}.") for number in range(5)]
    take_in(store, [*found], path="/here")
    moved = [replace(item, locator="elsewhere/" + item.locator) for item in found]
    report = take_in(store, [*moved], path="/there")
    assert (report.added, report.updated, report.unchanged) == (0, 0, 5)


def test_one_id_with_two_bodies_is_two_items_and_stays_so(store: Store) -> None:
    one = entry("The first body.", key="id@x")
    other = entry("Another body.", key="id@x")
    assert take_in(store, [one, other]).added == 2
    keys = [each.item.key for each in store.items(ItemFilter())]
    assert keys[0] == "id@x"
    assert keys[1].startswith("id@x#")
    assert take_in(store, [other, one]).unchanged == 2


def test_what_a_source_says_anew_about_an_item_updates_it(store: Store) -> None:
    item = entry("Text.", key="a", title="Old")
    take_in(store, [item])
    report = take_in(store, [replace(item, title="New")])
    assert (report.updated, report.added) == (1, 0)
    assert store.items(ItemFilter())[0].item.title == "New"


def test_a_copy_in_the_sent_folder_makes_the_item_the_users_once(store: Store) -> None:
    inbox = entry("Hello.", key="m", mine=False, labels=("Inbox",))
    sent = replace(inbox, mine=True, labels=("Sent",))
    report = take_in(store, [inbox, sent])
    assert (report.added, report.duplicates) == (1, 1)
    assert everything(store) == [("m", "Hello.", ("Inbox", "Sent"), True)]
    again = take_in(store, [inbox, sent])
    assert (again.updated, again.unchanged, again.duplicates) == (0, 1, 1)


def test_an_import_cut_short_is_finished_by_running_it_again(store: Store) -> None:
    found = [entry(f"Day {number}.") for number in range(2000)]

    def cut(count: int):
        for number, item in enumerate(found):
            if number == count:
                raise Cancelled
            yield item

    number = store.begin_source("diary", "Diary", "/diary", datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(Cancelled):
        Ingest(store, number, UTC).run(cut(900))
    assert not store.sources()[0].finished
    kept = store.count(ItemFilter())
    assert 800 <= kept < 2000
    report = take_in(store, [*found])
    assert (report.unchanged, report.added) == (kept, 2000 - kept)
    assert store.sources()[0].finished
    assert len(everything(store)) == 2000


def test_removing_a_source_takes_only_what_rests_on_it_alone(store: Store) -> None:
    shared, own = entry("In both."), entry("Only here, zanzibar.")
    take_in(store, [shared], path="/one")
    take_in(store, [shared, own], path="/two")
    two = next(source for source in store.sources() if source.path == "/two")
    counted = count_removal(store.base, Removal(source=two.id))
    assert (counted.items, counted.shared) == (1, 1)
    assert remove(store.base, Removal(source=two.id)) == {own.key}
    assert [each.item.text for each in store.items(ItemFilter())] == ["In both."]


def test_what_was_removed_is_in_no_table_of_the_base(store: Store) -> None:
    take_in(store, [entry("A marker: zanzibarite.", title="Xylographic")], path="/one")
    take_in(store, [entry("Stays.")], path="/two")
    one = next(source for source in store.sources() if source.path == "/one")
    remove(store.base, Removal(source=one.id))
    db = store.base.db()
    for table in db.table_names():
        if table in ("passage_words", "vocabulary"):
            continue
        for row in rows(db, f'SELECT * FROM "{table}"'):
            kept = b"".join(
                value if isinstance(value, bytes) else str(value).encode() for value in row
            )
            assert b"zanzibarite" not in kept, table
            assert b"ylograph" not in kept, table
    assert not rows(db, "SELECT term FROM vocabulary WHERE term LIKE 'zanzib%'")


def test_items_are_listed_by_local_day_with_open_and_closed_ends(store: Store) -> None:
    late = Moment.of(datetime(2024, 1, 15, 23, 30, tzinfo=timezone(timedelta(hours=-5))))
    take_in(
        store,
        [
            entry("Before.", "2024-01-14"),
            entry("Late in New York.", key="n", moment=late),
            entry("After.", "2024-01-16"),
            entry("Undated.", None),
        ],
    )
    found = store.items(ItemFilter(since="2024-01-15", until="2024-01-16"))
    assert [each.item.text for each in found] == ["Late in New York."]
    assert found[0].item.moment.iso() == "2024-01-15T23:30:00-05:00"
    assert store.items(ItemFilter())[-1].item.text == "Undated."
    assert store.items(ItemFilter(), newest_first=True)[0].item.text == "After."


def test_what_goes_in_comes_out_the_same(store: Store) -> None:
    item = entry(
        "Café 🥐 去年",
        title="Títle",
        author="Ann <a@x>",
        recipients=("Bob", "c@x"),
        thread="t",
        context="> old",
        labels=("Sent", "attachment:a.txt"),
        mine=False,
    )
    take_in(store, [item])
    assert store.items(ItemFilter())[0].item == item
