"""The use-cases of the program as methods of one object; window and command line build on this alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from clone_app.entries import AnswerEvent, Cutoff, Hit, Item
from clone_app.progress import Progress
from clone_app.settings import Settings


class ProfileState(StrEnum):
    NEW = "new"          # nothing there: create() comes first
    LOCKED = "locked"    # a passphrase is needed
    KEYED = "keyed"      # the key is in the OS keyring: unlock(None) works
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Stored:            # memory/store.py
    id: int
    item: Item


@dataclass(frozen=True, slots=True)
class SourceRow:         # memory/store.py
    id: int
    importer: str        # "mbox"
    title: str           # "Mail (mbox)"
    path: str            # where it was imported from
    imported_at: datetime
    items: int           # items that rest on this source
    problems: int


@dataclass(frozen=True, slots=True)
class Found_:            # importers/recognise.py: Recognised
    importer: str
    title: str
    confidence: float
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:           # importers/recognise.py
    recognised: tuple[Found_, ...]
    items: int                      # counted (exact: the preview reads the whole source, cancellable)
    mine: int
    undated: int
    first: str | None               # ISO day
    last: str | None
    samples: tuple[Item, ...]       # three
    authors: tuple[tuple[str, int], ...]   # names/addresses with counts, most frequent first: "Is this you?"
    skipped: tuple[tuple[str, str], ...]   # (locator, reason)
    problems: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:      # memory/ingest.py
    files: int
    seen: int
    added: int
    updated: int
    unchanged: int
    duplicates: int
    undated: int
    mine: int
    problems: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    vectors_pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:              # memory/conversations.py
    id: int
    question: str
    asked_at: datetime
    answer: AnswerEvent | None      # an Answer, None if the program was killed before it finished


class App:
    def __init__(self, home: Path, *, now: Callable[[], datetime], models=None, vault=None) -> None: ...

    # profile
    def state(self) -> ProfileState: ...
    def create(self, passphrase: str | None, *, home_zone: str) -> None:
        """New profile; passphrase None only where the OS keyring works."""
    def unlock(self, passphrase: str | None = None, *, writing: bool = True) -> None: ...
    def keyring_works(self) -> bool: ...
    def close(self) -> None: ...

    # settings (clone_app.settings.Settings is a frozen pydantic model, generated page from its fields)
    settings: Settings
    def change_settings(self, **changes: object) -> Settings: ...
    def me(self) -> frozenset[str]: ...
    def add_me(self, *names: str) -> None: ...

    # import
    def importers(self) -> Sequence[object]: """the Importer tuple: name, title, help, endings"""
    def preview(self, path: Path, *, as_source: str | None = None, me: Sequence[str] = (), progress: Progress) -> Preview: ...
    def import_(self, path: Path, *, as_source: str | None = None, me: Sequence[str] = (), vectors: bool = True, progress: Progress) -> ImportReport: ...
    def finish_vectors(self, progress: Progress) -> int:
        """Embed what has no vector yet, newest first; makes way while a question is answered. Returns how many are still missing (0)."""
    def vectors_pending(self) -> int: ...
    def sources(self) -> tuple[SourceRow, ...]: ...
    def remove_source(self, source_id: int, progress: Progress) -> int: """items removed"""
    def count_removal(self, source_id: int) -> int: """items that would go"""
    def sample_life(self) -> Path: ...

    # memories
    def items(self, *, medium: str | None = None, since: str | None = None, until: str | None = None, text: str | None = None, limit: int | None = None, offset: int = 0, newest_first: bool = False) -> tuple[Stored, ...]: ...
    def count_items(self, *, medium=None, since=None, until=None, text=None) -> int: ...
    def media(self) -> tuple[tuple[str, int], ...]: """media in memory with counts"""
    def item(self, item_id: int) -> Stored: ...
    def search(self, text: str, *, k: int = 10, at: str | None = None) -> tuple[Hit, ...]: ...

    # chat
    def cutoff(self, at: str | None) -> Cutoff: ...
    def ask(self, question: str, *, at: str | None = None, conversation: int | None = None, progress: Progress) -> Iterator[AnswerEvent]:
        """Yields SourcesFound, Drafted…, Checked…, and last an Answer. conversation None starts a new one."""
    def conversations(self) -> tuple[tuple[int, str, datetime], ...]: """(id, first question, started)"""
    def turns(self, conversation: int) -> tuple[Turn, ...]: ...
    def restart_models(self) -> None: """after ModelStoppedError"""

    def doctor(self) -> dict[str, object]: ...
