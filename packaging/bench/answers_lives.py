"""The lives that answers.py asks, each in an encrypted base of its own, and a model that is recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clone_app.evaluation.suites import clonemem
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.keys import ProfileKey
from clone_app.memory.database import Base
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.ingest import Ingest
from clone_app.memory.store import Store
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Found, Message, Reading, Sampling

HERE = Path(__file__).parent
NOW = datetime(2026, 1, 1)  # noqa: DTZ001 (a life's own wall clock)
_ID_LISTS = ("digital_trace_ids", "media_ids", "related_media_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Hold one question, what answers it and when it is asked; without evidence it has no answer.

    `days` stand for evidence where only the days are known that hold it. `statements` and `gold` are
    what a right answer rests on and says, empty where the questions' file has none.
    """

    text: str
    asked_at: datetime
    answerable: bool
    keys: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()
    statements: tuple[str, ...] = ()
    gold: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Hold a person in memory, vectors made, and the questions to ask."""

    name: str
    person: str
    store: Store
    index: VectorIndex
    cases: tuple[Case, ...]


def base(
    name: str, folder: Path, found: Iterator[Found], embedder: Embedder
) -> tuple[Store, VectorIndex]:
    """Put what importers found into a base below `folder`, kept there with its vectors."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    new = not (place / "memory.db").exists()
    held = Base(place / "memory.db", ProfileKey(bytes(32)), create=new)
    held.migrate()
    store = Store(held)
    index = VectorIndex(place / "index", rotation_seed=0, dimensions=embedder.dimensions)
    if new:
        number = store.begin_source("bench", name, name, datetime.now(UTC))
        Ingest(store, number, UTC).run(found)
    embed_pending(store, index, embedder, progress=Progress())
    return store, index


def folder_life(
    name: str, path: Path, cases: Sequence[Case], keep: Path, embedder: Embedder
) -> Life:
    """Return what lies in a folder as a life: read by the importers, as a user's would be."""
    names = path / "me.txt"
    me = frozenset(names.read_text("utf-8").casefold().split()) if names.is_file() else frozenset()
    with open_tree(path) as tree:
        found = read_all(recognise(tree), Reading(me), Progress())
        store, index = base(name, keep, found, embedder)
    return Life(
        name=name, person=store.usual_author(), store=store, index=index, cases=tuple(cases)
    )


def clonemem_life(name: str, path: Path, keep: Path, embedder: Embedder) -> Life:
    """Return a CloneMem file as a life with its questions, their statements and gold answers."""
    read = clonemem.read_life(path)
    store, index = base(name, keep, iter(read.items), embedder)
    whole = json.loads(path.read_text("utf-8"))
    asked = whole.get("qa_items") or whole.get("questions") or []
    return Life(
        name=name,
        person=str(whole["person_name"]),
        store=store,
        index=index,
        cases=tuple(_case(each) for each in asked),
    )


def _case(asked: dict[str, Any]) -> Case:
    evidence = asked.get("evidence") or ()
    keys: set[str] = set()
    for each in evidence:
        ids = next((each[name] for name in _ID_LISTS if each.get(name)), [])
        keys.update(map(str, ids if isinstance(ids, list) else [ids]))
    kind = str(asked["question_type"])
    return Case(
        text=str(asked["question"]),
        asked_at=datetime.fromisoformat(str(asked["question_time"]).removesuffix("Z")),
        answerable=kind != "unanswerable",
        keys=frozenset(keys),
        statements=tuple(str(each.get("statement", "")) for each in evidence),
        gold=str(asked.get("answer", "")),
        kind=kind,
    )


def plain_cases(path: Path) -> tuple[Case, ...]:
    """Return the questions of a JSON list: `question`, `expect_in` (days), `absent`."""
    return tuple(
        Case(
            text=each["question"],
            asked_at=NOW,
            answerable=not each["absent"],
            days=frozenset(each.get("expect_in", ())),
        )
        for each in json.loads(path.read_text("utf-8"))
    )


def pepys_cases(path: Path) -> tuple[Case, ...]:
    """Return the questions of a JSON list of texts; nobody has said what answers them."""
    return tuple(
        Case(text=text, asked_at=NOW, answerable=True)
        for text in json.loads(path.read_text("utf-8"))
    )


class Recorded:
    """Write as a model does and remember it by its prompt, so that the next run needs no model.

    A reply that was broken off is written anew where more of it is wanted: the seed makes it alike.
    """

    def __init__(self, model: ChatModel, keep: Path) -> None:
        self._model = model
        self._folder = keep / f"replies {model.name}"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._counts: dict[str, int] = {}

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    @property
    def context(self) -> int:
        """Return how many tokens fit."""
        return self._model.context

    def load(self, progress: Progress) -> None:
        """Load the model: it counts tokens even where it needn't write."""
        self._model.load(progress)

    def count(self, text: str) -> int:
        """Return how many tokens the text takes."""
        if text not in self._counts:
            self._counts[text] = self._model.count(text)
        return self._counts[text]

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield the reply, remembered or new."""
        key = hashlib.sha256(repr((messages, sampling)).encode()).hexdigest()[:24]
        path = self._folder / f"{key}.json"
        said = (
            json.loads(path.read_text("utf-8")) if path.exists() else {"pieces": [], "ended": False}
        )
        yield from said["pieces"]
        if said["ended"]:
            return
        pieces: list[str] = []
        ended = False
        try:
            for number, piece in enumerate(self._model.stream(messages, sampling, progress)):
                pieces.append(piece)
                if number >= len(said["pieces"]):
                    yield piece
            ended = True
        finally:
            if len(pieces) >= len(said["pieces"]):
                path.write_text(json.dumps({"pieces": pieces, "ended": ended}), "utf-8")
