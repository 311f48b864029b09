"""One profile: opened, locked, its settings, and the parts that the use-cases share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import filelock

from clone_app import profile
from clone_app.asking import Talks
from clone_app.errors import CloneAppError, ModelError, ProfileLockedError
from clone_app.keys import KeyringVault, ProfileKey, Vault
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.calendars import calendar_of
from clone_app.memory.database import Base
from clone_app.memory.embedding import adopt, pending, reconcile, remake, restamp
from clone_app.memory.index import VectorIndex, next_folder
from clone_app.memory.sent import Sent
from clone_app.memory.store import Store
from clone_app.memory.when import Calendar
from clone_app.models.chosen import look_at
from clone_app.models.gguf import read_gguf
from clone_app.models.server import Server, checked_url
from clone_app.paths import ProfilePaths
from clone_app.profile import ProfileState
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Shelf
from clone_app.settings import Settings, known_zone, load_settings, save_settings

if TYPE_CHECKING:  # httpx takes a third of a second to import, and most people never need it
    from clone_app.models.remote import RemoteChat


class Parts:
    """Hold one profile and what works on it; each facet of `App` adds the use-cases of one page.

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
        self._book: AddressBook | None = None
        self._index: VectorIndex | None = None
        self._index_state = "not looked at yet"
        self._talks = Talks()
        self._remote: RemoteChat | None = None
        self._remote_key = ""
        self.settings = load_settings(self._paths.settings)

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
            self._hang_up()
            if self._base is not None:
                self._base.close()
                self._base = None
            self._index = None
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def change_settings(self, **changes: object) -> Settings:
        """Set settings, keep them on disk, and let what they change follow."""
        fresh = Settings.model_validate(self.settings.model_dump() | changes)
        known_zone(fresh.home_zone)
        if fresh.chat_model and fresh.chat_model != self.settings.chat_model:
            # Looked at before it is kept: a file that is no model would fail at every question.
            chosen = Path(fresh.chat_model).expanduser().absolute()
            read_gguf(chosen)
            fresh = fresh.model_copy(update={"chat_model": str(chosen)})
        if fresh.reranker_model and fresh.reranker_model != self.settings.reranker_model:
            folder = Path(fresh.reranker_model).expanduser().absolute()
            if not (folder / "config.json").is_file():
                raise ModelError(
                    f"There is no reranker in {folder}. Choose the folder of a downloaded "
                    "cross-encoder, the one that holds config.json, or none."
                )
            fresh = fresh.model_copy(update={"reranker_model": str(folder)})
        if fresh.remote_server != self.settings.remote_server:
            server = checked_url(fresh.remote_server) if fresh.remote_server.strip() else ""
            fresh = fresh.model_copy(update={"remote_server": server})
        if fresh.embedder_folder != self.settings.embedder_folder:
            if fresh.embedder_folder:
                found = str(look_at(fresh.embedder_folder).path)
                fresh = fresh.model_copy(update={"embedder_folder": found})
            if self._base is not None and self.writing:
                self.check_index()  # notes whose the index is, so that it goes on serving
        save_settings(self._paths.settings, fresh)
        before, self.settings = self.settings, fresh
        if fresh.home_zone != before.home_zone and self._base is not None:
            self._writer().rehome(self.home_zone())
            self.check_index()
        remote = ("remote_server", "remote_model", "context_tokens")
        if any(getattr(fresh, name) != getattr(before, name) for name in remote):
            self._hang_up()
            self._talks.forget()
        models = ("chat_model", "context_tokens", "threads", "reranker_model")
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

    def calendar(self) -> Calendar:
        """Return how the user counts seasons and weeks: as set, else as where the home zone lies."""
        return calendar_of(
            self.settings.home_zone,
            hemisphere=self.settings.hemisphere,
            week_start=self.settings.week_start,
        )

    def vectors_pending(self) -> int:
        """Return how many passages can't be found by meaning yet."""
        return pending(self._store())

    def check_index(self) -> str:
        """Make the vector index agree with the base; return what was the matter, `sound` for nothing."""
        store, shelf = self._writer(), self._models()
        self._settle_embedder(store, shelf)
        index = self._vectors()
        self._index_state = reconcile(store, index, shelf.embedder_name())
        restamp(store, index)
        return self._index_state

    def _settle_embedder(self, store: Store, shelf: Shelf) -> None:
        """Use the embedder that made the index; where it is gone, the one that is set."""
        wanted = self.settings.embedder_folder
        made_by = VectorIndex(self._paths.index, rotation_seed=0, dimensions=1).made_by()
        if made_by and made_by != store.fact("index_embedder"):
            with suppress(ModelError):  # killed between the swap and the note of it
                if shelf.embedder_at(wanted).name == made_by:
                    adopt(store, made_by, wanted)
        for folder in (self._served(), wanted, ""):
            try:
                shelf.embedder_at(folder)
            except ModelError:
                continue
            if folder != shelf.embedder_folder():
                shelf.use_embedder(folder)
                self._index = None
            if store.fact("index_embedder_folder") != folder:
                store.set_fact("index_embedder_folder", folder)
            return

    def _served(self) -> str:
        """Return the folder of the embedder that made the index; before there is one, that is set."""
        served = self._store().fact("index_embedder_folder") if self._base is not None else None
        return self.settings.embedder_folder if served is None else served

    def _change_embedder(self, progress: Progress) -> None:
        """Make the index anew by the embedder that is set, and let it take the old one's place."""
        store, shelf, wanted = self._writer(), self._models(), self.settings.embedder_folder
        assert self._key is not None
        embedder = shelf.background_embedder(progress, folder=wanted)
        fresh = VectorIndex(
            next_folder(self._paths.index),
            rotation_seed=self._key.rotation_seed(),
            dimensions=embedder.dimensions,
        )
        remake(store, fresh, embedder, progress=progress)
        with self._opening:
            self._vectors().give_way(fresh, embedder.name)
            adopt(store, embedder.name, wanted)
            shelf.use_embedder(wanted)
            self._index = None
        self._talks.forget()

    # --- for the facets ---------------------------------------------------------------------------

    def _store(self) -> Store:
        base = self._base
        if base is None:
            raise CloneAppError("The profile is not open. Open it with its passphrase first.")
        if self._kept_store is None or self._kept_store.base is not base:
            self._kept_store = Store(base)
        return self._kept_store

    def _addressbook(self) -> AddressBook:
        base = self._store().base
        if self._book is None or self._book.base is not base:
            self._book = AddressBook(base)
        return self._book

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
                    embedder_folder=self._served(),
                    reranker_model=self.settings.reranker_model,
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
        """Return the model that writes, None where there is none: then the user's words must do.

        A server is asked only where the user has agreed to it, and where what is sent can be listed.
        """
        if self.writing and self._agreed():
            return self._remote_chat()
        with suppress(ModelError):
            return self._models().chat()
        return None

    def _server(self) -> Server | None:
        """Return the server the user set, None for none."""
        url = self.settings.remote_server
        if not url:
            return None
        key = self._remote_key or (self._vault.get(f"server {url}") or b"").decode()
        return Server(url=url, model=self.settings.remote_model, key=key)

    def _agreed(self) -> bool:
        """Tell whether the user agreed to what goes to the server that is set."""
        url = self.settings.remote_server
        return bool(url) and self._store().fact("agreed to send") == url

    def _remote_chat(self) -> RemoteChat:
        from clone_app.models.remote import RemoteChat

        with self._opening:
            if self._remote is None:
                server = self._server()
                assert server is not None
                sent = Sent(self._writer().base)

                def noted(host: str, size: int) -> Callable[[], None]:
                    return partial(sent.failed, sent.note(self._now(), host, "a question", size))

                self._remote = RemoteChat(
                    server,
                    context=self.settings.context_tokens,
                    sent=noted,
                )
            return self._remote

    def _hang_up(self) -> None:
        if self._remote is not None:
            self._remote.close()
            self._remote = None

    def _rebuild_index(self) -> None:
        self._vectors().drop()
        self.check_index()
