"""A small encrypted base and the means to fill it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff, Item, Moment, content_hash
from clone_app.keys import ProfileKey
from clone_app.memory.database import Base
from clone_app.memory.ingest import ImportReport, Ingest
from clone_app.memory.store import Store
from clone_app.protocols import Found

KEY = ProfileKey(bytes(range(32)))
NOW = Cutoff(datetime(2026, 1, 1, tzinfo=UTC))


def entry(text: str, day: str | None = "2024-03-02", **more: object) -> Item:
    """A diary entry; `more` replaces any of its fields."""
    moment = Moment.unknown() if day is None else Moment.on(date.fromisoformat(day))
    fields: dict[str, object] = {
        "key": f"diary:{day}:{content_hash(text)}",
        "medium": "diary",
        "moment": moment,
        "text": text,
        "mine": True,
        "locator": f"{day}.md",
    }
    return Item(**(fields | more))  # type: ignore[arg-type]


def take_in(
    store: Store, found: list[Found], *, path: str = "/diary", importer: str = "diary"
) -> ImportReport:
    """Import these things as one source."""
    number = store.begin_source(importer, "Diary", path, datetime(2026, 1, 1, tzinfo=UTC))
    return Ingest(store, number, UTC).run(found)


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    opened = Base(tmp_path / "memory.db", KEY, create=True)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def store(base: Base) -> Store:
    return Store(base)
