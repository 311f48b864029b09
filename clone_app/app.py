"""The use-cases of the program as methods of one object; window and command line build on this alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import filelock

from clone_app import profile
from clone_app.asking import Asked, Talks
from clone_app.doctor import program
from clone_app.entries import AnswerEvent, Cutoff, Hit, Recalled
from clone_app.errors import CloneAppError, ModelError, ProfileLockedError
from clone_app.importers import IMPORTERS
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import Preview, preview, read_claimed, recognise
from clone_app.importers.watch import Watch
from clone_app.keys import KeyringVault, ProfileKey, Vault
from clone_app.memory.conversations import Conversations, Turn
from clone_app.memory.database import Base, encodable
from clone_app.memory.embedding import embed_pending, passage_ids, pending, reconcile
from clone_app.memory.index import DamagedIndexError, VectorIndex
from clone_app.memory.ingest import ImportReport, Ingest
from clone_app.memory.lexical import match
from clone_app.memory.recall import DEFAULT, SEARCH, Recipe, recall
from clone_app.memory.store import ItemFilter, SourceRow, Store, Stored
from clone_app.memory.when import cutoff_of
from clone_app.memory.words import content_words
from clone_app.models.gguf import read_gguf
from clone_app.paths import ProfilePaths, resources
from clone_app.profile import ProfileState
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Importer, Reading, Shelf
from clone_app.settings import Settings, known_zone, load_settings, save_settings

__all__ = ["App", "ImportReport", "Preview", "ProfileState", "SourceRow", "Stored", "Turn"]


class App:
    """Hold one profile and do with it what a person wants done.

    Nothing is opened before `create` or `unlock`, no model loaded before its first use. Methods may
    be called from different threads: reading ones from any, writing ones one at a time.
    """

    def __init__(
        self,
        home: Path,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        shelf: Shelf | None = None,
        vault: Vault | None = None,
    ) -> None:
        self._paths = ProfilePaths(home)
        self._now = now
        self._vault = vault or KeyringVault()
        self._given_shelf = shelf
        self._shelf: Shelf | None = shelf
        self._opening = threading.RLock()
        self._lock: filelock.FileLock | None = None
        self._key: ProfileKey | None = None
        self._base: Base | None = None
        self._kept_store: Store | None = None
        self._index: VectorIndex | None = None
        self._index_state = "not looked at yet"
        self._talks = Talks()
        self.settings = load_settings(self._paths.settings)

    # --- profile -----------------------------------------------------------------------------------

    @property
    def home(self) -> Path:
        """Return the profile folder."""
        return self._paths.home

    def state(self) -> ProfileState:
        """Return what it takes to open the profile."""
        if self._base is not None:
            return ProfileState.OPEN
        return profile.state_of(self._paths, self._vault)

    def keyring_works(self) -> bool:
        """Tell whether the key can be kept in the operating system's keyring."""
        return self._vault.works()

    def create(self, passphrase: str | None, *, home_zone: str) -> None:
        """Make a new profile and open it; without a passphrase the keyring must work."""
        with self._opening:
            profile.make_folder(self._paths.home)
            self._lock = profile.take_lock(self._paths)
            try:
                self._key = profile.create(self._paths, passphrase, self._vault)
                self.settings = self.settings.model_copy(
                    update={"home_zone": known_zone(home_zone)}
                )
                save_settings(self._paths.settings, self.settings)
                self._base = Base(self._paths.database, self._key)
            except BaseException:
                self._release()
                raise

    def unlock(self, passphrase: str | None = None, *, writing: bool = True) -> None:
        """Open the profile; for writing only if nobody else has it."""
        with self._opening:
            if writing:
                self._lock = profile.take_lock(self._paths)
            try:
                self._key = profile.unlock(self._paths, passphrase, self._vault)
                self._base = Base(self._paths.database, self._key)
                if writing:
                    self._base.migrate()
            except BaseException:
                self.close()
                raise

    @property
    def writing(self) -> bool:
        """Tell whether this program is the one that may write to the profile."""
        return self._lock is not None

    def close(self) -> None:
        """End the models' processes, close the base and free the profile for others."""
        with self._opening:
            if self._shelf is not None:
                self._shelf.close()
                self._shelf = self._given_shelf
            if self._base is not None:
                self._base.close()
                self._base = None
            self._index = None
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- settings ----------------------------------------------------------------------------------

    def change_settings(self, **changes: object) -> Settings:
        """Set settings, keep them on disk, and let what they change follow."""
        fresh = Settings.model_validate(self.settings.model_dump() | changes)
        known_zone(fresh.home_zone)
        if fresh.chat_model and fresh.chat_model != self.settings.chat_model:
            # Looked at before it is kept: a file that is no model would fail at every question.
            chosen = Path(fresh.chat_model).expanduser().absolute()
            read_gguf(chosen)
            fresh = fresh.model_copy(update={"chat_model": str(chosen)})
        save_settings(self._paths.settings, fresh)
        before, self.settings = self.settings, fresh
        if fresh.home_zone != before.home_zone and self._base is not None:
            self._writer().rehome(self.home_zone())
            self._rebuild_index()
        models = ("chat_model", "context_tokens", "threads")
        if any(getattr(fresh, name) != getattr(before, name) for name in models):
            with self._opening:
                if self._shelf is not None and self._given_shelf is None:
                    self._shelf.close()
                    self._shelf = None
            self._talks.forget()
        return fresh

    def home_zone(self) -> ZoneInfo:
        """Return the time zone in which entries that name none are read."""
        return ZoneInfo(self.settings.home_zone)

    def me(self) -> frozenset[str]:
        """Return the names and addresses known as the user's, casefolded."""
        return self._store().identities()

    def add_me(self, *names: str) -> None:
        """Remember names and addresses as the user's."""
        self._writer().add_identities(names)

    # --- import ------------------------------------------------------------------------------------

    def importers(self) -> Sequence[Importer]:
        """Return every kind of source there is, for dialogs and help."""
        return IMPORTERS

    def sample_life(self) -> Path:
        """Return the folder of the invented life that comes with the program."""
        return resources() / "sample_life"

    def preview(
        self,
        path: Path,
        *,
        as_source: str | None = None,
        me: Sequence[str] = (),
        answers: Mapping[str, str] | None = None,
        progress: Progress,
    ) -> Preview:
        """Read a source without keeping anything: what it is, how much, whose."""
        with open_tree(path) as tree:
            return preview(
                recognise(tree, as_source=as_source), self._reading(me, answers), progress
            )

    def import_(
        self,
        path: Path,
        *,
        as_source: str | None = None,
        me: Sequence[str] = (),
        answers: Mapping[str, str] | None = None,
        vectors: bool = True,
        progress: Progress,
    ) -> ImportReport:
        """Take in what lies at a path; searchable at once, and by meaning when the vectors are done.

        `answers` are to the questions a preview's sources ask, by the questions' names; they are
        remembered for the next import.
        """
        store = self._writer()
        with open_tree(path) as tree:
            recognition = recognise(tree, as_source=as_source)
            store.add_identities(me)
            store.remember_answers(answers or {})
            report = ImportReport(
                seen=len(recognition.problems),
                problems=tuple((each.locator, each.reason) for each in recognition.problems),
                skipped=tuple((each.locator, each.reason) for each in recognition.skipped),
            )
            reading, watch, home = self._reading(me, answers), Watch(), self.home_zone()
            for claimed in recognition.claimed:
                importer = claimed.importer
                number = store.begin_source(
                    importer.name, importer.title, encodable(str(path.absolute())), self._now()
                )
                found = read_claimed(recognition, claimed, reading, progress, watch)
                taken = Ingest(store, number, home).run(found)
                report += replace(taken, files=len(claimed.members))
        if vectors:
            self.finish_vectors(progress)
        return replace(report, vectors_pending=self.vectors_pending())

    def vectors_pending(self) -> int:
        """Return how many passages can't be found by meaning yet."""
        return pending(self._store())

    def finish_vectors(self, progress: Progress) -> int:
        """Give every passage its vector, making way for questions; return how many are missing still."""
        store, shelf = self._writer(), self._models()
        self.check_index()
        if pending(store):
            embedder = shelf.background_embedder(progress)
            embed_pending(store, self._vectors(), embedder, progress=progress)
        return pending(store)

    def check_index(self) -> str:
        """Make the vector index agree with the base; return what was the matter, `sound` for nothing."""
        self._index_state = reconcile(
            self._writer(), self._vectors(), self._models().embedder_name()
        )
        return self._index_state

    def sources(self) -> tuple[SourceRow, ...]:
        """Return what was imported, the latest first."""
        return self._store().sources()

    def source_problems(self, source_id: int) -> tuple[tuple[str, str], ...]:
        """Return what could not be read of a source: (locator, reason)."""
        return self._store().problems(source_id)

    def count_removal(self, source_id: int) -> int:
        """Return how many items would go with a source."""
        return self._store().only_of(source_id)

    def remove_source(self, source_id: int, progress: Progress) -> int:
        """Take out a source with all that came of it; return how many items went."""
        store = self._writer()
        progress.report(0, 0, "Removing")
        keys = store.remove_source(source_id)
        Conversations(store.base).forget(keys)
        self._talks.forget()
        store.base.checkpoint()
        try:
            self._vectors().keep_only(passage_ids(store))
        except DamagedIndexError:
            self._rebuild_index()
        return len(keys)

    # --- memories ----------------------------------------------------------------------------------

    def items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        """Return items by their local time; `since` inclusive, `until` exclusive, ISO local days."""
        wanted = _filter(medium=medium, since=since, until=until, text=text)
        return self._store().items(wanted, limit=limit, offset=offset, newest_first=newest_first)

    def count_items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        text: str | None = None,
    ) -> int:
        """Return how many items `items` would return without a limit."""
        return self._store().count(_filter(medium=medium, since=since, until=until, text=text))

    def media(self) -> tuple[tuple[str, int], ...]:
        """Return the media there are with the number of items, most first."""
        return self._store().media()

    def item(self, item_id: int) -> Stored:
        """Return one item; raise if it is no longer there."""
        found = self._store().by_id([item_id]).get(item_id)
        if found is None:
            raise CloneAppError("That entry has been removed. Search again to see what is there.")
        return found

    def search(self, text: str, *, k: int = 10, at: str | None = None) -> tuple[Hit, ...]:
        """Return the `k` items that fit a text best, best first."""
        return self._recall(encodable(text), self.cutoff(at), k, SEARCH).hits

    # --- chat --------------------------------------------------------------------------------------

    def cutoff(self, at: str | None) -> Cutoff:
        """Return what can be seen at a time: ISO 8601, a bare day to its end; None for now."""
        return cutoff_of(at, now=self._now(), home=self.home_zone())

    def ask(
        self,
        question: str,
        *,
        at: str | None = None,
        conversation: int | None = None,
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        """Answer a question: sources first, then the draft sentence by sentence, last the answer.

        The question is kept before anything is done with it, the draft if the work is stopped. In a
        program that may not write, the answer is given and nothing is kept.
        """
        cutoff, question = self.cutoff(at), encodable(question)
        store = self._store()
        if conversation is not None:
            store = self._writer()
        with self._models().answering():
            yield from self._talks.ask(
                Asked(
                    question=question,
                    at=at,
                    asked_at=cutoff.instant.astimezone(self.home_zone()),
                    name=store.usual_author(),
                    style=self.settings.answer_style,
                    chat=self._chat(),
                ),
                lambda: self._recall(
                    question, cutoff, self.settings.sources_shown, DEFAULT, progress
                ),
                kept=Conversations(store.base) if self.writing else None,
                conversation=conversation,
                now=self._now(),
                progress=progress,
            )

    def conversations(self) -> tuple[tuple[int, str, datetime], ...]:
        """Return (number, first question, start) of earlier conversations, the latest first."""
        return Conversations(self._store().base).list()

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        """Return the turns of a conversation in order."""
        return Conversations(self._store().base).turns(conversation)

    def restart_models(self) -> None:
        """End the models' processes, so that the next use starts fresh ones."""
        self._models().restart()
        self._talks.forget()

    def doctor(self) -> dict[str, object]:
        """Return how the program and the profile are: versions, models, base, index."""
        found = program(self.settings, self.home, keyring=self.keyring_works())
        if self._base is None:
            return found | {"database": "no profile yet"}
        if self.writing:
            self.check_index()
        return found | {
            "database": self._base.quick_check(),
            "items": self.count_items(),
            "sources": len(self.sources()),
            "index": self._index_state,
            "vectors pending": self.vectors_pending(),
            "home zone": self.settings.home_zone,
        }

    # --- parts -------------------------------------------------------------------------------------

    def _store(self) -> Store:
        base = self._base
        if base is None:
            raise CloneAppError("The profile is not open. Open it with its passphrase first.")
        if self._kept_store is None or self._kept_store.base is not base:
            self._kept_store = Store(base)
        return self._kept_store

    def _writer(self) -> Store:
        store = self._store()
        if not self.writing:
            raise ProfileLockedError(
                "This profile is open in another window or command, so nothing can be changed from "
                "here. Close that one first."
            )
        return store

    def _models(self) -> Shelf:
        with self._opening:
            if self._shelf is None:
                from clone_app.models.shelf import Models

                self._shelf = Models(
                    chat_model=self.settings.chat_model,
                    context=self.settings.context_tokens,
                    threads=self.settings.threads,
                )
            return self._shelf

    def _vectors(self) -> VectorIndex:
        with self._opening:
            if self._index is None:
                assert self._key is not None
                self._index = VectorIndex(
                    self._paths.index,
                    rotation_seed=self._key.rotation_seed(),
                    dimensions=self._models().embedder_dimensions(),
                )
            return self._index

    def _chat(self) -> ChatModel | None:
        """Return the model that writes, None where there is none: then the user's words must do."""
        with suppress(ModelError):
            return self._models().chat()
        return None

    def _rebuild_index(self) -> None:
        self._vectors().drop()
        self.check_index()

    def _reading(self, me: Sequence[str], answers: Mapping[str, str] | None) -> Reading:
        known: frozenset[str] = frozenset()
        answered: dict[str, str] = {}
        if self._base is not None:
            known, answered = self._store().identities(), self._store().answers()
        return Reading(
            known | {name.strip().casefold() for name in me if name.strip()},
            answered | dict(answers or {}),
        )

    def _recall(
        self,
        text: str,
        cutoff: Cutoff,
        k: int,
        recipe: Recipe,
        progress: Progress | None = None,
    ) -> Recalled:
        """Recall by words and meaning; by words alone where the index or the embedder can't serve."""
        look = partial(
            recall,
            self._store(),
            text,
            cutoff,
            home=self.home_zone(),
            recipe=recipe,
            k=k,
            progress=progress,
        )
        try:
            return look(index=self._vectors(), embedder=self._models().embedder())
        except (DamagedIndexError, ModelError) as fault:
            self._index_state = "damaged" if isinstance(fault, DamagedIndexError) else str(fault)
            return look(index=None, embedder=None)


def _filter(
    *, medium: str | None, since: str | None, until: str | None, text: str | None
) -> ItemFilter:
    words = match(content_words(text)) if text else None
    return ItemFilter(medium=medium, since=since, until=until, words=words)
