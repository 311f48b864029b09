"""kill -9 loses nothing: an import cut short anywhere and run again leaves the same memory."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.keys import MemoryVault
from clone_app.memory.database import rows
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

pytestmark = pytest.mark.timeout(600)
PASSPHRASE = "correct horse battery"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ITEMS = 2000
KILLS = 20
WITH_VECTORS = 4

# One process imports the program and forks for every import, which saves a second each time. lancedb
# has threads and must be imported after the fork.
NURSERY = """
import os, sys
from pathlib import Path
from clone_app.app import App
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress
import clone_app.memory.recall, clone_app.importers.recognise

for line in sys.stdin:
    home, life, vectors = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if not child:
        app = App(Path(home), shelf=FakeModels(), vault=MemoryVault(working=False))
        app.unlock(sys.argv[1])
        if vectors == "True":
            import lancedb
        print(os.getpid(), flush=True)
        app.import_(Path(life), vectors=vectors == "True", progress=Progress())
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A diary of 2,000 days and a mail a hundred of them, one of them there twice."""
    folder = tmp_path_factory.mktemp("life")
    chance = random.Random(4)
    words = [f"word{number:03}" for number in range(300)]
    day = datetime(2015, 1, 1, tzinfo=UTC)
    with (folder / "diary.md").open("w") as diary, (folder / "mail.mbox").open("w") as mail:
        for number in range(ITEMS - 20):
            at = day + timedelta(days=number)
            text = " ".join(chance.choice(words) for _ in range(12))
            diary.write(f"## {at:%Y-%m-%d}\n\n{text}\n\n")
            if number % 100 == 0:
                for _ in range(2 if number == 500 else 1):
                    mail.write(
                        f"From a@example.org {at:%a %b %d %H:%M:%S %Y}\nFrom: a@example.org\n"
                        f"To: b@example.org\nSubject: {words[number % 300]}\nMessage-ID: <{number}@x>\n"
                        f"Date: {at:%a, %d %b %Y %H:%M:%S} +0000\n\nHello, {text}.\n\n"
                    )
    return folder


def opened(home: Path) -> App:
    app = App(home, now=lambda: NOW, shelf=FakeModels(), vault=MemoryVault(working=False))
    app.unlock(PASSPHRASE)
    return app


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile with nothing in it, to be copied."""
    home = tmp_path_factory.mktemp("empty") / "home"
    app = App(home, shelf=FakeModels(), vault=MemoryVault(working=False))
    app.create(PASSPHRASE, home_zone="UTC")
    app.close()
    return home


def memory_of(app: App) -> dict[str, list[tuple[object, ...]]]:
    """Return all that is remembered, without the numbers that the order of work gives."""
    assert app.doctor()["database"] == "ok"
    db = app._store().base.db()
    return {
        "items": sorted(
            rows(
                db,
                "SELECT key, source_key, body_hash, medium, local, precision, starts_at, author, title, "
                "text, context, mine, recipients, thread, labels, locator, meta_hash FROM items",
            ),
            key=repr,
        ),
        "passages": sorted(
            rows(
                db,
                'SELECT i.key, p.number, p.start, p."end", p.own, p.embedded, f.text, f.cjk, f.title '
                "FROM passages p JOIN items i ON i.id = p.item_id "
                "LEFT JOIN passage_words f ON f.rowid = p.id",
            ),
            key=repr,
        ),
        "sources": sorted(
            rows(
                db,
                "SELECT s.importer, s.path, s.finished, count(*) FROM sources s "
                "JOIN item_sources l ON l.source_id = s.id GROUP BY s.id",
            )
        ),
        "words": rows(db, "SELECT count(*) FROM passage_words"),
    }


@pytest.fixture(scope="module")
def whole(
    life: Path, empty: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[float, dict[str, list[tuple[object, ...]]], list[tuple[str, float]]]]:
    """How long an uninterrupted import takes, what it leaves, and what a search then finds."""
    home = shutil.copytree(empty, tmp_path_factory.mktemp("whole") / "home")
    app = opened(home)
    begun = time.perf_counter()
    report = app.import_(life, vectors=False, progress=Progress())
    taken = time.perf_counter() - begun
    assert (report.added, report.duplicates) == (ITEMS, 1)
    memory = memory_of(app)
    app.finish_vectors(Progress())
    yield taken, memory, hits(app)
    app.close()


def hits(app: App) -> list[tuple[str, float]]:
    return [(hit.item.key, round(hit.score, 6)) for hit in app.search("word017 word203", k=20)]


class Nursery:
    """Start imports and kill them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, PASSPHRASE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def killed(self, home: Path, life: Path, *, after: float, vectors: bool) -> bool:
        """Import, kill after so many seconds of work; tell whether it was cut short."""
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(f"{home}\t{life}\t{vectors}\n")
        into.flush()
        child = int(out.readline())
        time.sleep(after)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = int(out.readline())
        assert status in (0, signal.SIGKILL)
        return status != 0

    def close(self) -> None:
        self._process.communicate(timeout=20)


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


def test_an_import_killed_anywhere_and_run_again_leaves_the_same_memory(
    life: Path,
    empty: Path,
    whole: tuple[float, dict[str, list[tuple[object, ...]]], list[tuple[str, float]]],
    nursery: Nursery,
    tmp_path: Path,
) -> None:
    taken, memory, found = whole
    chance = random.Random(8)
    cut_short = part_way = 0
    for number in range(KILLS):
        home = shutil.copytree(empty, tmp_path / str(number))
        vectors = number % (KILLS // WITH_VECTORS) == 0
        after = chance.uniform(0.0, taken * (1.6 if vectors else 1.0))
        cut_short += nursery.killed(home, life, after=after, vectors=vectors)
        app = opened(home)
        kept = app.count_items()
        part_way += 0 < kept < ITEMS
        report = app.import_(life, vectors=False, progress=Progress())
        assert (report.added, report.unchanged, report.duplicates) == (ITEMS - kept, kept, 1)
        if vectors:
            assert app.finish_vectors(Progress()) == 0
            assert hits(app) == found
            assert app.check_index() == "sound"
        else:
            assert memory_of(app) == memory
        app.close()
    assert cut_short >= KILLS // 2
    assert part_way >= KILLS // 4
