"""The models the program uses: which ones, built when first asked for, and who waits for whom."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clone_app.errors import Cancelled
from clone_app.models.catalogue import CHAT, EMBEDDER, starter_chat, starter_embedder
from clone_app.models.chosen import look_at
from clone_app.models.embedder import IDLE_SECONDS, SentenceEmbedder, by_length
from clone_app.models.llama import LlamaChat
from clone_app.models.prefixes import NONE
from clone_app.models.reranker import SentenceReranker
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Vectors

POLL_SECONDS = 0.04
STARTER_EMBEDDER = f"{EMBEDDER.name}@{EMBEDDER.sha256[:8]}"


class Quiet:
    """Let background work wait while somebody is being answered."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._answering = 0

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Hold background work back as long as this lasts; may be nested and shared by threads."""
        with self._changed:
            self._answering += 1
        try:
            yield
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def wait_until_quiet(self, progress: Progress) -> None:
        """Return once nobody is being answered; raise `Cancelled` if asked to stop meanwhile."""
        with self._changed:
            progress.check()
            while self._answering:
                self._changed.wait(POLL_SECONDS)
                progress.check()


@dataclass(frozen=True, slots=True)
class BackgroundEmbedder:
    """Embed for work nobody waits for: pauses between batches while a question is answered."""

    embedder: Embedder
    quiet: Quiet
    progress: Progress

    @property
    def name(self) -> str:
        """Return the name the index is stamped with."""
        return self.embedder.name

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self.embedder.dimensions

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a text; raise `Cancelled` if the work was asked to stop."""
        return self._paced(self.embedder.embed, texts, progress or self.progress)

    def ask(self, questions: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a question; raise `Cancelled` if the work was asked to stop."""
        return self._paced(self.embedder.ask, questions, progress or self.progress)

    def _paced(
        self, make: Callable[..., Vectors], texts: Sequence[str], progress: Progress
    ) -> Vectors:
        found = np.empty((len(texts), self.dimensions), np.float32)
        for batch in by_length(texts):
            self.quiet.wait_until_quiet(progress)
            found[batch] = make([texts[index] for index in batch], progress=progress)
        return found


class Models:
    """Hold the chat model and the embedder. No process starts before a model is first used.

    `chat_model` is a GGUF file, empty for the starter that came along; `reranker_model` the folder of
    a cross-encoder, empty for none; `embedder_folder` one of sentence-transformers, empty for the
    starter.
    """

    def __init__(
        self,
        *,
        chat_model: str | Path = "",
        context: int = 2048,
        threads: int = 0,
        reranker_model: str | Path = "",
        embedder_folder: str | Path = "",
        embedder_idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._chat_model = str(chat_model)
        self._context = context
        self._threads = threads
        self._reranker_model = str(reranker_model)
        self._embedder_idle_seconds = embedder_idle_seconds
        self._building = threading.Lock()
        self._chat: LlamaChat | None = None
        self._embedder_folder = str(embedder_folder)
        self._embedders: dict[str, SentenceEmbedder] = {}
        self._reranker: SentenceReranker | None = None
        self._quiet = Quiet()
        self._closed = False

    def chat(self) -> LlamaChat:
        """Return the model that answers; raise `ModelError` where the starter isn't installed."""
        with self._building:
            self._refuse_if_closed()
            if self._chat is None:
                path = Path(self._chat_model) if self._chat_model else starter_chat().path
                self._chat = LlamaChat(path, context=self._context, threads=self._threads)
            return self._chat

    def embedder(self) -> SentenceEmbedder:
        """Return the embedder; raise `ModelError` where it isn't installed."""
        return self.embedder_at(self._embedder_folder)

    def embedder_at(self, folder: str) -> SentenceEmbedder:
        """Return the embedder in a folder, empty for the starter; two may be at work at a time."""
        with self._building:
            self._refuse_if_closed()
            if folder not in self._embedders:
                found = look_at(folder) if folder else None
                self._embedders[folder] = SentenceEmbedder(
                    found.path if found else starter_embedder().path,
                    name=found.name if found else STARTER_EMBEDDER,
                    dimensions=found.dimensions if found else EMBEDDER.dimensions,
                    prefixes=found.prefixes if found else NONE,
                    threads=self._threads,
                    idle_seconds=self._embedder_idle_seconds,
                )
            return self._embedders[folder]

    def embedder_folder(self) -> str:
        """Return the folder of the embedder in use, empty for the starter."""
        return self._embedder_folder

    def use_embedder(self, folder: str) -> None:
        """Use the embedder in another folder from now on, empty for the starter."""
        self._embedder_folder = folder

    def reranker(self) -> SentenceReranker | None:
        """Return the cross-encoder that was chosen, None where none was."""
        with self._building:
            self._refuse_if_closed()
            if self._reranker is None and self._reranker_model:
                folder = Path(self._reranker_model).expanduser()
                self._reranker = SentenceReranker(folder, threads=self._threads)
            return self._reranker

    def background_embedder(self, progress: Progress, *, folder: str | None = None) -> Embedder:
        """Return the embedder as background work should use it: it makes way between batches.

        The one in use, or the one in a folder.
        """
        embedder = self.embedder_at(self._embedder_folder if folder is None else folder)
        return BackgroundEmbedder(embedder, self._quiet, progress)

    def chat_name(self) -> str:
        """Return the chat model's name, without starting or finding it."""
        return Path(self._chat_model).stem if self._chat_model else CHAT.name

    def embedder_name(self) -> str:
        """Return the name an index is stamped with: other weights, another name."""
        return look_at(self._embedder_folder).name if self._embedder_folder else STARTER_EMBEDDER

    def embedder_dimensions(self) -> int:
        """Return the length of a vector, without starting the embedder."""
        if self._embedder_folder:
            return look_at(self._embedder_folder).dimensions
        return EMBEDDER.dimensions

    def answering(self) -> contextlib.AbstractContextManager[None]:
        """Hold back background embedding while a question is answered."""
        return self._quiet.answering()

    def wait_until_quiet(self, progress: Progress) -> None:
        """Wait while a question is answered; raise `Cancelled` if asked to stop meanwhile."""
        self._quiet.wait_until_quiet(progress)

    def restart(self) -> None:
        """End the processes; the next use starts them afresh, with what then lies on disk."""
        with self._building:
            running = (self._chat, *self._embedders.values(), self._reranker)
        for model in running:
            if model is not None:
                model.restart()

    def close(self) -> None:
        """End the processes for good; whoever still waits for them is `Cancelled`."""
        with self._building:
            self._closed = True
            running = (self._chat, *self._embedders.values(), self._reranker)
        for model in running:
            if model is not None:
                model.close()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Cancelled
