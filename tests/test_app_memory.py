"""What is remembered as a person uses it: situations, times, the home zone, through `App` alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.keys import MemoryVault
from clone_app.memory.when import Calendar
from clone_app.models.fakes import FakeEmbedder, FakeModels
from clone_app.progress import Progress

DAYS = {
    "2024-03-01": "The harbour wall broke in the storm; Ida and I carried sandbags to the harbour.",
    "2024-03-02": "More sandbags. The harbour wall is a heap, Ida says the storm took forty metres.",
    "2024-05-10": "Bread with seeds.",
    "2024-06-11": "Tram delayed.",
    "2024-07-12": "Slept well.",
    "2024-08-13": "A chess evening.",
}


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def app(tmp_path: Path, embedder: FakeEmbedder) -> Iterator[App]:
    for day, text in DAYS.items():
        (tmp_path / "diary").mkdir(exist_ok=True)
        (tmp_path / "diary" / f"{day}.md").write_text(text)
    made = App(
        tmp_path / "profile",
        shelf=FakeModels(embedder=embedder),
        vault=MemoryVault(working=False),
        now=lambda: datetime(2025, 1, 10, tzinfo=UTC),
    )
    made.create("correct horse battery", home_zone="Europe/Berlin")
    made.import_(tmp_path / "diary", progress=Progress())
    yield made
    made.close()


def test_after_an_import_what_belongs_together_is_found(app: App) -> None:
    assert app.count_situations() == 1
    (storm,) = app.situations(limit=10)
    assert (storm.items, storm.first, storm.last) == (2, "2024-03-01", "2024-03-02")
    assert [one.item.text[:11] for one in app.situation_items(storm.id)] == [
        "The harbour",
        "More sandba",
    ]
    assert app.count_situation_items(storm.id) == 2
    assert app.situation_items(storm.id, limit=1, offset=1)[0].item.text.startswith("More")
    assert not app.situations_waiting()


def test_what_is_removed_leaves_no_situation(app: App) -> None:
    app.remove(app.removal(since="2024-03-01", until="2024-03-02"), Progress())
    assert app.situations(limit=10) == ()
    app.finish_vectors(Progress())
    assert app.count_situations() == 0
    assert not app.situations_waiting()


def test_another_home_zone_embeds_nothing_again(app: App, embedder: FakeEmbedder) -> None:
    before = len(embedder.batches)
    app.change_settings(home_zone="America/New_York")
    assert app.vectors_pending() == 0
    app.finish_vectors(Progress())
    assert len(embedder.batches) == before
    assert app.count_situations() == 1
    found = app.search("sandbags harbour", at="2024-03-01T04:59:00Z")
    assert not any("wall broke" in hit.item.text for hit in found)


def test_the_calendar_is_the_homes_unless_set_otherwise(app: App) -> None:
    assert app.calendar() == Calendar(southern=False, week_start=0, country="DE")
    app.change_settings(home_zone="Australia/Sydney")
    assert app.calendar() == Calendar(southern=True, week_start=0, country="AU")
    app.change_settings(hemisphere="northern", week_start="sunday")
    assert app.calendar() == Calendar(southern=False, week_start=6, country="AU")
